#pragma once
// The linear systems of sheets, and of bodies that touch them.
//
// (L + D + L^T + C) v = b, with L below the diagonal of sheets, D on it, and C what couples parts
// besides, without blocks on the diagonal. Conjugate gradients are preconditioned by
// (D + L) D^-1 (D + L^T), a sweep over all nodes forth and back. In w = (D + L^T) v the matrix is
//     q = (D + L)^-1 (L + D + L^T + C) (D + L^T)^-1 p = t + (D + L)^-1 (p - D t + C t),
//     t = (D + L^T)^-1 p,
// so that a step reads each block of L twice, as without preconditioner (Eisenstat 1981). What is
// left to do is to multiply by D, and both sweeps have D t and D (q - t) on the way.
//
// Whoever asks looks for small corrections, and goes on from what he finds: single precision is
// enough for them, and sweeps go over eight nodes at a time (math/sweep_order.h).

#include <functional>
#include <vector>

#include "law/step_problem.h"
#include "math/conjugate_gradients.h"

namespace abut::law {

class SplitSystem {
 public:
  /// With so many parts: the nodes of all sheets, and others that L does not couple.
  SplitSystem(const std::vector<StepSheet>& sheets, std::size_t parts);

  /// The inverse of a part's block of D.
  void set_inverse(int part, const math::NodeBlock& inverse);

  /// Adds (L + L^T) x to y, in single precision.
  void add_coupling_within(const math::NodeVector& x, math::NodeVector& y);

  /// Adds C x to y; only parts that C couples may be read and written.
  using AddCoupling = std::function<void(const math::NodeVector& x, math::NodeVector& y)>;

  /// Whether it is solved to what is enough by itself. `coupled`: the parts that C couples.
  bool solve(const std::vector<int>& coupled, const AddCoupling& add_coupling,
             const math::NodeVector& b, const math::Enough& enough, math::NodeVector& v);

 private:
  struct Sheet {
    const math::NodeMatrix* matrix;
    int first_place;
  };

  void sweep_down(const math::LaneVector& x, math::LaneVector& t, math::LaneVector& beyond) const;
  template <class Take>
  void sweep_up(math::LaneVector& x, const Take& take) const;
  void apply(const math::LaneVector& p, math::LaneVector& q, math::LaneVector& dq);
  void add_couplings(math::LaneVector& y);

  int places_ = 0;
  std::vector<Sheet> sheets_;
  std::vector<int> place_of_;    // by part
  std::vector<float> inverses_;  // by pack
  const std::vector<int>* coupled_ = nullptr;
  const AddCoupling* add_coupling_ = nullptr;
  math::NodeVector coupled_x_, coupled_y_;  // used where parts are coupled
  math::LaneVector t_, beyond_, right_, within_, w_, sum_;
  math::GradientMemory memory_;
};

}  // namespace abut::law
