// What ends smooth motion, at instants that are known.

#include "integrate/path_events.h"

#include <gtest/gtest.h>

#include "integrate/island_path.h"
#include "support/constants.h"
#include "support/models.h"

namespace abut::integrate {
namespace {

using abut::test::g;
constexpr double radius = 0.5;

/// Moves body 0 by a formula of t.
void move_up_and_down(model::Model& model, Scripts& scripts, const char* height) {
  const auto formula = [](const char* text) {
    return std::get<math::Expression>(math::Expression::parse(text, "t"));
  };
  body::ExpressionScript script;
  script.position = {formula("0"), formula("0"), formula(height)};
  model.bodies[0].motion = body::Script(script);
  scripts[0] = motion::make_script_motion(script);
}

/// A ball that rests on a floor, and slides.
struct Resting {
  model::Model model = test::empty_model(10);
  Scripts scripts = Scripts(2);
  Island island;

  explicit Resting(const Vec3& velocity) {
    model.gravity = Vec3(0, 0, -g);
    model::Body floor;
    floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor.motion = model::Fixed{};
    model.bodies = {floor, test::body_of(shape::Sphere{radius})};
    model.bodies[1].pose.position = Vec3(0, 0, radius + model::rest_gap(model.solver));
    model.bodies[1].velocity = velocity;
    contact::Contact contact;
    contact.bodies = {0, 1};
    contact.point_side = 1;
    contact.rounding_of = {0, radius};
    island.bodies = {1};
    island.contacts = {contact};
  }
  void move_floor(const char* height) { move_up_and_down(model, scripts, height); }
  IslandPath path() const {
    return IslandPath(model, scripts, island, start_of(model, island), {}, model.duration);
  }
};

TEST(PathEvents, ABallThatSlidesOnGoesOn) {
  const Resting resting(Vec3(2, 1, 0));
  IslandPath path = resting.path();
  ode::Workspace workspace;
  path.cover(10, workspace);
  EXPECT_FALSE(path.event());
  EXPECT_EQ(path.end_time(), 10);
  const body::RigidState state = path.state_of(1, 10);
  EXPECT_NEAR(state.centre.x(), 20, 1e-9);
  EXPECT_NEAR(state.centre.z(), radius + model::rest_gap(resting.model.solver), 1e-15);
  std::vector<BodyState> bodies(2);
  Snapshot snapshot;
  path.take_snapshot(5, motion::Side::after, bodies, snapshot);
  ASSERT_EQ(snapshot.contacts.size(), 1u);
  EXPECT_NEAR(snapshot.contacts[0].normal_force, resting.model.bodies[1].mass.mass * g, 1e-8);
}

TEST(PathEvents, AContactReachesTheEndOfItsFace) {
  Resting resting(Vec3(2, 0, 0));
  resting.island.contacts[0].guards = {{0, -Vec3::UnitX(), -1}};  // the floor ends at x = 1
  IslandPath path = resting.path();
  ode::Workspace workspace;
  path.cover(10, workspace);
  ASSERT_TRUE(path.event());
  EXPECT_EQ(path.event()->kind, PathEventKind::support);
  EXPECT_EQ(path.event()->index, 0);
  // A little later than at the border, so that the search for regions no longer finds it there.
  const double beyond = path.state_of(1, path.event()->time).centre.x() - 1;
  EXPECT_GT(beyond, resting.model.solver.contact_distance);
  EXPECT_LT(beyond, 10 * resting.model.solver.contact_distance);
  EXPECT_EQ(path.end_time(), path.event()->time);
}

// The floor sinks as -t^3: it falls faster than the ball can from 6 t = g on.
TEST(PathEvents, AForceReachesZero) {
  Resting resting(Vec3::Zero());
  resting.move_floor("-t^3");
  IslandPath path = resting.path();
  ode::Workspace workspace;
  path.cover(10, workspace);
  ASSERT_TRUE(path.event());
  EXPECT_EQ(path.event()->kind, PathEventKind::release);
  EXPECT_NEAR(path.event()->time, g / 6, 1e-8);
  // Until then it has followed the floor, and the floor has done work on it.
  const double t = path.event()->time, m = resting.model.bodies[1].mass.mass;
  EXPECT_NEAR(path.state_of(1, t).velocity.z(), -3 * t * t, 1e-9);
  EXPECT_NEAR(path.balance(t).work, 0.5 * m * 9 * std::pow(t, 4) - m * g * t * t * t, 1e-6);
}

// The floor accelerates by c t in a direction that turns with w. A ball that rolls needs 2/7 of
// that from friction, and slips from 2/7 c t = mu g on; the floor then slips where it accelerates
// to at that instant, not where it does a part of a step later.
TEST(PathEvents, SlipBeginsInTheDirectionOfItsInstant) {
  Resting resting(Vec3::Zero());
  const double mu = 0.3, c = 20, w = 20;
  resting.island.contacts[0].friction = {mu, mu};
  resting.island.contacts[0].first_normal = -Vec3::UnitZ();
  const auto formula = [](const char* text) {
    return std::get<math::Expression>(math::Expression::parse(text, "t"));
  };
  body::ExpressionScript script;
  script.position = {formula("20*(-t*cos(20*t)/20^2 + 2*sin(20*t)/20^3 - t/20^2)"),
                     formula("20*(-t*sin(20*t)/20^2 - 2*cos(20*t)/20^3 + 2/20^3)"), formula("0")};
  resting.model.bodies[0].motion = body::Script(script);
  resting.scripts[0] = motion::make_script_motion(script);
  IslandPath path = resting.path();
  ode::Workspace workspace;
  path.cover(10, workspace);
  ASSERT_TRUE(path.event());
  EXPECT_EQ(path.event()->kind, PathEventKind::slip);
  const double t = path.event()->time;
  EXPECT_NEAR(t, 3.5 * mu * g / c, 1e-8);
  ASSERT_EQ(path.event()->changes.slipping.size(), 1u);
  const Vec3 along = path.event()->changes.slipping[0].second;
  EXPECT_LT((along - Vec3(std::cos(w * t), std::sin(w * t), 0)).norm(), 1e-4);
}

// A ball that floats is in touch without a force; a floor that comes up pushes it from then on.
TEST(PathEvents, AFloatingBallFollowsAFloorThatComesUp) {
  Resting resting(Vec3::Zero());
  resting.model.gravity = Vec3::Zero();
  resting.move_floor("t^4");
  IslandPath path = resting.path();
  ode::Workspace workspace;
  path.cover(2, workspace);
  EXPECT_FALSE(path.event());
  const body::RigidState state = path.state_of(1, 2);
  EXPECT_NEAR(state.centre.z() - radius - 16, model::rest_gap(resting.model.solver), 1e-14);
  EXPECT_NEAR(state.velocity.z(), 32, 1e-12);
}

// The gap grows as t^4 until the contact no longer counts as one: half the tolerance of 0.1 rest
// gaps beyond the distance of contact.
TEST(PathEvents, AFloatingBallIsLeftByAFloorThatSinks) {
  Resting resting(Vec3::Zero());
  resting.model.gravity = Vec3::Zero();
  resting.move_floor("-t^4");
  IslandPath path = resting.path();
  ode::Workspace workspace;
  path.cover(2, workspace);
  ASSERT_TRUE(path.event());
  EXPECT_EQ(path.event()->kind, PathEventKind::shift);
  EXPECT_EQ(path.event()->index, 0);
  const double rest_gap = model::rest_gap(resting.model.solver);
  const double opened = resting.model.solver.contact_distance - 0.95 * rest_gap;
  EXPECT_NEAR(path.event()->time, std::pow(opened, 0.25), 1e-6);
}

/// A ball on a vertical slide that a platform carries.
struct OnSlide {
  model::Model model = test::empty_model(10);
  Scripts scripts = Scripts(2);
  Island island;

