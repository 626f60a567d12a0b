#include "loop/reach.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/limits.h"
#include "math/faults.h"

namespace abut::loop {
namespace {

// A window is so long that a body falls, or moves, by a small part of its size in it: of the times
// in which bodies move by their radius, by gravity from rest and by their speed, this part of the
// middle one (dimensionless).
constexpr double window_part = 0.125;
// Without gravity and speed, s.
constexpr double usual_window = 1.0 / 64;

// A power of two, so that multiples are not rounded.
double window_of(const model::Model& model) {
  std::vector<double> times;
  for (const model::Body& body : model.bodies) {
    if (!body.is_dynamic()) continue;
    const double radius = body.bounding_radius;
    const double speed = body.velocity.norm() + body.angular_velocity.norm() * radius +
                         std::sqrt(model.gravity.norm() * radius);
    if (speed > 0 && radius > 0) times.push_back(radius / speed);
  }
  if (times.empty()) return usual_window;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const double window = std::exp2(std::round(std::log2(window_part * *middle)));
  return std::isfinite(window) && window > 0 ? window : usual_window;
}

// Steps and windows reach so many windows beyond the end of a run, or less (dimensionless).
constexpr double windows_beyond = 64;

// Whether a script says where the body is in all of [from, to].
bool is_told(const body::Script& script, double from, double to) {
  const auto* formulas = std::get_if<body::ExpressionScript>(&script);
  if (formulas == nullptr) return true;
  return !math::first_fault(formulas->angle, from, to) &&
         std::none_of(formulas->position.begin(), formulas->position.end(),
                      [&](const math::Expression& x) { return math::first_fault(x, from, to); });
}

}  // namespace

// A scene is asked for a motion up to its end; a formula may have no value later.
Reach reach_of(const model::Model& model) {
  Reach reach;
  reach.window = window_of(model);
  const double beyond = model.duration + windows_beyond * reach.window;
  const bool is_all_told =
      std::all_of(model.bodies.begin(), model.bodies.end(), [&](const model::Body& body) {
        return body.script() == nullptr || is_told(*body.script(), model.duration, beyond);
      });
  reach.until = is_all_told ? infinity : model.duration;
  return reach;
}

}  // namespace abut::loop
