#pragma once
// Motion through keyframes.
//
// Between keyframes i and i+1, h apart, the position is a polynomial and the orientation is
//     q(t) = q_i exp(phi(t)),   phi(0) = 0,   phi(h) = log(q_i* q_(i+1)),
// with the rotation vector phi a polynomial that ends on the shortest arc. Linear interpolation
// makes both linear: constant velocity, constant angular velocity. Cubic interpolation takes the
// natural spline for the position, and for the rotation the cubic whose body angular velocities at
// the keyframes are the slopes of the natural spline through the arcs: turning about one fixed
// axis, the angle is exactly that spline; otherwise the angular velocity is continuous and the
// angular acceleration nearly so. Before the first and after the last keyframe the body rests.

#include <vector>

#include "math/bernstein.h"
#include "motion/script_motion.h"

namespace abut::motion {

class KeyframeMotion final : public ScriptMotion {
 public:
  explicit KeyframeMotion(const body::KeyframeScript& script);

  Kinematics kinematics(double t, Side side) const override;
  SpeedBound speed_bound(double from, double to) const override;
  AccelerationBound acceleration_bound(double from, double to) const override;
  geometry::Aabb place_bound(double from, double to) const override;
  const std::vector<ScriptSwitch>& switches() const override { return switches_; }
  std::optional<ScriptPiece> piece(double from, double to) const override;

 private:
  using Cubic = math::BernsteinCoefficients<3, 4>;
  struct Segment {
    double begin = 0;
    double end = 0;
    Quat base = Quat::Identity();
    Cubic position = Cubic::Zero();
    Cubic turn = Cubic::Zero();  // phi

    Kinematics kinematics(double t) const;
    SpeedBound speed_bound(double from, double to) const;
    AccelerationBound acceleration_bound(double from, double to) const;
    std::optional<ScriptPiece> piece(double from, double to) const;
  };

  void find_switches(const body::KeyframeScript& script);
  Kinematics resting(const Pose& pose) const;

  Pose first_, last_;
  std::vector<Segment> segments_;
  std::vector<ScriptSwitch> switches_;
};

}  // namespace abut::motion
