#include "motion/expression_motion.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "motion/keyframe_motion.h"
#include "motion/script_piece.h"

namespace abut::motion {
namespace {

double magnitude(const math::Interval& x) {
  return std::max(std::abs(x.lower), std::abs(x.upper));
}

}  // namespace

Kinematics ExpressionMotion::kinematics(double t, Side /*side*/) const {
  Kinematics k;
  for (int i = 0; i < 3; ++i) {
    const math::Jet x = script_.position[i].jet(t);
    k.pose.position[i] = x.value;
    k.velocity[i] = x.first;
    k.acceleration[i] = x.second;
  }
  const math::Jet angle = script_.angle.jet(t);
  k.pose.orientation = math::rotation_exp(angle.value * script_.axis) * script_.orientation;
  k.angular_velocity = angle.first * script_.axis;
  k.angular_acceleration = angle.second * script_.axis;
  return k;
}

// Interval arithmetic encloses the derivatives of the formulas over [from, to]. Where it fails to
// (a division by an interval around zero, say) the enclosure, and with it the bound, is infinite.
SpeedBound ExpressionMotion::speed_bound(double from, double to) const {
  constexpr double up = 1 + 8 * std::numeric_limits<double>::epsilon();  // norm and axis round
  const math::Interval t{from, to};
  Vec3 fastest;
  for (int i = 0; i < 3; ++i) fastest[i] = magnitude(script_.position[i].jet(t).first);
  return {fastest.norm() * up, magnitude(script_.angle.jet(t).first) * up};
}

AccelerationBound ExpressionMotion::acceleration_bound(double from, double to) const {
  constexpr double up = 1 + 8 * std::numeric_limits<double>::epsilon();
  const math::Interval t{from, to};
  Vec3 hardest;
  for (int i = 0; i < 3; ++i) hardest[i] = magnitude(script_.position[i].jet(t).second);
  const math::IntervalJet angle = script_.angle.jet(t);
  return {hardest.norm() * up, magnitude(angle.second) * up, magnitude(angle.first) * up};
}

geometry::Aabb ExpressionMotion::place_bound(double from, double to) const {
  geometry::Aabb box;
  for (int i = 0; i < 3; ++i) {
    const math::Interval x = script_.position[i].jet(math::Interval{from, to}).value;
    box.lower[i] = x.lower;
    box.upper[i] = x.upper;
  }
  return box;
}

// The rotation about an axis that is unit to rounding comes before the body's own orientation o:
// exp(a axis / 2) o = o (exp(a (o* axis) / 2)).
std::optional<ScriptPiece> ExpressionMotion::piece(double from, double to) const {
  const Vec3 axis = script_.orientation.conjugate() * script_.axis;
  return script_piece(from, to, script_.orientation, [&](const math::Interval& t, double scale) {
    ScriptSeries series;
    for (int i = 0; i < 3; ++i) series.centre[i] = script_.position[i].series(t, scale);
    const math::Series half = script_.angle.series(t, scale) * math::Series(math::Interval(0.5));
    const math::Series sine = sin(half);
    for (int i = 0; i < 3; ++i) series.quaternion[i] = sine * math::Series(math::Interval(axis[i]));
    series.quaternion[3] = cos(half);
    return series;
  });
}

std::unique_ptr<ScriptMotion> make_script_motion(const body::Script& script) {
  if (const auto* keyframes = std::get_if<body::KeyframeScript>(&script))
    return std::make_unique<KeyframeMotion>(*keyframes);
  return std::make_unique<ExpressionMotion>(std::get<body::ExpressionScript>(script));
}

}  // namespace abut::motion
