#pragma once
// The forces a scene can put on its bodies, besides gravity and contact.

#include <array>
#include <string>
#include <variant>

#include "abut/types.h"

namespace abut::model {

/// A point carried by a body, in that body's frame; in world coordinates where body == world.
struct Anchor {
  BodyIndex body = world;
  Vec3 point = Vec3::Zero();
};

/// Pulls its two anchors together with stiffness * (distance - length) + damping * d(distance)/dt.
struct Spring {
  std::array<Anchor, 2> ends;
  double length = 0;     ///< m
  double stiffness = 0;  ///< N/m
  double damping = 0;    ///< N s/m
};

/// Resistance of a medium that moves with velocity `wind`, on one body. With u the velocity of
/// the centre of mass against the medium: force -(linear + quadratic |u|) u, torque -angular omega.
struct Drag {
  BodyIndex body = world;
  double linear = 0;     ///< N s/m
  double quadratic = 0;  ///< N s^2/m^2
  double angular = 0;    ///< N m s
  Vec3 wind = Vec3::Zero();
};

/// Constant world force at a point that the body carries, and constant world torque.
struct ConstantForce {
  Anchor at;
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
};

/// An impulse at a given time, at a world point.
struct Impulse {
  BodyIndex body = world;
  double time = 0;
  Vec3 impulse = Vec3::Zero();  ///< N s
  bool at_centre = true;        ///< act at the centre of mass, ignoring `at`
  Vec3 at = Vec3::Zero();       ///< world point at `time`
};

using Force = std::variant<Spring, Drag, ConstantForce, Impulse>;

}  // namespace abut::model
