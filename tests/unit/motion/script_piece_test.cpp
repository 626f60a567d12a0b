// Pieces of polynomials against the scripts that they stand for.

#include "motion/script_piece.h"

#include <gtest/gtest.h>

#include <random>

#include "math/rotation.h"

namespace abut::motion {
namespace {

math::Expression formula(const char* text) {
  return std::get<math::Expression>(math::Expression::parse(text, "t"));
}

void expect_near(const ScriptMotion& script, double from, double to, double sharpness) {
  const auto piece = script.piece(from, to);
  ASSERT_TRUE(piece.has_value());
  EXPECT_LT(piece->centre_error, sharpness);
  EXPECT_LT(piece->quaternion_error, sharpness);
  for (int i = 0; i <= 40; ++i) {
    const double s = i / 40.0;
    const Pose pose = script.kinematics(from + s * (to - from), Side::before).pose;
    const Vec3 centre = math::bernstein_value<3, 13>(piece->centre, s);
    const Eigen::Vector4d q = math::bernstein_value<4, 13>(piece->quaternion, s);
    EXPECT_LE((centre - pose.position).norm(), piece->centre_error + 1e-15);
    const double sign = q.dot(pose.orientation.coeffs()) < 0 ? -1 : 1;
    EXPECT_LE((q - sign * pose.orientation.coeffs()).norm(), piece->quaternion_error + 1e-15);
  }
}

TEST(ScriptPiece, FollowsFormulas) {
  body::ExpressionScript script;
  script.position = {formula("0.1*t^2"), formula("0.02*sin(2*pi*5*t)"), formula("exp(-t)")};
  script.axis = Vec3(1, 2, -2) / 3;
  script.angle = formula("3*t + 0.2*cos(9*t)");
  script.orientation = math::rotation_exp(Vec3(0.3, -1, 0.5));
  const auto motion = make_script_motion(script);
  for (const double from : {0.0, 0.7, 2.3}) expect_near(*motion, from, from + 1.0 / 60, 1e-13);
}

TEST(ScriptPiece, FollowsKeyframes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  for (const body::Interpolation interpolation :
       {body::Interpolation::cubic, body::Interpolation::linear}) {
    body::KeyframeScript script;
    script.interpolation = interpolation;
    for (int i = 0; i < 5; ++i)
      script.keyframes.push_back({0.5 * i, {vector(), math::rotation_exp(vector())}});
    const auto motion = make_script_motion(script);
    for (const double from : {0.0, 0.3, 0.5, 1.2, 1.98})
      expect_near(*motion, from, from + 0.02, 1e-13);
    expect_near(*motion, 2.5, 3, 1e-13);
    // The motion is not smooth at a keyframe.
    EXPECT_FALSE(motion->piece(0.49, 0.51).has_value());
  }
}

TEST(ScriptPiece, HasNoBoundAtAKink) {
  body::ExpressionScript script;
  script.position = {formula("abs(t - 1)"), formula("0"), formula("0")};
  script.angle = formula("0");
  const auto motion = make_script_motion(script);
  EXPECT_FALSE(motion->piece(0.99, 1.01).has_value());
  expect_near(*motion, 1.01, 1.05, 1e-13);
}

}  // namespace
}  // namespace abut::motion
