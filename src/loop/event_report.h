#pragma once
// What a contact event did, as events for the record.

#include <utility>
#include <vector>

#include "abut/types.h"
#include "loop/contact_event.h"
#include "loop/paths.h"

namespace abut::loop {

struct EventReport {
  std::vector<Event> events;  ///< in the order in which they are told
  bool has_impact = false;
};

/// `paths` are those that the contact event ends: they know what rested before it.
EventReport report_of(const model::Model& model, const Paths& paths,
                      const ContactEvent& contact_event, const Outcome& outcome);

/// How the contacts of some bodies hold, on the paths that these bodies are on.
class HeldModes {
 public:
  HeldModes(const Paths& paths, const std::vector<BodyIndex>& bodies);

  /// Slip that begins, stops or turns back at t, where new paths begin.
  std::vector<Event> changes(const HeldModes& before, const Paths& paths, double t) const;

 private:
  std::vector<std::pair<contact::Contact, force::ContactMode>> held_;
};

/// The contacts that rest on the paths of some dynamic bodies.
std::vector<contact::Contact> resting_contacts(const Paths& paths,
                                               const std::vector<BodyIndex>& bodies);

/// Something that happens at a contact.
Event event_of_contact(EventKind kind, const contact::Contact& contact,
                       const contact::ContactNow& now, double time);
/// An impulse from outside.
Event outside_impulse_event(const impulse::OutsideImpulse& outside, double time);
/// Something that happens at a joint.
Event joint_event(EventKind kind, const joint::Joint& joint, const Paths& paths, double time);

}  // namespace abut::loop
