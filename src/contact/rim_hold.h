#pragma once
// The planes that contacts hold between two parts of which one is a cylinder or cone.
//
// What can touch next of a cylinder or cone are its atoms that do not touch yet (the other rim, the
// apex), whose support functions bound their heights, and the rest of a rim that touches at one
// place, which comes down when its disc becomes parallel to the plane.

#include <vector>

#include "contact/contact.h"
#include "toi/held_plane.h"

namespace abut::contact {

/// One part, as its motion frame carries it.
struct HeldPart {
  const narrow::Solid* solid = nullptr;
  Pose frame;  ///< motion frame in the body frame

  Vec3 point(const Vec3& core) const {
    return frame.orientation.conjugate() *
           (solid->position + solid->orientation * core - frame.position);
  }
  Vec3 direction(const Vec3& core) const {
    return frame.orientation.conjugate() * (solid->orientation * core);
  }
};

/// Any of the planes keeps the rest of the parts apart. `motions` are those at the instant the
/// contacts were found.
std::vector<toi::HeldPlane> rim_planes(const std::array<HeldPart, 2>& parts,
                                       const std::array<body::RigidMotion, 2>& motions,
                                       const std::vector<const Contact*>& contacts);

}  // namespace abut::contact
