#pragma once
// A rigid body's mass, and the frame in which its inertia is diagonal.
//
// Two frames belong to a body. The *body frame* is the user's: shapes are given in it and poses
// are reported for it. The *central frame* has its origin at the centre of mass and the principal
// axes of inertia as axes; all dynamics happen there.

#include "abut/types.h"
#include "shape/moments.h"

namespace abut::body {

struct Mass {
  double volume = 0;              ///< m^3
  double mass = 0;                ///< kg
  Mat3 inertia = Mat3::Zero();    ///< about the centre of mass, body axes, kg m^2
  Vec3 principal = Vec3::Zero();  ///< principal moments, kg m^2
  Pose central;                   ///< the central frame in the body frame
};

/// From the moments of the body's parts in the body frame.
Mass mass_from(const shape::Moments& moments);

/// Pose of the central frame in the world, given that of the body frame; and back.
Pose central_from_body(const Mass& mass, const Pose& body);
Pose body_from_central(const Mass& mass, const Pose& central);

}  // namespace abut::body
