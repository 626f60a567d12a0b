#include "toi/free_interval.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "toi/longest_free.h"

namespace abut::toi {
namespace {

// Roundings of a coordinate: evaluating the pose, rotating a point, and the dot product.
constexpr double height_rounding = 32 * std::numeric_limits<double>::epsilon();

// Height and climb along n of one point, relative to a common origin.
struct HeightLine {
  double height = 0;
  double climb = 0;
};

// The lower envelope of a core along n: lines of its points. Of a curved solid the points are
// infinitely many; the lowest of n.x + s n.x' is linear in x, so the support function gives it.
class Envelope {
 public:
  Envelope(const MovingCore& moving, const Vec3& n, const Vec3& origin, double t) {
    const motion::Kinematics k = moving.path->kinematics(t);
    const Mat3 r = k.pose.orientation.toRotationMatrix();
    const Vec3 to_height = r.transpose() * n;
    const Vec3 to_climb = r.transpose() * n.cross(k.angular_velocity);  // n . (omega x d)
    const double height = n.dot(k.pose.position - origin), climb = n.dot(k.velocity);
    if (moving.core->surface) {
      surface_ = &moving.core->surface;
      frame_ = {height, climb};
      to_height_ = to_height;
      to_climb_ = to_climb;
    }
    lines_.reserve(moving.core->points.size());
    for (const Vec3& p : moving.core->points)
      lines_.push_back({height + to_height.dot(p), climb + to_climb.dot(p)});
    rounding_ = height_rounding * (k.pose.position.norm() + origin.norm() + moving.core->reach);
  }

  double lowest(double s) const {
    if (surface_ != nullptr)
      return frame_.height + s * frame_.climb + surface_->lowest(to_height_ + s * to_climb_);
    double result = std::numeric_limits<double>::infinity();
    for (const HeightLine& line : lines_) result = std::min(result, line.height + s * line.climb);
    return result;
  }
  double rounding() const { return rounding_; }

 private:
  std::vector<HeightLine> lines_;
  const CarriedSurface* surface_ = nullptr;
  HeightLine frame_;  // of the frame's origin
  Vec3 to_height_ = Vec3::Zero(), to_climb_ = Vec3::Zero();
  double rounding_ = 0;
};

// How far points can stray from their lines in s seconds: s^2/2 times the acceleration bound; or,
// where none is known (a formula with a kink), from where they are: s times the speed bound.
struct Growth {
  bool lines_hold = true;
  double acceleration = 0;
  double speed = 0;

  double over(double s) const {
    return lines_hold ? 0.5 * acceleration * s * s : (s > 0 ? speed * s : 0.0);
  }
};

/// Of several cores together. Speeds are bounded only where they are needed.
Growth growth_of(std::initializer_list<MovingCore> cores, double t, double h) {
  Growth growth;
  for (const MovingCore& moving : cores)
    growth.acceleration += moving.path->acceleration_bound(t, t + h).at_radius(moving.core->reach);
  growth.lines_hold = std::isfinite(growth.acceleration);
  if (growth.lines_hold) return growth;
  for (const MovingCore& moving : cores)
    growth.speed += moving.path->speed_bound(t, t + h).at_radius(moving.core->reach);
  return growth;
}

}  // namespace

FreeInterval free_interval(const MovingCore& a, const MovingCore& b, const Vec3& n, double t,
                           double limit, double clearance) {
  const Vec3 origin = b.path->pose(t).position;
  const Envelope above(a, n, origin, t), below(b, -n, origin, t);
  const double thickness = a.core->radius + b.core->radius + above.rounding() + below.rounding();
  return concave::longest_free(t, limit, clearance, [&](double h) {
    const Growth growth = growth_of({a, b}, t, h);
    return [&, growth](double s) {
      return above.lowest(growth.lines_hold ? s : 0) + below.lowest(growth.lines_hold ? s : 0) -
             thickness - growth.over(s);
    };
  });
}

// A half-space has infinitely many points, but only one part of its boundary matters. Let x be a
// point of A at t + s and y the point of the half-space nearest to it. Any point q of the boundary
// bounds |x - y| <= |x - q|; with the q nearest to the origin o of the frame,
//     |y - o| <= |x - o| + |x - q| <= 2 |x - o| + |offset|.
// As a material point, y has moved since t by at most s times the speed bound at that radius, and
// at t it was in the half-space: n . y(t) <= level. So the gap is at least
// n . x(t + s) - level - s * speed, concave again. Of a body at rest the speed is 0.
FreeInterval free_interval(const MovingCore& a, const MovingHalfSpace& b, double t, double limit,
                           double clearance) {
  const Pose pose = b.path->pose(t);
  const Vec3 n = pose.orientation * b.normal;
  const Envelope above(a, n, pose.position, t);
  const double thickness = a.core->radius + b.offset + above.rounding();
  const double distance =
      (a.path->pose(t).position - pose.position).norm() + a.core->reach + a.core->radius;
  return concave::longest_free(t, limit, clearance, [&](double h) {
    const Growth growth = growth_of({a}, t, h);
    const motion::SpeedBound speed = b.path->speed_bound(t, t + h);
    const double travel = (a.path->speed_bound(t, t + h).linear + speed.linear) * h;
    const double rise = speed.at_radius(2 * (distance + travel) + std::abs(b.offset));
    return [&, growth, rise](double s) {
      return above.lowest(growth.lines_hold ? s : 0) - thickness - rise * s - growth.over(s);
    };
  });
}

}  // namespace abut::toi
