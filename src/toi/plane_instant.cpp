#include "toi/plane_instant.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"

namespace abut::toi {
namespace {

using motion::BodyPath;
using motion::Kinematics;

// Over an interval that is looked at, bodies turn so little that the spread of directions, or the
// distance of rounded features, stays above this fraction of what it is.
constexpr double steady_fraction = 0.5;

bool has_levels(const HeldPlane& plane) {
  return plane.levels[0] != 0 || plane.levels[1] != 0;
}

void set_edges(const HeldPlane& plane, PlaneInstant& now) {
  const Vec3 ea = now.a.pose.orientation * plane.directions[0];
  const Vec3 eb = now.b.pose.orientation * plane.directions[1];
  const Vec3 cross = plane.sign * ea.cross(eb);
  const double square = cross.squaredNorm(), cosine = ea.dot(eb);
  // n = x e_a + y e_b + z (e_a x e_b) with the wanted components along e_a and e_b.
  const auto [la, lb] = plane.levels;
  const double x = (la - cosine * lb) / square, y = (lb - cosine * la) / square;
  const double across = std::sqrt(std::max(0.0, 1 - la * x - lb * y));
  now.n = x * ea + y * eb + across / std::sqrt(square) * cross;
  now.spread = now.n.dot(cross);
  const Vec3 ea_rate = now.a.angular_velocity.cross(ea), eb_rate = now.b.angular_velocity.cross(eb);
  now.turning = -plane.sign / now.spread *
                (now.n.dot(ea_rate) * eb.cross(now.n) + now.n.dot(eb_rate) * now.n.cross(ea));
}

void set_points(const HeldPlane& plane, PlaneInstant& now) {
  const Kinematics& k = plane.carrier == 0 ? now.a : now.b;
  const Vec3 e = k.pose.orientation * plane.directions[plane.carrier];
  Vec3 from_a = now.qa, from_b = now.qb;
  if (plane.has_line) {
    Vec3& foot = plane.carrier == 0 ? from_a : from_b;
    foot += e.dot((plane.carrier == 0 ? from_b : from_a) - foot) * e;
  }
  const Vec3 between = from_a - from_b;
  now.spread = between.norm();
  now.n = between / now.spread;
  Vec3 rate = velocity_at(now.a, from_a) - velocity_at(now.b, from_b);
  // r stays across the line: r.e = 0, so r'.e = -r.e'.
  const Vec3 e_rate = k.angular_velocity.cross(e);
  if (plane.has_line) rate -= e * e.dot(rate) + now.spread * e * now.n.dot(e_rate);
  now.turning = (rate - now.n * now.n.dot(rate)) / now.spread;
  if (!plane.has_line) return;
  const double level = plane.levels[plane.carrier], rest = std::sqrt(1 - level * level);
  now.n = level * e + rest * now.n;
  now.turning = level * e_rate + rest * now.turning;
}

// How far from the origin of its motion frame what matters of a body can be. A foot that slides
// along a line starts no farther from the line's touching point than the point that it follows, and
// moves away no faster than the two bodies move relative to each other.
double reach_of(const HeldPlane& plane, const PlaneInstant& now, int side, double sliding) {
  double reach = plane.touching[side].norm();
  if (plane.motion == PlaneMotion::points && plane.has_line && side == plane.carrier)
    reach += (now.qa - now.qb).norm() + sliding;
  for (const Vec3& local : plane.watched[side]) reach = std::max(reach, local.norm());
  for (const CarriedRim& rim : plane.rims[side])
    reach = std::max(reach, rim.centre.norm() + rim.radius);
  if (plane.surfaces[side]) reach = std::max(reach, plane.surfaces[side].reach());
  return reach;
}

// Bounds of |n'| and |n''|.
struct TurningBound {
  double first = infinity, second = infinity;
};

TurningBound of_edges(const HeldPlane& plane, double spread, double spin, double angular,
                      double h) {
  const double least = steady_fraction * spread;
  // Of edges |e_a x e_b| = D, which leaves out how n turns.
  const bool leans = has_levels(plane);
  if (h * spin * (leans ? 1 + 1 / least : 1.0) > (1 - steady_fraction) * spread) return {};
  const double first = spin / least;
  return {first, (angular + spin * spin) / least + (leans ? 2 + 1 / least : 2.0) * first * first};
}

}  // namespace

PlaneInstant plane_instant(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t) {
  PlaneInstant now;
  now.a = a.kinematics(t);
  now.b = b.kinematics(t);
  now.qa = place_of(now.a, plane.touching[0]);
  now.qb = place_of(now.b, plane.touching[1]);
  if (plane.motion == PlaneMotion::edges) {
    set_edges(plane, now);
  } else if (plane.motion == PlaneMotion::points) {
    set_points(plane, now);
  } else {
    const Kinematics& k = plane.carrier == 0 ? now.a : now.b;
    now.n = (plane.carrier == 0 ? -1 : 1) * (k.pose.orientation * plane.normal);
    now.turning = k.angular_velocity.cross(now.n);
  }
  return now;
}

double curvature_bound(const HeldPlane& plane, const PlaneInstant& now, const BodyPath& a,
                       const BodyPath& b, double t, double h) {
  const motion::AccelerationBound aa = a.acceleration_bound(t, t + h);
  const motion::AccelerationBound ab = b.acceleration_bound(t, t + h);
  const motion::SpeedBound va = a.speed_bound(t, t + h), vb = b.speed_bound(t, t + h);
  const double sliding =
      h * (va.at_radius(plane.touching[0].norm()) + vb.at_radius(plane.touching[1].norm()));
  const double ra = reach_of(plane, now, 0, sliding), rb = reach_of(plane, now, 1, sliding);
  const double speed = va.at_radius(ra) + vb.at_radius(rb);
  const double acceleration = aa.at_radius(ra) + ab.at_radius(rb);
  const double distance = (now.a.pose.position - now.b.pose.position).norm() + ra + rb + speed * h;
  const double spin = aa.spin + ab.spin, angular = aa.angular + ab.angular;
  TurningBound turning;
  switch (plane.motion) {
    case PlaneMotion::followed:  // never: it is taken apart into carried ones
    case PlaneMotion::carried: {
      const motion::AccelerationBound& c = plane.carrier == 0 ? aa : ab;
      turning = {c.spin, c.angular + c.spin * c.spin};
      break;
    }
    case PlaneMotion::edges:
      turning = of_edges(plane, now.spread, spin, angular, h);
      break;
    case PlaneMotion::points: {
      if (h * speed > (1 - steady_fraction) * now.spread) break;
      const double spread = steady_fraction * now.spread;
      const double first = speed / spread + spin;
      // The part along a line adds what the line's body turns by, less than r can.
      const double level = plane.has_line ? std::abs(plane.levels[plane.carrier]) : 0.0;
      turning = {(1 + level) * first,
                 (1 + level) * (acceleration / spread + angular + 3 * first * first)};
      break;
    }
  }
  return acceleration + 2 * turning.first * speed + turning.second * distance;
}

}  // namespace abut::toi
