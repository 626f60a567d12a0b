#include "motion/keyframe_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/rotation.h"
#include "math/spline.h"
#include "motion/script_piece.h"

namespace abut::motion {
namespace {

using math::bernstein_derivative;
using math::bernstein_value;

// Speeds at a keyframe that differ by less than this fraction do so through rounding.
constexpr double continuity_rounding = 1e-10;

math::BernsteinCoefficients<3, 4> cubic(const Vec3& from, const Vec3& from_rate, const Vec3& to,
                                        const Vec3& to_rate, double span) {
  math::BernsteinCoefficients<3, 4> c;
  c << from, from + span / 3 * from_rate, to - span / 3 * to_rate, to;
  return c;
}

bool differs(const Vec3& a, const Vec3& b) {
  return (a - b).norm() > continuity_rounding * std::max(a.norm(), b.norm());
}

using math::Interval;
using math::Series;

// cos(sqrt(x)) and sin(sqrt(x)) / sqrt(x) are power series in x with the terms (-x)^j / (2j)! and
// (-x)^j / (2j + 1)!. This many of them leave less than rounding for x up to the other number.
constexpr int root_terms = 15;
constexpr double largest_square = 10;

Series cosine_of_root(const Series& x, int first) {
  Series sum(Interval(1));
  for (int j = root_terms - 1; j > 0; --j)
    sum = Series(Interval(1)) -
          x * sum * Series(Interval(1) / Interval((2 * j - 1 + first) * (2 * j + first)));
  return sum;
}

Series cubic_of(const math::BernsteinCoefficients<3, 4>& c, int row, const Series& s) {
  const Series rest = Series(Interval(1)) - s;
  std::array<Series, 4> p;
  for (int i = 0; i < 4; ++i) p[i] = Series(Interval(c(row, i)));
  for (int level = 1; level < 4; ++level)
    for (int i = 0; i < 4 - level; ++i) p[i] = rest * p[i] + s * p[i + 1];
  return p[0];
}

ScriptSeries resting_at(const Pose& pose) {
  ScriptSeries series;
  for (int i = 0; i < 3; ++i) series.centre[i] = Series(Interval(pose.position[i]));
  series.quaternion[3] = Series(Interval(1));
  return series;
}

}  // namespace

KeyframeMotion::KeyframeMotion(const body::KeyframeScript& script) {
  // q and -q are one orientation; choose the signs so that the quaternion is continuous in time.
  std::vector<body::Keyframe> keys = script.keyframes;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    Quat& q = keys[i].pose.orientation;
    if (q.dot(keys[i - 1].pose.orientation) < 0) q.coeffs() = -q.coeffs();
  }
  first_ = keys.front().pose;
  last_ = keys.back().pose;
  if (keys.size() < 2) return;

  std::vector<double> spans;
  std::vector<Vec3> steps, arcs;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    spans.push_back(keys[i + 1].time - keys[i].time);
    steps.push_back(keys[i + 1].pose.position - keys[i].pose.position);
    arcs.push_back(
        math::rotation_log(keys[i].pose.orientation.conjugate() * keys[i + 1].pose.orientation));
  }

  const bool smooth = script.interpolation == body::Interpolation::cubic;
  const auto velocities = math::natural_spline_slopes(spans, steps);
  const auto turn_rates = math::natural_spline_slopes(spans, arcs);
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const Vec3 mean_velocity = steps[i] / spans[i];
    const Vec3 mean_turn = arcs[i] / spans[i];
    Segment segment;
    segment.begin = keys[i].time;
    segment.end = keys[i + 1].time;
    segment.base = keys[i].pose.orientation;
    segment.position =
        cubic(keys[i].pose.position, smooth ? velocities[i] : mean_velocity,
              keys[i + 1].pose.position, smooth ? velocities[i + 1] : mean_velocity, spans[i]);
    segment.turn = cubic(
        Vec3::Zero(), smooth ? turn_rates[i] : mean_turn, arcs[i],
        smooth ? math::rotation_vector_rate_for(arcs[i], turn_rates[i + 1]) : mean_turn, spans[i]);
    segments_.push_back(segment);
  }
  find_switches(script);
}

void KeyframeMotion::find_switches(const body::KeyframeScript& script) {
  for (std::size_t i = 0; i < script.keyframes.size(); ++i) {
    const double time = script.keyframes[i].time;
    const Kinematics before = kinematics(time, Side::before);
    const Kinematics after = kinematics(time, Side::after);
    const bool jumps = differs(before.velocity, after.velocity) ||
                       differs(before.angular_velocity, after.angular_velocity);
    switches_.push_back({time, jumps, fmt::format("keyframe {}", i + 1)});
  }
}

Kinematics KeyframeMotion::resting(const Pose& pose) const {
  Kinematics k;
  k.pose = pose;
  return k;
}

Kinematics KeyframeMotion::kinematics(double t, Side side) const {
  const auto is_past = [side](double boundary, double time) {
    return side == Side::after ? boundary <= time : boundary < time;
  };
  if (segments_.empty() || !is_past(segments_.front().begin, t)) return resting(first_);
  if (is_past(segments_.back().end, t)) return resting(last_);
  const auto current =
      std::partition_point(segments_.begin(), segments_.end(),
                           [&](const Segment& segment) { return is_past(segment.end, t); });
  return current->kinematics(t);
}

SpeedBound KeyframeMotion::speed_bound(double from, double to) const {
  SpeedBound bound;
  auto segment = std::partition_point(segments_.begin(), segments_.end(),
                                      [&](const Segment& s) { return s.end < from; });
  for (; segment != segments_.end() && segment->begin <= to; ++segment) {
    const SpeedBound piece =
        segment->speed_bound(std::max(from, segment->begin), std::min(to, segment->end));
    bound.linear = std::max(bound.linear, piece.linear);
    bound.angular = std::max(bound.angular, piece.angular);
  }
  return bound;
}

