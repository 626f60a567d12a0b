#pragma once
// Sequences of impacts that would go on for ever: the contacts rest from the last impact that is
// simulated on, and the instant to which the impacts converge is an event for the record.

#include <limits>
#include <vector>

#include "loop/contact_event.h"
#include "loop/paths.h"

namespace abut::loop {

class ImpactLimits {
 public:
  /// Limits after `end` never come.
  explicit ImpactLimits(double end) : end_(end) {}

  /// Infinite if there is none ahead.
  double next_time() const;
  /// The events of limits up to t, which are ahead no more.
  std::vector<Event> take_until(double t, const Paths& paths);
  /// Adds the limits of sequences that end in this contact event, and drops those whose contacts
  /// opened. `paths` are those that the contact event ends.
  void update(const Paths& paths, const ContactEvent& contact_event, const Outcome& outcome);

  /// Drops the limits of contacts of these bodies (ascending), whose impacts are not followed any
  /// more.
  void forget(const std::vector<BodyIndex>& bodies);

 private:
  double end_;
  std::vector<LastImpact> ahead_;  // ascending by time
};

}  // namespace abut::loop
