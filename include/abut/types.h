#pragma once
// The plain data that Abut takes and gives. SI units, right-handed axes, world frame unless a
// comment says otherwise.
//
// Quaternions are stored unaligned: the layout of these structs must not depend on the
// instruction set that a user's program is compiled for.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "abut/export.h"

namespace abut {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

/// A frame in another one: x_outer = position + orientation * x_inner.
struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

/// All that is recorded of one body at one time.
struct BodyState {
  Vec3 position = Vec3::Zero();         ///< origin of the body frame (the shapes' frame)
  Quat orientation = Quat::Identity();  ///< of the body frame; sign continuous in time
  Vec3 velocity = Vec3::Zero();         ///< of the centre of mass
  Vec3 angular_velocity = Vec3::Zero();
  Vec3 centre_of_mass = Vec3::Zero();
  Vec3 acceleration = Vec3::Zero();  ///< of the centre of mass
  Vec3 angular_acceleration = Vec3::Zero();
};

/// The energy book: kinetic + potential + elastic + dissipated - work stays constant.
struct Energy {
  double kinetic = 0;     ///< of the dynamic bodies
  double potential = 0;   ///< gravity and constant forces; zero at the world origin
  double elastic = 0;     ///< in springs
  double dissipated = 0;  ///< lost so far to damping and drag
  double work = 0;        ///< done so far on dynamic bodies by scripts, torques and impulses

  double mechanical() const { return kinetic + potential + elastic; }
  double balance() const { return mechanical() + dissipated - work; }
};

enum class EventKind {
  touch,
  impact,
  separate,
  slip,
  stick,
  reverse,
  support,
  rest,
  impulse,
  limit,
  break_joint,
  script
};

/// The name of a kind in files: `touch`, `impact`, ..., `break`, `script`.
ABUT_API std::string_view to_string(EventKind kind);

/// Index of a body in its model; `world` is the fixed surroundings.
using BodyIndex = int;
inline constexpr BodyIndex world = -1;

/// Something that happened at an instant.
struct Event {
  double time = 0;
  EventKind kind = EventKind::touch;
  BodyIndex body_a = world;
  BodyIndex body_b = world;
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();   ///< from body_b to body_a; zero where there is none
  double normal_impulse = 0;    ///< N s
  Vec3 impulse = Vec3::Zero();  ///< whole impulse on body_a, N s
  std::string detail;
};

enum class ContactMode { frictionless, stick, slide };

/// The name of a mode in files: `frictionless`, `stick`, `slide`.
ABUT_API std::string_view to_string(ContactMode mode);

/// The piece of a body that takes part in a contact. Parts and pieces count from 0.
struct ContactFeature {
  enum class Kind { vertex, edge, face, smooth };  ///< smooth: a curved surface

  int part = 0;  ///< of the body
  Kind kind = Kind::smooth;
  int index = 0;  ///< which vertex, edge, face or curved surface of the part
};

/// The name of a kind in files: `vertex`, `edge`, `face`, `smooth`.
ABUT_API std::string_view to_string(ContactFeature::Kind kind);

/// One point at which two bodies touch, at one time.
struct ContactState {
  BodyIndex body_a = world;
  BodyIndex body_b = world;
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();         ///< from body_b to body_a
  double gap = 0;                      ///< m
  double normal_force = 0;             ///< N, >= 0
  Vec3 friction_force = Vec3::Zero();  ///< on body_a, N
  ContactMode mode = ContactMode::frictionless;
  ContactFeature feature_a;
  ContactFeature feature_b;
  /// Whether the laws of motion leave one value for the forces of all contacts and joints that this
  /// one is connected with. Where they do not (a table on four legs) the forces told are those of
  /// least norm.
  bool unique = true;
};

/// What a joint leaves of the motion of its second body, seen from the first.
enum class JointType {
  ball,            ///< turns about a point
  hinge,           ///< turns about an axis
  universal,       ///< turns about an axis of each body; the two stay perpendicular
  prismatic,       ///< slides along an axis
  cylindrical,     ///< slides along an axis and turns about it
  point_on_line,   ///< a point slides along an axis of the first body
  point_on_plane,  ///< a point slides in a plane of the first body, the axis its normal
  weld,            ///< nothing
  distance         ///< two points keep their distance
};

/// The name of a type in files: `ball`, `hinge`, ..., `distance`.
ABUT_API std::string_view to_string(JointType type);

/// Drives what a joint leaves free at a constant speed, as long as it is strong enough.
struct JointMotor {
  double speed = 0;                                            ///< m/s, of a hinge rad/s
  double max_force = std::numeric_limits<double>::infinity();  ///< N, of a hinge N m
};

/// Index of a joint in its model.
using JointIndex = int;

/// What a joint transmits at one time: to its second body, at the joint's point, world axes.
struct JointState {
  JointIndex joint = 0;
  bool is_impulse = false;     ///< force is in N s and torque in N m s, of an impact
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< N m
  double gap = 0;              ///< distance of the two anchors, m
};

}  // namespace abut
