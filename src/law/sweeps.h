#pragma once
// Gauss-Seidel over the blocks of a step's problem, with the exact solution of each.
//
// A sweep reads every row once, so what it reads is kept together: of a contact its rows, its
// matrix, the inverse of that and the impulse, in one record. What an impulse does to a body is
// found from the body's inertia, which a sweep has at hand, instead of being kept per row. A
// contact that is open, and stays so, is told by its normal row alone.

#include <vector>

#include "base/limits.h"
#include "law/step_problem.h"

namespace abut::law {

class Sweeps {
 public:
  /// Gives the bodies of the problem what the impulses of its rows do; from then on their
  /// velocities are those of the sweeps.
  explicit Sweeps(StepProblem& problem);

  /// One exact solution of each block; what is left to change of a row's velocity at most, m/s.
  double sweep();

  /// What rows were short of when the last sweep came to them, m/s: how fast bodies approach each
  /// other, part though they push each other, and joints come apart.
  double missing() const { return missing_; }

  /// Writes the impulses into the rows of the problem.
  void write_impulses();

 private:
  using Block6 = Eigen::Matrix<double, 6, 6>;
  using Part6 = Eigen::Matrix<double, 6, 1>;
  /// Three rows on two slots.
  struct Contact {
    std::array<int, 2> slots;
    int first;  ///< of its rows
    double friction;
    std::array<std::array<body::RowSide, 2>, 3> rows;
    Vec3 bias, impulse;
    Mat3 matrix, inverse;
  };
  /// Any other block.
  struct Other {
    int block;
    Block6 matrix;  ///< of an equality, its inverse
  };

  void add_contact(const StepBlock& block);
  void add_other(int index);
  double entry(const StepBlock& block, int i, int k) const;
  double left() const;
  void overshoot();
  double relax(Contact& contact);
  double relax(const Other& other);
  double motion(const Contact& contact, int row) const;
  void push(const Contact& contact, const Vec3& impulse);
  void push(const StepBlock& block, int row, double impulse);
  void push_slot(int slot, const body::RowSide& side, double impulse);

  StepProblem& problem_;
  std::vector<Contact> contacts_;
  std::vector<Other> others_;
  std::vector<bool> is_contact_;  // by block: which list it is in, both are in the order of blocks
  double pace_ = 1, energy_ = 0, last_energy_ = infinity;  // of changes, J
  double missing_ = 0;
  std::vector<double> changes_;      // of each sweep, the largest of a row's velocity, m/s
  std::vector<Vec3> last_contacts_;  // impulses before the last sweep
  std::vector<double> last_others_;  // the same by row, of others
  std::vector<Twist> last_velocities_;
};

}  // namespace abut::law
