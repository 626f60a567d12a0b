#pragma once
// Random joints and random motions of their bodies.

#include <array>
#include <random>

#include "body/constraint.h"
#include "joint/joint.h"
#include "math/rotation.h"

namespace joint_testing {

using abut::Pose;
using abut::Quat;
using abut::Vec3;
using abut::body::RigidMotion;
using abut::joint::all_types;
using abut::joint::Joint;
using abut::joint::Type;

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

inline Vec3 random_vector(Random& random, double size = 1) {
  std::normal_distribution<double> normal;
  return size * Vec3(normal(random), normal(random), normal(random));
}

inline Quat random_orientation(Random& random) {
  std::normal_distribution<double> normal;
  return Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
}

inline Pose random_pose(Random& random) {
  return {random_vector(random), random_orientation(random)};
}

inline RigidMotion random_motion(Random& random) {
  return {random_pose(random), random_vector(random), random_vector(random)};
}

/// With frames that have nothing to do with how the bodies stand.
inline Joint random_joint(Random& random, Type type) {
  Joint joint;
  joint.type = type;
  joint.frames = {random_pose(random), random_pose(random)};
  joint.length = uniform(random, 0.1, 2);
  return joint;
}

inline Quat turn(const Vec3& rotation_vector) {
  return abut::math::rotation_exp(rotation_vector);
}

/// A pose of the second joint frame in the first that the type allows, with all it leaves free
/// chosen at random.
inline Pose allowed_pose(Random& random, const Joint& joint) {
  const Quat about_z = turn(Vec3(0, 0, uniform(random, -3, 3)));
  const Vec3 along_z(0, 0, uniform(random, -2, 2));
  const Quat any = random_orientation(random);
  switch (joint.type) {
    case Type::ball:
      return {Vec3::Zero(), any};
    case Type::hinge:
      return {Vec3::Zero(), about_z};
    case Type::universal: {
      const Quat z_to_x = turn(Vec3(0, std::acos(-1.0) / 2, 0));
      return {Vec3::Zero(), about_z * z_to_x * turn(Vec3(0, 0, uniform(random, -3, 3)))};
    }
    case Type::prismatic:
      return {along_z, Quat::Identity()};
    case Type::cylindrical:
      return {along_z, about_z};
    case Type::point_on_line:
      return {along_z, any};
    case Type::point_on_plane:
      return {Vec3(uniform(random, -2, 2), uniform(random, -2, 2), 0), any};
    case Type::weld:
      return {};
    case Type::distance:
      return {joint.length * random_vector(random).normalized(), any};
  }
  return {};
}

inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.position + outer.orientation * inner.position,
          outer.orientation * inner.orientation};
}

inline Pose inverse(const Pose& pose) {
  const Quat back = pose.orientation.conjugate();
  return {-(back * pose.position), back};
}

/// The pose of the second body that puts the second joint frame at `relative` in the first.
inline Pose second_pose(const Joint& joint, const Pose& first, const Pose& relative) {
  return first * joint.frames[0] * relative * inverse(joint.frames[1]);
}

}  // namespace joint_testing
