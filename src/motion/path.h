#pragma once
// The path of one body over [begin, end]: where it is at every instant, and how fast any of its
// points can possibly be in any sub-interval. Collision detection relies on that bound being one.
//
// The frame that moves (the *motion frame*) is the central frame of a dynamic body and the body
// frame of a fixed or scripted one.

#include <memory>
#include <optional>
#include <variant>

#include "motion/frame_over_step.h"
#include "motion/kinematics.h"
#include "motion/polynomial_motion.h"
#include "motion/script_motion.h"
#include "motion/steady_motion.h"

namespace abut::motion {

class BodyPath {
 public:
  static BodyPath resting(double begin, double end, const Pose& pose);
  static BodyPath moving(const PolynomialMotion& motion);
  static BodyPath steady(const SteadyMotion& motion);
  static BodyPath scripted(double begin, double end, std::shared_ptr<const ScriptMotion> script);

  double begin() const { return begin_; }
  double end() const { return end_; }

  Pose pose(double t) const;
  Kinematics kinematics(double t) const;

  /// Upper bounds over all of [from, to] within [begin, end].
  SpeedBound speed_bound(double from, double to) const;
  AccelerationBound acceleration_bound(double from, double to) const;

  /// A box in which the origin of the motion frame is over all of [from, to], if one is known that
  /// does not follow from its speed; unbounded otherwise.
  geometry::Aabb place_bound(double from, double to) const;

  /// The frame over all of [from, to] as polynomials, if it moves on such or near them.
  std::optional<FrameOverStep> frame_over(double from, double to) const;

 private:
  using Motion =
      std::variant<Pose, PolynomialMotion, SteadyMotion, std::shared_ptr<const ScriptMotion>>;
  BodyPath(double begin, double end, Motion motion);

  double begin_ = 0;
  double end_ = 0;
  Motion motion_;
};

}  // namespace abut::motion