AccelerationBound KeyframeMotion::acceleration_bound(double from, double to) const {
  AccelerationBound bound;
  auto segment = std::partition_point(segments_.begin(), segments_.end(),
                                      [&](const Segment& s) { return s.end < from; });
  for (; segment != segments_.end() && segment->begin <= to; ++segment) {
    const AccelerationBound piece =
        segment->acceleration_bound(std::max(from, segment->begin), std::min(to, segment->end));
    bound.linear = std::max(bound.linear, piece.linear);
    bound.angular = std::max(bound.angular, piece.angular);
    bound.spin = std::max(bound.spin, piece.spin);
  }
  return bound;
}

// Their speeds bound where keyframes lead: they swing no more often than there are keyframes.
geometry::Aabb KeyframeMotion::place_bound(double /*from*/, double /*to*/) const {
  return geometry::Aabb::whole();
}

std::optional<ScriptPiece> KeyframeMotion::piece(double from, double to) const {
  for (const bool is_first : {true, false}) {
    const Pose& pose = is_first ? first_ : last_;
    const bool rests = segments_.empty() ||
                       (is_first ? to <= segments_.front().begin : from >= segments_.back().end);
    if (rests) return script_piece(resting_at(pose), resting_at(pose), pose.orientation);
  }
  for (const Segment& segment : segments_)
    if (segment.begin <= from && to <= segment.end) return segment.piece(from, to);
  return std::nullopt;
}

std::optional<ScriptPiece> KeyframeMotion::Segment::piece(double from, double to) const {
  const Interval span = Interval(end) - Interval(begin);
  double largest = 0;
  const auto found = script_piece(from, to, base, [&](const Interval& t, double scale) {
    const Series s = (Series::variable(t, scale) - Series(Interval(begin))) / Series(span);
    ScriptSeries series;
    std::array<Series, 3> half;
    Series square;
    for (int i = 0; i < 3; ++i) {
      series.centre[i] = cubic_of(position, i, s);
      half[i] = cubic_of(turn, i, s) * Series(Interval(0.5));
      square = square + half[i] * half[i];
    }
    largest = std::max(largest, square[0].magnitude());
    const Series sine = cosine_of_root(square, 1);
    for (int i = 0; i < 3; ++i) series.quaternion[i] = half[i] * sine;
    series.quaternion[3] = cosine_of_root(square, 0);
    return series;
  });
  return largest <= largest_square ? found : std::nullopt;
}

Kinematics KeyframeMotion::Segment::kinematics(double t) const {
  const double rate = 1 / (end - begin);
  const double s = std::clamp((t - begin) * rate, 0.0, 1.0);
  const auto position1 = bernstein_derivative<3, 4>(position);
  const auto turn1 = bernstein_derivative<3, 4>(turn);

  Kinematics k;
  k.pose.position = bernstein_value<3, 4>(position, s);
  k.velocity = rate * bernstein_value<3, 3>(position1, s);
  k.acceleration = rate * rate * bernstein_value<3, 2>(bernstein_derivative<3, 3>(position1), s);

  const Vec3 phi = bernstein_value<3, 4>(turn, s);
  const auto rates = math::rotation_vector_rates(
      phi, rate * bernstein_value<3, 3>(turn1, s),
      rate * rate * bernstein_value<3, 2>(bernstein_derivative<3, 3>(turn1), s));
  k.pose.orientation = (base * math::rotation_exp(phi)).normalized();
  k.angular_velocity = k.pose.orientation * rates.velocity;
  k.angular_acceleration = k.pose.orientation * rates.acceleration;
  return k;
}

// |p'| and |phi'| are bounded by the hulls of their coefficients; |omega| <= |phi'| because the
// Jacobian of the rotation vector never lengthens (math/rotation.h).
SpeedBound KeyframeMotion::Segment::speed_bound(double from, double to) const {
  const double length = end - begin;
  const double a = std::clamp((from - begin) / length, 0.0, 1.0);
  const double b = std::clamp((to - begin) / length, a, 1.0);
  constexpr double up = 1 + 4 * std::numeric_limits<double>::epsilon();  // the divisions round
  return {
      math::bernstein_norm_bound<3, 3>(bernstein_derivative<3, 4>(position), a, b) / length * up,
      math::bernstein_norm_bound<3, 3>(bernstein_derivative<3, 4>(turn), a, b) / length * up};
}

// The derivative of omega = J(phi) phi' (math/rotation.h) has the terms J phi'', at most |phi''|,
// and three that are quadratic in phi'. With th = |phi| their factors are
//   |th sin th - 2 (1 - cos th)| / th^2 <= 0.5,  |th (1 - cos th) - 3 (th - sin th)| / th^2 <= 0.8,
//   (th - sin th) / th^2 <= 0.4,
// for every th, together less than 2.
AccelerationBound KeyframeMotion::Segment::acceleration_bound(double from, double to) const {
  const double length = end - begin;
  const double a = std::clamp((from - begin) / length, 0.0, 1.0);
  const double b = std::clamp((to - begin) / length, a, 1.0);
  constexpr double up = 1 + 8 * std::numeric_limits<double>::epsilon();
  const auto second = [&](const Cubic& c) {
    return math::bernstein_norm_bound<3, 2>(
               bernstein_derivative<3, 3>(bernstein_derivative<3, 4>(c)), a, b) /
           (length * length) * up;
  };
  const double spin = speed_bound(from, to).angular;
  return {second(position), (second(turn) + 2 * spin * spin) * up, spin};
}

}  // namespace abut::motion
