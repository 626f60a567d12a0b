// A ball on a floor: what holds it, what friction does, and what is projected away.

#include "integrate/equations.h"

#include <gtest/gtest.h>

#include "integrate/island_path.h"
#include "support/constants.h"
#include "support/models.h"

namespace abut::integrate {
namespace {

using abut::test::g;
constexpr double ball_radius = 0.5, ball_friction = 0.25;

struct BallOnFloor {
  model::Model model = test::empty_model(10);
  Scripts scripts = Scripts(2);
  Island island;

  explicit BallOnFloor(const Vec3& velocity) {
    model.gravity = Vec3(0, 0, -g);
    model::Body floor;
    floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor.motion = model::Fixed{};
    model.bodies = {floor, test::body_of(shape::Sphere{ball_radius})};
    model.bodies[1].pose.position = Vec3(0, 0, ball_radius + model::rest_gap(model.solver));
    model.bodies[1].velocity = velocity;
    contact::Contact contact;
    contact.bodies = {0, 1};
    contact.point_side = 1;
    contact.rounding_of = {0, ball_radius};
    contact.friction.static_coefficient = contact.friction.dynamic_coefficient = ball_friction;
    contact.first_normal = -Vec3::UnitZ();  // of the force on the floor
    island.bodies = {1};
    island.contacts = {contact};
  }
};

// Friction mu m g slows the slip, and its moment turns the ball; its power is
// dissipated.
TEST(FrictionModes, ABallThatSlidesIsSlowedAgainstItsSlip) {
  const BallOnFloor scene(Vec3(3, 4, 0));
  Equations equations(scene.model, scene.scripts, scene.island);
  const ode::Vector y =
      equations.applied().state_vector(start_of(scene.model, equations.island()).states);
  equations.begin_smooth_motion(0, y, 10);
  EXPECT_TRUE(equations.rows().modes().slides(0));
  ode::Vector rate(y.size());
  equations.derivative(0, y, rate);
  const double mass = equations.applied().mass(0).mass;
  const Vec3 along(0.6, 0.8, 0);
  EXPECT_NEAR((rate.segment<3>(7) + ball_friction * g * along).norm(), 0, 1e-9);
  const Vec3 torque = -ball_radius * Vec3::UnitZ().cross(Vec3(-ball_friction * mass * g * along));
  EXPECT_NEAR((rate.segment<3>(10) - torque).norm(), 0, 1e-6 * mass);
  EXPECT_NEAR(balance_in(rate, 1).rubbed, ball_friction * mass * g * 5, 1e-6 * mass);
}

// A ball that rolls has the spin v / r: nothing slips, and friction is without force.
TEST(FrictionModes, ABallThatRollsSticksWithoutFriction) {
  BallOnFloor scene(Vec3(1, 0, 0));
  scene.model.bodies[1].angular_velocity = Vec3(0, 1 / ball_radius, 0);
  Equations equations(scene.model, scene.scripts, scene.island);
  const ode::Vector y =
      equations.applied().state_vector(start_of(scene.model, equations.island()).states);
  equations.begin_smooth_motion(0, y, 10);
  EXPECT_FALSE(equations.rows().modes().any_slides());
  ode::Vector rate(y.size());
  equations.derivative(0, y, rate);
  EXPECT_NEAR(rate.segment<6>(7).norm(), 0, 1e-9 * equations.applied().mass(0).mass);
}

// The gap comes back to the rest gap, and the approach is taken out; what slips
// goes on.
TEST(Holding, ProjectsTheGapAndItsRate) {
  const BallOnFloor scene(Vec3(1, 0, 0));
  Equations equations(scene.model, scene.scripts, scene.island);
  const ode::Vector before =
      equations.applied().state_vector(start_of(scene.model, equations.island()).states);
  equations.begin_smooth_motion(0, before, 10);
  ode::Vector y = before;
  y[2] -= 1e-11;
  y[9] = -1e-9;
  equations.project(0, before, 1e-3, y);
  EXPECT_NEAR(y[2], ball_radius + model::rest_gap(scene.model.solver), 1e-15);
  EXPECT_NEAR(y[9], 0, 1e-15);
  EXPECT_NEAR(y[7], 1, 1e-8);
  EXPECT_NEAR(equations.holding().rate_removed(), 1e-9, 1e-15);
}

}  // namespace
}  // namespace abut::integrate
