#include "geometry/circle_minima.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::geometry {
namespace {

constexpr double turn = 2 * M_PI;

// Steps per width of the narrowest minimum, and bounds of the number of steps around.
constexpr double steps_per_width = 2;
constexpr double fewest_steps = 32, most_steps = 4096;

// A root of f' is narrowed by regula falsi (Illinois) with a bisection every third time: more
// rounds than bisection alone would need.
constexpr int root_rounds = 100;
constexpr int bisect_every = 3;

// Angle over which f'' is a difference of f' (rad): its error is then about 1e-8 of f''.
constexpr double difference = 1e-4;

// A slope f'/R below this is rounding (dimensionless): it is a product of two unit vectors.
constexpr double slope_rounding = 2 * std::numeric_limits<double>::epsilon();

struct Sample {
  double angle = 0;
  DistanceOfSet other;
  double slope = 0;  // f' / R
};

class Scan {
 public:
  Scan(const PlacedCircle& circle, const DistanceFromPoint& distance)
      : circle_(circle), distance_(distance) {}

  Sample at(double angle) const {
    Sample sample;
    sample.angle = angle;
    sample.other = distance_(circle_.at(angle));
    sample.slope = sample.other.normal.dot(circle_.tangent(angle));
    return sample;
  }

  /// Precondition: falling.slope < 0 <= rising.slope.
  Sample root(Sample falling, Sample rising) const {
    double low = falling.slope, high = rising.slope;  // weighted
    for (int i = 1; i <= root_rounds; ++i) {
      if (std::min(-falling.slope, rising.slope) <= slope_rounding) break;
      double angle = falling.angle + (rising.angle - falling.angle) * (low / (low - high));
      const bool inside = angle > falling.angle && angle < rising.angle;
      if (!inside || i % bisect_every == 0)
        angle = falling.angle + 0.5 * (rising.angle - falling.angle);
      if (!(angle > falling.angle && angle < rising.angle)) break;
      const Sample middle = at(angle);
      if (middle.slope < 0) {
        falling = middle;
        low = middle.slope;
        high *= 0.5;
      } else {
        rising = middle;
        high = middle.slope;
        low *= 0.5;
      }
    }
    return -falling.slope < rising.slope ? falling : rising;
  }

  CirclePlace place(const Sample& sample) const {
    CirclePlace place;
    place.angle = sample.angle - turn * std::floor(sample.angle / turn);
    place.on_circle = circle_.at(sample.angle);
    place.other = sample.other;
    place.stiffness = circle_.radius *
                      (at(sample.angle + difference).slope - at(sample.angle - difference).slope) /
                      (2 * difference);
    return place;
  }

  double step(double least) const {
    const double steps = steps_per_width * turn * circle_.radius / std::max(least, 1e-300);
    return turn / std::clamp(std::ceil(steps), fewest_steps, most_steps);
  }

 private:
  const PlacedCircle& circle_;
  const DistanceFromPoint& distance_;
};

}  // namespace

Vec3 PlacedCircle::outward(double angle) const {
  return std::cos(angle) * axes.col(0) + std::sin(angle) * axes.col(1);
}

Vec3 PlacedCircle::tangent(double angle) const {
  return std::cos(angle) * axes.col(1) - std::sin(angle) * axes.col(0);
}

double PlacedCircle::angle_of(const Vec3& x) const {
  return std::atan2(axes.col(1).dot(x - centre), axes.col(0).dot(x - centre));
}

std::vector<CirclePlace> circle_minima(const PlacedCircle& circle,
                                       const DistanceFromPoint& distance, double reach,
                                       double least) {
  const Scan scan(circle, distance);
  const double step = scan.step(least);
  std::vector<CirclePlace> found;
  const Sample first = scan.at(0);
  Sample last = first;
  while (last.angle < turn) {
    const double safe = (last.other.distance - reach) / circle.radius;
    const double angle = last.angle + std::max(step, safe);
    Sample next = first;
    next.angle = turn;
    if (angle < turn) next = scan.at(angle);
    if (last.slope < 0 && next.slope >= 0) {
      const CirclePlace place = scan.place(scan.root(last, next));
      if (place.distance() <= reach) found.push_back(place);
    }
    last = next;
  }
  // A circle that is everywhere as near has no slope anywhere, and one place stands for all.
  if (found.empty() && first.slope == 0 && first.other.distance <= reach)
    found.push_back(scan.place(first));
  return found;
}

CirclePlace nearest_on_circle(const PlacedCircle& circle, const DistanceFromPoint& distance,
                              double least, double near) {
  const Scan scan(circle, distance);
  const double step = scan.step(least);
  PlacedCircle turned = circle;  // so that the scan begins at `near`
  turned.axes.col(0) = circle.outward(near);
  turned.axes.col(1) = circle.tangent(near);
  const Scan around(turned, distance);
  const Sample first = around.at(0);
  Sample last = first, best = first;
  while (last.angle < turn) {
    const double safe = (last.other.distance - best.other.distance) / circle.radius;
    const double angle = last.angle + std::max(step, safe);
    Sample next = first;
    next.angle = turn;
    if (angle < turn) next = around.at(angle);
    if (last.slope < 0 && next.slope >= 0) {
      const Sample root = around.root(last, next);
      if (root.other.distance < best.other.distance) best = root;
    }
    if (next.other.distance < best.other.distance) best = next;
    last = next;
  }
  best.angle += near;
  return scan.place(best);
}

DistanceOfSet from_point(const Vec3& point, const Vec3& other) {
  const double distance = (point - other).stableNorm();
  const Vec3 normal = distance > 0 ? Vec3((point - other) / distance) : Vec3(Vec3::UnitZ());
  return {distance, normal, other};
}

DistanceOfSet from_segment(const Vec3& point, const Vec3& middle, const Vec3& axis, double half) {
  return from_point(point, middle + std::clamp(axis.dot(point - middle), -half, half) * axis);
}

DistanceOfSet from_plane(const Vec3& point, const Vec3& on_plane, const Vec3& normal) {
  const double distance = normal.dot(point - on_plane);
  return {distance, normal, point - distance * normal};
}

DistanceOfSet from_circle(const Vec3& point, const PlacedCircle& circle) {
  const Vec3 axis = circle.axes.col(2), x = point - circle.centre;
  const Vec3 aside = x - axis * axis.dot(x);
  const double length = aside.norm();
  const Vec3 outward = length > 0 ? Vec3(aside / length) : Vec3(circle.axes.col(0));
  return from_point(point, circle.centre + circle.radius * outward);
}

}  // namespace abut::geometry
