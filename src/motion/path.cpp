#include "motion/path.h"

#include <utility>

#include "base/overloaded.h"

namespace abut::motion {
namespace {

using Script = std::shared_ptr<const ScriptMotion>;

}  // namespace

BodyPath::BodyPath(double begin, double end, Motion motion)
    : begin_(begin), end_(end), motion_(std::move(motion)) {}

BodyPath BodyPath::resting(double begin, double end, const Pose& pose) {
  return BodyPath(begin, end, pose);
}

BodyPath BodyPath::moving(const PolynomialMotion& motion) {
  return BodyPath(motion.begin(), motion.end(), motion);
}

BodyPath BodyPath::steady(const SteadyMotion& motion) {
  return BodyPath(motion.begin, motion.end, motion);
}

BodyPath BodyPath::scripted(double begin, double end, std::shared_ptr<const ScriptMotion> script) {
  return BodyPath(begin, end, std::move(script));
}

Pose BodyPath::pose(double t) const {
  return std::visit(
      base::Overloaded{[](const Pose& rest) { return rest; },
                       [t](const PolynomialMotion& motion) { return motion.pose(t); },
                       [t](const SteadyMotion& motion) { return motion.pose(t); },
                       [t](const Script& script) { return script->kinematics(t).pose; }},
      motion_);
}

Kinematics BodyPath::kinematics(double t) const {
  return std::visit(
      base::Overloaded{[](const Pose& rest) {
                         Kinematics k;
                         k.pose = rest;
                         return k;
                       },
                       [t](const PolynomialMotion& motion) { return motion.kinematics(t); },
                       [t](const SteadyMotion& motion) { return motion.kinematics(t); },
                       [t](const Script& script) { return script->kinematics(t); }},
      motion_);
}

SpeedBound BodyPath::speed_bound(double from, double to) const {
  return std::visit(
      base::Overloaded{[](const Pose&) { return SpeedBound{}; },
                       [&](const PolynomialMotion& motion) { return motion.speed_bound(from, to); },
                       [](const SteadyMotion& motion) { return motion.speed_bound(); },
                       [&](const Script& script) { return script->speed_bound(from, to); }},
      motion_);
}

AccelerationBound BodyPath::acceleration_bound(double from, double to) const {
  return std::visit(
      base::Overloaded{
          [](const Pose&) { return AccelerationBound{}; },
          [&](const PolynomialMotion& motion) { return motion.acceleration_bound(from, to); },
          [](const SteadyMotion& motion) { return motion.acceleration_bound(); },
          [&](const Script& script) { return script->acceleration_bound(from, to); }},
      motion_);
}

geometry::Aabb BodyPath::place_bound(double from, double to) const {
  const auto* script = std::get_if<Script>(&motion_);
  return script != nullptr ? (*script)->place_bound(from, to) : geometry::Aabb::whole();
}

std::optional<FrameOverStep> BodyPath::frame_over(double from, double to) const {
  using Frame = std::optional<FrameOverStep>;
  return std::visit(
      base::Overloaded{[](const Pose& rest) { return Frame(FrameOverStep::resting(rest)); },
                       [&](const PolynomialMotion& motion) {
                         return Frame(FrameOverStep::moving(motion.centre_over(from, to),
                                                            motion.quaternion_over(from, to)));
                       },
                       [](const SteadyMotion&) { return Frame(); },
                       [&](const Script& script) {
                         const auto piece = script->piece(from, to);
                         return piece ? Frame(FrameOverStep::scripted(*piece)) : Frame();
                       }},
      motion_);
}

}  // namespace abut::motion
