#include "loop/event_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "impulse/accuracy.h"
#include "loop/springs.h"

namespace abut::loop {
namespace {

using Contacts = std::vector<contact::Contact>;

bool has_pair(const Contacts& list, const contact::Contact& one) {
  return std::any_of(list.begin(), list.end(),
                     [&](const contact::Contact& c) { return c.bodies == one.bodies; });
}

class Report {
 public:
  Report(const model::Model& model, const Paths& paths, const ContactEvent& contact_event,
         const Outcome& outcome)
      : model_(model),
        paths_(paths),
        contact_event_(contact_event),
        outcome_(outcome),
        before_(resting_contacts(paths, contact_event.bodies)),
        least_impulse_(least_impulse()) {}

  EventReport write() {
    for (std::size_t i = 0; i < contact_event_.outside_impulses.size(); ++i)
      tell_outside_impulse(i);
    for (std::size_t i = 0; i < contact_event_.active.contacts.size(); ++i) tell_contact(i);
    for (std::size_t i = 0; i < outcome_.limit_impulses.size(); ++i)
      tell_limit(contact_event_.active.limits[i], outcome_.limit_impulses[i], 0);
    for (const auto& [joint, impulse] : outcome_.arrivals)
      tell_limit({joint, model_.joints[joint].motor->speed > 0}, impulse, least_impulse_);
    for (const contact::Contact& contact : before_) tell_separation(contact);
    const std::vector<Event> springs =
        spring_events(model_, paths_, contact_event_, outcome_.active.springs);
    report_.events.insert(report_.events.end(), springs.begin(), springs.end());
    return std::move(report_);
  }

 private:
  void tell_outside_impulse(std::size_t i) {
    const impulse::OutsideImpulse& outside = contact_event_.outside_impulses[i];
    Event event = outside_impulse_event(outside, contact_event_.time);
    event.detail = fmt::format("does {:.6g} J of work", outcome_.outside_works[i]);
    report_.events.push_back(event);
  }

  bool is_jam(std::size_t i) const { return !outcome_.jams.empty() && outcome_.jams[i]; }
  bool is_hit(std::size_t i) const {
    return outcome_.impulses[i] > 0 && (is_jam(i) || -outcome_.approach[i] > least_jolt);
  }

  // From which on impulses count, N s: nothing counts where nothing was hit.
  double least_impulse() const {
    double largest = 0;
    bool any = !contact_event_.outside_impulses.empty() || outcome_.jolts;
    for (std::size_t i = 0; i < outcome_.impulses.size(); ++i) {
      any = any || is_hit(i);
      largest = std::max(largest, outcome_.impulses[i]);
    }
    for (const double impulse : outcome_.limit_impulses) largest = std::max(largest, impulse);
    for (const auto& [joint, impulse] : outcome_.arrivals) largest = std::max(largest, impulse);
    return any ? impulse::accuracy_of_many * largest : std::numeric_limits<double>::infinity();
  }

  // An impulse, by a hit or passed on from one elsewhere; or a contact that lasts and did not
  // before: a new one, or one that only moved on to another feature of the same bodies.
  void tell_contact(std::size_t i) {
    const contact::Contact& contact = contact_event_.active.contacts[i];
    const bool has_impulse = is_hit(i) || outcome_.impulses[i] > least_impulse_;
    const bool is_new = outcome_.lasts[i] && !contact::contains(before_, contact);
    if (!has_impulse && !is_new) return;
    const EventKind kind = has_impulse                  ? EventKind::impact
                           : has_pair(before_, contact) ? EventKind::support
                                                        : EventKind::touch;
    Event event = event_of_contact(kind, contact, outcome_.places[i], contact_event_.time);
    event.normal_impulse = has_impulse ? outcome_.impulses[i] : 0;
    event.impulse = event.normal_impulse * event.normal;
    if (has_impulse) event.impulse += outcome_.friction_impulses[i];
    event.detail = fmt::format("{} on {}{}", contact::name_of(contact.label.a),
                               contact::name_of(contact.label.b),
                               is_jam(i) ? std::string(", without collision: friction jams")
                               : !is_hit(i) && has_impulse ? ", passes an impulse on"
                                                           : limit_text(i));
    report_.has_impact = report_.has_impact || is_hit(i);
    report_.events.push_back(event);
  }

  // Where the restitution asked for would have gained energy.
  std::string limit_text(std::size_t i) const {
    for (const impulse::LimitedRestitution& limited : outcome_.limited)
      if (limited.contact == static_cast<int>(i))
        return fmt::format(", restitution {:.6g} is all that is possible", limited.restitution);
    return "";
  }

