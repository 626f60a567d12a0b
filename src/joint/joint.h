#pragma once
// A joint: which motion of two bodies against each other it leaves, and what it can bear.
//
// Each body carries a *joint frame*: its origin is the joint's anchor on that body, its z axis the
// joint's axis. What a joint demands is said of these two frames alone:
//
//   type            the frame of the second body, seen from the one of the first
//   ball            same origin
//   hinge           same origin and z axis
//   universal       same origin, z axes perpendicular
//   prismatic       origin on the z axis, same directions
//   cylindrical     origin and z axis on the z axis
//   point_on_line   origin on the z axis
//   point_on_plane  origin in the plane z = 0
//   weld            same frame
//   distance        origin at a fixed distance
//
// So a line or a plane belongs to the first body and slides with it, the point on it to the second.

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "abut/types.h"

namespace abut::joint {

using Type = JointType;
using Motor = JointMotor;

inline constexpr std::array all_types = {
    Type::ball,          Type::hinge,          Type::universal, Type::prismatic, Type::cylindrical,
    Type::point_on_line, Type::point_on_plane, Type::weld,      Type::distance};

inline constexpr double unbreakable = std::numeric_limits<double>::infinity();

struct Joint {
  std::string name;
  Type type = Type::ball;
  std::array<BodyIndex, 2> bodies = {world, world};
  std::array<Pose, 2> frames;  ///< the joint frames, each in its body's motion frame
  double length = 0;           ///< of a distance joint, m
  std::optional<std::array<double, 2>> limits;  ///< least and greatest coordinate, m or rad
  std::optional<Motor> motor;
  double break_force = unbreakable;   ///< N
  double break_torque = unbreakable;  ///< N m
  bool collide = false;               ///< whether the two bodies can touch each other
};

/// Freedoms that the joint takes away.
int equality_row_count(Type type);

/// What limits and motors act on: an angle, a displacement, or nothing that one number would tell.
enum class Coordinate { none, angle, displacement };
Coordinate coordinate_of(Type type);
inline bool has_coordinate(Type type) {
  return coordinate_of(type) != Coordinate::none;
}

/// Whether the joint has a direction of its own.
bool has_axis(Type type);

}  // namespace abut::joint
