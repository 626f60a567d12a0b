// Scripted bodies that move so fast that the time of a touch is between two numbers.

#include "support/contact_runs.h"

namespace abut {
namespace {

using test::head;
using test::number;
using test::run_text;

TEST(FastScript, HitsABallWhereAndWhenItMeetsIt) {
  for (const double speed : {1e3, 5.2e4, 1e6}) {
    const double way = 5.2, begin = 0.5;
    const auto run = run_text(
        head(0.6, 10) +
        "gravity: [0, 0, 0]\nbodies:\n"
        "  - {name: hammer, shape: {box: {size: [1, 1, 1]}}, motion: {interpolation: linear, "
        "keyframes: [{time: 0, position: [-5, 0, 0]}, {time: 0.5, position: [-5, 0, 0]}, {time: " +
        number(begin + way / speed) +
        ", position: [0.2, 0, 0]}]}}\n"
        "  - {name: ball, shape: {sphere: {radius: 0.5}}}\n");
    const auto impacts = run.events(EventKind::impact);
    ASSERT_EQ(impacts.size(), 1u) << speed;
    EXPECT_NEAR(impacts[0].time, begin + 4 / speed, 1e-14 + 1e-9 / speed) << speed;
    EXPECT_LT((impacts[0].point - Vec3(-0.5, 0, 0)).norm(), 1e-8) << speed;
    EXPECT_LT((run.before(impacts[0].time).bodies[1].position).norm(), 1e-15) << speed;
    EXPECT_LT((run.after(impacts[0].time).bodies[1].position).norm(), 1e-9) << speed;
    EXPECT_NEAR(run.after(impacts[0].time).bodies[1].velocity.x(), speed, 1e-6 * speed);
    EXPECT_EQ(run.summary.unresolved, 0) << speed;
  }
}

// A script whose last keyframe is the end of the run stops what hangs on it at that instant, and
// the last frame says so.
TEST(FastScript, StopsWhatItCarriesWhereTheRunEnds) {
  for (const double duration : {2.0, 2.5}) {
    const auto run = run_text(
        head(duration, 10) +
        "bodies:\n"
        "  - {name: hand, shape: {box: {size: [1, 1, 0.1]}}, motion: {interpolation: linear, "
        "keyframes: [{time: 0, position: [0, 0, 0]}, {time: 2, position: [0, 0, 1]}]}}\n"
        "  - {name: rod, shape: {box: {size: [0.1, 0.1, 1]}}, position: [0, 0, -0.6]}\n"
        "  - {name: load, shape: {box: {size: [0.3, 0.3, 0.3]}}, position: [0.3, 0, 0.21]}\n"
        "joints:\n"
        "  - {name: rail, type: prismatic, bodies: [hand, rod], axis: [1, 0, 0]}\n");
    EXPECT_EQ(run.summary.status, RunStatus::complete) << run.summary.message;
    EXPECT_LT(run.summary.energy_error, 1e-10);
    EXPECT_NEAR(run.before(2).bodies[1].velocity.z(), 0.5, 1e-12);
    EXPECT_NEAR(run.after(2).bodies[1].velocity.z(), 0, 1e-12);
  }
}

}  // namespace
}  // namespace abut
