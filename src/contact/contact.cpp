#include "contact/contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
  ContactNow with(double distance, double rounding, double curvature) const {
    ContactNow now;
    now.normal = normal;
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
  return nearest.with(distance, c.rounding(), turning_curvature(nearest, turning, distance));
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
  return nearest.with(distance, c.rounding(), turning_curvature(nearest, turning, distance));
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
  return nearest.with(distance, c.rounding(), spreading(nearest, distance));
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
  return nearest.with(distance, c.rounding(),
                      spreading(nearest, distance) - distance * slide * slide);
}

ContactNow with_sides_swapped(ContactNow now) {
  std::swap(now.row.sides[0], now.row.sides[1]);
  std::swap(now.points[0], now.points[1]);
  now.normal = -now.normal;
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

double support_margin(const Contact& contact, const ContactNow& now, const RigidMotion& a,
                      const RigidMotion& b) {
  double margin = std::numeric_limits<double>::infinity();
  for (const Guard& guard : contact.guards) {
    const RigidMotion& body = guard.side == 0 ? a : b;
    const bool own = contact.kind == GapKind::edge_edge;
    const Vec3& probe = now.points[own ? guard.side : 1 - guard.side];
    const Vec3 local = body.pose.orientation.conjugate() * (probe - body.pose.position);
    margin = std::min(margin, guard.inward.dot(local) - guard.offset);
  }
  return margin;
}

Vec3 place_of(const Contact& contact, const ContactNow& now) {
  return 0.5 * (now.points[0] + now.points[1] +
                (contact.rounding_of[1] - contact.rounding_of[0]) * now.normal);
}

}  // namespace abut::contact
