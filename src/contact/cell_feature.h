#pragma once
// Where on a cell of a mesh a contact is that was found on another cell.

#include "contact/rim_hold.h"

namespace abut::contact {

/// The corner or edge of the cell that is within `near` (m) of a place, or else its outer face.
/// `place` is in the motion frame.
Feature feature_at(const HeldPart& cell, const Vec3& place, double near);

}  // namespace abut::contact
