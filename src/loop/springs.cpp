#include "loop/springs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loop/event_report.h"
#include "loop/spring_watch.h"

namespace abut::loop {
namespace {

using force::ContactSpring;
using force::SpringPhase;

contact::ContactNow now_of(const Paths& paths, const contact::Contact& contact, double t) {
  return contact::evaluate(contact, paths.motion_of(contact.bodies[0], t),
                           paths.motion_of(contact.bodies[1], t));
}

// A spring with where it is at an instant.
struct PlacedSpring {
  ContactSpring spring;
  contact::ContactNow now;
  Vec3 place;
};

PlacedSpring placed(const Paths& paths, const ContactSpring& spring, double t) {
  const contact::ContactNow now = now_of(paths, spring.contact, t);
  return {spring, now, contact::place_of(spring.contact, now)};
}

// The springs that paths of some dynamic bodies have at t.
std::vector<PlacedSpring> springs_before(const Paths& paths, const std::vector<BodyIndex>& bodies,
                                         double t) {
  std::vector<PlacedSpring> springs;
  for (const integrate::IslandPath* path : paths.of(bodies))
    for (const ContactSpring& spring : path->springs(t))
      springs.push_back(placed(paths, spring, t));
  return springs;
}

// The one of the list at the same place of the same bodies; null if there is none.
const PlacedSpring* find(const model::Model& model, const std::vector<PlacedSpring>& list,
                         const PlacedSpring& wanted) {
  const auto& bodies = wanted.spring.contact.bodies;
  for (const PlacedSpring& one : list)
    if (one.spring.contact.bodies == bodies &&
        (one.place - wanted.place).norm() <=
            spring_tolerance(model.bodies[bodies[0]], model.bodies[bodies[1]]))
      return &one;
  return nullptr;
}

bool has_pair(const std::vector<PlacedSpring>& list, const PlacedSpring& one) {
  return std::any_of(list.begin(), list.end(), [&](const PlacedSpring& other) {
    return other.spring.contact.bodies == one.spring.contact.bodies;
  });
}

}  // namespace

std::vector<ContactSpring> springs_at(const model::Model& model, const Paths& paths,
                                      const std::vector<BodyIndex>& bodies,
                                      const std::vector<contact::Contact>& contacts,
                                      const integrate::SpringScale& scale, double t) {
  const std::vector<PlacedSpring> before = springs_before(paths, bodies, t);
  std::vector<ContactSpring> springs;
  for (const contact::Contact& contact : contacts) {
    const auto [a, b] = contact.bodies;
    PlacedSpring made = placed(
        paths, {contact, scale.stiffness_of(model, a, b), scale.rest_speed_of(model, a, b)}, t);
    made.spring.phase = made.now.row.rate > 0 ? SpringPhase::unloading : SpringPhase::loading;
    if (const PlacedSpring* old = find(model, before, made)) made.spring.phase = old->spring.phase;
    springs.push_back(std::move(made.spring));
  }
  return springs;
}

std::vector<Event> spring_events(const model::Model& model, const Paths& paths,
                                 const ContactEvent& contact_event,
                                 const std::vector<ContactSpring>& after) {
  const double t = contact_event.time;
  const std::vector<PlacedSpring> before = springs_before(paths, contact_event.bodies, t);
  std::vector<PlacedSpring> now;
  std::vector<Event> events;
  for (const ContactSpring& spring : after) {
    now.push_back(placed(paths, spring, t));
    if (find(model, before, now.back()) != nullptr) continue;
    const EventKind kind = has_pair(before, now.back()) ? EventKind::support : EventKind::touch;
    events.push_back(event_of_contact(kind, spring.contact, now.back().now, t));
    events.back().detail = fmt::format("{} on {}", contact::name_of(spring.contact.label.a),
                                       contact::name_of(spring.contact.label.b));
  }
  // A point that is still overlapped has moved on to another feature, and was told of there.
  for (const PlacedSpring& old : before)
    if (old.now.row.value >= 0 && find(model, now, old) == nullptr)
      events.push_back(event_of_contact(EventKind::separate, old.spring.contact, old.now, t));
  return events;
}

integrate::Balance exchanged_springs(const Paths& paths, const ContactEvent& contact_event,
                                     const std::vector<ContactSpring>& after) {
  const double t = contact_event.time;
  double change = 0;
  for (const ContactSpring& spring : after)
    change += force::energy_of(spring, now_of(paths, spring.contact, t).row.value);
  for (const integrate::IslandPath* path : paths.of(contact_event.bodies))
    for (const ContactSpring& spring : path->island().springs)
      change -= force::energy_of(spring, now_of(paths, spring.contact, t).row.value);
  integrate::Balance balance;
  (change > 0 ? balance.work : balance.dissipated) = std::abs(change);
  return balance;
}

std::vector<contact::Contact> contacts_between(const std::vector<ContactSpring>& springs,
                                               const std::pair<BodyIndex, BodyIndex>& pair) {
  std::vector<contact::Contact> contacts;
  for (const ContactSpring& spring : springs)
    if (spring.contact.bodies[0] == pair.first && spring.contact.bodies[1] == pair.second)
      contacts.push_back(spring.contact);
  return contacts;
}

}  // namespace abut::loop
