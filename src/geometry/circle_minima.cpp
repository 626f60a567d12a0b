#include "geometry/circle_minima.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace abut::geometry {
namespace {

constexpr double turn = 2 * M_PI;

// Steps per width of the narrowest minimum, and bounds of the number of steps around.
constexpr double steps_per_width = 2;
constexpr double fewest_steps = 32, most_steps = 4096;

// The first step downhill (rad); each is twice as long as the one before.
constexpr double first_downhill = 0.05;

// Steps are cut down to this part where minima may hide between them (dimensionless).
constexpr double finest_part = 32;

// A root of f' is narrowed by regula falsi (Illinois), with a bisection where so many rounds have
// not halved the bracket: more rounds than bisection alone would need. Where an end of the bracket
// is the root to so many roundings of the angle, the next look is that far beyond it, so that the
// bracket closes.
constexpr int root_rounds = 200;
constexpr int rounds_to_halve = 3;
constexpr double angle_rounding = 4 * std::numeric_limits<double>::epsilon();

// Angle over which f'' is a difference of f' (rad): its error is then about 1e-8 of f''.
constexpr double difference = 1e-4;

// A slope f'/R below this is rounding (dimensionless): it is a product of two unit vectors.
constexpr double slope_rounding = 2 * std::numeric_limits<double>::epsilon();

// The larger part of a bracket is cut at this fraction; brackets are narrowed at most so often,
// down to this (rad): a minimum and a maximum closer than that are told apart by nothing.
constexpr double golden = 0.3819660112501051;
constexpr int narrowings = 60;
constexpr double narrowest_hiding = 1e-7;

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
    double width = rising.angle - falling.angle;      // at the last bisection
    for (int i = 1; i <= root_rounds; ++i) {
      if (std::min(-falling.slope, rising.slope) <= slope_rounding) break;
      const double close = angle_rounding * (1 + std::abs(falling.angle));
      if (rising.angle - falling.angle <= 2 * close) break;
      double angle = falling.angle + (rising.angle - falling.angle) * (low / (low - high));
      angle = std::clamp(angle, falling.angle + close, rising.angle - close);
      if (i % rounds_to_halve == 0) {
        if (rising.angle - falling.angle > 0.5 * width)
          angle = falling.angle + 0.5 * (rising.angle - falling.angle);
        width = rising.angle - falling.angle;
      }
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

  /// All minima with f <= reach(), which may shrink on the way, in the order of angles but for one
  /// hidden at the beginning. `note` is told of every sample.
  template <class Reach, class Note, class Visit>
  void visit_minima(double least, const Reach& reach, const Note& note, const Visit& visit) const {
    const double step = this->step(least);
    std::vector<Sample> samples = {at(0)};
    while (samples.back().angle < turn) {
      note(samples.back());
      const double skip = (samples.back().other.distance - reach()) / circle_.radius;
      const double angle = samples.back().angle + std::max(step, skip);
      Sample next = angle < turn ? at(angle) : samples.front();
      if (angle >= turn) next.angle = turn;
      const Sample last = samples.back();
      refine(last, next, least, reach(), step / finest_part, samples);
      samples.push_back(next);
    }
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
      Sample before = i > 0 ? samples[i - 1] : samples[samples.size() - 2];
      if (i == 0) before.angle -= turn;
      if (const auto hidden = hidden_minimum(before, samples[i], samples[i + 1])) visit(*hidden);
      if (samples[i].slope < 0 && samples[i + 1].slope >= 0)
        visit(root(samples[i], samples[i + 1]));
    }
  }

  double step(double least) const {
    const double steps = steps_per_width * turn * circle_.radius / std::max(least, 1e-300);
    return turn / std::clamp(std::ceil(steps), fewest_steps, most_steps);
  }

