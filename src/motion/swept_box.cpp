#include "motion/swept_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/interval.h"
#include "shape/extent.h"

namespace abut::motion {
namespace {

using geometry::Aabb;

// Allowance for rounding (dimensionless), relative to the largest length in a computation: every
// coordinate below comes from fewer than 100 operations of half an ulp each, those that evaluate
// the pose, normalise its quaternion and turn it into a matrix included.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

// Squares of lengths below this one, in metres, may underflow.
constexpr double least_length = 1e-150;

// An upper bound of a product of two that are not negative; infinity if that is undefined.
double product_up(double a, double b) {
  return a == 0 || b == 0 ? 0.0 : math::next_up(a * b);
}

// Where the origin of the motion frame can be, given where it is at both ends, p and q, and that
// it travels no farther than `length` in between. From p to any point x of the way and on to q are
// at most `length`: |x - p| + |q - x| <= length. That is an ellipsoid with foci p and q, centre
// (p + q) / 2 and, with a = length / 2 and d = (q - p) / 2, semi-axes a along d and
// b = sqrt(a^2 - |d|^2) across. Its half-width along the unit vector e is
//     sqrt(a^2 (e . d)^2 / |d|^2 + b^2 (1 - (e . d)^2 / |d|^2)) = sqrt(b^2 + (e . d)^2).
// For steady straight motion b = 0: the box is that of the segment.
Aabb travel_box(const Vec3& p, const Vec3& q, double length) {
  if (!(length < std::numeric_limits<double>::infinity())) return Aabb::whole();
  const Vec3 centre = 0.5 * p + 0.5 * q;
  const Vec3 d = 0.5 * q - 0.5 * p;
  const double a = 0.5 * length;
  // The difference cancels, so its allowance is relative to its terms.
  const double b_squared = std::max(0.0, a * a * (1 + rounding) - d.squaredNorm());
  const Vec3 half =
      (b_squared + d.array().square()).sqrt() * (1 + rounding) + std::min(a, least_length);
  return geometry::inflated({centre, centre}, half);
}

Aabb common(const Aabb& a, const Aabb& b) {
  return {a.lower.cwiseMax(b.lower), a.upper.cwiseMin(b.upper)};
}

// True if the half-space is bounded along an axis, which it is only if its normal is exactly that
// axis: the least tilt makes it reach everywhere.
bool is_axis(const Vec3& normal) {
  return (normal.array() != 0).count() == 1;
}

}  // namespace

Outline::Outline(const std::vector<shape::Part>& parts, const Pose& motion_frame) {
  for (const shape::Part& part : parts) add(part, motion_frame);
}

void Outline::add(const shape::Part& part, const Pose& motion_frame) {
  const Quat to_motion = motion_frame.orientation.conjugate();
  const Vec3 apart = part.pose.position - motion_frame.position;
  scale_ = std::max({scale_, part.pose.position.norm(), motion_frame.position.norm()});

  if (const auto* plane = std::get_if<shape::Plane>(&part.geometry)) {
    const Vec3 normal = part.pose.orientation * plane->normal;
    half_spaces_.push_back({to_motion * normal, plane->offset + normal.dot(apart)});
    scale_ = std::max(scale_, std::abs(plane->offset));
    return;
  }
  if (shape::is_unbounded(part.geometry)) {
    is_everywhere_ = true;
    return;
  }
  const Aabb box = shape::box_of(part.geometry);
  const Vec3 middle = 0.5 * (box.lower + box.upper);
  BoundedPart bounded;
  bounded.centre = to_motion * (apart + part.pose.orientation * middle);
  bounded.axes = (to_motion * part.pose.orientation).toRotationMatrix();
  bounded.half = (box.upper - middle).cwiseMax(middle - box.lower);
  bounded.radius = shape::farthest_distance(part.geometry, middle);
  bounded.reach = shape::bounding_radius({part}, motion_frame.position);
  scale_ = std::max({scale_, middle.norm() + bounded.radius, bounded.reach});
  parts_.push_back(bounded);
}

// Where a part can be relative to the origin, while the frame turns by at most `angle` from the
// attitude `middle`. There, its box has the half-widths |M| h with M its axes in the world, and no
// more than its radius. A point at distance r from the origin moves along an arc no longer than
// r * angle, and never farther from the origin than r.
Aabb Outline::turning_box(const BoundedPart& part, const Mat3& middle, double angle) {
  const Vec3 half = ((middle * part.axes).cwiseAbs() * part.half).cwiseMin(part.radius);
  const Vec3 centre = middle * part.centre;
  const double arc = product_up(part.reach, angle);
  const Aabb box = geometry::inflated(geometry::inflated({centre, centre}, half), arc);
  return {box.lower.cwiseMax(-part.reach), box.upper.cwiseMin(part.reach)};
}

// A point of the body is at o(t) + R(t) d: the first lies in the travel box, the second in one of
// the turning boxes about the attitude in the middle of the interval, so their sum in the box
// below. What swings to and fro travels far and stays near: then formulas bound o(t) better.
Aabb Outline::swept_box(const BodyPath& path, double from, double to) const {
  if (is_everywhere_) return Aabb::whole();
  if (parts_.empty() && half_spaces_.empty()) return {};
  const SpeedBound speed = path.speed_bound(from, to);
  const double middle = from + 0.5 * (to - from);
  const double half_time = math::next_up(std::max(middle - from, to - middle));
  const double angle = to > from ? product_up(speed.angular, half_time) : 0.0;
  const double length = to > from ? product_up(speed.linear, 2 * half_time) : 0.0;
  const Vec3 start = path.pose(from).position, stop = path.pose(to).position;
  // Evaluating a path rounds relative to its coefficients, which are as far apart as it is long.
  // Both ends are off by that much, so the way between them may be longer by twice as much.
  const double path_slack =
      rounding * (start.norm() + stop.norm() + speed.linear * (path.end() - path.begin()));
  const Aabb travel =
      common(travel_box(start, stop, length + 2 * path_slack), path.place_bound(from, to));
  const Mat3 attitude = path.pose(middle).orientation.toRotationMatrix();

  Aabb turning;
  for (const BoundedPart& part : parts_)
    turning = geometry::merged(turning, turning_box(part, attitude, angle));
  for (const HalfSpace& side : half_spaces_) {
    const Vec3 normal = attitude * side.normal;
    if (angle > 0 || !is_axis(normal)) return Aabb::whole();
    Aabb beyond = Aabb::whole();
    for (int i = 0; i < 3; ++i) {
      if (normal[i] > 0) beyond.upper[i] = side.offset;
      if (normal[i] < 0) beyond.lower[i] = -side.offset;
    }
    turning = geometry::merged(turning, beyond);
  }
  const Aabb sum{travel.lower + turning.lower, travel.upper + turning.upper};
  return geometry::inflated(sum, path_slack + rounding * scale_);
}

}  // namespace abut::motion
