// Moore and Wilhelms 1988, section 3.2, state joints by matching velocities at the attachment
// points: all three components (revolute, eq. of 3.2.2), two (linear sliding) or one (planar
// sliding, 3.2.4) in unit vectors that one of the objects carries. The rows below integrate these
// to positions, whose first derivatives they are, and add directions in place of the paper's
// further points.
//
// Each function below derives one kind of row. Throughout, a and b are the first and second body,
//   r    from the origin of a body's motion frame to its anchor p,  p' = v + omega x r,
//   d    = p_b - p_a,
//   w    a vector carried by a body,  w' = omega x w,
// and with alpha = omega'
//   p'' = v' + alpha x r + omega x (omega x r),   w'' = alpha x w + omega x (omega x w).
// The bias of a row is what these give with v' = alpha = 0.
#include "joint/rows.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace abut::joint {
namespace {

using body::ConstraintRow;
using body::RigidMotion;

/// A joint frame in the world.
struct CarriedFrame {
  Vec3 anchor;
  Vec3 arm;  ///< r
  Vec3 anchor_velocity;
  Vec3 anchor_centripetal;  ///< omega x (omega x r)
  Quat orientation;
  Vec3 x, y, z;
  Vec3 angular_velocity;

  Vec3 rate(const Vec3& w) const { return angular_velocity.cross(w); }
  Vec3 centripetal(const Vec3& w) const { return angular_velocity.cross(rate(w)); }
};

CarriedFrame carried(const Pose& frame, const RigidMotion& motion) {
  CarriedFrame carried;
  carried.angular_velocity = motion.angular_velocity;
  carried.arm = motion.pose.orientation * frame.position;
  carried.anchor = motion.pose.position + carried.arm;
  carried.anchor_velocity = motion.velocity + carried.rate(carried.arm);
  carried.anchor_centripetal = carried.centripetal(carried.arm);
  carried.orientation = motion.pose.orientation * frame.orientation;
  const Mat3 axes = carried.orientation.toRotationMatrix();
  carried.x = axes.col(0);
  carried.y = axes.col(1);
  carried.z = axes.col(2);
  return carried;
}

/// C = u . d with u carried by a. Since (omega_a x u) . d = omega_a . (u x d),
///   C'  = u . d' + omega_a . (u x d)
///   C'' = u . d'' + 2 (omega_a x u) . d' + (alpha_a x u + omega_a x (omega_a x u)) . d.
/// The force u acts on both bodies at p_b: on a its arm is r_a + d.
ConstraintRow offset_row(const Vec3& u, const CarriedFrame& a, const CarriedFrame& b) {
  const Vec3 d = b.anchor - a.anchor;
  const Vec3 d_rate = b.anchor_velocity - a.anchor_velocity;
  ConstraintRow row;
  row.sides[0] = {-u, u.cross(a.arm + d)};
  row.sides[1] = {u, b.arm.cross(u)};
  row.value = u.dot(d);
  row.rate = u.dot(d_rate) + a.rate(u).dot(d);
  row.bias = u.dot(b.anchor_centripetal - a.anchor_centripetal) + 2 * a.rate(u).dot(d_rate) +
             a.centripetal(u).dot(d);
  return row;
}

/// C = u . w with u carried by a and w by b, zero where they are perpendicular:
///   C'  = (omega_a x u) . w + u . (omega_b x w) = (omega_b - omega_a) . (w x u)
///   C'' = (alpha_b - alpha_a) . (w x u)
///         + (omega_a x (omega_a x u)) . w + 2 (omega_a x u) . (omega_b x w)
///         + u . (omega_b x (omega_b x w)).
ConstraintRow perpendicular_row(const Vec3& u, const Vec3& w, const CarriedFrame& a,
                                const CarriedFrame& b) {
  const Vec3 turn = w.cross(u);
  ConstraintRow row;
  row.sides[0].angular = -turn;
  row.sides[1].angular = turn;
  row.value = u.dot(w);
  row.rate = turn.dot(b.angular_velocity - a.angular_velocity);
  row.bias = a.centripetal(u).dot(w) + 2 * a.rate(u).dot(b.rate(w)) + u.dot(b.centripetal(w));
  return row;
}

/// C = |d| - length. With e = d / |d|,
///   C' = e . d',   C'' = e . d'' + |d' - e (e . d')|^2 / |d|.
ConstraintRow distance_row(double length, const CarriedFrame& a, const CarriedFrame& b) {
  const Vec3 d = b.anchor - a.anchor;
  const Vec3 d_rate = b.anchor_velocity - a.anchor_velocity;
  const double distance = d.norm();
  // Anchors in one place have no direction; lengths are positive, so only a joint that is torn
  // apart can get there, and any direction may pull it back.
  const Vec3 e = distance > 0 ? Vec3(d / distance) : a.z;
  ConstraintRow row;
  row.sides[0] = {-e, e.cross(a.arm)};
  row.sides[1] = {e, b.arm.cross(e)};
  row.value = distance - length;
  row.rate = e.dot(d_rate);
  row.bias = e.dot(b.anchor_centripetal - a.anchor_centripetal);
  if (distance > 0) row.bias += (d_rate - row.rate * e).squaredNorm() / distance;
  return row;
}

/// The orientation of b in a as a quaternion (s, v) with s >= 0, and how it turns, in axes of a.
/// With W = R_a^T (omega_b - omega_a) the quaternion's rates are
///   2 q' = W q:            2 s' = -W . v,   2 v' = s W + W x v
///   2 q'' = W' q + W q' = W' q - |W|^2 q / 2
///   W' = R_a^T (alpha_b - alpha_a - omega_a x omega_b).
struct RelativeTurn {
  double s = 1;
  Vec3 v = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();      ///< W
  Vec3 acceleration = Vec3::Zero();  ///< W' without alpha
};

RelativeTurn relative_turn(const CarriedFrame& a, const CarriedFrame& b) {
  const Quat to_a = a.orientation.conjugate();
  const Quat q = to_a * b.orientation;
  const double sign = q.w() < 0 ? -1 : 1;
  RelativeTurn turn;
  turn.s = sign * q.w();
  turn.v = sign * q.vec();
  turn.velocity = to_a * (b.angular_velocity - a.angular_velocity);
  turn.acceleration = to_a * -(a.angular_velocity.cross(b.angular_velocity));
  return turn;
}

/// A row of directions whose rate is `gradient` . W, with the gradient in axes of a.
ConstraintRow turn_row(const Vec3& gradient, const RelativeTurn& turn, const CarriedFrame& a) {
  ConstraintRow row;
  row.sides[1].angular = a.orientation * gradient;
  row.sides[0].angular = -row.sides[1].angular;
  row.rate = gradient.dot(turn.velocity);
  row.bias = gradient.dot(turn.acceleration);
  return row;
}

/// C = 2 e . v with e an axis of the joint frame of a: for a turn by theta about n this is
/// 2 sin(theta/2) e . n. All three vanish at theta = 0 only, unlike sines or cosines of angles
/// between axes, which vanish after half a turn as well, and their gradients are independent up to
/// there. By the rates above
///   C' = e . (s W + W x v) = (s e + v x e) . W,   C'' = (s e + v x e) . W' - |W|^2 C / 4.
ConstraintRow same_direction_row(const Vec3& e, const RelativeTurn& turn, const CarriedFrame& a) {
  ConstraintRow row = turn_row(turn.s * e + turn.v.cross(e), turn, a);
  row.value = 2 * e.dot(turn.v);
  row.bias -= turn.velocity.squaredNorm() * row.value / 4;
  return row;
}

/// The angle about z that is left of a turn when the tilt of the z axes is taken out of it:
/// theta = 2 atan2(v_z, s). With k = s^2 + v_z^2
///   theta' = 2 (s v_z' - v_z s') / k = (s (s W_z + (W x v)_z) + v_z W . v) / k =: g . W
///   g = (s^2 e_z + s v x e_z + v_z v) / k.
/// In s v_z'' - v_z s'' the term of |W|^2 cancels, and the rest of theta'' is the change of k:
///   theta'' = g . W' - theta' k' / k,   k' = 2 s s' + 2 v_z v_z' = -s W . v + v_z (s W_z + (W x
///   v)_z).
/// k vanishes only where the z axes are opposite, which no hinge allows.
ConstraintRow angle_row(const CarriedFrame& a, const CarriedFrame& b, double near) {
  const RelativeTurn turn = relative_turn(a, b);
  const double s = turn.s;
  const Vec3& v = turn.v;
  const Vec3 ez = Vec3::UnitZ();
  const double k = s * s + v.z() * v.z();
  ConstraintRow row = turn_row((s * s * ez + s * v.cross(ez) + v.z() * v) / k, turn, a);
  const double k_rate =
      -s * turn.velocity.dot(v) + v.z() * (s * turn.velocity.z() + turn.velocity.cross(v).z());
  row.bias -= row.rate * k_rate / k;
  constexpr double full_turn = 2 * std::numbers::pi;
  const double angle = 2 * std::atan2(v.z(), s);
  row.value = angle + full_turn * std::round((near - angle) / full_turn);
  return row;
}

void add_offset_rows(const Joint& joint, const CarriedFrame& a, const CarriedFrame& b,
                     std::vector<ConstraintRow>& rows) {
  const auto vanish_along = [&](std::initializer_list<Vec3> axes) {
    for (const Vec3& axis : axes) rows.push_back(offset_row(axis, a, b));
  };
  switch (joint.type) {
    case Type::ball:
    case Type::hinge:
    case Type::universal:
    case Type::weld:
      return vanish_along({a.x, a.y, a.z});
    case Type::prismatic:
    case Type::cylindrical:
    case Type::point_on_line:
      return vanish_along({a.x, a.y});
    case Type::point_on_plane:
      return vanish_along({a.z});
    case Type::distance:
      rows.push_back(distance_row(joint.length, a, b));
      return;
  }
}

/// Positive forces turn the second body about the x and y axes of its own joint frame: these stay
/// independent whatever the angle.
void add_same_axis_rows(const CarriedFrame& a, const CarriedFrame& b,
                        std::vector<ConstraintRow>& rows) {
  rows.push_back(perpendicular_row(a.z, b.y, a, b));
  rows.push_back(perpendicular_row(a.z, -b.x, a, b));
}

void add_direction_rows(Type type, const CarriedFrame& a, const CarriedFrame& b,
                        std::vector<ConstraintRow>& rows) {
  switch (type) {
    case Type::hinge:
    case Type::cylindrical:
      return add_same_axis_rows(a, b, rows);
    case Type::universal:
      rows.push_back(perpendicular_row(a.z, b.z, a, b));
      return;
    case Type::prismatic:
    case Type::weld: {
      const RelativeTurn turn = relative_turn(a, b);
      for (int i = 0; i < 3; ++i) rows.push_back(same_direction_row(Vec3::Unit(i), turn, a));
      return;
    }
    case Type::ball:
    case Type::point_on_line:
    case Type::point_on_plane:
    case Type::distance:
      return;
  }
}

}  // namespace

