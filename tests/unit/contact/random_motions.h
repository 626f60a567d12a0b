#pragma once
// Random motions of bodies, for the tests of gaps and their derivatives.

#include <random>

#include "math/rotation.h"
#include "support/precise_motion.h"

namespace abut::test {

class RandomMotions {
 public:
  explicit RandomMotions(std::uint64_t seed) : engine_(seed) {}
  double number(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  Vec3 vector(double size = 1) {
    std::normal_distribution<double> normal;
    return size * Vec3(normal(engine_), normal(engine_), normal(engine_));
  }
  Vec3 direction() { return vector().normalized(); }
  body::RigidMotion motion() {
    return {{vector(), math::rotation_exp(vector())}, vector(), vector(2)};
  }
  Accelerations accelerations() { return {vector(3), vector(3)}; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace abut::test
