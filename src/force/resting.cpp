#include "force/resting.h"

#include <utility>

#include "force/sharing.h"
#include "impulse/equalities.h"
#include "impulse/mixed_problem.h"

namespace abut::force {
namespace {

// Whether a contact slides whose own friction would press it shut: without a force it may part,
// and then it does.
bool any_may_press_itself(const Instant& instant, const std::vector<ContactMode>& modes) {
  for (int i = 0; i < instant.set().contact_count(); ++i)
    if (modes[i].mode == FrictionMode::slides && !(instant.system().entry(i, i) > 0)) return true;
  return false;
}

}  // namespace

Vector resting_forces(const Instant& instant, const ContactForces& so_far) {
  if (any_may_press_itself(instant, so_far.modes)) return {};
  const ConstraintSet& set = instant.set();
  std::vector<ContactMode> stuck = so_far.modes;
  std::vector<int> rows = impulse::row_range(0, set.first_tangent());
  for (int i = 0; i < set.contact_count(); ++i) {
    if (set.tangent_of(i) < 0 || stuck[i].mode == FrictionMode::slides) continue;
    stuck[i].mode = FrictionMode::sticks;
    rows.insert(rows.end(), {set.tangent_of(i), set.tangent_of(i) + 1});
  }
  std::vector<int> held;
  for (const int i : impulse::independent_rows(instant.plain().only(rows))) held.push_back(rows[i]);
  const Carrying carrying{held, rows, {}};
  Sharing sharing;
  const Vector forces = sharing.nearest_forces(instant.system(), carrying, instant.free(),
                                               Vector::Zero(instant.system().size()));
  if (!are_allowed(set, stuck, forces)) return {};
  const Vector left = impulse::gathered(instant.accelerations(forces), rows);
  const bool rests =
      so_far.slides() || (left.cwiseAbs() - instant.rounding(forces, rows)).maxCoeff() <= 0;
  return rests ? forces : Vector();
}

}  // namespace abut::force
