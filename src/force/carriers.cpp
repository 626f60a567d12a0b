#include "force/carriers.h"

#include <algorithm>
#include <cmath>

#include "force/sharing.h"
#include "impulse/mixed_problem.h"

namespace abut::force {
namespace {

// A contact is guided only if what it would do across its direction is this free of what others
// hold (dimensionless, see impulse::dependent_fraction). A corner that can only go round another
// one has its direction from there, and a guide that differs from it by rounding would lock it.
constexpr double guided_fraction = 1e-2;

// How little of the way to forces of least norm is not worth going (dimensionless).
constexpr double least_part = 0.01;

// Forces that are shared out otherwise hold the same rows, but those of contacts that slide make
// the others accelerate otherwise: a contact that begins to slip must go on along its direction.
bool may_be(const Instant& instant, const std::vector<ContactMode>& modes, const Vector& forces) {
  const ConstraintSet& set = instant.set();
  if (!are_allowed(set, modes, forces)) return false;
  Vector accelerations;
  for (int i = 0; i < set.contact_count(); ++i) {
    if (modes[i].mode != FrictionMode::slides || !instant.slip(i).is_still()) continue;
    if (accelerations.size() == 0) accelerations = instant.accelerations(forces);
    const int t = set.tangent_of(i);
    const Vec3 slip = instant.slipping(accelerations, i);
    const double along = slip.dot(modes[i].along);
    const double across = (slip - along * modes[i].along).norm();
    const double none = instant.rounding(forces, {t, t + 1}).maxCoeff();
    if (along < -none || across > none + row_accuracy * along) return false;
  }
  return true;
}

}  // namespace

// Without slip the motion does not depend on how forces are shared: every row that does not
// accelerate is held, those without force too, lest a body tips over the ones that have any.
// Joints go first: of rows that say the same, theirs are kept to rounding, gaps need not be.
void list_carriers(const Instant& instant, const Bearing& bearing, ContactForces& result) {
  const ConstraintSet& set = instant.set();
  std::vector<int> idle;
  std::vector<int> first = impulse::row_range(set.first_equality(), set.first_tangent());
  for (int i = 0; i < set.first_equality(); ++i) {
    if (bearing.carries[i])
      first.push_back(i);
    else if (i < set.first_motor() && !result.slides() &&
             std::abs(result.accelerations[i]) <= result.rounding[i])
      idle.push_back(i);
  }
  result.guides.clear();
  for (int i = 0; i < set.contact_count(); ++i) {
    const int t = set.tangent_of(i);
    const FrictionMode mode = result.modes[i].mode;
    if (mode == FrictionMode::sticks) first.insert(first.end(), {t, t + 1});
    if (mode == FrictionMode::slides && bearing.guided[i] && bearing.carries[i])
      result.guides.push_back(t);
  }
  const auto firm = static_cast<Eigen::Index>(first.size());
  first.insert(first.end(), result.guides.begin(), result.guides.end());
  result.carriers = first;
  first.insert(first.end(), idle.begin(), idle.end());
  Vector fractions =
      Vector::Constant(static_cast<Eigen::Index>(first.size()), impulse::dependent_fraction);
  fractions.segment(firm, static_cast<Eigen::Index>(result.guides.size()))
      .setConstant(guided_fraction);
  result.basis.clear();
  for (const int i : impulse::firm_rows(instant.plain().only(first), fractions))
    result.basis.push_back(first[i]);
  std::sort(result.basis.begin(), result.basis.end());
  std::sort(result.carriers.begin(), result.carriers.end());
}

// Where forces of least norm are not allowed, part of the way there is, from the forces of the
// solution: allowed forces with the same effect are a convex set.
void share(const Instant& instant, ContactForces& result) {
  if (result.status != lcp::Status::solved || result.carriers.size() == result.basis.size()) return;
  const Carrying rows{result.basis, result.carriers, result.guides};
  Sharing sharing;
  const Vector forces = sharing.nearest_forces(instant.system(), rows, instant.free(),
                                               Vector::Zero(instant.system().size()));
  bool is_allowed = may_be(instant, result.modes, forces);
  double part = 1;
  while (!is_allowed && (part *= 0.5) > least_part)
    is_allowed = may_be(instant, result.modes, result.forces + part * (forces - result.forces));
  if (!is_allowed) return;
  result.forces += part * (forces - result.forces);
  result.accelerations = instant.accelerations(result.forces);
}

}  // namespace abut::force
