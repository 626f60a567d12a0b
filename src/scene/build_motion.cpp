// How bodies move: dynamic, fixed, or by a script.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/limits.h"
#include "base/text.h"
#include "motion/script_motion.h"
#include "scene/builder.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

math::Expression read_formula(const Node& node) {
  return std::get<math::Expression>(math::Expression::parse(node.text, "t"));
}

bool is_bounded(const math::Interval& x) {
  return std::isfinite(x.lower) && std::isfinite(x.upper);
}

/// The first time in [from, to] around which no interval, however short, bounds value and velocity
/// of the formula: a pole, or a place where it is undefined. Formulas that need more intervals than
/// are left are given the benefit of the doubt; what happens there the run itself will notice.
std::optional<double> first_pole(const math::Expression& formula, double from, double to,
                                 int& intervals_left) {
  if (intervals_left-- <= 0) return std::nullopt;
  const math::IntervalJet jet = formula.jet(math::Interval{from, to});
  if (is_bounded(jet.value) && is_bounded(jet.first)) return std::nullopt;
  const double middle = from + 0.5 * (to - from);
  if (!(middle > from && middle < to)) return middle;
  if (const auto pole = first_pole(formula, from, middle, intervals_left)) return pole;
  return first_pole(formula, middle, to, intervals_left);
}

/// A time without a finite value, velocity or acceleration: tried at the ends and at some times
/// between, and looked for everywhere with intervals.
std::optional<double> first_fault(const math::Expression& formula, double duration) {
  constexpr int samples = 8;
  constexpr int most_intervals = 20000;
  for (int i = 0; i <= samples; ++i) {
    const double t = duration * i / samples;
    const math::Jet jet = formula.jet(t);
    if (!std::isfinite(jet.value) || !std::isfinite(jet.first) || !std::isfinite(jet.second))
      return t;
  }
  int intervals_left = most_intervals;
  return first_pole(formula, 0, duration, intervals_left);
}

/// A formula must have a value, a velocity and an acceleration during the run.
void check_finite(const math::Expression& formula, const Node& node, Builder& builder) {
  const auto t = first_fault(formula, builder.model.duration);
  if (!t) return;
  const bool has_value =
      std::isfinite(formula.jet(*t).value) &&
      is_bounded(formula.jet(math::Interval{*t, std::nextafter(*t, infinity)}).value);
  builder.problems.error(
      node.mark,
      fmt::format("`{}` has no finite {} at t = {:.9g}; a motion needs a value, a velocity and an "
                  "acceleration at all times",
                  base::shown(node.text), has_value ? "derivative" : "value", *t));
}

// How many radians of an oscillation may lie within a run, and of a spin within a second of it. A
// body near one that swings is looked at several times in every swing, for some 75 us per radian:
// so many take two or three minutes.
constexpr double most_radians = 2e6;

/// The phase that an oscillation of the formula runs through within the duration, rad: of
/// sin(w t) |x''| is w times |x'|, on the average. Times that share no period with anything are
/// tried, by steps of the golden section. Motion that does not swing has next to none.
double swung_radians(const math::Expression& formula, double duration) {
  constexpr int samples = 200;
  constexpr double golden = 0.6180339887498949;
  double speed = 0, acceleration = 0;
  for (int i = 1; i <= samples; ++i) {
    const math::Jet jet = formula.jet(duration * std::fmod(i * golden, 1.0));
    speed += std::abs(jet.first);
    acceleration += std::abs(jet.second);
  }
  return speed > 0 ? duration * acceleration / speed : 0;
}

/// A motion that swings so often that nothing could be found out about it in a reasonable time.
void check_swings(const math::Expression& formula, const Node& node, Builder& builder) {
  const double radians = swung_radians(formula, builder.model.duration);
  if (!(radians > most_radians)) return;
  builder.problems.error(
      node.mark, fmt::format("`{}` swings about {:.0e} times within the duration of {:g} s; more "
                             "than {:.0e} times cannot be followed",
                             base::shown(node.text), radians / (2 * std::numbers::pi),
                             builder.model.duration, most_radians / (2 * std::numbers::pi)));
}

