#include "integrate/island_path.h"

#include "abut/diagnostics.h"
#include "math/rotation.h"
#include "support/models.h"

namespace abut::integrate {
namespace {

model::Model thrown_box() {
  model::Model model = test::empty_model(3);
  model.gravity = Vec3(0, 0, -9.81);
  model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 2, 3)}));
  model.bodies[0].velocity = Vec3(1, 2, 3);
  model.bodies[0].angular_velocity = Vec3(1, 4, -2);
  return model;
}

IslandPath path_of(const model::Model& model, std::vector<double> switches = {}) {
  static const Scripts no_scripts(1);
  const Island island = find_islands(model).front();
  return IslandPath(model, no_scripts, island, start_of(model, island), std::move(switches),
                    model.duration);
}

// The pose that collision detection sees and the state that is recorded are one motion.
TEST(IslandPath, BodyPathAgreesWithRecordedStates) {
  const model::Model model = thrown_box();
  IslandPath path = path_of(model);
  ode::Workspace workspace;
  std::vector<BodyState> states(1);
  Snapshot snapshot;
  for (double t = 0.05; t < 3; t += 0.1) {
    path.cover(t, workspace);
    path.take_snapshot(t, motion::Side::after, states, snapshot);
    const motion::Kinematics k = path.body_path(0, path.step_count() - 1).kinematics(t);
    EXPECT_NEAR((k.pose.position - states[0].centre_of_mass).norm(), 0, 1e-13);
    EXPECT_NEAR(math::angle_between(k.pose.orientation, states[0].orientation), 0, 1e-13);
    EXPECT_NEAR((k.velocity - states[0].velocity).norm(), 0, 1e-8);
    EXPECT_NEAR((k.angular_velocity - states[0].angular_velocity).norm(), 0, 1e-7);
  }
}

// A contact's normal is as long as the attitude is, and so must be told of any time alike.
TEST(IslandPath, AttitudesAreOfUnitLengthWithinStepsToo) {
  const model::Model model = thrown_box();
  IslandPath path = path_of(model);
  ode::Workspace workspace;
  path.cover(3, workspace);
  for (double t = 0.05; t < 3; t += 0.1)
    EXPECT_NEAR(path.state_of(0, t).attitude.norm(), 1, 4 * epsilon) << t;
}

// In flight the energies that are told without the state are those of the state.
TEST(IslandPath, EnergiesInFlightFollowFromWhereItBegan) {
  const model::Model model = thrown_box();
  IslandPath path = path_of(model);
  ode::Workspace workspace;
  std::vector<BodyState> states(1);
  Snapshot snapshot;
  path.cover(3, workspace);
  for (double t = 0.05; t < 3; t += 0.1) {
    path.take_snapshot(t, motion::Side::after, states, snapshot);
    const Energy told = path.energy(t, motion::Side::after);
    EXPECT_NEAR(told.kinetic, snapshot.energy.kinetic, 1e-8 * snapshot.energy.kinetic);
    EXPECT_NEAR(told.potential, snapshot.energy.potential, 1e-8 * snapshot.energy.kinetic);
    EXPECT_EQ(told.elastic, 0);
    EXPECT_EQ(told.work, snapshot.energy.work);
  }
}

// Of a body at rest all is told by what was told of it once, up to where something acts on it
// again.
TEST(IslandPath, AtRestEveryTimeIsLikeTheFirst) {
  model::Model model = thrown_box();
  ode::Workspace workspace;
  IslandPath flight = path_of(model);
  flight.cover(3, workspace);
  EXPECT_FALSE(flight.rests(0.5, 0.6));

  model.gravity.setZero();
  model.bodies[0].velocity.setZero();
  model.bodies[0].angular_velocity.setZero();
  IslandPath rest = path_of(model, {1.0, 2.0});
  rest.cover(3, workspace);
  EXPECT_TRUE(rest.rests(1.25, 1.75));
  EXPECT_FALSE(rest.rests(0.75, 1.75));
  std::vector<BodyState> first(1), later(1);
  Snapshot snapshot;
  rest.take_snapshot(1.25, motion::Side::after, first, snapshot);
  rest.take_snapshot(1.75, motion::Side::after, later, snapshot);
  EXPECT_LT((first[0].position - later[0].position).norm(), 1e-15);
  EXPECT_LT(math::angle_between(first[0].orientation, later[0].orientation), 1e-15);
  EXPECT_EQ(later[0].velocity, Vec3::Zero());
  EXPECT_EQ(snapshot.balance.impulse, Vec3::Zero());
}

// Drag so strong that thousands of steps are needed for very little time: no more are kept than may
// be, and the motion goes on once some are forgotten.
TEST(IslandPath, KeepsABoundedNumberOfSteps) {
  model::Model model = thrown_box();
  model.solver.clock = model::Clock::event;  // it would be stepped
  model.forces.emplace_back(model::Drag{0, 1e9 * model.bodies[0].mass.mass});
  IslandPath path = path_of(model);
  ode::Workspace workspace;
  path.cover(1e-4, workspace);
  EXPECT_TRUE(path.is_full());
  const double reached = path.end_time();
  EXPECT_LT(reached, 1e-4);
  const int kept = path.step_count();
  path.cover(1e-4, workspace);
  EXPECT_EQ(path.end_time(), reached);
  path.forget_before(reached);
  path.cover(1e-4, workspace);
  EXPECT_GT(path.end_time(), reached);
  EXPECT_LE(path.step_count(), kept);
}

TEST(IslandPath, StopsAtSwitches) {
  const model::Model model = thrown_box();
  IslandPath path = path_of(model, {0.123, 1.7});
  ode::Workspace workspace;
  path.cover(0.123, workspace);
  EXPECT_EQ(path.end_time(), 0.123);
  path.cover(1.69999, workspace);
  EXPECT_LE(path.end_time(), 1.7);
  path.cover(3, workspace);
  EXPECT_EQ(path.end_time(), 3);
}

TEST(IslandPath, FailureNamesTimeBodiesCauseAndRemedy) {
  model::Model model = thrown_box();
  model.bodies[0].name = "crate";
  model.bodies[0].velocity = Vec3(-1, 0, 0);
  model.bodies[0].angular_velocity = Vec3::Zero();
  model.bodies[0].pose.position = Vec3(1, 0, 0);
  model.gravity = Vec3::Zero();
  model.forces = {model::Drag{0, 1e308, 1e308, 0, Vec3::Zero()}};
  IslandPath path = path_of(model);
  ode::Workspace workspace;
  path.cover(3, workspace);
  ASSERT_TRUE(path.event());
  EXPECT_EQ(path.event()->kind, PathEventKind::fails);
  EXPECT_EQ(path.event()->time, 0);
  EXPECT_NE(path.failure().find("crate"), std::string::npos) << path.failure();
  EXPECT_NE(path.failure().find("not finite"), std::string::npos) << path.failure();
}

}  // namespace
}  // namespace abut::integrate
