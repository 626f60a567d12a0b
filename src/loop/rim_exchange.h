#pragma once
// Contact events of bodies that lie on flat ends of cylinders and cones.
//
// A rim that lies on a plane has infinitely many points that could touch. The gap's rate, and its
// acceleration, at the place with the angle phi is c0 + c1 cos(phi) + c2 sin(phi): its lowest place
// is known in closed form. A contact event is settled with a few places of each rim; if one of the
// arcs then has a place that would sink, a contact is made there, and the contact event is settled
// again (the exchange method for semi-infinite problems). A body tips over its rim where it really
// does, not over a chord.

#include "loop/contact_event.h"

namespace abut::loop {

/// Settles the contact event, with contacts added to it where its rims need them.
Outcome settle_with_rims(const model::Model& model, const integrate::Scripts& scripts,
                         ContactEvent& contact_event);

}  // namespace abut::loop
