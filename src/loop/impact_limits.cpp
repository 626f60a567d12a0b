#include "loop/impact_limits.h"

#include <algorithm>

#include "loop/event_report.h"

namespace abut::loop {

double ImpactLimits::next_time() const {
  return ahead_.empty() ? std::numeric_limits<double>::infinity() : ahead_.front().limit_time;
}

std::vector<Event> ImpactLimits::take_until(double t, const Paths& paths) {
  std::vector<Event> events;
  const auto due = std::find_if(ahead_.begin(), ahead_.end(),
                                [t](const LastImpact& last) { return last.limit_time > t; });
  for (auto last = ahead_.begin(); last != due; ++last) {
    const auto now = contact::evaluate(last->contact, paths.motion_of(last->contact.bodies[0], t),
                                       paths.motion_of(last->contact.bodies[1], t));
    events.push_back(event_of_contact(EventKind::rest, last->contact, now, t));
    events.back().detail = "limit of a sequence of impacts";
  }
  ahead_.erase(ahead_.begin(), due);
  return events;
}

void ImpactLimits::update(const Paths& paths, const ContactEvent& contact_event,
                          const Outcome& outcome) {
  const std::vector<contact::Contact> before = resting_contacts(paths, contact_event.bodies);
  std::erase_if(ahead_, [&](const LastImpact& last) {
    return contact::contains(before, last.contact) &&
           !contact::contains(outcome.active.contacts, last.contact);
  });
  for (const LastImpact& last : outcome.last_impacts)
    if (last.limit_time <= end_) ahead_.push_back(last);
  std::stable_sort(ahead_.begin(), ahead_.end(), [](const LastImpact& x, const LastImpact& y) {
    return x.limit_time < y.limit_time;
  });
}

void ImpactLimits::forget(const std::vector<BodyIndex>& bodies) {
  std::erase_if(ahead_, [&](const LastImpact& last) {
    return std::any_of(last.contact.bodies.begin(), last.contact.bodies.end(), [&](BodyIndex body) {
      return std::binary_search(bodies.begin(), bodies.end(), body);
    });
  });
}

}  // namespace abut::loop
