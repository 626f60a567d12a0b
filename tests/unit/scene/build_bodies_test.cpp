// Bodies: pose, mass, colour, grids.
#include <gtest/gtest.h>

#include <cmath>

#include "support/constants.h"
#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::Mat3;
using abut::Quat;
using abut::Vec3;

namespace {

using abut::test::pi;

double difference(const Quat& a, const Quat& b) {
  return (a.coeffs() - b.coeffs()).norm();
}

}  // namespace

TEST(BuildBodies, PoseAndVelocity) {
  const auto b = body(ball +
                      "    position: [1, 2 cm, -3]\n    velocity: [1, 2, 36 km/h]\n"
                      "    angular_velocity: [0, 180 deg/s, 60 rpm]\n");
  EXPECT_EQ(b.pose.position, Vec3(1, 0.02, -3));
  EXPECT_EQ(b.velocity, Vec3(1, 2, 10));
  EXPECT_EQ(b.angular_velocity.y(), pi);
  EXPECT_DOUBLE_EQ(b.angular_velocity.z(), 2 * pi);
  EXPECT_TRUE(b.is_dynamic());
}

TEST(BuildBodies, OrientationForms) {
  const double h = std::sqrt(0.5);
  const Quat quarter(h, 0, 0, h);  // 90 degrees about z
  EXPECT_LT(difference(body(ball + "    orientation: [2, 0, 0, 2]\n").pose.orientation, quarter),
            1e-15);
  EXPECT_LT(difference(
                body(ball + "    orientation: {axis: [0, 0, 7], angle: 90 deg}\n").pose.orientation,
                quarter),
            1e-15);
  EXPECT_LT(
      difference(body(ball + "    orientation: {euler: [0, 0, pi/2]}\n").pose.orientation, quarter),
      1e-15);
  // Fixed axes: roll about x first, then pitch about y, then yaw about z. Roll 90 takes y to z,
  // which yaw leaves; x is turned by yaw alone to y.
  const Quat both = body(ball + "    orientation: {euler: [90 deg, 0, 90 deg]}\n").pose.orientation;
  EXPECT_LT((both * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((both * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  // Pitch about y takes x to -z, before yaw.
  const Quat pitch =
      body(ball + "    orientation: {euler: [0, 90 deg, 90 deg]}\n").pose.orientation;
  EXPECT_LT((pitch * Vec3::UnitX() + Vec3::UnitZ()).norm(), 1e-15);
}

TEST(BuildBodies, OrientationMistakes) {
  EXPECT_TRUE(
      one_error(body_errors(ball + "    orientation: [0, 0, 0, 0]\n"), "6:18", "no rotation"));
  EXPECT_TRUE(one_error(body_errors(ball + "    orientation: {axis: [0, 0, 0], angle: 1}\n"),
                        "6:25", "must have a direction"));
  EXPECT_TRUE(one_error(body_errors(ball + "    orientation: {axis: [0, 0, 1]}\n"), "6:18",
                        "needs the key `angle`"));
  EXPECT_TRUE(one_error(body_errors(ball + "    orientation: 90 deg\n"), "6:18", "{euler:"));
  EXPECT_TRUE(one_error(body_errors(ball + "    orientation: [1, 0, 0]\n"), "6:18", "3 entries"));
  EXPECT_TRUE(one_error(body_errors(ball + "    orientation: {euler: [0, 0, 1 m]}\n"), "6:33",
                        "an angle (rad)"));
}

TEST(BuildBodies, MassFromShapeDensityAndMaterial) {
  const double volume = 4.0 / 3 * pi * 0.125;
  EXPECT_DOUBLE_EQ(body(ball).mass.mass, 1000 * volume);
  EXPECT_DOUBLE_EQ(body(ball + "    density: 2 g/cm^3\n").mass.mass, 2000 * volume);
  EXPECT_DOUBLE_EQ(body(ball + "    material: {density: 500}\n").mass.mass, 500 * volume);
  EXPECT_DOUBLE_EQ(body(ball + "    material: {density: 500}\n    density: 700\n").mass.mass,
                   700 * volume);
  const auto heavy = body(ball + "    mass: 3 kg\n");
  EXPECT_EQ(heavy.mass.mass, 3);
  EXPECT_DOUBLE_EQ(heavy.mass.inertia(0, 0), 0.4 * 3 * 0.25);
  EXPECT_DOUBLE_EQ(heavy.parts[0].density, 3 / volume);
  EXPECT_DOUBLE_EQ(heavy.mass.volume, volume);
}

TEST(BuildBodies, InertiaAndCentreOverride) {
  const auto b = body(ball + "    com: [0.1, 0, 0]\n    inertia: [2, 3, 4, 0.1, 0.2, 0.3]\n");
  Mat3 expected;
  expected << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4;
  EXPECT_EQ(b.mass.inertia, expected);
  EXPECT_EQ(b.mass.central.position, Vec3(0.1, 0, 0));
  // The farthest point of the ball from the shifted centre of mass.
  EXPECT_NEAR(b.bounding_radius, 0.6, 1e-12);
}

TEST(BuildBodies, ImpossibleMasses) {
  EXPECT_TRUE(
      one_error(body_errors(ball + "    mass: 1\n    density: 2\n"), "7:14", "both `mass`"));
  EXPECT_TRUE(one_error(body_errors(ball + "    mass: 0\n"), "6:11", "positive"));
  EXPECT_TRUE(one_error(body_errors(ball + "    density: -1\n"), "6:14", "positive"));
  EXPECT_TRUE(one_error(body_errors(ball + "    inertia: [1, 1, 3, 0, 0, 0]\n"), "6:14",
                        "triangle inequality"));
  EXPECT_TRUE(one_error(body_errors(ball + "    inertia: [1, 1, -1, 0, 0, 0]\n"), "6:14",
                        "not positive definite"));
  EXPECT_TRUE(one_error(body_errors(ball + "    inertia: [1, 1, 1, 2, 0, 0]\n"), "6:14",
                        "not positive definite"));
  EXPECT_TRUE(one_error(body_errors(ball + "    inertia: [1, 1, 1]\n"), "6:14", "3 entries"));
  // A flat body is at the limit, which is legal.
  EXPECT_TRUE(body_errors(ball + "    inertia: [1, 1, 2, 0, 0, 0]\n").empty());
}

TEST(BuildBodies, Colors) {
  const auto hex = *body(ball + "    color: \"#ff8000\"\n").color;
  EXPECT_EQ(hex.red, 1);
  EXPECT_DOUBLE_EQ(hex.green, 128 / 255.0);
  EXPECT_EQ(hex.blue, 0);
  EXPECT_EQ(body(ball + "    color: [0.25, 0.5, 1]\n").color->green, 0.5);
  EXPECT_EQ(body(ball + "    color: lime\n").color->green, 1);
  EXPECT_FALSE(body(ball).color);
  EXPECT_TRUE(one_error(body_errors(ball + "    color: rde\n"), "6:12", "did you mean `red`?"));
  EXPECT_TRUE(one_error(body_errors(ball + "    color: [1, 2, 0]\n"), "6:16", "between 0 and 1"));
  EXPECT_TRUE(one_error(body_errors(ball + "    color: \"#12345g\"\n"), "6:12", "#rrggbb"));
}

TEST(BuildBodies, FixedBodiesHaveNoVelocity) {
  EXPECT_FALSE(body(ball + "    motion: fixed\n").is_dynamic());
  EXPECT_TRUE(body(ball + "    motion: dynamic\n").is_dynamic());
  EXPECT_TRUE(one_error(body_errors(ball + "    motion: fixed\n    velocity: [1, 0, 0]\n"), "7:15",
                        "the body is fixed"));
  EXPECT_TRUE(one_error(body_errors(ball + "    motion: {rotation: {axis: [0, 0, 1], angle: t}}\n"
                                           "    angular_velocity: [1, 0, 0]\n"),
                        "7:23", "follows a script"));
}

TEST(BuildBodies, Grids) {
  const auto model = load(with_body(
      ball + "    position: [10, 0, 0]\n    repeat: {count: [2, 1, 3], spacing: [1.5, 1, 2]}\n"));
  ASSERT_EQ(model.bodies.size(), 6u);
  EXPECT_EQ(model.bodies[0].name, "b[0,0,0]");
  EXPECT_EQ(model.bodies[5].name, "b[1,0,2]");
  EXPECT_EQ(model.bodies[5].pose.position, Vec3(11.5, 0, 4));
}

TEST(BuildBodies, GridsShareTheirMeshes) {
  const auto model =
      load(with_body("    shape: {convex: {points: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}\n"
                     "    repeat: {count: [2, 1, 1], spacing: [2, 0, 0]}\n"));
  ASSERT_EQ(model.bodies.size(), 2u);
  const auto hull = [&](std::size_t i) {
    return std::get<abut::shape::Convex>(model.bodies[i].parts[0].geometry).hull;
  };
  EXPECT_EQ(hull(0), hull(1));
}

TEST(BuildBodies, GridMistakes) {
  const auto grid = [](const std::string& repeat) {
    return body_errors(ball + "    repeat: " + repeat + "\n");
  };
  EXPECT_TRUE(one_error(grid("{count: [0, 1, 1], spacing: [1, 1, 1]}"), "6:22", "between 1"));
  EXPECT_TRUE(one_error(grid("{count: [1.5, 1, 1], spacing: [1, 1, 1]}"), "6:22", "whole number"));
  EXPECT_TRUE(
      one_error(grid("{count: [1000, 1000, 2], spacing: [1, 1, 1]}"), "6:13", "1e+06 bodies"));
  EXPECT_TRUE(one_error(grid("{count: [1, 1, 1]}"), "6:13", "needs the key `spacing`"));
  EXPECT_TRUE(
      one_error(errors(with_body(ball + "    repeat: {count: [2, 1, 1], spacing: [1, 1, 1]}\n") +
                       "no_collide: [[b, \"b[0,0,0]\"]]\n"),
                "7:15", "is a grid"));
}

TEST(BuildBodies, GridsOfScriptedBodies) {
  const auto model = load(with_body(ball + "    motion: {rotation: {axis: [0, 0, 1], angle: t}}\n"
                                           "    repeat: {count: [2, 1, 1], spacing: [3, 0, 0]}\n"));
  ASSERT_EQ(model.bodies.size(), 2u);
  const auto& script = std::get<abut::body::ExpressionScript>(*model.bodies[1].script());
  EXPECT_EQ(script.position[0].value(0.5), 3);
  EXPECT_TRUE(one_error(body_errors(ball + "    motion: {position: [t, '0', '0']}\n"
                                           "    repeat: {count: [2, 1, 1], spacing: [3, 0, 0]}\n"),
                        "7:13", "one place"));
}
