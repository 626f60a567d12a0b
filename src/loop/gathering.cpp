#include "loop/gathering.h"

#include <algorithm>
#include <utility>

#include "force/slip.h"
#include "loop/look_past.h"
#include "loop/springs.h"

namespace abut::loop {
namespace {

// A joint's coordinate has met its limit when it is within this of it, m or rad.
constexpr double limit_distance = 1e-9;

using Contacts = std::vector<contact::Contact>;

Contacts contacts_between(const model::Model& model, const Paths& paths, Detection& detection,
                          BodyIndex one, BodyIndex other, double t) {
  const auto [a, b] = std::minmax(one, other);
  const ContactFinder find = [&detection, a = a, b = b](const Pose& x, const Pose& y) {
    return detection.contacts_of(a, b, x, y);
  };
  const body::RigidMotion motion_a = paths.motion_of(a, t), motion_b = paths.motion_of(b, t);
  if (model.solver.contact == model::ContactModel::penalty)
    return find(motion_a.pose, motion_b.pose);
  return contacts_met(find, motion_a, motion_b, model.solver);
}

// The island of a body and all that touches it, and so on; and the contacts between them.
std::set<BodyIndex> touching(const model::Model& model, const Paths& paths, Detection& detection,
                             BodyIndex first, double t, Contacts& contacts) {
  std::vector<BodyIndex> todo = paths.of(first).island().bodies;
  std::set<BodyIndex> bodies(todo.begin(), todo.end());
  std::set<std::pair<BodyIndex, BodyIndex>> looked_at;
  while (!todo.empty()) {
    const BodyIndex body = todo.back();
    todo.pop_back();
    for (const BodyIndex other : detection.near(body)) {
      if (!looked_at.insert(std::minmax(body, other)).second) continue;
      const Contacts found = contacts_between(model, paths, detection, body, other, t);
      if (found.empty()) continue;
      contacts.insert(contacts.end(), found.begin(), found.end());
      if (!paths.is_moving(other) || bodies.count(other) > 0) continue;
      for (const BodyIndex joined : paths.of(other).island().bodies)
        if (bodies.insert(joined).second) todo.push_back(joined);
    }
  }
  return bodies;
}

// What the islands of the contact event's bodies say that acts on them.
integrate::Attached attached_to(const Paths& paths, const ContactEvent& contact_event) {
  integrate::Attached all;
  for (const integrate::IslandPath* path : paths.of(contact_event.bodies)) {
    const integrate::Island& island = path->island();
    all.forces.insert(all.forces.end(), island.forces.begin(), island.forces.end());
    all.forces.insert(all.forces.end(), island.impulses.begin(), island.impulses.end());
    all.joints.insert(all.joints.end(), island.joints.begin(), island.joints.end());
  }
  std::sort(all.forces.begin(), all.forces.end());
  std::sort(all.joints.begin(), all.joints.end());
  return all;
}

// A limit that stops a motor that nothing else does is held by it.
void add_limit(const model::Model& model, const impulse::MetLimit& limit,
               ContactEvent& contact_event) {
  if (impulse::drives_to(model.joints[limit.joint], limit.is_upper))
    contact_event.active.motors.push_back({limit.joint, impulse::Drive::arrived});
  else if (!impulse::is_unstoppable(model.joints[limit.joint]))
    contact_event.active.limits.push_back(limit);
}

// The joints of the contact event's bodies, and the limits these have met.
void add_joints(const model::Model& model, const Paths& paths, ContactEvent& contact_event) {
  for (integrate::IslandPath* path : paths.of(contact_event.bodies)) {
    const integrate::Coordinates coordinates = path->coordinates(contact_event.time);
    for (std::size_t i = 0; i < path->island().joints.size(); ++i) {
      const JointIndex j = path->island().joints[i];
      if (contact_event.active.broken[j]) continue;
      contact_event.joints.push_back(j);
      if (!model.joints[j].limits) continue;
      const auto& [lower, upper] = *model.joints[j].limits;
      if (coordinates[i] - lower <= limit_distance) add_limit(model, {j, false}, contact_event);
      if (upper - coordinates[i] <= limit_distance) add_limit(model, {j, true}, contact_event);
    }
  }
  std::sort(contact_event.joints.begin(), contact_event.joints.end());
}

// The velocity of slip of a contact.
Vec3 slip_at(const contact::Contact& contact, const Paths& paths, double t) {
  const body::RigidMotion a = paths.motion_of(contact.bodies[0], t);
  const body::RigidMotion b = paths.motion_of(contact.bodies[1], t);
  return slip_of(contact, contact::evaluate(contact, a, b), a, b);
}

// Contacts whose stick gave way begin to slip, unless they slip the other way by now.
void let_give_way(const Paths& paths, ContactEvent& contact_event) {
  for (contact::Contact& contact : contact_event.active.contacts)
    for (const contact::Contact& one : contact_event.verdicts.giving_way)
      if (one.is_same_place(contact) &&
          slip_at(contact, paths, contact_event.time).dot(one.gives_way) >= -force::still_speed)
        contact.give_way(one.gives_way);
}

}  // namespace

ContactEvent gather(const model::Model& model, const Paths& paths, Detection& detection,
                    BodyIndex body, double t, const Known& known) {
  ContactEvent contact_event;
  contact_event.time = t;
  Contacts& contacts = contact_event.active.contacts;
  const std::set<BodyIndex> bodies = touching(model, paths, detection, body, t, contacts);
  std::sort(contacts.begin(), contacts.end(),
            [](const contact::Contact& x, const contact::Contact& y) {
              return x.bodies != y.bodies ? x.bodies < y.bodies : x.label < y.label;
            });
  contact_event.active.broken = known.broken;
  contact_event.verdicts = known.verdicts;
  contact_event.bodies.assign(bodies.begin(), bodies.end());
  for (const BodyIndex one : contact_event.bodies)
    contact_event.states.push_back(paths.state_of(one, t));
  if (model.solver.contact == model::ContactModel::penalty) {
    contact_event.active.springs =
        springs_at(model, paths, contact_event.bodies, contacts, detection.spring_scale(), t);
    contacts.clear();
  }
  let_give_way(paths, contact_event);
  add_joints(model, paths, contact_event);
  contact_event.attached = attached_to(paths, contact_event);
  return contact_event;
}

std::set<BodyIndex> bodies_in_touch(const Paths& paths, Detection& detection) {
  std::set<BodyIndex> found;
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (const BodyIndex body : paths.at(i)->island().bodies) {
      if (!paths.at(i)->island().joints.empty()) found.insert(body);
      for (const BodyIndex other : detection.near(body)) {
        if (other < body && paths.is_moving(other)) continue;
        const auto [a, b] = std::minmax(body, other);
        if (!detection.contacts_of(a, b, paths.motion_of(a, 0).pose, paths.motion_of(b, 0).pose)
                 .empty())
          found.insert(body);
      }
    }
  return found;
}

}  // namespace abut::loop
