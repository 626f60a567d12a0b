// Shipped scenes with bodies that bend, and those after Moore and Wilhelms' pictures: nothing
// overlaps, energy is never gained, and what the scene is about happens.

#include <algorithm>

#include "base/limits.h"
#include "support/contact_runs.h"
#include "support/scene_run.h"

namespace abut {
namespace {

using test::ContactRun;

/// Complete, apart, and what is lost is lost: but for what frames interpolate between kicks.
ContactRun run_sound(const std::string& name, const std::vector<std::string>& set = {}) {
  ContactRun run = test::run_shipped(name, set);
  EXPECT_EQ(run.summary.status, RunStatus::complete) << run.summary.message;
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_EQ(run.summary.forced_stops, 0);
  EXPECT_LT(run.summary.momentum_error, 1e-2);
  double lost = 0, least = infinity, most = -infinity;
  for (const auto& frame : run.sink.frames) {
    least = std::min(least, frame.energy.mechanical());
    most = std::max(most, frame.energy.mechanical());
  }
  for (const auto& frame : run.sink.frames) {
    EXPECT_GT(frame.energy.dissipated, lost - 5e-3 * (most - least)) << frame.time;
    lost = std::max(lost, frame.energy.dissipated);
  }
  return run;
}

const BodyState& last_of(const ContactRun& run, std::string_view body) {
  return run.sink.last(test::body_named(run.model, body));
}

double highest_place(const ContactRun& run, std::string_view body, double after) {
  double high = -infinity;
  for (const auto& frame : run.sink.frames)
    if (frame.time > after)
      high = std::max(high, frame.bodies[test::body_named(run.model, body)].centre_of_mass.z());
  return high;
}

// The ball bends the bar, and the bar throws it back.
TEST(BendingScenes, StruckBar) {
  const ContactRun run = run_sound("struck_bar");
  const int ball = test::body_named(run.model, "ball");
  double elastic = 0, fastest_up = 0;
  for (const auto& frame : run.sink.frames) {
    elastic = std::max(elastic, frame.energy.elastic);
    fastest_up = std::max(fastest_up, frame.bodies[ball].velocity.z());
  }
  EXPECT_GT(elastic, 10);
  EXPECT_GT(fastest_up, 0.5);
}

// The weld bears the board, and the diver is thrown up.
TEST(BendingScenes, DivingBoard) {
  const ContactRun run = run_sound("diving_board");
  for (const auto& frame : run.sink.frames) EXPECT_LT(frame.joints.front().gap, 1e-6);
  EXPECT_GT(highest_place(run, "diver", 0.6), 1.2);
}

TEST(BendingScenes, RollingJelly) {
  const ContactRun run = run_sound("rolling_jelly");
  const BodyState& jelly = last_of(run, "jelly");
  EXPECT_GT(jelly.centre_of_mass.x(), 1);
  EXPECT_GT(jelly.angular_velocity.y(), 5);  // it rolls, and does not only slide
}

TEST(BendingScenes, SoftWheel) {
  EXPECT_GT(last_of(run_sound("soft_wheel"), "wheel").centre_of_mass.x(), 1.5);
}

TEST(BendingScenes, CrossingCloths) {
  const ContactRun run = run_sound("crossing_cloths");
  // The upper cloth rests on the lower one, and the ball on both.
  EXPECT_GT(last_of(run, "upper").centre_of_mass.z(), last_of(run, "lower").centre_of_mass.z());
  EXPECT_GT(last_of(run, "ball").centre_of_mass.z(), -0.3);
}

// Its beginning: blocks of both orders and rigid bodies meet.
TEST(BendingScenes, SoftHeap) {
  const ContactRun run = run_sound("soft_heap", {"duration=0.6"});
  for (std::size_t i = 1; i < run.model.bodies.size(); ++i)
    EXPECT_GT(run.sink.last(static_cast<int>(i)).centre_of_mass.z(), 0.05);
  EXPECT_GT(run.summary.contacts_max, 50);
}

// All marbles hang in the bag.
TEST(BendingScenes, BagOfMarbles) {
  const ContactRun run = run_sound("bag_of_marbles");
  for (const char* marble : {"marble1", "marble2", "marble3", "marble4", "marble5"})
    EXPECT_GT(last_of(run, marble).centre_of_mass.z(), 0.12) << marble;
}

// At rest, and a pile rather than a layer: some lie on others alone.
TEST(BendingScenes, RockPile) {
  const ContactRun run = run_sound("rock_pile");
  const int ground = test::body_named(run.model, "ground");
  int carried = 0;
  for (int i = 0; i < static_cast<int>(run.model.bodies.size()); ++i) {
    if (!run.model.bodies[i].is_dynamic()) continue;
    EXPECT_LT(run.sink.last(i).velocity.norm(), 0.5);
    const auto& contacts = run.sink.frames.back().contacts;
    const auto is_between = [&](const ContactState& c, int other) {
      return (c.body_a == i && c.body_b == other) || (c.body_b == i && c.body_a == other);
    };
    if (std::none_of(contacts.begin(), contacts.end(),
                     [&](const ContactState& c) { return is_between(c, ground); }))
      ++carried;
  }
  EXPECT_GE(carried, 3);
}

// He sits: upright, on the seat, at rest.
TEST(BendingScenes, SittingMan) {
  const ContactRun run = run_sound("sitting_man");
  const BodyState& torso = last_of(run, "torso");
  EXPECT_LT(std::abs(torso.position.x()), 0.2);
  EXPECT_GT((torso.orientation * Vec3::UnitZ()).z(), 0.8);
  EXPECT_LT(torso.velocity.norm(), 0.05);
  EXPECT_GT(last_of(run, "head").centre_of_mass.z(), 1);
}

}  // namespace
}  // namespace abut
