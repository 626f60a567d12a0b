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

}  // namespace
}  // namespace abut
