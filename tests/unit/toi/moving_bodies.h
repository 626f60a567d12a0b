#pragma once
// Bodies and paths for the tests of contact times.

#include "math/rotation.h"
#include "model/model.h"
#include "support/path_through.h"

namespace abut::test {

/// Constant acceleration, and a rotation that is uniform but for the error of interpolating it at
/// eight instants.
inline motion::BodyPath thrown(const Vec3& from, const Vec3& velocity, const Vec3& acceleration,
                               double duration, const Vec3& spin = Vec3::Zero(),
                               const Quat& start = Quat::Identity()) {
  return path_through(duration, [&](double t) -> PathPoint {
    return {from + t * velocity + 0.5 * t * t * acceleration,
            (math::rotation_exp(t * spin) * start).coeffs()};
  });
}

/// A body that does not move.
inline model::Body fixed(const shape::Geometry& geometry) {
  model::Body body;
  body.name = "fixed";
  body.parts.push_back({geometry, {}, 1000, 0});
  body.motion = model::Fixed{};
  return body;
}

}  // namespace abut::test
