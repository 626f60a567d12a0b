#pragma once
// What the contacts and joints of an island do within a finite time h, as one problem for the
// velocities at its end.
//
//     v+ = v* + M^-1 J^T p,      w = J v+ + b,      every block of rows obeys its law:
//       contact    Coulomb's law on the true cone between p and w (lcp/cone_problem.h)
//       bounded    lower <= p <= upper, complementary to w
//       equality   w = 0
// v* is what the bodies would do without these impulses; b holds gaps and offsets over h, what
// restitution asks for, and the velocities of supports. For h > 0 there is always a solution, jams
// and stops of slip included: nothing has to be decided beforehand.
//
// Few contacts, and bodies in a row or a tower, are solved exactly: by Newton's method from the
// impulses of the step before (law/step_newton.h), and where that is too far from the solution, by
// an interior-point method (law/step_interior.h). Heaps are swept: Gauss-Seidel over the blocks
// with the exact solution of each one (lcp/one_contact.h, law/sweeps.h), until it is enough.

#include <array>
#include <vector>

#include "impulse/row_system.h"
#include "lcp/cone_problem.h"
#include "math/node_matrix.h"

namespace abut::law {

using impulse::Twist;
using lcp::Vector;

/// Six freedoms: of a rigid body, or a part of those of a body that bends.
struct StepBody {
  impulse::Inertia inertia;
  Twist velocity;  ///< v*; of a solution, v+
};

struct StepBlock {
  enum class Kind { contact, bounded, equality };

  Kind kind = Kind::bounded;
  std::array<int, 2> slots = {impulse::immovable, impulse::immovable};
  int first = 0;  ///< of its rows
  int rows = 1;   ///< contact: 3; bounded: 1; equality: up to 6
  double friction = 0;
  double lower = 0, upper = 0;    ///< N s, of a bounded row
  int first_more = 0, more = 0;   ///< further slots, in StepProblem::more_slots
  int first_node = 0, nodes = 0;  ///< of sheets that it acts on, in StepProblem::block_nodes
};

/// One row: how it acts on its two bodies, and what it is without them.
struct StepRow {
  std::array<body::RowSide, 2> sides;
  double bias = 0;     ///< b, m/s or rad/s
  double impulse = 0;  ///< p, N s or N m s: where to start, and of a solution
  int first_more = 0;  ///< of its sides on the block's further slots, in StepProblem::more_sides
  int first_node = 0;  ///< of its sides on the block's nodes, in StepProblem::node_sides
};

/// Point masses whose matrix couples them: M is not diagonal here, but sparse.
struct StepSheet {
  int first = 0;    ///< of its nodes
  double mass = 0;  ///< kg
  const math::NodeMatrix* matrix = nullptr;
};

struct StepProblem {
  std::vector<StepBody> bodies;
  std::vector<StepBlock> blocks;
  std::vector<StepRow> rows;
  // A body that bends has more than six freedoms: it takes several slots of six, and blocks act on
  // all of them (clock/bent_body.h). No slot comes twice in a block.
  std::vector<int> more_slots;
  std::vector<body::RowSide> more_sides;
  // Of sheets, by node: velocities, at first any guess of those of the solution, and the momentum
  // M v* without impulses.
  std::vector<StepSheet> sheets;
  std::vector<Vec3> node_velocities, node_momenta;
  std::vector<int> block_nodes;
  std::vector<Vec3> node_sides;

  /// Appends a block; its rows are to follow at once.
  void begin_block(StepBlock block) {
    block.first = static_cast<int>(rows.size());
    blocks.push_back(block);
  }
  /// J v + b of a row with the velocities as they are.
  double motion(const StepBlock& block, int row) const;
};

struct StepSolution {
  bool solved = false;
  int sweeps = 0;
  bool exact = false;  ///< the sweeps did not get there, and the exact solver did
};

/// Replaces impulses and velocities by those of the solution. `accuracy` (m/s): what velocities of
/// rows may be off by. Where that takes too long, as with many blocks, `enough` has to do: the next
/// step, which begins with the impulses of this one, comes nearer.
StepSolution solve(StepProblem& problem, double accuracy, double enough);

}  // namespace abut::law
