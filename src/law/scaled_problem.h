#pragma once
// A step's problem in the units of the exact methods: velocities such that kinetic energy is
// |v|^2 / 2, and rows whose own answer to an impulse is 1. Their linear systems are those of the
// bodies, with six rows for each.

#include <array>
#include <vector>

#include "law/step_law.h"

namespace abut::law {

/// Which bodies act on each other: pairs, the smaller slot first.
std::vector<std::array<int, 2>> couplings_of(const StepProblem& problem);

/// Slots that a block may act on: two bodies of thirty freedoms have ten.
inline constexpr int most_sides = 14;

/// Whether its blocks act on so few slots that a matrix made of them is sparse.
bool is_narrow(const StepProblem& problem);

/// Products of blocks in one elimination up to which it is worth its while: beyond, many short
/// steps with a few sweeps each lead farther in the same time.
inline constexpr std::size_t most_fill = 100000;

class ScaledProblem {
 public:
  explicit ScaledProblem(const StepProblem& problem);

  std::vector<Law> laws;    ///< of the blocks
  std::vector<Part6> free;  ///< velocities without impulses

  /// The impulse that a block of the problem has now.
  Part6 impulse_in(const StepProblem& problem, std::size_t block) const;
  /// Velocities and impulses of the problem, from scaled impulses.
  void write_back(const std::vector<Part6>& impulses, StepProblem& problem) const;

  /// Finds the places of its laws in a matrix with its couplings, which is to stay where it is.
  void find_places(math::BlockLu& matrix);
  /// Adds J^T B J to that matrix.
  void add_to_matrix(const Law& law, const Block6& b) const;

 private:
  struct Root {
    double linear;
    Mat3 angular;
  };

  void scale_body(const StepBody& body);
  void add_law(const StepProblem& problem, const StepBlock& block);
  void add_more(const StepProblem& problem, const StepBlock& block, int k, Law& law,
                Part6& answer) const;

  template <int n>
  void add_rows(const Law& law, const Block6& b) const;

  std::vector<Root> roots_;      // C of M^-1 = C C^T; velocities are C times the scaled ones
  std::vector<Block6*> places_;  // by law, and by two of its sides: of the matrix
};

}  // namespace abut::law
