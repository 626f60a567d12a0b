#pragma once
// Complementarity over a system of rows with Coulomb friction: what impulses and forces solve where
// contacts are rough, as mixed_problem.h does where they are not.
//
//     w = A z + b,   equalities: w = 0,   blocks: bounds, or Coulomb's law on the true cone
// (lcp/cone_problem.h). Rows that are in neither have no multiplier.

#include <limits>
#include <vector>

#include "impulse/row_system.h"
#include "lcp/cone_problem.h"

namespace abut::impulse {

/// A row with bounds, or a contact with its two rows of slip.
struct CoulombBlock {
  int row = 0;
  int tangent = -1;  ///< the first row of slip of a contact that may stick; -1: bounds
  double friction = 0;
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();
};

struct CoulombProblem {
  const RowSystem* system = nullptr;
  Vector b;                     ///< by row
  std::vector<int> equalities;  ///< rows, ascending
  std::vector<CoulombBlock> blocks;
  Vector start = {};  ///< by row: where to begin; empty: anywhere
  /// By block: what is tried first; empty: what the start says.
  std::vector<lcp::Mode> modes = {};
  double enough = 0;         ///< residual up to which the start is taken as it is (dimensionless)
  bool from_inside = false;  ///< begin inside of the cones instead (lcp::ConeStart)
};

struct CoulombSolution {
  lcp::Status status = lcp::Status::solved;
  Vector z;                      ///< by row
  Vector w;                      ///< by row
  std::vector<lcp::Mode> modes;  ///< by block
  std::vector<int> equalities;   ///< that carry the solution; independent of each other
  double residual = 0;           ///< of the complementarity problem
  double equality_residual = 0;  ///< largest |w| of an equality, relative to the terms in it
  long iterations = 0;
};

CoulombSolution solve(const CoulombProblem& problem);

}  // namespace abut::impulse
