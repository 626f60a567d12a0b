#include "loop/timeline.h"

#include "support/models.h"

namespace abut::loop {
namespace {

/// The instants on the grid, and those at which something is scheduled.
std::vector<Stop> stops_of(const model::Model& model, const integrate::Scripts& scripts) {
  Timeline timeline(model, scripts);
  std::vector<Stop> stops;
  Stop stop;
  while (timeline.next_window(stop)) {
    for (; timeline.next_sample() < stop.time; timeline.pass_sample())
      stops.push_back({timeline.next_sample(), {}});
    const bool is_sampled = timeline.next_sample() == stop.time;
    if (is_sampled) timeline.pass_sample();
    if (is_sampled || !stop.events.empty()) stops.push_back(stop);
  }
  return stops;
}

TEST(Timeline, SamplesTheGridAndTheEndOnce) {
  model::Model model = test::empty_model(1);
  model.record.rate = 60;
  const auto stops = stops_of(model, {});
  ASSERT_EQ(stops.size(), 61u);
  EXPECT_EQ(stops.front().time, 0);
  EXPECT_EQ(stops[7].time, 7.0 / 60);
  EXPECT_EQ(stops.back().time, 1);
}

TEST(Timeline, EndsBetweenSamplesToo) {
  model::Model model = test::empty_model(0.25);
  model.record.rate = 10;
  const auto stops = stops_of(model, {});
  ASSERT_EQ(stops.size(), 4u);  // 0, 0.1, 0.2, 0.25
  EXPECT_EQ(stops.back().time, 0.25);
}

// 0.1 has no exact binary form: whatever the rounding of k/rate, the end comes exactly once.
TEST(Timeline, RoundingMakesNoDoubleEnd) {
  for (const double rate : {3.0, 7.0, 10.0, 30.0, 49.0, 1000.0}) {
    for (const double duration : {0.1, 0.3, 0.7, 2.1, 3.3}) {
      model::Model model = test::empty_model(duration);
      model.record.rate = rate;
      const auto stops = stops_of(model, {});
      EXPECT_EQ(stops.back().time, duration);
      for (std::size_t i = 1; i < stops.size(); ++i)
        EXPECT_GT(stops[i].time - stops[i - 1].time, 1e-9) << rate << " " << duration;
    }
  }
}

TEST(Timeline, EventsComeInOrderAndReplaceSamplesAtTheirTime) {
  model::Model model = test::empty_model(1);
  model.record.rate = 2;
  model.bodies.push_back(test::body_of(shape::Sphere{1}));
  model.forces = {model::Impulse{0, 0.75}, model::Impulse{0, 0.5}, model::Impulse{0, 0.5},
                  model::Impulse{0, 2.0}};
  const auto stops = stops_of(model, integrate::Scripts(1));
  ASSERT_EQ(stops.size(), 4u);
  EXPECT_EQ(stops[1].time, 0.5);
  ASSERT_EQ(stops[1].events.size(), 2u);
  EXPECT_EQ(stops[1].events[0].index, 1);
  EXPECT_EQ(stops[1].events[1].index, 2);
  EXPECT_EQ(stops[2].time, 0.75);
  EXPECT_TRUE(stops[3].events.empty());
}

std::vector<double> windows_of(const model::Model& model) {
  Timeline timeline(model, integrate::Scripts(model.bodies.size()));
  std::vector<double> ends;
  Stop stop;
  while (timeline.next_window(stop)) ends.push_back(stop.time);
  return ends;
}

// A body of 0.1 m that falls: 0.1 / sqrt(0.1 g) = 0.1 s, an eighth of that is nearest to 1/64 s.
TEST(Timeline, WindowsFollowTheSceneAndNotTheGrid) {
  model::Model model = test::empty_model(0.1);
  model.gravity = Vec3(0, 0, -10);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  const auto windows = windows_of(model);
  ASSERT_EQ(windows.size(), 8u);
  EXPECT_EQ(windows.front(), 0);
  for (std::size_t i = 1; i + 1 < windows.size(); ++i)
    EXPECT_EQ(windows[i], static_cast<double>(i) / 64);
  EXPECT_EQ(windows.back(), 0.1);
  model.record.rate = 977;
  EXPECT_EQ(windows_of(model), windows);
  // A hundredth of the size, half of a third of the windows: times go with the root of lengths.
  model.bodies[0] = test::body_of(shape::Sphere{0.1 / 16});
  EXPECT_EQ(windows_of(model)[1], windows[1] / 4);
}

TEST(Timeline, AWindowEndsWhereSomethingIsScheduled) {
  model::Model model = test::empty_model(0.1);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  model.forces = {model::Impulse{0, 0.01}};
  Timeline timeline(model, integrate::Scripts(1));
  Stop stop;
  ASSERT_TRUE(timeline.next_window(stop));
  EXPECT_EQ(stop.time, 0);
  EXPECT_EQ(timeline.next_scheduled(), 0.01);
  ASSERT_TRUE(timeline.next_window(stop));
  EXPECT_EQ(stop.time, 0.01);
  EXPECT_EQ(stop.events.size(), 1u);
  EXPECT_EQ(timeline.next_sample(), 0);
  timeline.pass_sample();
  EXPECT_GT(timeline.next_sample(), 0);
}

}  // namespace
}  // namespace abut::loop
