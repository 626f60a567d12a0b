// The touches of a run, and the smallest gap it promises.

#include "loop/detection.h"

#include "abut/diagnostics.h"
#include "loop/run.h"
#include "support/models.h"
#include "support/random_hulls.h"
#include "support/seeds.h"

namespace abut::loop {
namespace {

model::Body floor() {
  model::Body body;
  body.name = "floor";
  body.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
  body.motion = model::Fixed{};
  body.bounding_radius = std::numeric_limits<double>::infinity();
  return body;
}

model::Body ball(double radius, const Vec3& at, const Vec3& velocity = Vec3::Zero()) {
  model::Body body = test::body_of(shape::Sphere{radius});
  body.name = "ball";
  body.pose.position = at;
  body.velocity = velocity;
  return body;
}

TEST(Detection, TheFirstTouchIsMetOnTimeAndNothingOverlaps) {
  model::Model model = test::empty_model(3);
  model.gravity = Vec3(0, 0, -9.81);
  model.bodies = {floor(), ball(0.5, Vec3(0, 0, 1.5))};
  test::KeepingSink sink;
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
  ASSERT_EQ(sink.events.size(), 1u);
  const Event& hit = sink.events[0];
  EXPECT_EQ(hit.kind, EventKind::impact);
  EXPECT_NEAR(hit.time, std::sqrt(2 / 9.81), 1e-9);
  EXPECT_NEAR(hit.point.norm(), 0, 1e-9);
  EXPECT_NEAR((hit.normal + Vec3::UnitZ()).norm(), 0, 1e-12);  // from the ball to the floor
  ASSERT_EQ(sink.summaries.size(), 1u);
  EXPECT_GT(sink.summaries[0].min_gap, 0);
  for (const auto& frame : sink.frames) EXPECT_GT(frame.bodies[1].position.z(), 0.5);
  const double rest_gap = model::rest_gap(model.solver);
  EXPECT_NEAR(sink.last(1).position.z(), 0.5 + rest_gap, 1e-3 * rest_gap);
  EXPECT_NEAR(sink.last(1).velocity.norm(), 0, 1e-12);
}

TEST(Detection, AFastBallDoesNotTunnelHoweverSeldomItIsRecorded) {
  model::Model model = test::empty_model(1);
  model.record.rate = 1;
  model::Body plate = test::body_of(shape::Box{Vec3(1, 1, 0.01)});
  plate.name = "plate";
  plate.motion = model::Fixed{};
  model.bodies = {plate, ball(0.01, Vec3(0.2, 0.1, 100), Vec3(0, 0, -500))};
  test::KeepingSink sink;
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
  ASSERT_EQ(sink.events.size(), 1u);
  EXPECT_EQ(sink.events[0].kind, EventKind::impact);
  EXPECT_NEAR(sink.events[0].time, (100 - 0.015) / 500, 1e-10);
  EXPECT_GT(sink.last(1).position.z(), 0.015);
}

TEST(Detection, BodiesThatShallNotCollideDoNot) {
  model::Model model = test::empty_model(1);
  model.bodies = {ball(0.5, Vec3::Zero()), ball(0.5, Vec3(2, 0, 0), Vec3(-4, 0, 0))};
  model.bodies[1].name = "other";
  model.no_collide = {{1, 0}};
  test::KeepingSink sink;
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
}

// min_gap is a bound over continuous time: dense samples in between never fall below it, and it is
// not far below the smallest of them.
TEST(Detection, MinGapBoundsTheGapBetweenSamplesToo) {
  model::Model model = test::empty_model(2);
  model.record.rate = 2;  // the closest approach falls between samples
  model.bodies = {test::body_of(shape::Box{Vec3(1, 2, 3)}), test::body_of(shape::Capsule{0.3, 1})};
  model.bodies[0].angular_velocity = Vec3(1, 3, -2);
  model.bodies[1].name = "capsule";
  model.bodies[1].pose.position = Vec3(-3, 2.6, 0.2);
  model.bodies[1].velocity = Vec3(3.1, 0, 0);
  model.bodies[1].angular_velocity = Vec3(0, 2, 4);
  test::KeepingSink sink;
  const double bound = run(model, sink, {}).min_gap;

  model.record.rate = 2000;
  test::KeepingSink dense;
  run(model, dense, {});
  narrow::PairQuery query(model.bodies[0], model.bodies[1]);
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& frame : dense.frames) {
    const auto pose = [&](int i) {
      return Pose{frame.bodies[i].position, frame.bodies[i].orientation};
    };
    smallest = std::min(smallest, query.separation(pose(0), pose(1)).gap);
  }
  EXPECT_GT(bound, 0);
  EXPECT_LE(bound, smallest);
  EXPECT_GT(bound, 0.2 * smallest);
}

/// Spheres, capsules, boxes, hulls and unions.
model::Body any_body(test::Random& random) {
  const auto size = [&] { return test::uniform(random, 0.2, 0.6); };
  switch (random() % 5) {
    case 0:
      return test::body_of(shape::Sphere{size()});
    case 1:
      return test::body_of(shape::Capsule{0.5 * size(), 2 * size()});
    case 2:
      return test::body_of(shape::Box{2 * Vec3(size(), size(), size())});
    case 3:
      return test::body_of(shape::Convex{std::make_shared<const geometry::PolygonMesh>(
          test::round_hull(random, 30, Vec3(size(), size(), size())))});
    default:
      break;
  }
  model::Body body = test::body_of(shape::Sphere{size()});
  body.parts = {{shape::Sphere{0.5 * size()}, {Vec3(0.5, 0, 0), Quat::Identity()}, 1000, 0},
                {shape::Box{Vec3(1, 0.2, 0.3)}, {}, 1000, 0},
                {shape::Capsule{0.1, 1}, {Vec3(-0.4, 0, 0), Quat::Identity()}, 1000, 0}};
  body.mass = body::mass_from(shape::moments_of(body.parts));
  body.bounding_radius = shape::bounding_radius(body.parts, body.mass.central.position);
  return body;
}

// The same for all kinds of bodies that fly past each other, and for those that hit and bounce.
TEST(Detection, MinGapBoundsTheGapOfAllKindsOfBodies) {
  // A gap is known to about 1e-13 of how far the bodies reach and are apart (m).
  constexpr double rounding = 4e-13;
  // A run that is recorded more often finds its touches elsewhere in the band of a touch.
  const double band = (model::touch_upper_fraction - model::touch_lower_fraction) *
                      model::SolverSettings{}.contact_distance;
  test::Random random(test::seed(17));
  int passed = 0, hit = 0;
  for (int round = 0; round < test::cases(12); ++round) {
    model::Model model = test::empty_model(1.2);
    model.record.rate = 2;
    model.materials.front().restitution = 0.5;
    model.bodies = {any_body(random), any_body(random)};
    for (model::Body& body : model.bodies) {
      body.angular_velocity = 4 * test::random_direction(random);
      body.pose.orientation = test::random_rotation(random);
    }
    model.bodies[1].name = "other";
    model.bodies[1].pose.position = Vec3(-2.5, test::uniform(random, 0.2, 1.6), 0);
    model.bodies[1].velocity = Vec3(4, 0, 0);
    test::KeepingSink sink;
    const Summary summary = run(model, sink, {});
    ASSERT_EQ(summary.status, RunStatus::complete);
    EXPECT_EQ(summary.limits_met, 0);

    model.record.rate = 1000;
    test::KeepingSink dense;
    const double dense_bound = run(model, dense, {}).min_gap;
    narrow::PairQuery query(model.bodies[0], model.bodies[1]);
    double smallest = std::numeric_limits<double>::infinity();
    for (const auto& frame : dense.frames) {
      const auto pose = [&](int i) {
        return Pose{frame.bodies[i].position, frame.bodies[i].orientation};
      };
      smallest = std::min(smallest, query.separation(pose(0), pose(1)).gap);
    }
    EXPECT_GT(summary.min_gap, 0) << round;
    EXPECT_LE(dense_bound, smallest + rounding) << round;
    EXPECT_LE(summary.min_gap, smallest + rounding + band) << round;
    ++(sink.events.empty() ? passed : hit);
    if (sink.events.empty()) {
      EXPECT_GT(summary.min_gap, 0.2 * smallest) << round;
    }
  }
  if (!test::sanitized) {
    EXPECT_GE(passed, test::cases(12) / 6);
    EXPECT_GE(hit, test::cases(12) / 6);
  }
}

// No motion leads out of an overlap without overlapping: the run is refused, with the depth told,
// unless contacts are springs. What is no deeper than the contact distance is a touch.
TEST(Detection, BodiesThatOverlapAtTheStartAreRefused) {
  model::Model model = test::empty_model(0.1);
  model.bodies = {floor(), ball(0.5, Vec3(0, 0, 0.4)), ball(0.5, Vec3(0, 0, 1.35))};
  test::KeepingSink sink;
  std::string message;
  try {
    run(model, sink, {});
  } catch (const SimulationError& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("bodies floor and ball overlap by 0.1 m"), std::string::npos) << message;
  EXPECT_EQ(sink.summaries.at(0).status, RunStatus::failed);
  EXPECT_NEAR(sink.summaries.at(0).min_gap, -0.1, 1e-15);

  model.solver.contact = model::ContactModel::penalty;
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
  model.solver.contact = model::ContactModel::constraint;
  model.bodies.pop_back();
  model.bodies[1].pose.position.z() = 0.5 - 0.9 * model.solver.contact_distance;
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
}

model::Model angular_and_ball() {
  model::Model model = test::empty_model(1);
  const shape::Superellipsoid angular{Vec3(1, 1, 1), 0.1, 0.1};
  model.bodies = {test::body_of(angular), ball(0.1, Vec3(0, 0, 3), Vec3(0, 0, -6))};
  model.bodies[0].name = "angular";
  return model;
}

TEST(Detection, ShapesThatCannotBeToldApartAreRefusedByName) {
  model::Model model = angular_and_ball();
  test::KeepingSink sink;
  std::string message;
  try {
    run(model, sink, {});
  } catch (const SimulationError& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("a superellipsoid and a sphere"), std::string::npos) << message;
  EXPECT_NE(message.find("bodies angular and " + model.bodies[1].name), std::string::npos);
  EXPECT_NE(message.find("unsupported: ignore"), std::string::npos);
  EXPECT_EQ(sink.summaries.at(0).status, RunStatus::failed);

  model.no_collide = {{0, 1}};
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
}

TEST(Detection, ShapesThatMayPassThroughEachOtherMakeARunSuspectWhereTheyMeet) {
  model::Model model = angular_and_ball();
  model.solver.unsupported = model::Unsupported::ignore;
  test::KeepingSink sink;
  const Summary summary = run(model, sink, {});  // right through
  EXPECT_EQ(summary.status, RunStatus::suspect);
  EXPECT_NE(summary.message.find("angular and " + model.bodies[1].name), std::string::npos);
  EXPECT_GT(summary.unresolved, 0);
  EXPECT_TRUE(std::isnan(summary.min_gap));
  model.bodies[1].velocity = Vec3(0, 0, 6);  // away from each other
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
}

TEST(Detection, TheSameTouchesForEveryNumberOfThreads) {
  model::Model model = test::empty_model(0.75);
  model.gravity = Vec3(0, 0, -9.81);
  model.bodies.push_back(floor());
  for (int i = 0; i < 60; ++i) {
    model.bodies.push_back(test::body_of(shape::Box{Vec3(0.3, 0.4, 0.5)}));
    model.bodies.back().name = std::to_string(i);
    model.bodies.back().pose.position = Vec3(i % 8, i / 8, 2 + 0.01 * (i * 37 % 60));
    model.bodies.back().angular_velocity = Vec3(std::sin(i), std::cos(2.0 * i), 1);
  }
  std::string first;
  for (const int threads : {1, 2}) {
    test::KeepingSink sink;
    RunOptions options;
    options.threads = threads;
    EXPECT_EQ(run(model, sink, options).status, RunStatus::complete);
    if (first.empty()) first = sink.summaries[0].state_hash;
    EXPECT_EQ(sink.summaries[0].state_hash, first);
    EXPECT_GE(sink.events.size(), 60u);  // every box has met the floor at least once
  }
}

}  // namespace
}  // namespace abut::loop