void add_equality_rows(const Joint& joint, const RigidMotion& a, const RigidMotion& b,
                       std::vector<ConstraintRow>& rows) {
  const CarriedFrame frame_a = carried(joint.frames[0], a);
  const CarriedFrame frame_b = carried(joint.frames[1], b);
  add_offset_rows(joint, frame_a, frame_b, rows);
  add_direction_rows(joint.type, frame_a, frame_b, rows);
}

ConstraintRow coordinate_row(const Joint& joint, const RigidMotion& a, const RigidMotion& b,
                             double near) {
  const CarriedFrame frame_a = carried(joint.frames[0], a);
  const CarriedFrame frame_b = carried(joint.frames[1], b);
  if (coordinate_of(joint.type) == Coordinate::angle) return angle_row(frame_a, frame_b, near);
  return offset_row(frame_a.z, frame_a, frame_b);
}

Reaction reaction(const Joint& joint, const RigidMotion& a, const RigidMotion& b,
                  std::span<const double> row_forces) {
  std::vector<ConstraintRow> rows;
  add_equality_rows(joint, a, b, rows);
  if (row_forces.size() > rows.size()) rows.push_back(coordinate_row(joint, a, b, 0));
  const Vec3 arm = joint_point(joint, b) - b.pose.position;
  Reaction sum;
  for (std::size_t i = 0; i < row_forces.size(); ++i) {
    const body::RowSide& side = rows[i].sides[1];
    sum.force += row_forces[i] * side.linear;
    sum.torque += row_forces[i] * (side.angular - arm.cross(side.linear));
  }
  return sum;
}

double anchor_gap(const Joint& joint, const RigidMotion& a, const RigidMotion& b) {
  std::vector<ConstraintRow> rows;
  add_offset_rows(joint, carried(joint.frames[0], a), carried(joint.frames[1], b), rows);
  double square = 0;
  for (const ConstraintRow& row : rows) square += row.value * row.value;
  return std::sqrt(square);
}

Vec3 joint_point(const Joint& joint, const RigidMotion& b) {
  return b.pose.position + b.pose.orientation * joint.frames[1].position;
}

}  // namespace abut::joint
