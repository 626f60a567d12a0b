#include "loop/holding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "loop/springs.h"

namespace abut::loop {
namespace {

// Whether the path that a contact belongs to keeps it closed, by its own force or by others'.
bool is_pressed(const Paths& paths, const contact::Contact& contact) {
  const integrate::IslandPath& path =
      paths.of(contact.bodies[paths.is_moving(contact.bodies[0]) ? 0 : 1]);
  const auto& contacts = path.island().contacts;
  const force::ContactForces& forces = path.first_forces();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
    if (contacts[i].is_same_place(contact))
      return std::binary_search(forces.basis.begin(), forces.basis.end(), i) ||
             std::abs(forces.accelerations[i]) <= forces.rounding[i];
  return false;
}

}  // namespace

bool hold_contacts(const Paths& paths, Detection& detection, const std::vector<BodyIndex>& bodies,
                   const integrate::ActiveConstraints& active, double t) {
  std::map<std::pair<BodyIndex, BodyIndex>, std::vector<contact::Contact>> pairs;
  for (const BodyIndex body : bodies)
    for (const BodyIndex other : detection.near(body)) pairs[std::minmax(body, other)];
  for (const contact::Contact& contact : active.contacts)
    pairs[{contact.bodies[0], contact.bodies[1]}].push_back(contact);
  for (const auto& [pair, none] : pairs)
    detection.follow(pair.first, pair.second, contacts_between(active.springs, pair));
  bool any = false;
  for (auto& [pair, lasting] : pairs) {
    // A contact that nothing presses may rise, and then what it spans with the others is not held.
    std::vector<contact::Contact> pressed;
    for (const contact::Contact& contact : lasting)
      if (is_pressed(paths, contact)) pressed.push_back(contact);
    if (!pressed.empty()) lasting = std::move(pressed);
    detection.hold(pair.first, pair.second, lasting, paths.motion_of(pair.first, t),
                   paths.motion_of(pair.second, t));
    any = any || !lasting.empty();
  }
  return any;
}

}  // namespace abut::loop