/// What every formula of a motion must fulfil.
math::Expression checked_formula(const Node& node, Builder& builder) {
  math::Expression formula = read_formula(node);
  const std::size_t errors = builder.problems.error_count();
  check_finite(formula, node, builder);
  if (builder.problems.error_count() == errors) check_swings(formula, node, builder);
  return formula;
}

std::optional<body::Script> read_keyframes(const Node& motion, const Pose& own, Builder& builder) {
  body::KeyframeScript script;
  if (const Node* interpolation = motion.valid_at("interpolation")) {
    script.interpolation = static_cast<body::Interpolation>(interpolation->choice);
  }
  bool good = true;
  for (const Node& entry : motion.find("keyframes")->items) {
    body::Keyframe keyframe;
    const Node& time = *entry.find("time");
    keyframe.time = time.number;
    keyframe.pose.position = read_vec3_or(entry, "position", own.position);
    keyframe.pose.orientation = read_orientation_or(entry, own.orientation, builder.problems);
    if (!script.keyframes.empty() && keyframe.time <= script.keyframes.back().time) {
      good = false;
      builder.problems.error(
          time.mark,
          fmt::format("time is {:g}, but must be after the previous keyframe's {:g}; sort "
                      "the keyframes",
                      keyframe.time, script.keyframes.back().time));
    }
    script.keyframes.push_back(keyframe);
  }
  if (!good) return std::nullopt;
  return script;
}

std::optional<body::Script> read_formulas(const Node& motion, const Pose& own, Builder& builder) {
  body::ExpressionScript script;
  script.orientation = own.orientation;
  for (std::size_t i = 0; i < 3; ++i) {
    script.position[i] = math::Expression::constant(own.position[static_cast<Eigen::Index>(i)]);
  }
  const std::size_t errors = builder.problems.error_count();
  if (const Node* position = motion.find("position")) {
    for (std::size_t i = 0; i < 3; ++i) {
      script.position[i] = checked_formula(position->items[i], builder);
    }
  }
  if (const Node* rotation = motion.find("rotation")) {
    const auto axis = read_direction(*rotation->find("axis"), "axis", builder.problems);
    script.axis = axis.value_or(script.axis);
    script.angle = checked_formula(*rotation->find("angle"), builder);
  }
  if (motion.keys.empty()) {
    builder.problems.error(motion.mark,
                           "the motion is empty; write `fixed`, or give keyframes or "
                           "formulas");
  }
  if (builder.problems.error_count() > errors) return std::nullopt;
  return script;
}

}  // namespace

// However long a run is, its next second must come to its end.
void refuse_fast_turns(const Mark& mark, double speed, Builder& builder) {
  const double time = std::min(builder.model.duration, 1.0);
  const double radians = std::abs(speed) * time;
  if (!(radians > most_radians)) return;
  builder.problems.error(
      mark, fmt::format("{:.3g} rad/s are about {:.0e} turns within {:g} s; more than {:.0e} turns "
                        "cannot be followed; turn it more slowly, or make the run shorter",
                        speed, radians / (2 * std::numbers::pi), time,
                        most_radians / (2 * std::numbers::pi)));
}

std::optional<model::Motion> build_motion(const Node& body, Pose& pose, Builder& builder) {
  const Node* motion = body.find("motion");
  if (motion == nullptr) return model::Dynamic{};
  if (!motion->valid) return std::nullopt;
  if (motion->is_scalar()) {
    if (motion->text == "fixed") return model::Fixed{};
    return model::Dynamic{};
  }
  const auto script = motion->find("keyframes") != nullptr ? read_keyframes(*motion, pose, builder)
                                                           : read_formulas(*motion, pose, builder);
  if (!script) return std::nullopt;
  pose = motion::make_script_motion(*script)->kinematics(0).pose;
  return *script;
}

}  // namespace abut::scene
