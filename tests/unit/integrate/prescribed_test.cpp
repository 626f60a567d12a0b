// Bodies that do not yield: where they are, and how fast, as contacts and joints see them.

#include "integrate/prescribed.h"

#include "support/models.h"

namespace abut::integrate {
namespace {

// A body at rest in an odd place, one that falls along z = -t^2 and turns about x, one that yields.
model::Model surroundings() {
  model::Model model = test::empty_model(1);
  model.bodies.assign(3, test::body_of(shape::Sphere{0.5}));
  model.bodies[0].motion = model::Fixed{};
  model.bodies[0].pose = {Vec3(1, 2, 3), Quat(Eigen::AngleAxisd(0.5, Vec3::UnitY()))};
  body::ExpressionScript script;
  const auto formula = [](const char* text) {
    return std::get<math::Expression>(math::Expression::parse(text, "t"));
  };
  script.position = {formula("0"), formula("4*t"), formula("-t^2")};
  script.axis = Vec3::UnitX();
  script.angle = formula("t^3");
  model.bodies[1].motion = body::Script(script);
  return model;
}

TEST(Prescribed, TheWorldAndFixedBodiesRest) {
  const model::Model model = surroundings();
  const Scripts scripts = make_scripts(model);
  EXPECT_FALSE(scripts[0] || scripts[2]);
  const motion::Kinematics fixed = prescribed_kinematics(model, scripts, 0, 0.25);
  EXPECT_EQ(fixed.pose.position, Vec3(1, 2, 3));
  EXPECT_EQ(fixed.pose.orientation.coeffs(), model.bodies[0].pose.orientation.coeffs());
  EXPECT_EQ(fixed.velocity, Vec3::Zero());
  EXPECT_EQ(fixed.angular_acceleration, Vec3::Zero());
  const impulse::Support ground = prescribed_support(model, scripts, world, 0.25);
  EXPECT_EQ(ground.motion.pose.position, Vec3::Zero());
  EXPECT_EQ(ground.motion.pose.orientation.coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(ground.motion.velocity, Vec3::Zero());
  EXPECT_EQ(ground.acceleration.linear, Vec3::Zero());
}

TEST(Prescribed, ScriptedBodiesFollowTheirScript) {
  const model::Model model = surroundings();
  const Scripts scripts = make_scripts(model);
  const double t = 0.5;
  const impulse::Support moving = prescribed_support(model, scripts, 1, t);
  EXPECT_NEAR((moving.motion.pose.position - Vec3(0, 2, -0.25)).norm(), 0, 1e-15);
  EXPECT_NEAR((moving.motion.velocity - Vec3(0, 4, -1)).norm(), 0, 1e-15);
  EXPECT_NEAR((moving.motion.angular_velocity - Vec3(3 * t * t, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((moving.acceleration.linear - Vec3(0, 0, -2)).norm(), 0, 1e-14);
  EXPECT_NEAR((moving.acceleration.angular - Vec3(6 * t, 0, 0)).norm(), 0, 1e-14);
}

// A script that jumps in velocity has two, and the side says which is asked for.
TEST(Prescribed, SidesOfAnInstantDiffer) {
  model::Model model = surroundings();
  body::KeyframeScript script;
  script.interpolation = body::Interpolation::linear;
  script.keyframes = {{0, {Vec3(0, 0, 0), Quat::Identity()}},
                      {1, {Vec3(1, 0, 0), Quat::Identity()}},
                      {2, {Vec3(1, 3, 0), Quat::Identity()}}};
  model.bodies[1].motion = body::Script(script);
  const Scripts scripts = make_scripts(model);
  const auto velocity = [&](motion::Side side) {
    return prescribed_kinematics(model, scripts, 1, 1, side).velocity;
  };
  EXPECT_NEAR((velocity(motion::Side::before) - Vec3(1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((velocity(motion::Side::after) - Vec3(0, 3, 0)).norm(), 0, 1e-15);
}

}  // namespace
}  // namespace abut::integrate
