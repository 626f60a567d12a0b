#pragma once
// The linear systems of sheets, and of bodies that touch them.

#include <vector>

#include "law/step_problem.h"
#include "math/conjugate_gradients.h"

namespace abut::law {

// Steps of conjugate gradients at most: more than any sheet needs whose springs a step can follow.
inline constexpr int most_gradients = 2000;

/// Solves (L + D + L^T + C) v = b, with L below the diagonal of sheets, D on it, and C what couples
/// parts besides, without blocks on the diagonal. Conjugate gradients are preconditioned by
/// (D + L) D^-1 (D + L^T), a sweep over all nodes forth and back. In w = (D + L^T) v the matrix is
///     q = (D + L)^-1 (L + D + L^T + C) (D + L^T)^-1 p = t + (D + L)^-1 (p - D t + C t),
///     t = (D + L^T)^-1 p,
/// so that a step reads each block of L twice, as without preconditioner (Eisenstat 1981). What is
/// left to do is to multiply by D, and both sweeps have D t and D (q - t) on the way.
class SplitSystem {
 public:
  /// Returns whether it is solved to what is enough by itself.
  template <class AddCoupling>
  bool solve(const std::vector<StepSheet>& sheets, const std::vector<math::NodeBlock>& inverses,
             const AddCoupling& add_coupling, const math::NodeVector& b, const math::Enough& enough,
             math::NodeVector& v) {
    const std::size_t count = b.size();
    std::size_t nodes = 0;
    for (const StepSheet& sheet : sheets) nodes += sheet.matrix->nodes();
    const auto lower = [&](math::NodeVector& x, math::NodeVector& within) {
      for (const StepSheet& sheet : sheets)
        sheet.matrix->solve_lower(&inverses[sheet.first], &x[sheet.first], &within[sheet.first]);
      for (std::size_t i = nodes; i < count; ++i) {
        within[i] = x[i];
        x[i] = inverses[i] * x[i];
      }
    };
    const auto upper = [&](const math::NodeVector& x) {
      for (const StepSheet& sheet : sheets)
        sheet.matrix->solve_upper(&inverses[sheet.first], &x[sheet.first], &t_[sheet.first],
                                  &beyond_[sheet.first]);
      for (std::size_t i = nodes; i < count; ++i) {
        beyond_[i].setZero();
        t_[i] = inverses[i] * x[i];
      }
    };
    const auto apply = [&](const math::NodeVector& p, math::NodeVector& q, math::NodeVector& dq) {
      upper(p);
      q = beyond_;
      add_coupling(t_, q);
      lower(q, dq);
      for (std::size_t i = 0; i < count; ++i) {
        q[i] += t_[i];
        dq[i] += p[i] - beyond_[i];
      }
    };
    for (math::NodeVector* vector : {&t_, &beyond_, &within_}) vector->resize(count);
    right_ = b;
    lower(right_, within_);
    const math::Gradients found =
        math::conjugate_gradients(apply, right_, within_, enough, most_gradients, w_, memory_);
    upper(w_);
    v = t_;
    return found.is_solved;
  }

 private:
  math::NodeVector t_, beyond_, right_, within_, w_;
  math::GradientMemory memory_;
};

}  // namespace abut::law
