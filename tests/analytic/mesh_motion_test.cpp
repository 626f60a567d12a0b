// Machines of meshes, as they ship: gears, a bolt in its nut, a chain, a peg in its hole, a mug on
// a hook, pieces of a puzzle, a lock. What they do follows from their outline.

#include <cmath>

#include "support/contact_runs.h"

namespace abut {
namespace {

const std::string in_steps = "solver.clock=step";

// By how much a body has turned about z between two times, rad; it turns less than half a turn from
// frame to frame.
double turn(const test::ContactRun& run, std::string_view body, double from, double to) {
  const BodyIndex index = run.body(body);
  double sum = 0;
  std::optional<double> last;
  for (const record::Frame& frame : run.sink.frames) {
    if (!frame.is_whole() || frame.time < from || frame.time > to) continue;
    const Quat& q = frame.bodies[index].orientation;
    const double angle = 2 * std::atan2(q.z(), q.w());
    if (last) sum += std::remainder(angle - *last, 2 * M_PI);
    last = angle;
  }
  return sum;
}

double height(const test::ContactRun& run, std::string_view body, double t) {
  return run.frame_at(t).bodies[run.body(body)].position.z();
}

// A little after an instant that is recorded, so that rounding does not matter, s.
constexpr double after = 1e-6;

// 40 teeth turn half as fast as 20, to the play between flanks; a load of 2 N m takes 1 N m to
// drive, and what friction on the flanks takes: up to the coefficient times how far they slide.
TEST(MeshesInMotion, GearsTurnInTheRatioOfTheirTeeth) {
  const auto run = test::run_shipped("gears", {"duration=0.4"});
  const double from = 0.2 - after, to = 0.4 + after;
  const double pinion = turn(run, "pinion", from, to), wheel = turn(run, "wheel", from, to);
  const double play = 0.0006 / 0.2;  // rad of the wheel
  EXPECT_NEAR(pinion, 2 * M_PI * 0.2, 0.02);
  EXPECT_NEAR(wheel, -0.5 * pinion, play);
  const Energy &begin = run.frame_at(from + 2 * after).energy, &end = run.frame_at(to).energy;
  const double braked = -2 * wheel;
  const double driven = end.work - begin.work + braked - (end.kinetic - begin.kinetic);
  EXPECT_GT(driven / pinion, 0.98);
  EXPECT_LT(driven / pinion, 1.2);
  EXPECT_GT(run.summary.min_gap, 0);
}

// The work of a motor is work in steps too: it was booked as friction that gives. Flanks that pass
// each other's edges are not held back: that took a tenth more.
TEST(MeshesInMotion, SteppedGearsAreDrivenByTheirMotor) {
  const auto run = test::run_shipped("gears", {"duration=0.2", in_steps});
  const auto exact = test::run_shipped("gears", {"duration=0.2"});
  const Energy &end = run.sink.frames.back().energy, &known = exact.sink.frames.back().energy;
  EXPECT_EQ(run.summary.status, RunStatus::complete) << run.summary.message;
  EXPECT_NEAR(end.work, known.work, 0.02 * known.work);
  EXPECT_NEAR(end.dissipated, known.dissipated, 0.05 * known.dissipated);
  EXPECT_NEAR(turn(run, "wheel", 0.1 - after, 1), -0.5 * turn(run, "pinion", 0.1 - after, 1),
              2 * 0.0006 / 0.2);
  EXPECT_EQ(run.summary.forced_stops, 0);
}

// Threads of 24 facets to a turn: a third of it is eight of them, so that the same facets meet.
TEST(MeshesInMotion, ABoltGoesDownByItsLead) {
  const auto run = test::run_shipped("bolt_in_nut", {"duration=0.46", in_steps});
  const double from = 7.0 / 60 + after, to = 27.0 / 60 + after;
  const double turned = turn(run, "bolt", from - 2 * after, to);
  EXPECT_NEAR(turned, -2 * M_PI / 3, 1e-3);
  EXPECT_NEAR(height(run, "bolt", to) - height(run, "bolt", from), 0.01 / (2 * M_PI) * turned,
              0.02 * 0.01 / 3);
  EXPECT_EQ(run.summary.forced_stops, 0);
  EXPECT_GT(run.summary.min_gap, 0);
}

// With 10 micrometres of clearance there is less room than stepped contacts are kept at elsewhere.
TEST(MeshesInMotion, APegGoesDownItsHole) {
  for (const std::string& clock : {in_steps, std::string("solver.clock=auto")}) {
    const auto run = test::run_shipped("peg_in_hole", {"duration=0.4", clock});
    const BodyState& peg = run.sink.frames.back().bodies[run.body("peg")];
    EXPECT_NEAR(peg.position.z(), -0.05, 2e-4) << clock;
    EXPECT_LT(peg.position.head<2>().norm(), 1.5e-5) << clock;
    EXPECT_EQ(run.summary.forced_stops, 0) << clock;
    EXPECT_GT(run.summary.min_gap, 0) << clock;
    // It falls freely: 0.12 m take 0.156 s.
    EXPECT_NEAR(height(run, "peg", 0.1 + after), 0.07 - 0.5 * 9.81 * 0.01, 1e-3) << clock;
  }
}

TEST(MeshesInMotion, PiecesOfAPuzzleStayTogether) {
  const auto run = test::run_shipped("puzzle", {"duration=0.5"});
  const record::Frame& end = run.sink.frames.back();
  const Vec3 apart = end.bodies[run.body("right")].position - end.bodies[run.body("left")].position;
  EXPECT_LT(apart.x() - 0.1, 2e-3);  // twice the play
  EXPECT_LT(end.bodies[run.body("right")].velocity.norm(), 1e-3);
  EXPECT_GT(run.summary.min_gap, 0);
}

// About x, rad.
double roll(const BodyState& body) {
  return 2 * std::atan2(body.orientation.x(), body.orientation.w());
}

// The key lifts every pin until its top is at the edge of the plug: then nothing holds that any
// more.
TEST(MeshesInMotion, AKeyOpensItsLock) {
  const auto run = test::run_shipped("lock", {});
  const record::Frame& lifted = run.frame_at(0.6 + after);
  const double edge = std::sqrt(0.02 * 0.02 - 0.005 * 0.005), kept = 1e-4;
  const double lengths[] = {0.023665, 0.019665, 0.021665};
  for (int i = 0; i < 3; ++i) {
    const BodyState& pin = lifted.bodies[run.body("pin" + std::to_string(i + 1))];
    EXPECT_NEAR(pin.position.z() + lengths[i], edge + 0.0003, kept) << i;
  }
  EXPECT_GT(roll(run.sink.frames.back().bodies[run.body("plug")]), 45 * M_PI / 180);
  EXPECT_EQ(run.summary.forced_stops, 0);
  EXPECT_GT(run.summary.min_gap, 0);
}

// One pin is too high by 2 mm and stands in its chamber, another one too low by as much: the pin
// above it stands in the plug. What play there is in the holes is 0.6 mm at 20 mm from the axis.
TEST(MeshesInMotion, AWrongKeyDoesNotOpenALock) {
  const auto run = test::run_shipped("lock", {"bodies.key.shape.mesh.file=meshes/wrong_key.obj"});
  const double play = 2 * 0.0006 / 0.02;
  EXPECT_LT(roll(run.sink.frames.back().bodies[run.body("plug")]), play);
  EXPECT_EQ(run.summary.forced_stops, 0);
  EXPECT_GT(run.summary.min_gap, 0);
}

// No restitution: the fall by the play between links is lost, and nothing else.
TEST(MeshesInMotion, AHangingChainComesToRest) {
  for (const std::string& clock : {in_steps, std::string("solver.clock=auto")}) {
    const auto run = test::run_shipped("hanging_chain", {"duration=0.6", clock});
    const Energy &begin = run.sink.frames.front().energy, &end = run.sink.frames.back().energy;
    EXPECT_LT(end.kinetic, 1e-6) << clock;
    const double fallen = begin.potential - end.potential;
    EXPECT_GT(fallen, 0) << clock;
    EXPECT_NEAR(end.dissipated - end.work, fallen, 0.01 * fallen) << clock;
    EXPECT_GT(run.summary.min_gap, 0) << clock;
  }
}

TEST(MeshesInMotion, AMugHangsOnItsHook) {
  const auto run = test::run_shipped("mug_on_hook", {"duration=1"});
  const BodyState& mug = run.sink.frames.back().bodies[run.body("mug")];
  EXPECT_GT(mug.position.z(), -0.08);
  EXPECT_LT(mug.velocity.norm(), 1e-3);
  EXPECT_GT(run.summary.min_gap, 0);
}

}  // namespace
}  // namespace abut
