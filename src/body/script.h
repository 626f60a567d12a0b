#pragma once
// Prescribed motion: a body that follows a script and yields to nothing.

#include <array>
#include <variant>
#include <vector>

#include "abut/types.h"
#include "math/expression.h"

namespace abut::body {

enum class Interpolation { cubic, linear };

/// Pose of the body frame at given times. Before the first and after the last keyframe the body
/// rests in that keyframe's pose.
struct Keyframe {
  double time = 0;
  Pose pose;
};

struct KeyframeScript {
  std::vector<Keyframe> keyframes;  ///< at least one; times strictly increasing
  Interpolation interpolation = Interpolation::cubic;
};

/// position(t) of the body frame, and rotation(t) about a fixed world axis that multiplies the
/// body's own orientation from the left.
struct ExpressionScript {
  std::array<math::Expression, 3> position;
  Vec3 axis = Vec3::UnitZ();  ///< unit length
  math::Expression angle;     ///< rad
  Quat orientation = Quat::Identity();
};

using Script = std::variant<KeyframeScript, ExpressionScript>;

}  // namespace abut::body
