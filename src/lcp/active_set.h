#pragma once
// The active-set method for   minimise z.A z / 2 + b.z   subject to lower <= z <= upper,
// A symmetric positive semidefinite: pivoting from basis to basis with a feasible z.
//
// The unknowns are split into the basis F, whose block A_FF is nonsingular, and the others, N,
// which are held at a bound, or at 0 if they have none. One round:
//   1. z_F moves towards the minimum over F, y_F = -A_FF^-1 (b_F + A_FN z_N). Whoever meets a bound
//      on the way stays there and leaves F; repeat until y_F is reached. Now w_F = 0.
//   2. If no held unknown has a w of the wrong sign, z is optimal.
//   3. Otherwise the one with the worst w, j, enters. If row j is independent of F
//   (basis_factor.h),
//      it joins F. If not, d = (-A_FF^-1 A_Fj, 1) is a null vector of A: the objective falls
//      linearly along it, and the unknown that first meets a bound leaves F in exchange for j. If
//      none ever does, the objective has no minimum, and the ray d proves that there is no
//      solution.
//
// Why it ends: every round lowers the objective, so no basis returns. A step may have length 0, but
// each such step takes an unknown out of F, and the last step of a round has
// d_j = -w_j (A_FF^-1)_jj, which is not 0. Cycling comes from active constraints whose gradients
// are dependent (Fletcher, Practical Methods of Optimization, section 10.3); those of bounds never
// are. Rounding errors are met by a tolerance that grows if the rounds do not end.

#include <vector>

#include "lcp/basis_factor.h"
#include "lcp/lcp.h"

namespace abut::lcp {

class ActiveSet {
 public:
  /// The diagonal of A should be near 1, or 0 (scaling.h). `problem` must outlive this.
  explicit ActiveSet(const Problem& problem);

  /// Starts with the rows `between`, as far as they are independent, as the basis. Unknowns whose
  /// minimum over the basis is out of bounds are put there and leave. The threshold is one of those
  /// of basis_factor.h: with what Schur complements the rows are taken without further question.
  void start(const std::vector<Place>& places, double threshold);

  /// Starts from a feasible z. Where the rows `between` are dependent, z moves along null vectors
  /// of A until the superfluous ones are at a bound, which leaves w as it is.
  void start(const std::vector<Place>& places, const Vector& z);

  /// `solved` is for the caller to certify.
  Status run();

  const Vector& z() const { return z_; }
  const std::vector<Place>& places() const { return places_; }
  long pivots() const { return pivots_; }

 private:
  enum class Move { basis_changed, limit_reached, ray };

  std::vector<Index> choose_basis(const std::vector<Place>& places, double threshold);
  void hold(Index i, Place place);
  void hold_at_nearest(Index i);
  void enter(Index j);
  void leave(Index position, Place place);
  void recompute_held_part();
  void find_basis_minimum();
  void minimise_over_basis();
  void polish();
  void update_w();
  double terms(Index i) const;
  double extent() const;
  Vector allowances() const;
  double wrongness(Index i) const;
  Index worst_row();
  bool bring_in(Index j);
  Move move_along_null_vector(Index j, double direction, double limit);
  void admit_independent_equalities();

  const Problem& problem_;
  BasisFactor basis_;
  std::vector<Place> places_;
  std::vector<bool> ignored_;  // rows that contradict the basis by no more than noise
  Vector z_;
  Vector held_part_;  // b + A_:N z_N
  Vector w_;          // A z + b
  Vector target_;     // the minimum over the basis, in its order
  double tolerance_;  // of w, see allowances()
  bool at_minimum_ = false;
  long pivots_ = 0;
};

}  // namespace abut::lcp
