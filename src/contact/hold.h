#pragma once
// The planes that contacts hold between two parts, for the watch over the rest of the parts.

#include <span>
#include <vector>

#include "contact/contact.h"
#include "toi/first_contact.h"

namespace abut::contact {

/// Of the contacts between two bodies that rest: one hold per pair of parts. `a` and `b` are the
/// bodies' motions at the instant the contacts were found.
std::vector<toi::PartHold> holds_of(std::span<const Contact> contacts, const model::Body& body_a,
                                    const narrow::BodyShape& shape_a, const body::RigidMotion& a,
                                    const model::Body& body_b, const narrow::BodyShape& shape_b,
                                    const body::RigidMotion& b);

}  // namespace abut::contact
