#pragma once
// Paths through given poses, for tests of motion.

#include <functional>

#include "motion/path.h"

namespace abut::test {

/// A centre and a quaternion (x, y, z, w), which need not be of unit length.
struct PathPoint {
  Vec3 centre;
  Eigen::Vector4d quaternion;
};

/// The path over [0, duration] whose polynomials interpolate `at(t)` at eight equally spaced
/// instants, asked for in order.
motion::BodyPath path_through(double duration, const std::function<PathPoint(double t)>& at);

}  // namespace abut::test
