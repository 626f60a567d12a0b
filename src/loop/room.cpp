#include "loop/room.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace abut::loop {
namespace {

// Gaps below this fraction of the rest gap (dimensionless) are too small: contact events restore
// them much better where they can.
constexpr double enough = 0.9;

// Bodies that a message lists.
constexpr std::size_t most_names = 4;

body::RigidMotion motion_after(const model::Model& model, const integrate::Scripts& scripts,
                               const ContactEvent& contact_event, const Outcome& outcome,
                               BodyIndex body) {
  const auto place =
      std::lower_bound(contact_event.bodies.begin(), contact_event.bodies.end(), body);
  if (place == contact_event.bodies.end() || *place != body)
    return integrate::prescribed_support(model, scripts, body, contact_event.time).motion;
  const body::RigidState& state = outcome.states[place - contact_event.bodies.begin()];
  return {{state.centre, state.attitude}};
}

std::string listed(const model::Model& model, const std::set<BodyIndex>& bodies) {
  std::string names;
  std::size_t count = 0;
  for (const BodyIndex body : bodies) {
    if (++count > most_names) break;
    if (count > 1) names += count == bodies.size() ? " and " : ", ";
    names += body == world ? "the world" : model.bodies[body].name;
  }
  if (count > most_names) names += fmt::format(" and {} more", bodies.size() - most_names);
  return names;
}

// Those between which there is too little room, with the others they touch: any of these may be in
// the way.
std::set<BodyIndex> with_neighbours(const std::set<BodyIndex>& cramped,
                                    const ContactEvent& contact_event, const Outcome& outcome) {
  std::set<BodyIndex> all = cramped;
  for (std::size_t i = 0; i < contact_event.active.contacts.size(); ++i) {
    if (!outcome.lasts[i]) continue;
    const auto [a, b] = contact_event.active.contacts[i].bodies;
    for (const BodyIndex body : contact_event.bodies)
      if (cramped.contains(body) && (body == a || body == b)) all.insert({a, b});
  }
  return all;
}

// The joints that hold some of these bodies, in words.
std::string joints_of(const model::Model& model, const std::set<BodyIndex>& bodies,
                      const ContactEvent& contact_event) {
  std::vector<std::string> names;
  for (const JointIndex index : contact_event.joints) {
    const joint::Joint& joint = model.joints[index];
    if (std::any_of(joint.bodies.begin(), joint.bodies.end(), [&](BodyIndex body) {
          return body != world && model.bodies[body].is_dynamic() && bodies.contains(body);
        }))
      names.push_back(joint.name);
  }
  return names.empty() ? "" : base::listed(names);
}

}  // namespace

Room room_of(const model::Model& model, const integrate::Scripts& scripts,
             const ContactEvent& contact_event, const Outcome& outcome) {
  Room room{1, "", ""};
  std::set<BodyIndex> cramped;
  for (std::size_t i = 0; i < contact_event.active.contacts.size(); ++i) {
    if (!outcome.lasts[i]) continue;
    const contact::Contact& contact = contact_event.active.contacts[i];
    const auto motion_of = [&](BodyIndex body) {
      return motion_after(model, scripts, contact_event, outcome, body);
    };
    const auto [a, b] = contact.bodies;
    const double gap = contact::evaluate(contact, motion_of(a), motion_of(b)).row.value /
                       model::rest_gap(model.solver);
    room.least_gap = std::min(room.least_gap, gap);
    if (gap < enough) cramped.insert({a, b});
  }
  const std::set<BodyIndex> all = with_neighbours(cramped, contact_event, outcome);
  room.bodies = listed(model, all);
  room.joints = joints_of(model, all, contact_event);
  return room;
}

std::string Room::complaint(const model::SolverSettings& solver) const {
  const std::string held =
      is_held() ? fmt::format(" while they are held by the joint {}", joints) : "";
  const char* otherwise =
      is_held() ? "or let the joint leave them free in the direction in which they touch"
                : "or make one of them smaller";
  return fmt::format(
      "there is no room for the gaps between {}: bodies that touch are kept {:.3g} m apart (a "
      "fifth of solver.contact_distance), and these cannot all be{}; leave a little more room "
      "between them, {}",
      bodies, model::rest_gap(solver), held, otherwise);
}

}  // namespace abut::loop
