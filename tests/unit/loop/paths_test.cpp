// Which path each body is on, and what the paths carry over when bodies meet.

#include "loop/paths.h"

#include "support/models.h"

namespace abut::loop {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Three balls side by side, the first two tied by a spring, and a fixed one between them.
struct PathBalls {
  model::Model model = test::empty_model(10);
  integrate::Scripts scripts;
  base::ThreadPool pool{1};

  PathBalls() {
    model.gravity = Vec3(0, 0, -10);
    model.bodies.assign(4, test::body_of(shape::Sphere{0.1}));
    for (int i = 0; i < 4; ++i) model.bodies[i].pose.position = Vec3(i, 0, 0);
    model.bodies[1].motion = model::Fixed{};
    model.bodies[3].velocity = Vec3(0, 5, 0);
    model.forces = {
        model::Spring{{model::Anchor{0, Vec3::Zero()}, model::Anchor{2, Vec3::Zero()}}, 2, 100, 0}};
    scripts = integrate::make_scripts(model);
  }
};

/// The bodies go on as they are, each on its own.
Outcome unchanged(const ContactEvent& contact_event) {
  Outcome outcome;
  outcome.states = contact_event.states;
  return outcome;
}

TEST(Paths, EveryDynamicBodyIsOnOnePath) {
  PathBalls balls;
  Paths paths(balls.model, balls.scripts);
  paths.begin();
  EXPECT_EQ(paths.size(), 2u);
  EXPECT_FALSE(paths.is_moving(1) || paths.is_moving(world));
  EXPECT_TRUE(paths.is_moving(0) && paths.is_moving(2) && paths.is_moving(3));
  EXPECT_EQ(&paths.of(0), &paths.of(2));
  EXPECT_NE(&paths.of(0), &paths.of(3));
  EXPECT_EQ(paths.of(std::vector<BodyIndex>{3, 2, 0}).size(), 2u);
  EXPECT_EQ(paths.of(std::vector<BodyIndex>{3, 2, 0}).front(), &paths.of(0));
}

TEST(Paths, MotionsAreThoseOfPathsScriptsAndTheWorld) {
  PathBalls balls;
  Paths paths(balls.model, balls.scripts);
  paths.begin();
  paths.cover_all(0, 0.5, balls.pool);
  EXPECT_NEAR((paths.motion_of(3, 0.5).pose.position - Vec3(3, 2.5, -1.25)).norm(), 0, 1e-12);
  EXPECT_NEAR((paths.motion_of(3, 0.5).velocity - Vec3(0, 5, -5)).norm(), 0, 1e-12);
  EXPECT_EQ(paths.motion_of(1, 0.5).pose.position, Vec3(1, 0, 0));
  EXPECT_EQ(paths.motion_of(world, 0.5).pose.position, Vec3::Zero());
}

// What is unused is used again, the lowest number first, and no book is lost.
TEST(Paths, BodiesThatMeetGoOnOnNewPathsWithTheBooksOfTheOldOnes) {
  PathBalls balls;
  Paths paths(balls.model, balls.scripts);
  paths.begin();
  paths.cover_all(0, 1, balls.pool);
  integrate::Balance before;
  for (integrate::IslandPath* path : paths.of({0, 3})) before += path->balance(1);
  const long steps = paths.statistics().accepted;
  ContactEvent contact_event;
  contact_event.time = 1;
  contact_event.bodies = {0, 2, 3};
  for (const BodyIndex body : contact_event.bodies)
    contact_event.states.push_back(paths.state_of(body, 1));
  Outcome outcome = unchanged(contact_event);
  outcome.energy_lost = 7;
  const Vec3 kick(1, 2, 3);
  outcome.states[2].velocity += kick;
  EXPECT_EQ(paths.replace(contact_event, outcome), (std::vector<int>{0, 1}));
  EXPECT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths.statistics().accepted, steps);
  integrate::Balance after;
  for (integrate::IslandPath* path : paths.of({0, 3})) after += path->balance(1);
  EXPECT_NEAR(after.dissipated, before.dissipated + 7, 1e-12);
  const double mass = balls.model.bodies[3].mass.mass;
  EXPECT_NEAR((after.impulse - before.impulse - mass * kick).norm(), 0, 1e-12 * mass);
  paths.cover({1}, 2);
  EXPECT_NEAR((paths.motion_of(3, 2).velocity - Vec3(1, 7, -17)).norm(), 0, 1e-12);
}

// A joint that holds less than the weight on it breaks at once; others go on.
TEST(Paths, EventsOfPathsAreFoundInTheOrderOfTime) {
  PathBalls balls;
  balls.model.bodies[3].velocity = Vec3::Zero();
  balls.model.joints.resize(1);
  joint::Joint& joint = balls.model.joints[0];
  joint.type = joint::Type::ball;
  joint.bodies = {world, 3};
  joint.frames[0].position = Vec3(3, 0, 0);
  joint.break_force = 1;
  Paths paths(balls.model, balls.scripts);
  EXPECT_EQ(paths.next_event_time(), infinity);
  paths.begin();
  paths.cover_all(0, 1, balls.pool);
  EXPECT_EQ(paths.next_event_time(), 0);
  ASSERT_EQ(paths.ended_by(0).size(), 1u);
  EXPECT_EQ(paths.at(paths.ended_by(0)[0]), &paths.of(3));
  EXPECT_EQ(paths.tied_to(world), (std::vector<BodyIndex>{3}));
  EXPECT_TRUE(paths.tied_to(1).empty());
}

}  // namespace
}  // namespace abut::loop
