#include "contact/contact.h"

#include <algorithm>
#include <cmath>

#include "contact/smooth_gap.h"

namespace abut::contact {
namespace {

using body::RigidMotion;

Vec3 in_world(const RigidMotion& motion, const Vec3& local) {
  return motion.pose.position + motion.pose.orientation * local;
}

// What is needed of a material point x of a body.
struct MaterialPoint {
  Vec3 arm, velocity, centripetal;

  MaterialPoint(const RigidMotion& body, const Vec3& x)
      : arm(x - body.pose.position),
        velocity(body.velocity + body.angular_velocity.cross(arm)),
        centripetal(body.angular_velocity.cross(body.angular_velocity.cross(arm))) {}
};

// The row for nearest points xa, xb with normal n from b to a; `curvature` is what the second
// derivative has besides the accelerations of the points.
struct NearestPoints {
  Vec3 normal, xa, xb;
  MaterialPoint a, b;

  NearestPoints(const RigidMotion& body_a, const RigidMotion& body_b, const Vec3& n,
                const Vec3& on_a, const Vec3& on_b)
      : normal(n), xa(on_a), xb(on_b), a(body_a, on_a), b(body_b, on_b) {}

  Vec3 velocity() const { return a.velocity - b.velocity; }
  ContactNow with(double distance, double rounding, double curvature, const Vec3& turning,
                  const std::array<Vec3, 2>& drift) const {
    ContactNow now;
    now.normal = normal;
    now.turning = turning;
    now.drift = drift;
    now.points = {xa, xb};
    now.row.sides[0] = {normal, a.arm.cross(normal)};
    now.row.sides[1] = {-normal, -b.arm.cross(normal)};
    now.row.value = distance - rounding;
    now.row.rate = normal.dot(velocity());
    now.row.bias = normal.dot(a.centripetal - b.centripetal) + curvature;
    return now;
  }
};

// n' with the component along n taken out, as its unit length demands.
double turning_curvature(const NearestPoints& nearest, const Vec3& turning, double distance) {
  return 2 * turning.dot(nearest.velocity()) - distance * turning.squaredNorm();
}

// Below, `a` has the point.
ContactNow point_on_plane(const Contact& c, const CarriedFeature& point,
                          const CarriedFeature& plane, const RigidMotion& a, const RigidMotion& b) {
  const Vec3 n = b.pose.orientation * plane.direction;
  const Vec3 x = in_world(a, point.point);
  const double distance = n.dot(x - in_world(b, plane.point));
  const NearestPoints nearest(a, b, n, x, x - distance * n);
  const Vec3 turning = b.angular_velocity.cross(n);
  const Vec3& moves = nearest.a.velocity;
  const Vec3 below = moves - n.dot(nearest.velocity()) * n - distance * turning;
  return nearest.with(distance, c.rounding(), turning_curvature(nearest, turning, distance),
                      turning, {moves, below});
}

ContactNow edge_on_edge(const Contact& c, const RigidMotion& a, const RigidMotion& b) {
  const Vec3 ea = a.pose.orientation * c.features[0].direction;
  const Vec3 eb = b.pose.orientation * c.features[1].direction;
  const Vec3 pa = in_world(a, c.features[0].point), pb = in_world(b, c.features[1].point);
  const Vec3 cross = c.edge_sign * ea.cross(eb);
  const double sine = cross.norm();
  const Vec3 n = cross / sine;
  // pa + s ea - (pb + u eb) = d n, solved by crossing with one direction each.
  const Vec3 between = pb - pa;
  const double s = c.edge_sign * between.cross(eb).dot(n) / sine;
  const double u = c.edge_sign * between.cross(ea).dot(n) / sine;
  const NearestPoints nearest(a, b, n, pa + s * ea, pb + u * eb);
  const double distance = -n.dot(between);
  const Vec3 rate = c.edge_sign * (a.angular_velocity.cross(ea).cross(eb) +
                                   ea.cross(b.angular_velocity.cross(eb)));
  const Vec3 turning = (rate - n * n.dot(rate)) / sine;
  // The nearest points run along the edges at s' and u' such that V + s' ea - u' eb = (d n)'.
  const Vec3 across = nearest.velocity() - distance * turning;
  const double run_a = -across.dot(eb.cross(n)) / ea.dot(eb.cross(n));
  const double run_b = across.dot(ea.cross(n)) / eb.dot(ea.cross(n));
  return nearest.with(distance, c.rounding(), turning_curvature(nearest, turning, distance),
                      turning, {nearest.a.velocity + run_a * ea, nearest.b.velocity + run_b * eb});
}

// Of the direction of a vector of this length that changes at this velocity.
Vec3 turning_of(const Vec3& direction, const Vec3& velocity, double length) {
  return (velocity - direction * direction.dot(velocity)) / length;
}

double spreading(const NearestPoints& nearest, double distance) {
  const Vec3 v = nearest.velocity();
  const double along = nearest.normal.dot(v);
  return (v.squaredNorm() - along * along) / distance;
}

ContactNow point_on_point(const Contact& c, const RigidMotion& a, const RigidMotion& b) {
  const Vec3 xa = in_world(a, c.features[0].point), xb = in_world(b, c.features[1].point);
  const double distance = (xa - xb).norm();
  const NearestPoints nearest(a, b, (xa - xb) / distance, xa, xb);
  return nearest.with(distance, c.rounding(), spreading(nearest, distance),
                      turning_of(nearest.normal, nearest.velocity(), distance),
                      {nearest.a.velocity, nearest.b.velocity});
}

ContactNow point_on_line(const Contact& c, const CarriedFeature& point, const CarriedFeature& line,
                         const RigidMotion& a, const RigidMotion& b) {
  const Vec3 e = b.pose.orientation * line.direction;
  const Vec3 x = in_world(a, point.point), start = in_world(b, line.point);
  const Vec3 foot = start + e.dot(x - start) * e;
  const double distance = (x - foot).norm();
  const NearestPoints nearest(a, b, (x - foot) / distance, x, foot);
  const double slide =
      nearest.velocity().dot(e) / distance + nearest.normal.dot(b.angular_velocity.cross(e));
  const Vec3 foot_moves = nearest.b.velocity + distance * slide * e;
  return nearest.with(distance, c.rounding(),
                      spreading(nearest, distance) - distance * slide * slide,
                      turning_of(nearest.normal, nearest.a.velocity - foot_moves, distance),
                      {nearest.a.velocity, foot_moves});
}

ContactNow with_sides_swapped(ContactNow now) {
  std::swap(now.row.sides[0], now.row.sides[1]);
  std::swap(now.points[0], now.points[1]);
  std::swap(now.drift[0], now.drift[1]);
  now.normal = -now.normal;
  now.turning = -now.turning;
  return now;
}

}  // namespace

ContactNow evaluate(const Contact& contact, const RigidMotion& a, const RigidMotion& b) {
  if (contact.kind == GapKind::smooth) return evaluate_smooth(*contact.smooth, a, b);
  if (contact.kind == GapKind::edge_edge) return edge_on_edge(contact, a, b);
  if (contact.kind == GapKind::point_point) return point_on_point(contact, a, b);
  const bool swapped = contact.point_side == 1;
  const RigidMotion& with_point = swapped ? b : a;
  const RigidMotion& other = swapped ? a : b;
  const CarriedFeature& point = contact.features[contact.point_side];
  const CarriedFeature& carrier = contact.features[1 - contact.point_side];
  const ContactNow now = contact.kind == GapKind::point_plane
                             ? point_on_plane(contact, point, carrier, with_point, other)
                             : point_on_line(contact, point, carrier, with_point, other);
  return swapped ? with_sides_swapped(now) : now;
}

namespace {

double margin_of(const Guard& guard, const Contact& contact, const ContactNow& now,
                 const RigidMotion& a, const RigidMotion& b) {
  const RigidMotion& body = guard.side == 0 ? a : b;
  const Quat to_body = body.pose.orientation.conjugate();
  if (guard.kind == GuardKind::normal)
    return guard.inward.dot(to_body * ((guard.side == 0 ? -1 : 1) * now.normal)) - guard.offset;
  if (guard.kind == GuardKind::tilt) {
    const RigidMotion& other = guard.side == 0 ? b : a;
    const CarriedFeature& plane = contact.features[1 - guard.side];
    const Vec3 from_plane = in_world(body, guard.at) - in_world(other, plane.point);
    return guard.offset - (other.pose.orientation * plane.direction).dot(from_plane);
  }
  if (guard.kind == GuardKind::slant) {
    const RigidMotion& other = guard.side == 0 ? b : a;
    const Vec3 line = other.pose.orientation * contact.features[1 - guard.side].direction;
    return guard.offset - std::abs(guard.inward.dot(to_body * line));
  }
  const bool own = contact.kind == GapKind::edge_edge;
  const Vec3& probe = now.points[own ? guard.side : 1 - guard.side];
  const Vec3 local = to_body * (probe - body.pose.position);
  if (guard.kind == GuardKind::border) return guard.inward.dot(local) - guard.offset;
  const double from_line = guard.inward.cross(local - guard.at).norm();
  return guard.kind == GuardKind::round ? guard.offset - from_line : from_line - guard.offset;
}

}  // namespace

double support_margin(const Contact& contact, const ContactNow& now, const RigidMotion& a,
                      const RigidMotion& b) {
  double margin = now.firmness;
  for (const Guard& guard : contact.guards)
    margin = std::min(margin, margin_of(guard, contact, now, a, b));
  return margin;
}

namespace {

// Some direction across n, and the other one that makes a right-handed frame with it.
std::array<Vec3, 2> across(const Vec3& n) {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  const Vec3 first = Vec3::Unit(least).cross(n).normalized();
  return {first, n.cross(first)};
}

// The side on whose surface friction acts: that of the point, of two points the one of smaller
// radius. A ball that rolls at a gap of 1e-10 m shall have its own radius as arm.
int grip_side(const Contact& contact) {
  if (contact.kind != GapKind::point_point) return contact.point_side;
  return contact.rounding_of[0] <= contact.rounding_of[1] ? 0 : 1;
}

// v turned as the shortest rotation turns unit vector `from` to `to`.
Vec3 turned_along(const Vec3& v, const Vec3& from, const Vec3& to) {
  const Vec3 axis = from.cross(to);
  const Vec3 once = axis.cross(v);
  return v + once + axis.cross(once) / (1 + from.dot(to));
}

}  // namespace

std::array<body::ConstraintRow, 2> tangent_rows(const Contact& contact, const ContactNow& now,
                                                const RigidMotion& a, const RigidMotion& b) {
  const int side = grip_side(contact);
  const double to_surface = (side == 0 ? -1 : 1) * contact.rounding_of[side];
  const Vec3 place = now.points[side] + to_surface * now.normal;
  const Vec3 place_velocity = now.drift[side] + to_surface * now.turning;
  const Vec3 arm_a = place - a.pose.position, arm_b = place - b.pose.position;
  const Vec3 slip =
      a.velocity + a.angular_velocity.cross(arm_a) - b.velocity - b.angular_velocity.cross(arm_b);
  const Vec3 bias = a.angular_velocity.cross(place_velocity - a.velocity) -
                    b.angular_velocity.cross(place_velocity - b.velocity);
  Vec3 moved = Vec3::Zero();
  if (contact.anchor)
    moved = side == 0 ? place - in_world(b, *contact.anchor) : in_world(a, *contact.anchor) - place;
  std::array<body::ConstraintRow, 2> rows;
  const std::array<Vec3, 2> tangents =
      contact.is_guided()
          ? std::array<Vec3, 2>{contact.first_normal.cross(contact.gives_way), contact.gives_way}
          : across(contact.first_normal);
  for (int i = 0; i < 2; ++i) {
    const Vec3 t = turned_along(tangents[i], contact.first_normal, now.normal);
    rows[i].sides[0] = {t, arm_a.cross(t)};
    rows[i].sides[1] = {-t, -arm_b.cross(t)};
    rows[i].value = t.dot(moved);
    rows[i].rate = t.dot(slip);
    rows[i].bias = t.dot(bias);
  }
  return rows;
}

Vec3 place_of(const Contact& contact, const ContactNow& now) {
  return 0.5 * (now.points[0] + now.points[1] +
                (contact.rounding_of[1] - contact.rounding_of[0]) * now.normal);
}

}  // namespace abut::contact
