#include "loop/timeline.h"

#include "support/models.h"

namespace abut::loop {
namespace {

std::vector<Stop> stops_of(const model::Model& model, const integrate::Scripts& scripts) {
  Timeline timeline(model, scripts);
  std::vector<Stop> stops;
  Stop stop;
  while (timeline.next(stop)) stops.push_back(stop);
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

}  // namespace
}  // namespace abut::loop
