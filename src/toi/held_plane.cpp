#include "toi/held_plane.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"

namespace abut::toi {
namespace {

using motion::BodyPath;
using motion::Kinematics;

// The interval is cut down this many times while K proves too coarse.
constexpr int refinements = 12;

// An interval of which this fraction is certified is not worth refining.
constexpr double good_fraction = 0.25;

// Over an interval that is looked at, edges turn so little that the sine of their angle, and
// rounded features so little that their distance, stays above this fraction of what it is.
constexpr double steady_fraction = 0.5;

// Half a chord of a disc that is shorter than this times its radius is short, and a disc whose axis
// has a larger sine with the normal is far from parallel to the plane (dimensionless).
constexpr double short_chord = 0.05;

// The end of a certified interval of a curved solid is searched for to this fraction of its length,
// in at most this many rounds.
constexpr double concave_sharpness = 0.1;
constexpr int concave_rounds = 40;

struct Instant {
  Kinematics a, b;
  Vec3 n, turning;    // the normal from b to a, and its rate
  Vec3 qa, qb;        // touching core points, world
  double spread = 1;  // sine between edges, or distance of points
};

Vec3 in_world(const Kinematics& k, const Vec3& local) {
  return k.pose.position + k.pose.orientation * local;
}
Vec3 velocity_at(const Kinematics& k, const Vec3& x) {
  return k.velocity + k.angular_velocity.cross(x - k.pose.position);
}

void set_edges(const HeldPlane& plane, Instant& now) {
  const Vec3 ea = now.a.pose.orientation * plane.directions[0];
  const Vec3 eb = now.b.pose.orientation * plane.directions[1];
  const Vec3 cross = plane.sign * ea.cross(eb);
  now.spread = cross.norm();
  now.n = cross / now.spread;
  const Vec3 rate = plane.sign * (now.a.angular_velocity.cross(ea).cross(eb) +
                                  ea.cross(now.b.angular_velocity.cross(eb)));
  now.turning = (rate - now.n * now.n.dot(rate)) / now.spread;
}

void set_points(const HeldPlane& plane, Instant& now) {
  if (plane.has_line) {
    const Kinematics& k = plane.carrier == 0 ? now.a : now.b;
    Vec3& foot = plane.carrier == 0 ? now.qa : now.qb;
    const Vec3& point = plane.carrier == 0 ? now.qb : now.qa;
    const Vec3 e = k.pose.orientation * plane.directions[plane.carrier];
    foot += e.dot(point - foot) * e;
  }
  const Vec3 between = now.qa - now.qb;
  now.spread = between.norm();
  now.n = between / now.spread;
  Vec3 rate = velocity_at(now.a, now.qa) - velocity_at(now.b, now.qb);
  if (plane.has_line) {
    // n stays across the line: n.e = 0, so n'.e = -n.e'.
    const Kinematics& k = plane.carrier == 0 ? now.a : now.b;
    const Vec3 e = k.pose.orientation * plane.directions[plane.carrier];
    rate -= e * e.dot(rate) + now.spread * e * now.n.dot(k.angular_velocity.cross(e));
  }
  now.turning = (rate - now.n * now.n.dot(rate)) / now.spread;
}

Instant instant(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t) {
  Instant now;
  now.a = a.kinematics(t);
  now.b = b.kinematics(t);
  now.qa = in_world(now.a, plane.touching[0]);
  now.qb = in_world(now.b, plane.touching[1]);
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

// The place of a rim that is highest along n, in the motion frame of its body.
Vec3 highest_of(const CarriedRim& rim, const Quat& orientation, const Vec3& n) {
  Vec3 out = orientation.conjugate() * n;
  out -= rim.axis * rim.axis.dot(out);
  // Of a rim that is all at one height any place is the highest.
  if (!(out.norm() > 0)) out = rim.axis.unitOrthogonal();
  return rim.centre + rim.radius * out.normalized();
}

// Where a line that touches a rim leaves the disc again: the other end of the chord, which comes
// down when the line becomes parallel to the disc. In the motion frame of the rim's body. Where the
// chord is so short that its ends are one place, and the disc far from parallel, that tells
// nothing, and there is none.
std::optional<Vec3> far_end_of(const CarriedRim& rim, const Vec3& touching, const Vec3& line,
                               const Vec3& n) {
  const Vec3 along = (line - rim.axis * rim.axis.dot(line)).normalized();
  const double half = along.dot(touching - rim.centre);
  if (std::abs(half) < short_chord * rim.radius && rim.axis.cross(n).norm() > short_chord)
    return std::nullopt;
  return touching - 2 * half * along;
}

// Height above the plane and its rate, for every watched point or pair of them. Its second
// derivative is bounded by so many times that of a point.
struct Height {
  double value = 0, rate = 0, bending = 1;
};

// Points x of A and y of B are each watched from the other's touching point. That does not yet keep
// them apart, since these points may part:
//     n.(x - y) = n.(x - q_b) + n.(q_a - y) - n.(q_a - q_b).
std::vector<Height> pair_heights(const HeldPlane& plane, const Instant& now,
                                 const std::array<std::vector<Height>, 2>& of_sides) {
  const Vec3 rate = velocity_at(now.a, now.qa) - velocity_at(now.b, now.qb);
  const Height between{now.n.dot(now.qa - now.qb) - plane.radii,
                       now.n.dot(rate) + now.turning.dot(now.qa - now.qb)};
  std::vector<Height> result;
  for (const Height& a : of_sides[0])
    for (const Height& b : of_sides[1])
      result.push_back({a.value + b.value - between.value, a.rate + b.rate - between.rate, 3});
  return result;
}

std::vector<Height> heights(const HeldPlane& plane, const Instant& now) {
  std::array<std::vector<Height>, 2> of_sides;
  for (int side = 0; side < 2; ++side) {
    std::vector<Height>& result = of_sides[side];
    const Kinematics& own = side == 0 ? now.a : now.b;
    const Kinematics& other = side == 0 ? now.b : now.a;
    const Vec3& q = side == 0 ? now.qb : now.qa;
    const double sign = side == 0 ? 1 : -1;
    const auto add = [&](const Vec3& local, double flatness) {
      const Vec3 x = in_world(own, local);
      const Vec3 v = velocity_at(own, x) - velocity_at(other, q);
      result.push_back({sign * now.n.dot(x - q) - plane.radii - flatness,
                        sign * (now.n.dot(v) + now.turning.dot(x - q))});
    };
    for (const Vec3& local : plane.watched[side]) add(local, 0);
    for (const CarriedRim& rim : plane.rims[side]) {
      const Quat to_body = own.pose.orientation.conjugate();
      const Vec3 line = to_body * (other.pose.orientation * plane.directions[1 - side]);
      std::optional<Vec3> far_end;
      if (plane.has_line) far_end = far_end_of(rim, plane.touching[side], line, to_body * now.n);
      add(far_end ? *far_end : highest_of(rim, own.pose.orientation, sign * now.n), rim.flatness);
    }
  }
  std::vector<Height> all = pair_heights(plane, now, of_sides);
  for (const std::vector<Height>& some : of_sides) all.insert(all.end(), some.begin(), some.end());
  return all;
}

// h + s h' of the lowest point of a curved solid, as a function of s.
class CurvedHeight {
 public:
  CurvedHeight(const HeldPlane& plane, const Instant& now, int side)
      : surface_(&plane.surfaces[side]) {
    const Kinematics& own = side == 0 ? now.a : now.b;
    const Kinematics& other = side == 0 ? now.b : now.a;
    const Vec3& q = side == 0 ? now.qb : now.qa;
    const double sign = side == 0 ? 1 : -1;
    const Vec3 n = sign * now.n, turning = sign * now.turning;
    const Vec3 centre = own.pose.position - q;
    value_ = n.dot(centre) - plane.radii;
    rate_ = n.dot(own.velocity - velocity_at(other, q)) + turning.dot(centre);
    // n . (omega x r) = r . (n x omega)
    const Quat to_body = own.pose.orientation.conjugate();
    to_value_ = to_body * n;
    to_rate_ = to_body * Vec3(n.cross(own.angular_velocity) + turning);
  }
  double operator()(double s) const {
    return value_ + s * rate_ + surface_->lowest(to_value_ + s * to_rate_);
  }

 private:
  const CarriedSurface* surface_;
  double value_ = 0, rate_ = 0;
  Vec3 to_value_ = Vec3::Zero(), to_rate_ = Vec3::Zero();
};

std::vector<CurvedHeight> curved_heights(const HeldPlane& plane, const Instant& now) {
  std::vector<CurvedHeight> result;
  for (int side = 0; side < 2; ++side)
    if (plane.surfaces[side]) result.emplace_back(plane, now, side);
  return result;
}

// How far from the origin of its motion frame what matters of a body can be. A foot that slides
// along a line starts no farther from the line's touching point than the point that it follows, and
// moves away no faster than the two bodies move relative to each other.
double reach_of(const HeldPlane& plane, const Instant& now, int side, double sliding) {
  double reach = plane.touching[side].norm();
  if (plane.motion == PlaneMotion::points && plane.has_line && side == plane.carrier) {
    const Kinematics& k = side == 0 ? now.a : now.b;
    const Vec3& point = side == 0 ? now.qb : now.qa;
    reach += (point - in_world(k, plane.touching[side])).norm() + sliding;
  }
  for (const Vec3& local : plane.watched[side]) reach = std::max(reach, local.norm());
  for (const CarriedRim& rim : plane.rims[side])
    reach = std::max(reach, rim.centre.norm() + rim.radius);
  if (plane.surfaces[side]) reach = std::max(reach, plane.surfaces[side].reach());
  return reach;
}

// An upper bound of |h''| over [t, t + h] for all watched points. Infinite if planes that are not
// carried could lose more of their spread than the bounds of n' and n'' allow for.
double curvature_bound(const HeldPlane& plane, const Instant& now, const BodyPath& a,
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
  double first = 0, second = 0;  // bounds of |n'| and |n''|
  const double spread = steady_fraction * now.spread;
  switch (plane.motion) {
    case PlaneMotion::followed:  // never: it is taken apart into carried ones
    case PlaneMotion::carried: {
      const motion::AccelerationBound& c = plane.carrier == 0 ? aa : ab;
      first = c.spin;
      second = c.angular + c.spin * c.spin;
      break;
    }
    case PlaneMotion::edges: {
      const double spin = aa.spin + ab.spin;
      if (h * spin > (1 - steady_fraction) * now.spread) return infinity;
      first = spin / spread;
      second = (aa.angular + ab.angular + spin * spin) / spread + 2 * first * first;
      break;
    }
    case PlaneMotion::points: {
      const double spin = aa.spin + ab.spin;
      if (h * speed > (1 - steady_fraction) * now.spread) return infinity;
      first = speed / spread + spin;
      second = acceleration / spread + aa.angular + ab.angular + 3 * first * first;
      break;
    }
  }
  return acceleration + 2 * first * speed + second * distance;
}

// The largest s <= h with value + s rate - s^2 K / 2 >= clearance for all heights.
double certified(const std::vector<Height>& all, double of_a_point, double h, double clearance) {
  double s = h;
  for (const Height& height : all) {
    const double room = height.value - clearance, curvature = height.bending * of_a_point;
    if (room < 0) return 0;
    const double at_end = room + s * (height.rate - 0.5 * s * curvature);
    if (at_end >= 0) continue;
    // The positive root of room + s rate - s^2 K / 2, in the form without cancellation.
    const double root = std::sqrt(height.rate * height.rate + 2 * curvature * room);
    s = std::min(s, height.rate < 0 ? 2 * room / (root - height.rate)
                                    : (curvature > 0 ? (height.rate + root) / curvature : h));
  }
  return s;
}

// The same for a height that is concave in s: chords lie below it, so they cross on the safe side.
double certified(const CurvedHeight& height, double curvature, double h, double clearance) {
  const auto room = [&](double s) { return height(s) - 0.5 * s * s * curvature - clearance; };
  double safe = 0, safe_room = room(0), far = h, far_room = room(h);
  if (safe_room < 0) return 0;
  if (far_room >= 0) return h;
  const auto look_at = [&](double s) {
    const double value = room(s);
    (value >= 0 ? safe : far) = s;
    (value >= 0 ? safe_room : far_room) = value;
  };
  for (int i = 0; i < concave_rounds && far - safe > concave_sharpness * far; ++i) {
    look_at(safe + 0.5 * (far - safe));
    look_at(safe + (1 - 1e-9) * (far - safe) * safe_room / (safe_room - far_room));
  }
  return safe;
}

// A followed plane as it is at t, carried by one body from there; what is watched of the other one.
// All of the carrier is below it, since that is convex and touches it.
HeldPlane carried_from(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t,
                       int carrier) {
  const Pose poses[2] = {a.pose(t), b.pose(t)};
  const FollowedPlane now = plane.follow(poses[0], poses[1]);
  HeldPlane carried;
  carried.carrier = carrier;
  carried.normal = poses[carrier].orientation.conjugate() * ((carrier == 0 ? -1 : 1) * now.normal);
  carried.touching = {poses[0].orientation.conjugate() * (now.on_a - poses[0].position),
                      poses[1].orientation.conjugate() * (now.on_b - poses[1].position)};
  const int other = 1 - carrier;
  carried.watched[other] = plane.watched[other];
  if (!plane.watched[other].empty()) carried.radii = plane.radii;
  carried.surfaces[other] = plane.surfaces[other];
  carried.rims[other] = plane.rims[other];
  carried.has_line = !now.lines[carrier].isZero(0);
  carried.directions[carrier] = poses[carrier].orientation.conjugate() * now.lines[carrier];
  return carried;
}

}  // namespace

FreeInterval free_interval(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t,
                           double limit, double clearance) {
  if (plane.motion == PlaneMotion::followed) {
    FreeInterval both{limit, infinity};
    for (int carrier = 0; carrier < 2; ++carrier)
      both = free_interval(carried_from(plane, a, b, t, carrier), a, b, t, both.until, clearance);
    return both;
  }
  const Instant now = instant(plane, a, b, t);
  const std::vector<Height> all = heights(plane, now);
  const std::vector<CurvedHeight> curved = curved_heights(plane, now);
  if (all.empty() && curved.empty()) return {limit, infinity};
  double best = 0, h = limit - t;
  for (int i = 0; i < refinements && h > 0; ++i) {
    const double curvature = curvature_bound(plane, now, a, b, t, h);
    double s = std::isfinite(curvature) ? certified(all, curvature, h, clearance) : 0.0;
    for (const CurvedHeight& height : curved)
      s = s > 0 ? certified(height, curvature, s, clearance) : 0.0;
    best = std::max(best, s);
    if (s >= good_fraction * h) break;
    h = s > 0 ? std::min(0.5 * h, 4 * s) : 0.25 * h;
  }
  return {std::min(limit, best < limit - t ? t + best : limit), clearance};
}

double lowest_height(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t) {
  double lowest = infinity;
  if (plane.motion == PlaneMotion::followed) {
    for (int carrier = 0; carrier < 2; ++carrier)
      lowest = std::min(lowest, lowest_height(carried_from(plane, a, b, t, carrier), a, b, t));
    return lowest;
  }
  const Instant now = instant(plane, a, b, t);
  for (const Height& height : heights(plane, now)) lowest = std::min(lowest, height.value);
  for (const CurvedHeight& height : curved_heights(plane, now))
    lowest = std::min(lowest, height(0));
  return lowest;
}

}  // namespace abut::toi
