#include "integrate/friction_modes.h"

#include <algorithm>

namespace abut::integrate {
namespace {

// Slip counts as stopped that friction under the load of its contact would stop within this time,
// s: a tenth of force::creep_time, which counts from gravity alone. Contacts that are wedged bear
// loads of a hundred times their weight.
constexpr double loaded_creep_time = 0.1 * force::creep_time;

}  // namespace

void FrictionModes::begin(const std::vector<force::ContactMode>& modes) {
  modes_ = modes;
  any_slides_ = std::any_of(modes_.begin(), modes_.end(), [](const force::ContactMode& mode) {
    return mode.mode == force::FrictionMode::slides;
  });
}

force::Slip FrictionModes::slip(int contact, const impulse::SystemRow* tangents) const {
  force::Slip slip =
      force::slip_of(applied_.constraints(), applied_.now().placed(), contact, tangents);
  slip.velocity -= modes_[contact].leftover;
  return slip;
}

std::pair<impulse::RowsNow, force::Slip> FrictionModes::slip_now(int contact) const {
  const int row = applied_.constraints().tangent_of(contact);
  impulse::RowsNow tangents =
      applied_.constraints().evaluate(applied_.now().placed(), std::array<int, 2>{row, row + 1});
  const force::Slip found = slip(contact, tangents.rows.data());
  return {std::move(tangents), found};
}

// Friction mu f slows a slip v along d by mu f d.A d per second, if nothing else acts.
double FrictionModes::stopping_speed(int contact, double force) const {
  const auto [tangents, slip] = slip_now(contact);
  const impulse::Matrix mobility = applied_.now().system(tangents.rows).matrix();
  const Eigen::Vector2d along =
      Eigen::Vector2d(tangents.rows[0].row.rate, tangents.rows[1].row.rate).normalized();
  const double friction =
      applied_.constraints().contacts()[contact].friction.dynamic_coefficient * force;
  return std::max(slip.stopped, loaded_creep_time * friction * along.dot(mobility * along));
}

impulse::RowsNow FrictionModes::leaning_rows(const std::vector<int>& rows,
                                             SlipThatIsOver over) const {
  const impulse::ConstraintSet& set = applied_.constraints();
  const impulse::BodiesNow bodies = applied_.now().placed();
  impulse::RowsNow now = rows.empty() ? set.evaluate(bodies) : set.evaluate(bodies, rows);
  if (!any_slides_) return now;
  const auto place = [&rows](int row) {
    return rows.empty()
               ? row
               : static_cast<int>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
  };
  for (int i = 0; i < set.contact_count(); ++i) {
    if (!slides(i)) continue;
    // One that opens while it slides has no force that could lean.
    if (!rows.empty() && !std::binary_search(rows.begin(), rows.end(), i)) continue;
    const impulse::SystemRow* tangents = &now.rows[place(set.tangent_of(i))];
    const force::Slip found = slip(i, tangents);
    const Vec3& before = modes_[i].along;
    Vec3 along = over == SlipThatIsOver::goes_on ? force::continued_direction(found, before)
                 : found.is_over(before)         ? before
                                                 : Vec3(found.velocity.normalized());
    if (set.contacts()[i].is_guided()) along = tangents[1].row.sides[0].linear;
    force::lean(now.rows[place(i)], tangents, along,
                set.contacts()[i].friction.dynamic_coefficient);
  }
  return now;
}

void FrictionModes::follow() {
  const impulse::ConstraintSet& set = applied_.constraints();
  for (int i = 0; i < set.contact_count(); ++i) {
    if (!slides(i)) continue;
    const auto [tangents, slip] = slip_now(i);
    modes_[i].along = set.contacts()[i].is_guided() ? tangents.rows[1].row.sides[0].linear
                                                    : force::direction_of(slip, modes_[i].along);
  }
}

void FrictionModes::count_from_here() {
  const impulse::ConstraintSet& set = applied_.constraints();
  for (int i = 0; i < set.contact_count(); ++i) {
    if (!slides(i) || !(modes_[i].begins || set.contacts()[i].begins_to_slip())) continue;
    modes_[i].leftover = Vec3::Zero();
    modes_[i].leftover = force::leftover_of(slip_now(i).second, modes_[i].along);
  }
}

}  // namespace abut::integrate
