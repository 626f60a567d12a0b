// What ends smooth motion, at instants that are known.

#include "integrate/path_events.h"

#include <gtest/gtest.h>

#include "integrate/cluster_path.h"
#include "support/models.h"

namespace abut::integrate {
namespace {

constexpr double g = 9.81, radius = 0.5;

/// A ball that rests on a floor, and slides.
struct Resting {
  model::Model model = test::empty_model(10);
  Scripts scripts = Scripts(2);
  Cluster cluster;

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
    cluster.bodies = {1};
    cluster.contacts = {contact};
  }
  void move_floor(const char* height) {
    const auto formula = [](const char* text) {
      return std::get<math::Expression>(math::Expression::parse(text, "t"));
    };
    body::ExpressionScript script;
    script.position = {formula("0"), formula("0"), formula(height)};
    model.bodies[0].motion = body::Script(script);
    scripts[0] = motion::make_script_motion(script);
  }
  ClusterPath path() const {
    return ClusterPath(model, scripts, cluster, start_of(model, cluster), {}, model.duration);
  }
};

TEST(PathEvents, ABallThatSlidesOnGoesOn) {
  const Resting resting(Vec3(2, 1, 0));
  ClusterPath path = resting.path();
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
  resting.cluster.contacts[0].guards = {{0, -Vec3::UnitX(), -1}};  // the floor ends at x = 1
  ClusterPath path = resting.path();
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
  ClusterPath path = resting.path();
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

// A ball that floats is in touch without a force; a floor that comes up pushes it from then on.
TEST(PathEvents, AFloatingBallFollowsAFloorThatComesUp) {
  Resting resting(Vec3::Zero());
  resting.model.gravity = Vec3::Zero();
  resting.move_floor("t^4");
  ClusterPath path = resting.path();
  ode::Workspace workspace;
  path.cover(2, workspace);
  EXPECT_FALSE(path.event());
  const body::RigidState state = path.state_of(1, 2);
  EXPECT_NEAR(state.centre.z() - radius - 16, model::rest_gap(resting.model.solver), 1e-14);
  EXPECT_NEAR(state.velocity.z(), 32, 1e-12);
}

}  // namespace
}  // namespace abut::integrate