  OnSlide() {
    model.gravity = Vec3(0, 0, -g);
    model::Body platform;
    platform.motion = model::Fixed{};
    model.bodies = {platform, test::body_of(shape::Sphere{radius})};
    joint::Joint slide;
    slide.type = joint::Type::prismatic;
    slide.bodies = {0, 1};
    model.joints = {slide};
    island.bodies = {1};
    island.joints = {0};
  }
  joint::Joint& joint() { return model.joints[0]; }
  double mass() const { return model.bodies[1].mass.mass; }
  std::optional<PathEvent> event() const {
    IslandPath path(model, scripts, island, start_of(model, island), {}, model.duration);
    ode::Workspace workspace;
    path.cover(model.duration, workspace);
    return path.event();
  }
};

TEST(PathEvents, AJointMeetsTheLimitThatItFallsTo) {
  OnSlide scene;
  scene.joint().limits = {-2, 1};
  const auto lower = scene.event();
  ASSERT_TRUE(lower);
  EXPECT_EQ(lower->kind, PathEventKind::limit);
  EXPECT_EQ(lower->index, 0);
  EXPECT_FALSE(lower->is_upper);
  EXPECT_NEAR(lower->time, std::sqrt(2 * 2 / g), 1e-10);

  scene.model.gravity = Vec3(0, 0, 2);
  const auto upper = scene.event();
  ASSERT_TRUE(upper);
  EXPECT_EQ(upper->kind, PathEventKind::limit);
  EXPECT_TRUE(upper->is_upper);
  EXPECT_NEAR(upper->time, 1, 1e-10);
}

TEST(PathEvents, ALimitOnTheWayUpAndDownIsMetOnceOnly) {
  OnSlide scene;
  scene.model.bodies[1].velocity = Vec3(0, 0, 3);
  const double apex = 9 / (2 * g);
  scene.joint().limits = {-100, apex + 1e-6};  // just not reached
  const auto lower = scene.event();
  ASSERT_TRUE(lower);
  EXPECT_FALSE(lower->is_upper);
  scene.joint().limits = {-100, apex - 1e-3};
  const auto upper = scene.event();
  ASSERT_TRUE(upper);
  EXPECT_TRUE(upper->is_upper);
  EXPECT_NEAR(upper->time, (3 - std::sqrt(2 * g * 1e-3)) / g, 1e-10);
}

// A limit that is met already does not end the motion again.
TEST(PathEvents, ALimitThatHoldsIsNotMetAgain) {
  OnSlide scene;
  scene.joint().limits = {0, 1};
  scene.island.limits = {{0, false}};
  EXPECT_FALSE(scene.event());
}

// The platform rises as t^3, and takes m (g + 6 t) to lift the ball.
TEST(PathEvents, AMotorReachesTheForceItHas) {
  OnSlide scene;
  move_up_and_down(scene.model, scene.scripts, "t^3");
  scene.joint().motor = joint::Motor{0, scene.mass() * (g + 6)};
  scene.island.motors = {{0, impulse::Drive::keeps}};
  const auto event = scene.event();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, PathEventKind::shift);
  EXPECT_EQ(event->index, 0);  // the motor's row
  EXPECT_NEAR(event->time, 1, 1e-8);
}

// It accelerates the ball by what gravity leaves of its force, up to its speed.
TEST(PathEvents, AMotorThatPushesReachesItsSpeed) {
  OnSlide scene;
  scene.joint().motor = joint::Motor{3, scene.mass() * (g + 2)};
  scene.island.motors = {{0, impulse::Drive::pushes_forward}};
  const auto event = scene.event();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, PathEventKind::shift);
  EXPECT_EQ(event->index, 0);  // the joint
  EXPECT_NEAR(event->time, 1.5, 1e-8);
}

TEST(PathEvents, AJointBreaksUnderTheForceItCanBear) {
  OnSlide scene;
  move_up_and_down(scene.model, scene.scripts, "t^3");
  scene.joint().type = joint::Type::weld;
  EXPECT_FALSE(scene.event());
  scene.joint().break_force = scene.mass() * (g + 3);
  const auto event = scene.event();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, PathEventKind::breaks);
  EXPECT_EQ(event->index, 0);
  EXPECT_NEAR(event->time, 0.5, 1e-7);
}

// Its weight acts on an arm of 2 m.
TEST(PathEvents, AJointBreaksUnderTheTorqueItCanBear) {
  OnSlide scene;
  move_up_and_down(scene.model, scene.scripts, "t^3");
  scene.joint().type = joint::Type::weld;
  scene.joint().frames[1].position = Vec3(-2, 0, 0);
  scene.model.bodies[1].pose.position = Vec3(2, 0, 0);
  scene.joint().break_torque = 2 * scene.mass() * (g + 3);
  const auto event = scene.event();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, PathEventKind::breaks);
  EXPECT_NEAR(event->time, 0.5, 1e-7);
}

}  // namespace
}  // namespace abut::integrate
