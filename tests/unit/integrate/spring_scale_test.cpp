#include "integrate/spring_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.h"

namespace abut::integrate {
namespace {

model::Model ball_above_floor(double height) {
  model::Model model = test::empty_model(10);
  model.gravity = Vec3(0, 0, -10);
  model::Body floor;
  floor.name = "floor";
  floor.motion = model::Fixed{};
  floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
  floor.bounding_radius = std::numeric_limits<double>::infinity();
  model::Body ball = test::body_of(shape::Sphere{0.1});
  ball.pose.position = Vec3(0, 0, height);
  model.bodies = {floor, ball};
  return model;
}

// The fastest that the ball can fall is stopped at the depth asked for.
TEST(SpringScale, StopsTheFastestFallAtTheDepth) {
  model::Model model = ball_above_floor(1);
  model.penalty.depth = 0.01;
  const SpringScale scale = spring_scale(model, make_scripts(model));
  const double m = model.bodies[1].mass.mass, k = scale.stiffness_of(model, 0, 1);
  const double speed = std::sqrt(2 * 10 * 1.1);
  EXPECT_NEAR(speed * std::sqrt(m / k), 0.01, 1e-12);
}

TEST(SpringScale, TakesTheReducedMass) {
  model::Model model = ball_above_floor(1);
  model.bodies.push_back(model.bodies[1]);
  const SpringScale scale = spring_scale(model, make_scripts(model));
  EXPECT_NEAR(scale.stiffness_of(model, 1, 2), 0.5 * scale.stiffness_of(model, 0, 1),
              1e-12 * scale.stiffness_of(model, 0, 1));
  EXPECT_NEAR(scale.depth, 1e-4, 1e-16);
}

// A short run leaves no time to fall far.
TEST(SpringScale, KnowsHowLongThereIsToFall) {
  model::Model model = ball_above_floor(1000);
  model.duration = 0.1;
  const SpringScale scale = spring_scale(model, make_scripts(model));
  EXPECT_NEAR(scale.square_frequency * scale.depth * scale.depth, 1, 1e-12);
}

TEST(SpringScale, TakesTheStiffnessGiven) {
  model::Model model = ball_above_floor(1);
  model.penalty.stiffness = 123;
  EXPECT_EQ(spring_scale(model, make_scripts(model)).stiffness_of(model, 0, 1), 123);
}

// Without anything that moves, there still is a stiffness.
TEST(SpringScale, IsPositiveAtRest) {
  model::Model model = ball_above_floor(1);
  model.gravity.setZero();
  EXPECT_GT(spring_scale(model, make_scripts(model)).stiffness_of(model, 0, 1), 0);
}

}  // namespace
}  // namespace abut::integrate
