// Islands that pass between the two clocks, and what must not notice it.

#include <gtest/gtest.h>

#include "support/contact_runs.h"

namespace abut {
namespace {

using test::head;
using test::run_text;

// Boxes dropped one onto the other, which end up in a storm of events.
std::string heap(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "  - {name: box" + std::to_string(i) +
            ", shape: {box: {size: [0.2, 0.2, 0.2]}}, material: m, position: [" +
            std::to_string(0.03 * (i % 3)) + ", " + std::to_string(0.02 * (i % 4)) + ", " +
            std::to_string(0.2 + 0.36 * i) + "], orientation: {euler: [" + std::to_string(0.1 * i) +
            ", 0.05, 0.2]}}\n";
  return text;
}

const std::string floor_and_friction =
    "materials: {m: {friction: 0.5, restitution: 0.2}}\n"
    "bodies:\n"
    "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n";

const std::string pendulum =
    "  - {name: bob, shape: {sphere: {radius: 0.1}}, position: [5, 0, 1]}\n";
const std::string its_joint =
    "joints:\n"
    "  - {name: rod, type: distance, bodies: [world, bob], at: [[4, 0, 2], [5, 0, 1]]}\n";

TEST(Regimes, WhatIsFarFromASteppedHeapGoesOnAsIfItWereAlone) {
  const auto beside = run_text(head(1, 20) + floor_and_friction + pendulum + heap(8) + its_joint);
  const auto alone = run_text(head(1, 20) + floor_and_friction + pendulum + its_joint);
  ASSERT_GT(beside.summary.stepped_fraction, 0);
  ASSERT_EQ(alone.summary.stepped_fraction, 0);
  const BodyState& one = beside.sink.frames.back().bodies[beside.body("bob")];
  const BodyState& other = alone.sink.frames.back().bodies[alone.body("bob")];
  EXPECT_EQ(one.position, other.position);
  EXPECT_EQ(one.velocity, other.velocity);
  for (const SteppedSpan& span : beside.summary.stepped) EXPECT_NE(span.name, "bob");
}

TEST(Regimes, RecordingDoesNotChangeWhatIsStepped) {
  const std::string scene = floor_and_friction + heap(6);
  const auto seldom = run_text(head(0.8, 5) + scene), often = run_text(head(0.8, 120) + scene);
  ASSERT_GT(seldom.summary.stepped_fraction, 0);
  EXPECT_EQ(seldom.summary.stepped_fraction, often.summary.stepped_fraction);
  for (std::size_t i = 0; i < seldom.model.bodies.size(); ++i)
    EXPECT_EQ(seldom.sink.frames.back().bodies[i].position,
              often.sink.frames.back().bodies[i].position);
}

// Steps go with the square root of the tolerance: a hundredth makes them ten times shorter, unless
// they had been shortened anyway.
TEST(Regimes, AToleranceShortensSteps) {
  const std::string scene = floor_and_friction + heap(6);
  const auto usual = run_text(head(0.8, 20) + scene);
  const auto fine = run_text(head(0.8, 20, "step_tolerance: 1e-6") + scene);
  ASSERT_GT(usual.summary.cone_steps, 0);
  EXPECT_EQ(fine.summary.status, record::RunStatus::complete) << fine.summary.message;
  EXPECT_GT(fine.summary.cone_steps, 3 * usual.summary.cone_steps);
}

// A ball that falls onto a heap which is stepped by then joins it, and where it jumps off it is on
// a path of its own again. When that is depends on how the heap lies: at the first bounce, or once
// it has come to the floor.
TEST(Regimes, BodiesJoinAHeapAndLeaveIt) {
  constexpr double duration = 2.4;
  const auto run = run_text(head(duration, 60) +
                            "materials: {m: {friction: 0.5, restitution: 0.2}, "
                            "rubber: {friction: 0.2, restitution: 0.9}}\n"
                            "contacts:\n  - {between: [m, rubber], restitution: 0.9}\n"
                            "bodies:\n"
                            "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n" +
                            heap(8) +
                            "  - {name: ball, shape: {sphere: {radius: 0.3}}, material: rubber, "
                            "position: [0, 0, 6]}\n");
  EXPECT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
  EXPECT_GT(run.summary.min_gap, 0);
  std::vector<SteppedSpan> spans;
  for (const SteppedSpan& span : run.summary.stepped)
    if (span.name == "ball") spans.push_back(span);
  ASSERT_FALSE(spans.empty());
  EXPECT_GT(spans.front().from, 0.5);
  EXPECT_LT(spans.front().to, duration);
  EXPECT_LT(run.summary.energy_error, 1e-2);
}

// Whatever two clocks do to it in turn, a body in free flight falls as it must.
TEST(Regimes, NothingIsLostWhereABodyPassesFromOneClockToTheOther) {
  const auto run = run_text(head(1, 60) + floor_and_friction + heap(8));
  EXPECT_LT(run.summary.momentum_error, 1e-4);
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_EQ(run.summary.forced_stops, 0);
}

}  // namespace
}  // namespace abut
