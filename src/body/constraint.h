#pragma once
// One scalar condition on the motion of two bodies, as contacts, joints, limits and motors all
// state theirs, so that every solver of forces and impulses sees rows and nothing else.

#include <array>

#include "abut/types.h"

namespace abut::body {

/// A body's motion frame and how it moves: the central frame of a dynamic body, the body frame of
/// a fixed or scripted one; the world itself is the identity at rest.
struct RigidMotion {
  Pose pose;
  Vec3 velocity = Vec3::Zero();  ///< of the frame's origin
  Vec3 angular_velocity = Vec3::Zero();
};

/// The place of one body in a row. A unit of the row's force acts on the body as the force `linear`
/// and the torque `angular` about the origin of its motion frame.
struct RowSide {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();

  double operator()(const Vec3& velocity, const Vec3& angular_velocity) const {
    return linear.dot(velocity) + angular.dot(angular_velocity);
  }
};

/// A function C of the positions of two bodies. With v and omega of each side,
///     C'  = sum over sides of linear . v + angular . omega               (rate)
///     C'' = sum over sides of linear . v' + angular . omega' + bias.
struct ConstraintRow {
  std::array<RowSide, 2> sides;
  double value = 0;  ///< C: m, or rad
  double rate = 0;   ///< C'
  double bias = 0;   ///< what C'' is without acceleration
};

}  // namespace abut::body
