#pragma once
// What a meeting did, as events for the record.

#include <vector>

#include "abut/types.h"
#include "loop/meeting.h"
#include "loop/paths.h"

namespace abut::loop {

struct MeetingReport {
  std::vector<Event> events;  ///< in the order in which they are told
  bool has_impact = false;
};

/// `paths` are those that the meeting ends: they know what rested before it.
MeetingReport report_of(const model::Model& model, const Paths& paths, const Meeting& meeting,
                        const Outcome& outcome);

/// The contacts that rest on the paths of some dynamic bodies.
std::vector<contact::Contact> resting_contacts(const Paths& paths,
                                               const std::vector<BodyIndex>& bodies);

/// Something that happens at a contact.
Event contact_event(EventKind kind, const contact::Contact& contact, const contact::ContactNow& now,
                    double time);
/// An impulse from outside.
Event blow_event(const Blow& blow, double time);
/// Something that happens at a joint.
Event joint_event(EventKind kind, const joint::Joint& joint, const Paths& paths, double time);

}  // namespace abut::loop
