#include "loop/hovering.h"

#include <algorithm>

namespace abut::loop {
namespace {

// For so long the room that is left must last, s. A weight falls through all of it a thousand times
// as fast, and what comes to rest with a row of bodies takes ten times as long.
constexpr double hovering_time = 1e-2;

// Approach that rounding may leave to places which rest, m/s: it is no reason to hover.
constexpr double least_approach = 1e-10;

bool is_held(const Paths& paths, const contact::Contact& contact) {
  const BodyIndex moving = contact.bodies[paths.is_moving(contact.bodies[0]) ? 0 : 1];
  return contact::contains(paths.of(moving).cluster().contacts, contact);
}

bool is_of(const Meeting& meeting, const contact::Contact& contact) {
  return std::any_of(contact.bodies.begin(), contact.bodies.end(), [&](BodyIndex body) {
    return std::binary_search(meeting.bodies.begin(), meeting.bodies.end(), body);
  });
}

}  // namespace

void let_hover(const model::Model& model, const Paths& paths,
               const std::vector<contact::Contact>& before, Meeting& meeting) {
  const double nearest = model::leaving_upper_fraction * model.solver.contact_distance;
  for (contact::Contact& contact : meeting.bonds.contacts) {
    if (is_held(paths, contact)) continue;
    const body::ConstraintRow row =
        contact::evaluate(contact, paths.motion_of(contact.bodies[0], meeting.time),
                          paths.motion_of(contact.bodies[1], meeting.time))
            .row;
    const double allowed = (row.value - nearest) / hovering_time;
    if (!(allowed > 0) || row.rate < -allowed) continue;
    if (row.rate < -least_approach || contact::contains(before, contact))
      contact.allowed_approach = allowed;
  }
}

void renew_hovering(const Meeting& meeting, std::vector<contact::Contact>& hovering) {
  std::erase_if(hovering, [&](const contact::Contact& one) { return is_of(meeting, one); });
  for (const contact::Contact& contact : meeting.bonds.contacts)
    if (contact.hovers()) hovering.push_back(contact);
}

}  // namespace abut::loop
