#pragma once
// The linear systems of sheets, and of bodies that touch them.

#include <vector>

#include "law/step_problem.h"
#include "math/conjugate_gradients.h"

namespace abut::law {

// Steps of conjugate gradients at most: more than any sheet needs whose springs a step can follow.
inline constexpr int most_gradients = 2000;

/// Solves (L + E + L^T + C) v = b, with L below the diagonal of sheets, E on it, and C what couples
/// parts besides. Conjugate gradients are preconditioned by (D + L) D^-1 (D + L^T), a sweep over
/// all nodes forth and back, with D of E and of the diagonal of C. In w = (D + L^T) v the matrix is
///     (D + L)^-1 (L + E + L^T + C) (D + L^T)^-1 p = t + (D + L)^-1 (p + (E - 2 D + C) t),
///     t = (D + L^T)^-1 p,
/// so that a step reads each block of L twice, as without preconditioner (Eisenstat 1981). Returns
/// whether it is solved to what is enough by itself.
class SplitSystem {
 public:
  template <class AddCoupling>
  bool solve(const std::vector<StepSheet>& sheets, const std::vector<math::NodeBlock>& e,
             const std::vector<math::NodeBlock>& d, const std::vector<math::NodeBlock>& inverses,
             const AddCoupling& add_coupling, const math::NodeVector& b, const math::Enough& enough,
             math::NodeVector& v) {
    std::size_t nodes = 0;
    for (const StepSheet& sheet : sheets) nodes += sheet.matrix->nodes();
    const auto lower = [&](math::NodeVector& x) {
      for (const StepSheet& sheet : sheets)
        sheet.matrix->solve_lower(&inverses[sheet.first], &x[sheet.first]);
      for (std::size_t i = nodes; i < x.size(); ++i) x[i] = inverses[i] * x[i];
    };
    const auto upper = [&](math::NodeVector& x) {
      for (const StepSheet& sheet : sheets)
        sheet.matrix->solve_upper(&inverses[sheet.first], &x[sheet.first]);
      for (std::size_t i = nodes; i < x.size(); ++i) x[i] = inverses[i] * x[i];
    };
    const auto apply = [&](const math::NodeVector& p, math::NodeVector& y) {
      t_ = p;
      upper(t_);
      for (std::size_t i = 0; i < p.size(); ++i) y[i] = p[i] + e[i] * t_[i] - d[i] * (2 * t_[i]);
      add_coupling(t_, y);
      lower(y);
      for (std::size_t i = 0; i < p.size(); ++i) y[i] += t_[i];
    };
    right_.resize(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) right_[i] = e[i] * v[i];
    for (const StepSheet& sheet : sheets)
      sheet.matrix->add_coupling(&v[sheet.first], &right_[sheet.first]);
    add_coupling(v, right_);
    for (std::size_t i = 0; i < v.size(); ++i) right_[i] = b[i] - right_[i];
    lower(right_);
    w_.assign(v.size(), math::Quad::Zero());
    const math::Gradients found = math::conjugate_gradients(
        apply,
        [&](const math::NodeVector& r, math::NodeVector& z) {
          for (std::size_t i = 0; i < r.size(); ++i) z[i] = d[i] * r[i];
        },
        right_, enough, most_gradients, w_, memory_);
    upper(w_);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += w_[i];
    return found.is_solved;
  }

 private:
  math::NodeVector t_, right_, w_;
  math::GradientMemory memory_;
};

}  // namespace abut::law
