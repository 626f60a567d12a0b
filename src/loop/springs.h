#pragma once
// Contacts as springs at an instant at which the motion is not smooth.

#include <utility>
#include <vector>

#include "integrate/spring_scale.h"
#include "loop/paths.h"

namespace abut::loop {

/// The springs of all that touches some dynamic bodies at t. Those that were there before go on in
/// their phase; others begin in the one that their motion tells.
std::vector<force::ContactSpring> springs_at(const model::Model& model, const Paths& paths,
                                             const std::vector<BodyIndex>& bodies,
                                             const std::vector<contact::Contact>& contacts,
                                             const integrate::SpringScale& scale, double t);

/// Where bodies that overlap go over from some springs to others, the energy in them jumps: what is
/// more counts as work done, what is less as dissipated.
integrate::Balance exchanged_springs(const Paths& paths, const ContactEvent& contact_event,
                                     const std::vector<force::ContactSpring>& after);

/// Points that come to touch, move on to a place where nothing touched before, or separate.
std::vector<Event> spring_events(const model::Model& model, const Paths& paths,
                                 const ContactEvent& contact_event,
                                 const std::vector<force::ContactSpring>& after);

/// The contacts of the springs between two bodies.
std::vector<contact::Contact> contacts_between(const std::vector<force::ContactSpring>& springs,
                                               const std::pair<BodyIndex, BodyIndex>& pair);

}  // namespace abut::loop
