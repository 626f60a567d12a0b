#include "loop/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "support/models.h"

namespace abut::loop {
namespace {

// The grid, as a run passes it.
std::vector<double> samples_of(const model::Model& model) {
  Timeline timeline(model, integrate::Scripts(model.bodies.size()));
  std::vector<double> samples;
  for (; timeline.next_sample() < infinity; timeline.pass_sample())
    samples.push_back(timeline.next_sample());
  return samples;
}

std::vector<Stop> windows_of(const model::Model& model) {
  Timeline timeline(model, integrate::Scripts(model.bodies.size()));
  std::vector<Stop> windows;
  Stop stop;
  while (timeline.next_window(stop)) windows.push_back(stop);
  return windows;
}

TEST(Timeline, SamplesTheGridAndTheEndOnce) {
  model::Model model = test::empty_model(1);
  model.record.rate = 60;
  const auto samples = samples_of(model);
  ASSERT_EQ(samples.size(), 61u);
  EXPECT_EQ(samples.front(), 0);
  EXPECT_EQ(samples[7], 7.0 / 60);
  EXPECT_EQ(samples.back(), 1);
}

TEST(Timeline, EndsBetweenSamplesToo) {
  model::Model model = test::empty_model(0.25);
  model.record.rate = 10;
  const auto samples = samples_of(model);
  ASSERT_EQ(samples.size(), 4u);  // 0, 0.1, 0.2, 0.25
  EXPECT_EQ(samples.back(), 0.25);
}

// 0.1 has no exact binary form: whatever the rounding of k/rate, the end comes exactly once.
TEST(Timeline, RoundingMakesNoDoubleEnd) {
  for (const double rate : {3.0, 7.0, 10.0, 30.0, 49.0, 1000.0}) {
    for (const double duration : {0.1, 0.3, 0.7, 2.1, 3.3}) {
      model::Model model = test::empty_model(duration);
      model.record.rate = rate;
      const auto samples = samples_of(model);
      EXPECT_EQ(samples.back(), duration);
      for (std::size_t i = 1; i < samples.size(); ++i)
        EXPECT_GT(samples[i] - samples[i - 1], 1e-9) << rate << " " << duration;
    }
  }
}

TEST(Timeline, EventsComeInOrderAndEndWindowsAtTheirTime) {
  model::Model model = test::empty_model(1);
  model.record.rate = 2;
  model.bodies.push_back(test::body_of(shape::Sphere{1}));
  model.forces = {model::Impulse{0, 0.75}, model::Impulse{0, 0.5}, model::Impulse{0, 0.5},
                  model::Impulse{0, 2.0}};
  EXPECT_EQ(samples_of(model), (std::vector<double>{0, 0.5, 1}));
  std::vector<Stop> told = windows_of(model);
  std::erase_if(told, [](const Stop& stop) { return stop.events.empty(); });
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].time, 0.5);
  ASSERT_EQ(told[0].events.size(), 2u);
  EXPECT_EQ(told[0].events[0].index, 1);
  EXPECT_EQ(told[0].events[1].index, 2);
  EXPECT_EQ(told[1].time, 0.75);
  ASSERT_EQ(told[1].events.size(), 1u);
  EXPECT_EQ(told[1].events[0].index, 0);
}

std::vector<double> ends_of(const model::Model& model) {
  std::vector<double> ends;
  for (const Stop& stop : windows_of(model)) ends.push_back(stop.time);
  return ends;
}

// A body of 0.1 m that falls: 0.1 / sqrt(0.1 g) = 0.1 s, an eighth of that is nearest to 1/64 s.
TEST(Timeline, WindowsFollowTheSceneAndNotTheGrid) {
  model::Model model = test::empty_model(0.1);
  model.gravity = Vec3(0, 0, -10);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  const auto windows = ends_of(model);
  ASSERT_EQ(windows.size(), 14u);
  EXPECT_EQ(windows[0], 0);
  for (std::size_t i = 1; i <= 7; ++i)  // the first ones double
    EXPECT_EQ(windows[i], std::exp2(static_cast<double>(i) - 7) / 64);
  for (std::size_t i = 8; i < windows.size(); ++i)
    EXPECT_EQ(windows[i], static_cast<double>(i - 6) / 64);
  EXPECT_GE(windows.back(), 0.1);
  model.record.rate = 977;
  EXPECT_EQ(ends_of(model), windows);
  // A hundredth of the size, half of a third of the windows: times go with the root of lengths.
  model.bodies[0] = test::body_of(shape::Sphere{0.1 / 16});
  EXPECT_EQ(ends_of(model)[1], windows[1] / 4);
}

// What is scheduled after the end of a run ends its last window as it does in a longer one.
TEST(Timeline, WindowsAreThoseOfALongerRun) {
  model::Model model = test::empty_model(0.1);
  model.gravity = Vec3(0, 0, -10);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  model.forces = {model::Impulse{0, 0.101}};
  const auto windows = ends_of(model);
  EXPECT_EQ(windows.back(), 0.101);
  model.duration = 0.5;
  const auto more = ends_of(model);
  ASSERT_GT(more.size(), windows.size());
  EXPECT_TRUE(std::equal(windows.begin(), windows.end(), more.begin()));
}

// Nobody looks at a formula where it has no value: after the end of the run.
TEST(Timeline, WindowsEndWithTheRunWhereAScriptDoes) {
  model::Model model = test::empty_model(0.1);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  const auto script = [](const char* x) {
    body::ExpressionScript formulas;
    formulas.position[0] = std::get<math::Expression>(math::Expression::parse(x, "t"));
    return formulas;
  };
  model.bodies[0].motion = script("sqrt(0.1 - t)*(0.1 - t)^2");
  EXPECT_EQ(ends_of(model).back(), 0.1);
  model.bodies[0].motion = script("sqrt(0.1 + t)");
  EXPECT_GT(ends_of(model).back(), 0.1);
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
  while (stop.time < 0.005) ASSERT_TRUE(timeline.next_window(stop));
  ASSERT_TRUE(timeline.next_window(stop));
  EXPECT_EQ(stop.time, 0.01);
  EXPECT_EQ(stop.events.size(), 1u);
  EXPECT_EQ(timeline.next_scheduled(), infinity);
  EXPECT_EQ(timeline.next_sample(), 0);
  timeline.pass_sample();
  EXPECT_GT(timeline.next_sample(), 0);
}

}  // namespace
}  // namespace abut::loop