  // Of more than the least that counts.
  void tell_limit(const impulse::MetLimit& limit, double impulse, double least) {
    if (!(impulse > least)) return;
    const joint::Joint& joint = model_.joints[limit.joint];
    Event event = joint_event(EventKind::limit, joint, paths_, contact_event_.time);
    event.normal_impulse = impulse;
    event.detail =
        fmt::format("joint {} at its {} limit", joint.name, limit.is_upper ? "upper" : "lower");
    report_.events.push_back(event);
  }

  void tell_separation(const contact::Contact& contact) {
    if (contact::contains(outcome_.active.contacts, contact)) return;
    // A point that moved on to another feature has been told of there.
    if (has_pair(outcome_.active.contacts, contact) &&
        !contact::contains(contact_event_.active.contacts, contact))
      return;
    report_.events.push_back(event_of_contact(
        EventKind::separate, contact,
        contact::evaluate(contact, paths_.motion_of(contact.bodies[0], contact_event_.time),
                          paths_.motion_of(contact.bodies[1], contact_event_.time)),
        contact_event_.time));
  }

  const model::Model& model_;
  const Paths& paths_;
  const ContactEvent& contact_event_;
  const Outcome& outcome_;
  const Contacts before_;
  const double least_impulse_;
  EventReport report_;
};

}  // namespace

EventReport report_of(const model::Model& model, const Paths& paths,
                      const ContactEvent& contact_event, const Outcome& outcome) {
  return Report(model, paths, contact_event, outcome).write();
}

HeldModes::HeldModes(const Paths& paths, const std::vector<BodyIndex>& bodies) {
  for (const integrate::IslandPath* path : paths.of(bodies)) {
    if (path->modes().empty()) continue;
    const Contacts& contacts = path->island().contacts;
    for (std::size_t i = 0; i < contacts.size(); ++i)
      held_.emplace_back(contacts[i], path->modes()[i]);
  }
}

std::vector<Event> HeldModes::changes(const HeldModes& before, const Paths& paths, double t) const {
  using force::FrictionMode;
  std::vector<Event> events;
  for (const auto& one_held : held_) {
    const contact::Contact& contact = one_held.first;
    const force::ContactMode& after = one_held.second;
    const auto held = std::find_if(before.held_.begin(), before.held_.end(), [&](const auto& one) {
      return one.first.is_same_place(contact);
    });
    if (held == before.held_.end()) continue;
    const force::ContactMode& was = held->second;
    if (was.mode == FrictionMode::none || after.mode == FrictionMode::none) continue;
    const bool slid = was.mode == FrictionMode::slides, slides = after.mode == FrictionMode::slides;
    if (slid == slides && !(slid && was.along.dot(after.along) < 0)) continue;
    const EventKind kind = !slides ? EventKind::stick : slid ? EventKind::reverse : EventKind::slip;
    events.push_back(
        event_of_contact(kind, contact,
                         contact::evaluate(contact, paths.motion_of(contact.bodies[0], t),
                                           paths.motion_of(contact.bodies[1], t)),
                         t));
  }
  return events;
}

std::vector<contact::Contact> resting_contacts(const Paths& paths,
                                               const std::vector<BodyIndex>& bodies) {
  Contacts resting;
  for (const integrate::IslandPath* path : paths.of(bodies)) {
    const Contacts& contacts = path->island().contacts;
    resting.insert(resting.end(), contacts.begin(), contacts.end());
  }
  return resting;
}

Event event_of_contact(EventKind kind, const contact::Contact& contact,
                       const contact::ContactNow& now, double time) {
  Event event;
  event.time = time;
  event.kind = kind;
  event.body_a = contact.bodies[0];
  event.body_b = contact.bodies[1];
  event.point = contact::place_of(contact, now);
  event.normal = now.normal;
  return event;
}

Event outside_impulse_event(const impulse::OutsideImpulse& outside, double time) {
  Event event;
  event.time = time;
  event.kind = EventKind::impulse;
  event.body_a = outside.body;
  event.point = outside.at;
  event.impulse = outside.impulse;
  event.normal_impulse = outside.impulse.norm();
  if (event.normal_impulse > 0) event.normal = outside.impulse / event.normal_impulse;
  return event;
}

Event joint_event(EventKind kind, const joint::Joint& joint, const Paths& paths, double time) {
  Event event;
  event.time = time;
  event.kind = kind;
  event.body_a = joint.bodies[0];
  event.body_b = joint.bodies[1];
  event.point = joint::joint_point(joint, paths.motion_of(joint.bodies[1], time));
  return event;
}

}  // namespace abut::loop
