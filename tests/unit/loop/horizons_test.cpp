// How far ahead bodies are looked at.

#include "loop/horizons.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace abut::loop {
namespace {

TEST(Horizons, ABodyThatDoesNotMeetIsKnownToTheEndOfTheWindow) {
  Horizons horizons(3);
  horizons.reach_end(1);
  EXPECT_EQ(horizons.nearest(), 1);
  EXPECT_TRUE(horizons.at_nearest().empty());
}

TEST(Horizons, BodiesThatMeetOftenAreLookedAtAFewIntervalsAhead) {
  Horizons horizons(3);
  horizons.reach_end(10);
  for (int i = 0; i <= 50; ++i) horizons.after_contact_event({0, 2}, 5 + 0.01 * i);
  const double last = 5.5;
  EXPECT_GT(horizons.nearest(), last);
  EXPECT_LT(horizons.nearest(), last + 0.05);
  EXPECT_EQ(horizons.at_nearest(), (std::vector<BodyIndex>{0, 2}));
}

// However long nothing happens: few looks, and none beyond the window.
TEST(Horizons, MoveOnInStridesThatGrow) {
  Horizons horizons(2);
  horizons.reach_end(1000);
  for (int i = 0; i < 50; ++i) horizons.after_contact_event({1}, 1e-5 * i);
  int looks = 0;
  double before = horizons.nearest();
  while (horizons.nearest() < 1000) {
    const double moved = horizons.move_on(horizons.at_nearest());
    EXPECT_GT(moved, before);
    EXPECT_LE(moved, 1000);
    before = moved;
    ++looks;
  }
  EXPECT_LT(looks, 40);
}

// Several contact events at one instant leave room to search in.
TEST(Horizons, ContactEventsAtOneInstantDoNotEndTheLookingAhead) {
  Horizons horizons(1);
  horizons.reach_end(2);
  for (int i = 0; i < 1000; ++i) EXPECT_GT(horizons.after_contact_event({0}, 1), 1);
  EXPECT_GT(horizons.nearest(), 1);
}

TEST(Horizons, ANewWindowBeginsAnew) {
  Horizons horizons(2);
  horizons.reach_end(1);
  for (int i = 0; i < 50; ++i) horizons.after_contact_event({0, 1}, 1e-3 * i);
  ASSERT_LT(horizons.nearest(), 1);
  horizons.reach_end(2);
  EXPECT_EQ(horizons.nearest(), 2);
}

}  // namespace
}  // namespace abut::loop
