#pragma once
// What a meeting did, as events for the record.

#include <utility>
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

/// How the contacts of some bodies hold, on the paths that these bodies are on.
class Grips {
 public:
  Grips(const Paths& paths, const std::vector<BodyIndex>& bodies);

  /// Slip that begins, stops or turns back at t, where new paths begin.
  std::vector<Event> changes(const Grips& before, const Paths& paths, double t) const;

 private:
  std::vector<std::pair<contact::Contact, force::ContactGrip>> held_;
};

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
