#pragma once
// The matrix of a body that bends in a step's problem, and coordinates in which it is 1.
//
// Over a step the rates v of the columns are constant, as velocities of rigid bodies are. With k
// the time from the middle of the last step to that of this one, h the step, and the elastic force
// taken where the columns come to be,
//     M (v+ - v) = k (f(r) - h K (a v+ + b v) - D v+ + M g) + J^T p,
// or A v+ = c + J^T p with A = M + k (a h K + D).
//     a = 1/4, b = -1/4   the rule of the mean acceleration (Newmark 1959): second order, stable
//                         for steps of any length, and no energy is lost
//     a = 1, b = 0        vibrations that a step cannot follow die out
// With A = L L^T and u = L^T v the problem has the matrix 1 for u, and a row J becomes L^-1 J: so
// six by six the u are bodies of unit inertia to whoever solves it.

#include <Eigen/SparseCholesky>
#include <memory>
#include <vector>

#include "flexible/bending_body.h"

namespace abut::clock {

/// How much of a vibration (rad/s) dies out in a step, between both rules: nothing where the step
/// follows it, everything where it is over many times in it.
inline double damped_part(double fastest, double h) {
  const double phase = 0.5 * fastest * h;
  return phase * phase / (1 + phase * phase);
}

class BentMatrix {
 public:
  /// Some columns may be held: their rates are given.
  BentMatrix(const flexible::BendingBody& body, const std::vector<bool>& held);

  int slots() const { return (size() + 5) / 6; }
  bool is_held(int column) const { return held_[column]; }

  /// A = M + stiff K + damp D, for columns at these places. False if it has no factors.
  bool factorise(const flexible::Columns& columns, double stiff, double damp);
  /// y = A x without regard to what is held, and y = K x.
  flexible::Columns times(const flexible::Columns& x) const;
  flexible::Columns stiffness_times(const flexible::Columns& x) const;

  /// u of a generalised force: L^-1 f.
  Eigen::VectorXd scaled(const flexible::Columns& force) const;
  /// v of u: L^-T u; 0 where held.
  flexible::Columns rates(const Eigen::VectorXd& u) const;

  struct SlotRows {
    int slot = 0;
    Eigen::Matrix<double, 6, 3> j;  ///< by coordinate: along x, y and z of the point
  };
  /// The point with these weights of columns, as u sees it: slots that it depends on.
  std::vector<SlotRows> rows_of(flexible::Weights weights) const;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  struct Entry {
    int row = 0, column = 0;      // places in the order of elimination, row >= column
    std::array<int, 3> values{};  // where its three columns of numbers begin
  };

  int size() const { return 3 * static_cast<int>(place_.size()); }
  void lay_out(const std::vector<flexible::ColumnPair>& pairs);
  void set(const Entry& entry, const Mat3& block);
  const std::vector<SlotRows>& rows_of(int column) const;

  const flexible::BendingBody& body_;
  std::vector<bool> held_;
  std::vector<int> place_, column_at_;       // by column, and back
  std::vector<flexible::ColumnPair> pairs_;  // of mass and elasticity
  std::vector<int> elastic_;                 // by pair: of the elasticity, -1: none
  std::vector<Entry> entries_;               // by pair
  std::vector<Mat3> blocks_;                 // of A, by pair
  flexible::Blocks stiffness_, damping_;
  Sparse matrix_;
  Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>> factors_;
  mutable std::vector<std::vector<SlotRows>> known_;  // rows of columns that were asked for
};

}  // namespace abut::clock
