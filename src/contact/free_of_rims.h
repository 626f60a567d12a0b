#pragma once
// What is free of a cylinder or cone that touches: the atoms that do not touch yet, and the rest of
// a rim that touches at one place.

#include <vector>

#include "contact/rim_hold.h"

namespace abut::contact {

/// Where one contact is on a side: in its motion frame.
struct HeldPlace {
  Feature feature;
  Vec3 surface = Vec3::Zero();
  double flatness = 0;
};

/// Lets a plane watch what is free of the part on one of its sides, which touches at these places.
void watch_free_rims(const HeldPart& part, const std::vector<HeldPlace>& places,
                     toi::HeldPlane& plane, int side);

}  // namespace abut::contact
