#include "loop/event_loop.h"

#include <gtest/gtest.h>

#include "abut/diagnostics.h"
#include "support/models.h"

namespace abut::loop {
namespace {

model::Model swarm(int count) {
  model::Model model = test::empty_model(0.5);
  model.gravity = Vec3(0, 0, -9.81);
  for (int i = 0; i < count; ++i) {
    model::Body body = test::body_of(shape::Box{Vec3(1 + 0.01 * i, 2, 3)});
    body.pose.position = Vec3(10.0 * i, 0, 0);
    body.velocity = Vec3(std::sin(i), std::cos(i), 1);
    body.angular_velocity = Vec3(std::cos(3.0 * i), 5, std::sin(7.0 * i));
    model.bodies.push_back(body);
  }
  return model;
}

TEST(EventLoop, TheSameBitsForEveryNumberOfThreads) {
  const model::Model model = swarm(500);
  std::string first;
  for (const int threads : {1, 2, 2, 3}) {
    test::KeepingSink sink;
    RunOptions options;
    options.threads = threads;
    const auto summary = run(model, sink, options);
    if (first.empty()) first = summary.state_hash;
    EXPECT_EQ(summary.state_hash, first);
  }
}

TEST(EventLoop, TheHashSeesASingleBit) {
  model::Model model = swarm(2);
  test::KeepingSink sink;
  const auto before = run(model, sink, {}).state_hash;
  model.bodies[1].velocity.x() = std::nextafter(model.bodies[1].velocity.x(), 10);
  EXPECT_NE(run(model, sink, {}).state_hash, before);
}

// A free body is integrated alone, so its motion does not depend on who else is there.
TEST(EventLoop, FreeBodiesDoNotDisturbEachOther) {
  test::KeepingSink alone, together;
  run(swarm(1), alone, {});
  run(swarm(5), together, {});
  EXPECT_EQ(alone.last(0).position, together.last(0).position);
  EXPECT_EQ(alone.last(0).orientation.coeffs(), together.last(0).orientation.coeffs());
}

TEST(EventLoop, RecordsBeforeAndAfterAnImpulse) {
  model::Model model = test::empty_model(1);
  model.record.rate = 4;
  model.bodies.push_back(test::body_of(shape::Sphere{0.5}));
  model::Impulse outside{0, 0.3, Vec3(10, 0, 0), false, Vec3(0, 0.5, 0)};
  model.forces.push_back(outside);
  test::KeepingSink sink;
  const auto summary = run(model, sink, {});
  ASSERT_EQ(sink.frames.size(), 7u);  // 0, .25, .3 twice, .5, .75, 1
  EXPECT_EQ(sink.frames[2].kind, record::FrameKind::before);
  EXPECT_EQ(sink.frames[3].kind, record::FrameKind::after);
  EXPECT_EQ(sink.frames[2].bodies[0].velocity, Vec3::Zero());
  const double mass = model.bodies[0].mass.mass;
  EXPECT_NEAR(sink.frames[3].bodies[0].velocity.x(), 10 / mass, 1e-15);
  EXPECT_NEAR(sink.frames[3].bodies[0].angular_velocity.z(), -5 / (0.4 * mass * 0.25), 1e-14);
  ASSERT_EQ(sink.events.size(), 1u);
  EXPECT_EQ(sink.events[0].kind, EventKind::impulse);
  EXPECT_EQ(sink.events[0].normal_impulse, 10);
  EXPECT_LT(summary.energy_error, 1e-12);
  EXPECT_LT(summary.momentum_error, 1e-12);
}

TEST(EventLoop, AnImpulseAtTimeZeroIsFelt) {
  model::Model model = test::empty_model(1);
  model.record.rate = 1;
  model.bodies.push_back(test::body_of(shape::Sphere{0.5}));
  model.forces.push_back(model::Impulse{0, 0, Vec3(10, 0, 0), true, Vec3::Zero()});
  test::KeepingSink sink;
  run(model, sink, {});
  ASSERT_EQ(sink.frames.size(), 3u);
  EXPECT_EQ(sink.frames[0].kind, record::FrameKind::before);
  EXPECT_EQ(sink.frames[0].bodies[0].velocity, Vec3::Zero());
  EXPECT_GT(sink.frames[1].bodies[0].velocity.x(), 0);
  EXPECT_NEAR(sink.last(0).position.x(), 10 / model.bodies[0].mass.mass, 1e-14);
}

TEST(EventLoop, ScriptedBodiesFollowTheirScriptAndReportJumps) {
  model::Model model = test::empty_model(2);
  model.record.rate = 2;
  model::Body body =
      test::body_of(shape::Box{Vec3(1, 1, 1)}, 1000, {Vec3(1, 0, 0), Quat::Identity()});
  body::KeyframeScript script;
  script.interpolation = body::Interpolation::linear;
  script.keyframes = {{0, {Vec3::Zero(), Quat::Identity()}},
                      {1, {Vec3(0, 0, 3), Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5))}}};
  body.motion = body::Script(script);
  model.bodies.push_back(body);
  test::KeepingSink sink;
  run(model, sink, {});
  ASSERT_EQ(sink.events.size(), 1u);  // the halt at t = 1
  EXPECT_EQ(sink.events[0].kind, EventKind::script);
  EXPECT_EQ(sink.events[0].time, 1);
  const double rate = std::acos(-1.0) / 2;
  const BodyState& start = sink.frames[0].bodies[0];
  EXPECT_NEAR((start.centre_of_mass - Vec3(1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((start.velocity - Vec3(0, rate, 3)).norm(), 0, 1e-14);
  EXPECT_NEAR((start.acceleration - Vec3(-rate * rate, 0, 0)).norm(), 0, 1e-13);
  EXPECT_EQ(sink.last(0).velocity, Vec3::Zero());
  EXPECT_NEAR((sink.last(0).centre_of_mass - Vec3(0, 1, 3)).norm(), 0, 1e-15);
}

model::Model ball_above_a_floor(double height) {
  model::Model model = test::empty_model(3);
  model.gravity = Vec3(0, 0, -9.81);
  model.materials[0].name = "steel";
  model::Body floor;
  floor.name = "floor";
  floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
  floor.motion = model::Fixed{};
  floor.bounding_radius = std::numeric_limits<double>::infinity();
  model::Body ball = test::body_of(shape::Sphere{0.5});
  ball.name = "ball";
  ball.pose.position = Vec3(0.25, 0, 0.5 + height);
  model.bodies = {floor, ball};
  return model;
}

// A ball that falls straight down has nothing to rub against.
TEST(EventLoop, FrictionTakesNothingFromABallThatFallsStraight) {
  for (const double height : {0.0, 1.0}) {
    model::Model model = ball_above_a_floor(height);
    model.materials[0].friction = {0.5, 0.4};
    test::KeepingSink sink;
    const auto summary = run(model, sink, {});
    EXPECT_EQ(summary.status, record::RunStatus::complete);
    EXPECT_LT(std::abs(summary.dissipated_by_friction), 1e-12);
    EXPECT_GT(summary.min_gap, 0);
  }
}

TEST(EventLoop, AnEntryForAPairTakesFrictionAway) {
  model::Model model = ball_above_a_floor(0);
  model.bodies[1].velocity = Vec3(1, 0, 0);
  model.materials[0].friction = {0.5, 0.4};
  test::KeepingSink rough;
  EXPECT_GT(run(model, rough, {}).dissipated_by_friction, 0);
  model.contacts.push_back({{"steel", "steel"}, model::Friction{}, std::nullopt});
  test::KeepingSink smooth;
  EXPECT_EQ(run(model, smooth, {}).dissipated_by_friction, 0);
}

TEST(EventLoop, AnInterruptEndsTheRunCleanly) {
  model::Model model = swarm(1);
  test::KeepingSink sink;
  std::atomic<bool> interrupt = false;
  RunOptions options;
  options.interrupt = &interrupt;
  options.progress = [&](double t) { interrupt = t >= 0.2; };
  const auto summary = run(model, sink, options);
  EXPECT_EQ(summary.status, record::RunStatus::interrupted);
  EXPECT_NEAR(summary.duration, 0.2, 1e-12);
  EXPECT_EQ(sink.frames.size(), 13u);
  ASSERT_EQ(sink.summaries.size(), 1u);
}

TEST(EventLoop, AFailureClosesTheRecordAndIsThrown) {
  model::Model model = swarm(1);
  model.forces.push_back(model::Drag{0, 1e308, 1e308, 0, Vec3::Zero()});
  test::KeepingSink sink;
  EXPECT_THROW(run(model, sink, {}), SimulationError);
  ASSERT_EQ(sink.summaries.size(), 1u);
  EXPECT_EQ(sink.summaries[0].status, record::RunStatus::failed);
  EXPECT_FALSE(sink.summaries[0].message.empty());
}

// Where nothing moves, roundings must not be compared with roundings.
TEST(EventLoop, BodiesAtRestHaveNoErrors) {
  const auto pressed = [](double force) {
    model::Model model = ball_above_a_floor(0);
    model.gravity = Vec3::Zero();
    model.duration = 1;
    model.forces.push_back(
        model::ConstantForce{{1, Vec3::Zero()}, Vec3(0, 0, -force), Vec3::Zero()});
    test::KeepingSink sink;
    return run(model, sink, {});
  };
  for (const double force : {0.0, 1e-6, 1.0, 1e6}) {
    const record::Summary summary = pressed(force);
    EXPECT_EQ(summary.status, RunStatus::complete);
    EXPECT_LT(summary.energy_error, 1e-12) << force;
    EXPECT_LT(summary.momentum_error, 1e-12) << force;
  }
}

// A ball between two walls that are exactly as far apart as it is wide, or hardly farther: there is
// no way to keep gaps on both sides, and the message says so.
TEST(EventLoop, ABodyWithoutRoomIsToldFrom) {
  for (const double clearance : {0.0, 2e-10}) {
    model::Model model = ball_above_a_floor(1);
    model.solver.clock = model::Clock::event;
    model.bodies[1].pose.position = Vec3::Zero();
    model.bodies[0].name = "left";
    model.bodies[0].parts[0].geometry = shape::Plane{Vec3::UnitX(), -0.5 - clearance};
    model.bodies.push_back(model.bodies[0]);
    model.bodies[2].name = "right";
    model.bodies[2].parts[0].geometry = shape::Plane{-Vec3::UnitX(), -0.5};
    test::KeepingSink sink;
    std::string message;
    try {
      run(model, sink, {});
    } catch (const SimulationError& error) {
      message = error.what();
    }
    for (const char* told : {"no room", "left", "ball", "right", "more room", "2e-10 m"})
      EXPECT_NE(message.find(told), std::string::npos) << told << ": " << message;
    EXPECT_EQ(sink.summaries.at(0).status, RunStatus::failed);
  }
}

// More steps than are kept at a time, between two samples: the result is that of the formula.
TEST(EventLoop, GoesOnInPortionsWhereStepsAreMany) {
  model::Model model = test::empty_model(8e-5);
  model.solver.clock = model::Clock::event;  // they would be stepped
  model.gravity = Vec3(0, 0, -10);
  model.record.rate = 1;
  model.bodies = {test::body_of(shape::Sphere{0.5}), test::body_of(shape::Sphere{0.5})};
  model.bodies[1].name = "other";
  model.bodies[1].pose.position.x() = 5;
  model.forces.emplace_back(model::Drag{0, 1e9 * model.bodies[0].mass.mass});
  test::KeepingSink sink;
  const record::Summary summary = run(model, sink, {});
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.message;
  EXPECT_GT(summary.steps, 2 * 4096);
  EXPECT_NEAR(sink.last(0).velocity.z(), 0, 1e-6);  // drag hardly lets it fall
  EXPECT_NEAR(sink.last(1).velocity.z(), -10 * 8e-5, 1e-14);
}

// Ctrl-C while the first step is taken: the frame after the beginning would tell of velocities that
// nobody has computed.
TEST(EventLoop, AStepThatIsBrokenOffIsNotTold) {
  struct Interrupting final : record::Sink {
    std::atomic<bool> interrupt = false;
    test::KeepingSink kept;
    void begin(const model::Model& model) override { kept.begin(model); }
    void frame(const record::Frame& frame) override {
      kept.frame(frame);
      interrupt = true;
    }
    void event(const Event& event) override { kept.event(event); }
    void end(const record::Summary& summary) override { kept.end(summary); }
  };
  model::Model model = swarm(3);
  model.solver.clock = model::Clock::step;
  Interrupting sink;
  RunOptions options;
  options.interrupt = &sink.interrupt;
  const auto summary = run(model, sink, options);
  EXPECT_EQ(summary.status, record::RunStatus::interrupted);
  ASSERT_GE(sink.kept.frames.size(), 1u);
  for (const record::Frame& frame : sink.kept.frames)
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      EXPECT_LT((frame.bodies[i].velocity - model.bodies[i].velocity).norm(), 1e-12);
}

}  // namespace
}  // namespace abut::loop
