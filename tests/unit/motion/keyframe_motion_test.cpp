#include "motion/keyframe_motion.h"

#include <numbers>

#include "math/rotation.h"
#include "support/constants.h"

namespace abut::motion {
namespace {

using abut::test::pi;

Quat about_z(double angle) {
  return math::rotation_exp(Vec3(0, 0, angle));
}

body::KeyframeScript script(body::Interpolation interpolation) {
  body::KeyframeScript s;
  s.interpolation = interpolation;
  s.keyframes = {{1, {Vec3(0, 0, 0), Quat::Identity()}},
                 {2, {Vec3(1, 0, 2), about_z(pi / 2)}},
                 {4, {Vec3(3, -1, 0), math::rotation_exp(Vec3(1, 0.5, -0.2))}}};
  return s;
}

TEST(KeyframeMotion, PassesThroughItsKeyframes) {
  for (const auto interpolation : {body::Interpolation::cubic, body::Interpolation::linear}) {
    const auto s = script(interpolation);
    const KeyframeMotion motion(s);
    for (const auto& key : s.keyframes)
      for (const Side side : {Side::before, Side::after}) {
        const Pose pose = motion.kinematics(key.time, side).pose;
        EXPECT_NEAR((pose.position - key.pose.position).norm(), 0, 1e-15);
        EXPECT_NEAR(math::angle_between(pose.orientation, key.pose.orientation), 0, 1e-15);
      }
  }
}

TEST(KeyframeMotion, RestsBeforeAndAfter) {
  const KeyframeMotion motion(script(body::Interpolation::cubic));
  for (const double t : {-1.0, 0.999, 4.001, 9.0}) {
    const Kinematics k = motion.kinematics(t, Side::after);
    EXPECT_EQ(k.velocity, Vec3::Zero());
    EXPECT_EQ(k.angular_velocity, Vec3::Zero());
  }
  EXPECT_EQ(motion.kinematics(9, Side::after).pose.position, Vec3(3, -1, 0));
}

TEST(KeyframeMotion, LinearMeansConstantRates) {
  const KeyframeMotion motion(script(body::Interpolation::linear));
  for (const double t : {1.1, 1.5, 1.9}) {
    const Kinematics k = motion.kinematics(t, Side::after);
    EXPECT_NEAR((k.velocity - Vec3(1, 0, 2)).norm(), 0, 1e-14);
    EXPECT_NEAR((k.angular_velocity - Vec3(0, 0, pi / 2)).norm(), 0, 1e-14);
    EXPECT_NEAR(k.acceleration.norm() + k.angular_acceleration.norm(), 0, 1e-13);
  }
}

TEST(KeyframeMotion, TurnsOnTheShortestArcWhateverTheSigns) {
  body::KeyframeScript s;
  s.interpolation = body::Interpolation::linear;
  Quat end = about_z(-pi / 2);
  end.coeffs() = -end.coeffs();  // the same orientation
  s.keyframes = {{0, {Vec3::Zero(), Quat::Identity()}}, {1, {Vec3::Zero(), end}}};
  const KeyframeMotion motion(s);
  EXPECT_NEAR(
      math::angle_between(motion.kinematics(0.5, Side::after).pose.orientation, about_z(-pi / 4)),
      0, 1e-15);
}

TEST(KeyframeMotion, QuaternionSignIsContinuous) {
  body::KeyframeScript s;
  for (int i = 0; i < 9; ++i) {  // four full turns in steps of 160 degrees, wrapped to w >= 0
    Quat q = about_z(i * 160.0 / 180 * pi);
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    s.keyframes.push_back({1.0 * i, {Vec3::Zero(), q}});
  }
  const KeyframeMotion motion(s);
  Quat previous = motion.kinematics(0, Side::after).pose.orientation;
  for (double t = 0; t <= 8; t += 0.01) {
    const Quat now = motion.kinematics(t, Side::after).pose.orientation;
    EXPECT_GT(now.dot(previous), 0.9);
    previous = now;
  }
}

// About a fixed axis the angle follows the natural spline: 0, 1, 0 rad at 0, 1, 2 s has slope 1.5
// at the start and the value 11/16 at t = 1/2.
TEST(KeyframeMotion, CubicAngleAboutAFixedAxisIsTheNaturalSpline) {
  body::KeyframeScript s;
  s.keyframes = {{0, {Vec3::Zero(), about_z(0)}},
                 {1, {Vec3::Zero(), about_z(1)}},
                 {2, {Vec3::Zero(), about_z(0)}}};
  const KeyframeMotion motion(s);
  const Kinematics start = motion.kinematics(0, Side::after);
  EXPECT_NEAR(start.angular_velocity.z(), 1.5, 1e-14);
  EXPECT_NEAR(
      math::angle_between(motion.kinematics(0.5, Side::after).pose.orientation, about_z(11.0 / 16)),
      0, 1e-14);
}

TEST(KeyframeMotion, CubicVelocitiesAreContinuousAtInnerKeyframes) {
  const KeyframeMotion motion(script(body::Interpolation::cubic));
  const Kinematics before = motion.kinematics(2, Side::before);
  const Kinematics after = motion.kinematics(2, Side::after);
  EXPECT_NEAR((before.velocity - after.velocity).norm(), 0, 1e-14);
  EXPECT_NEAR((before.acceleration - after.acceleration).norm(), 0, 1e-13);
  EXPECT_NEAR((before.angular_velocity - after.angular_velocity).norm(), 0, 1e-14);
}

TEST(KeyframeMotion, ReportsWhereVelocitiesJump) {
  const KeyframeMotion linear(script(body::Interpolation::linear));
  ASSERT_EQ(linear.switches().size(), 3u);
  EXPECT_TRUE(linear.switches()[1].velocity_jumps);
  const KeyframeMotion cubic(script(body::Interpolation::cubic));
  EXPECT_TRUE(cubic.switches()[0].velocity_jumps);
  EXPECT_FALSE(cubic.switches()[1].velocity_jumps);
  EXPECT_EQ(cubic.switches()[1].what, "keyframe 2");
}

TEST(KeyframeMotion, RatesMatchDifferencesOfThePose) {
  const KeyframeMotion motion(script(body::Interpolation::cubic));
  const double h = 1e-4;
  for (const double t : {1.2, 1.7, 2.5, 3.6}) {
    const auto at = [&](double x) { return motion.kinematics(x, Side::after); };
    const auto turned = [&](double x) {
      return math::rotation_log(at(x).pose.orientation * at(t).pose.orientation.conjugate());
    };
    const Vec3 omega =
        (8 * (turned(t + h) - turned(t - h)) - (turned(t + 2 * h) - turned(t - 2 * h))) / (12 * h);
    EXPECT_NEAR((at(t).angular_velocity - omega).norm(), 0, 1e-10);
    const Vec3 alpha = (at(t + h).angular_velocity - at(t - h).angular_velocity) / (2 * h);
    EXPECT_NEAR((at(t).angular_acceleration - alpha).norm(), 0, 1e-6);
    const Vec3 v = (at(t + h).pose.position - at(t - h).pose.position) / (2 * h);
    EXPECT_NEAR((at(t).velocity - v).norm(), 0, 1e-6);
  }
}

}  // namespace
}  // namespace abut::motion
