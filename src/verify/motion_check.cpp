#include "verify/motion_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/sound_state.h"

namespace abut::verify {
namespace {

/// How far the length of a recorded quaternion may be from 1 (dimensionless): a normalised one is
/// off by two roundings; what deviates more was not normalised.
constexpr double unit_tolerance = 1e-14;

/// How far the recorded centre of mass may be from where the recorded pose puts it, relative to the
/// distances involved (dimensionless): both come from the same state by a few dozen roundings.
constexpr double centre_tolerance = 1e-13;

}  // namespace

void MotionCheck::frame(const record::Frame& frame) {
  check_time(frame);
  check_who(frame);
  for (std::size_t told = 0; told < frame.told_count(); ++told) {
    const std::size_t i = frame.told(told);
    if (is_sound(frame.bodies[i])) {
      check_state(frame.time, i, frame.bodies[i]);
    } else {
      fault(frame.time, fmt::format("the state of {} is not finite", bodies_[i].name));
    }
  }
  if (frames_ == 0) first_ = frame.bodies;
  ++frames_;
}

void MotionCheck::check_time(const record::Frame& frame) {
  using record::FrameKind;
  if (!std::isfinite(frame.time) || frame.time < 0 || frame.time < last_time_) {
    fault(frame.time, fmt::format("time goes back: {} s follows {} s", frame.time, last_time_));
  }
  const bool is_after = frame.kind == FrameKind::after;
  if (expects_after_ != is_after || (is_after && frame.time != last_time_)) {
    fault(frame.time, "frames before and after an event do not come in pairs");
  }
  expects_after_ = frame.kind == FrameKind::before;
  last_time_ = frame.time;
}

/// Samples and the beginning tell of all bodies, and an event of the same before and after it.
void MotionCheck::check_who(const record::Frame& frame) {
  using record::FrameKind;
  const bool must_be_whole = frame.kind == FrameKind::sample || frame.time == 0;
  if (must_be_whole && !frame.is_whole())
    fault(frame.time,
          fmt::format("a frame tells of {} of {} bodies", frame.told_count(), frame.bodies.size()));
  if (frame.kind == FrameKind::after && frame.only != told_before_)
    fault(frame.time, "the frames before and after an event tell of other bodies");
  told_before_ = frame.only;
}

void MotionCheck::check_state(double time, std::size_t body, const BodyState& state) {
  const record::RecordedBody& facts = bodies_[body];
  const double norm_error = std::abs(state.orientation.norm() - 1);
  worst_norm_ = std::max(worst_norm_, norm_error);
  if (norm_error > unit_tolerance) {
    fault(time, fmt::format("the quaternion of {} has length 1 + {:.3g}", facts.name,
                            state.orientation.norm() - 1));
  }
  const Vec3 arm = state.orientation.normalized() * facts.centre_of_mass;
  const double size = state.position.norm() + state.centre_of_mass.norm() + arm.norm();
  const double error = (state.position + arm - state.centre_of_mass).norm();
  if (size > 0) worst_centre_ = std::max(worst_centre_, error / size);
  if (error > centre_tolerance * size) {
    fault(time,
          fmt::format("the centre of mass of {} is {:.3g} m off its pose", facts.name, error));
  }
  const bool moved =
      !first_.empty() && (state.position != first_[body].position ||
                          state.orientation.coeffs() != first_[body].orientation.coeffs());
  if (facts.motion == record::RecordedMotion::fixed && moved) {
    fault(time, fmt::format("{} is fixed, but moves", facts.name));
  }
}

std::string MotionCheck::measured() const {
  return fmt::format(
      "{} frames; quaternions off unit length by up to {:.2g}, centres of mass off "
      "their poses by {:.2g} (relative)",
      frames_, worst_norm_, worst_centre_);
}

}  // namespace abut::verify
