#pragma once
// The matrix of a body that bends in a step's problem.
//
// Over a step the rates v of the columns are constant, as velocities of rigid bodies are. With k
// the time from the middle of the last step to that of this one, h the step, and the elastic force
// taken where the columns come to be,
//     M (v+ - v) = k (f(r) - h K (a v+ + b v) - D v+ + M g) + J^T p,
// or A v+ = c + J^T p with A = M + k (a h K + D).
//     a = 1/4, b = -1/4   the rule of the mean acceleration (Newmark 1959): second order, stable
//                         for steps of any length, and no energy is lost
//     a = 1, b = 0        vibrations that a step cannot follow die out
//
// A solid has few columns, which all act on each other. With A = L L^T and u = L^T v the problem
// has the matrix 1 for u, and a row J becomes L^-1 J: so six by six the u are bodies of unit
// inertia to whoever solves it. A sheet has many, of which few do: its A is part of the problem as
// it is (law/sheet_newton.h).

#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "flexible/bending_body.h"
#include "flexible/spring_elasticity.h"
#include "math/node_matrix.h"

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

  /// Of the problem: a sheet has one that nothing acts on, and nodes besides.
  int slots() const { return body_.is_sheet() ? 1 : (size() + 5) / 6; }
  bool is_held(int column) const { return held_[column]; }

  /// A = M + stiff K + damp D, for columns at these places. False if it is not finite, or not
  /// positive definite.
  bool assemble(const flexible::Columns& columns, double stiff, double damp);
  /// y = A x without regard to what is held, and y = K x.
  flexible::Columns times(const flexible::Columns& x) const;
  flexible::Columns stiffness_times(const flexible::Columns& x) const;

  /// Of a sheet: A, with columns that are held coupled to nothing.
  const math::NodeMatrix& nodes() const { return nodes_; }

  /// Of a solid: u of a generalised force, L^-1 f.
  Eigen::VectorXd scaled(const flexible::Columns& force) const;
  /// v of u: L^-T u; 0 where held.
  flexible::Columns rates(const Eigen::VectorXd& u) const;

  struct SlotRows {
    int slot = 0;
    Eigen::Matrix<double, 6, 3> j;  ///< by coordinate: along x, y and z of the point
  };
  /// The point of a solid with these weights of columns, as u sees it: slots that it depends on.
  std::vector<SlotRows> rows_of(flexible::Weights weights) const;

 private:
  int size() const { return 3 * body_.columns(); }
  bool assemble_nodes();
  bool factorise();

  const flexible::BendingBody& body_;
  const flexible::SpringElasticity* springs_;  // of a sheet
  std::vector<bool> held_;
  std::vector<flexible::ColumnPair> pairs_;      // of mass and elasticity
  std::vector<int> elastic_;                     // by pair: of the elasticity, -1: none
  std::vector<Mat3> blocks_;                     // of A, by pair
  flexible::Blocks stiffness_, elastic_blocks_;  // K, and A without masses
  math::NodeMatrix nodes_;                       // of a sheet
  Eigen::LLT<Eigen::MatrixXd> factors_;          // of a solid
};

}  // namespace abut::clock