 private:
  /// Adds samples between two, until the slope cannot vanish twice from one to the next: it changes
  /// by no more than 1 + R / f per angle, 1 for the circle and R / f for the normal. Where f is
  /// beyond the reach nothing is of interest.
  void refine(const Sample& from, const Sample& to, double least, double reach, double finest,
              std::vector<Sample>& samples) const {
    const double width = to.angle - from.angle, radius = circle_.radius;
    const double lowest = 0.5 * (from.other.distance + to.other.distance - radius * width);
    if (width <= finest || lowest > reach) return;
    const double fastest = 1 + radius / std::max({lowest, least, 1e-300});
    if (std::abs(from.slope) + std::abs(to.slope) > fastest * width) return;
    const Sample middle = at(from.angle + 0.5 * width);
    refine(from, middle, least, reach, finest, samples);
    samples.push_back(middle);
    refine(middle, to, least, reach, finest, samples);
  }

  /// On the inner side of a ring a minimum and a maximum may come together. Between samples they
  /// hide as a slope that comes near zero, and to the other side of it, without a change of sign at
  /// the samples: there the slope has an extremum, which is narrowed (golden section) until it has
  /// crossed zero, or cannot: n turns by no more than R / f and the circle by 1 per angle.
  std::optional<Sample> hidden_minimum(Sample left, Sample middle, Sample right) const {
    const double sign = middle.slope < 0 ? -1 : 1;
    const auto off = [sign](const Sample& sample) { return sign * sample.slope; };
    if (!(off(middle) <= off(left) && off(middle) <= off(right))) return std::nullopt;
    const double first = left.angle, last = right.angle;
    for (int i = 0; i < narrowings; ++i) {
      if (off(middle) < 0) return sign < 0 ? root(at(first), middle) : root(middle, at(last));
      const double width = std::max(middle.angle - left.angle, right.angle - middle.angle);
      const double turning = 1 + circle_.radius / std::max(middle.other.distance, 1e-300);
      if (off(middle) > turning * width || width <= narrowest_hiding) return std::nullopt;
      const bool to_right = right.angle - middle.angle > middle.angle - left.angle;
      const Sample& end = to_right ? right : left;
      const Sample probe = at(middle.angle + golden * (end.angle - middle.angle));
      if (off(probe) < off(middle)) {
        (to_right ? left : right) = middle;
        middle = probe;
      } else {
        (to_right ? right : left) = probe;
      }
    }
    return std::nullopt;
  }

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
  std::vector<CirclePlace> found;
  scan.visit_minima(
      least, [reach] { return reach; }, [](const Sample&) {},
      [&](const Sample& minimum) {
        if (minimum.other.distance <= reach) found.push_back(scan.place(minimum));
      });
  std::sort(found.begin(), found.end(),
            [](const CirclePlace& x, const CirclePlace& y) { return x.angle < y.angle; });
  if (!found.empty()) return found;
  // A circle that is everywhere as near has no slope anywhere, and one place stands for all.
  const Sample first = scan.at(0);
  if (first.slope == 0 && first.other.distance <= reach) found.push_back(scan.place(first));
  return found;
}

CirclePlace minimum_downhill(const PlacedCircle& circle, const DistanceFromPoint& distance,
                             double from) {
  const Scan scan(circle, distance);
  Sample last = scan.at(from);
  const double side = last.slope < 0 ? 1 : -1;
  double step = first_downhill;
  for (double gone = 0; gone < turn; gone += step, step *= 2) {
    const Sample next = scan.at(last.angle + side * step);
    if ((next.slope < 0) != (last.slope < 0))
      return scan.place(side > 0 ? scan.root(last, next) : scan.root(next, last));
    last = next;
  }
  return scan.place(last);
}

CirclePlace nearest_on_circle(const PlacedCircle& circle, const DistanceFromPoint& distance,
                              double least, double near) {
  const Scan scan(circle, distance);
  PlacedCircle turned = circle;  // so that the scan begins at `near`
  turned.axes.col(0) = circle.outward(near);
  turned.axes.col(1) = circle.tangent(near);
  const Scan around(turned, distance);
  Sample best = around.at(0);
  const auto offer = [&](const Sample& sample) {
    if (sample.other.distance < best.other.distance) best = sample;
  };
  around.visit_minima(
      least, [&] { return best.other.distance; }, offer, offer);
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
