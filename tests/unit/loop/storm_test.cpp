// When events are too many to be followed.

#include "loop/storm.h"

#include <gtest/gtest.h>

namespace abut::loop {
namespace {

using integrate::effort_of_event;
using integrate::worthwhile_effort;
using integrate::worthwhile_rate;

const std::vector<BodyIndex> pair = {1, 2};

// How many events of two bodies, each with so many contacts and some time after the last, are
// followed; `most` if all are.
int followed(std::size_t contacts, double apart, int most) {
  Storm storm(3, 3);
  for (int k = 0; k < most; ++k) {
    const double t = 1 + k * apart;
    if (storm.note(pair, t, contacts, 0, t)) return k;
  }
  return most;
}

TEST(Storm, EventsAtOnceAreFollowedUpToWhatTheyAreWorth) {
  const double each = 2 * effort_of_event(8);
  EXPECT_NEAR(followed(8, 1e-9, 100000), worthwhile_effort / each, 1);
}

TEST(Storm, WhatTimePaysForIsFollowedForGood) {
  const double each = 2 * effort_of_event(8);
  EXPECT_EQ(followed(8, 1.01 * each / worthwhile_rate, 100000), 100000);
  // A third more than that is given up when all is spent that was worth following at once.
  const double apart = 0.75 * each / worthwhile_rate;
  const double lost = each - apart * worthwhile_rate;
  EXPECT_NEAR(followed(8, apart, 100000), (worthwhile_effort - each) / lost, 2);
}

// Steps of a path that lasted are paid for by the time they took.
TEST(Storm, ALongPathIsNoStorm) {
  const double steps = worthwhile_rate * 0.5 / (2 * integrate::effort_of_step(8));
  Storm storm(3, 3);
  for (int k = 1; k < 100; ++k) EXPECT_FALSE(storm.note(pair, k, 8, steps, k - 1)) << k;
  for (int k = 0; k < 9; ++k) storm.note(pair, 100 + 1e-6 * k, 8, steps, 100);
  EXPECT_TRUE(storm.note(pair, 100.001, 8, steps, 100));
}

TEST(Storm, FewEventsAreWorthAsMuchAsMany) {
  // Each of which alone takes nearly all that is worth it.
  std::size_t contacts = 1;
  while (2 * effort_of_event(contacts) < 0.9 * worthwhile_effort) ++contacts;
  const int few = followed(contacts, 1e-9, 1000);
  EXPECT_GE(few, 2);
  EXPECT_LE(few, 10);
}

// Bodies that nothing was spent on are followed while others are in a storm.
TEST(Storm, ConcernsThoseItIsAbout) {
  Storm storm(6, 6);
  for (int k = 0; k < 1000; ++k) storm.note({0, 1}, 1 + 1e-9 * k, 8, 0, 1);
  EXPECT_FALSE(storm.note({4, 5}, 1.00001, 2, 0, 1.00001));
  EXPECT_TRUE(storm.note({0, 5}, 1.00002, 2, 0, 1.00002));
}

// Each of many bodies is struck seldom, but all of them often.
TEST(Storm, ManyBodiesShareWhatIsWorthFollowing) {
  constexpr int bodies = 1000;
  const auto first_given_up = [&](double events_per_second) {
    Storm storm(bodies, bodies);
    for (int k = 0; k < 100000; ++k) {
      const double t = 1 + k / events_per_second;
      if (storm.note({k % bodies, (k + 1) % bodies}, t, 1, 0, t)) return k;
    }
    return -1;
  };
  const double worthwhile = worthwhile_rate / (2 * effort_of_event(1));
  EXPECT_EQ(first_given_up(0.9 * worthwhile), -1);
  EXPECT_GT(first_given_up(3 * worthwhile), bodies);
}

}  // namespace
}  // namespace abut::loop
