#pragma once
// Motion by formulas in t, differentiated exactly.

#include "motion/script_motion.h"

namespace abut::motion {

class ExpressionMotion final : public ScriptMotion {
 public:
  explicit ExpressionMotion(const body::ExpressionScript& script) : script_(script) {}

  Kinematics kinematics(double t, Side side) const override;
  SpeedBound speed_bound(double from, double to) const override;
  AccelerationBound acceleration_bound(double from, double to) const override;
  geometry::Aabb place_bound(double from, double to) const override;
  const std::vector<ScriptSwitch>& switches() const override { return switches_; }
  std::optional<ScriptPiece> piece(double from, double to) const override;

 private:
  body::ExpressionScript script_;
  std::vector<ScriptSwitch> switches_;  // formulas are taken to be smooth
};

}  // namespace abut::motion
