// When a run ends does not change the motion up to there: every bit of a short run is one of a
// longer one.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/scene_run.h"

namespace abut::loop {
namespace {

using record::Frame;
using record::FrameKind;

test::KeepingSink frames_until(std::string_view text, double duration) {
  model::Model model = test::scene(text);
  model.duration = duration;
  test::KeepingSink sink;
  RunOptions options;
  options.threads = 1;
  const record::Summary summary = run(model, sink, options);
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.message;
  EXPECT_EQ(summary.duration, duration);
  EXPECT_EQ(sink.frames.back().time, duration);
  return sink;
}

bool is_same(const BodyState& x, const BodyState& y) {
  return x.position == y.position && x.orientation.coeffs() == y.orientation.coeffs() &&
         x.velocity == y.velocity && x.angular_velocity == y.angular_velocity;
}

// The ends of short runs lie between windows, steps and samples.
void expect_passive(std::string_view text, std::initializer_list<double> ends, double whole) {
  const test::KeepingSink longest = frames_until(text, whole);
  std::map<std::pair<double, FrameKind>, const Frame*> known;
  for (const Frame& frame : longest.frames) known[{frame.time, frame.kind}] = &frame;
  for (const double end : ends) {
    const test::KeepingSink sink = frames_until(text, end);
    std::size_t compared = 0;
    for (const Frame& frame : sink.frames) {
      const auto same = known.find({frame.time, frame.kind});
      if (same == known.end()) {
        EXPECT_EQ(frame.time, end) << "a frame of its own";
        continue;
      }
      ++compared;
      for (std::size_t told = 0; told < frame.told_count(); ++told) {
        const std::size_t i = frame.told(told);
        EXPECT_TRUE(is_same(frame.bodies[i], same->second->bodies[i]))
            << "body " << i << " at " << frame.time << " of a run of " << end;
      }
    }
    EXPECT_GE(compared + 1, sink.frames.size());
    const auto known_events = [&](const test::KeepingSink& of) {
      return std::count_if(of.events.begin(), of.events.end(),
                           [&](const Event& event) { return event.time < end; });
    };
    EXPECT_EQ(known_events(sink), known_events(longest));
  }
}

TEST(Duration, DoesNotChangeFreeMotion) {
  expect_passive(R"yaml(
abut: 1
duration: 1
bodies:
  - {name: box, shape: {box: {size: [1, 2, 3]}}, velocity: [1, 2, 3], angular_velocity: [0.1, 5, 0.3]}
)yaml",
                 {0.1, 0.25, 0.7001}, 1);
}

TEST(Duration, DoesNotChangeBouncesAndRest) {
  expect_passive(R"yaml(
abut: 1
duration: 1
materials: {r: {restitution: 0.6, friction: 0.3}}
bodies:
  - {name: floor, shape: {plane: {}}, motion: fixed, material: r}
  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.3], velocity: [1, 0, 0], material: r}
  - {name: box, shape: {box: {size: [0.2, 0.3, 0.1]}}, position: [0, 2, 0.3], material: r}
)yaml",
                 {0.15, 0.5, 0.7001}, 1.5);
}

TEST(Duration, DoesNotChangeJointsAndScripts) {
  expect_passive(R"yaml(
abut: 1
duration: 1
bodies:
  - {name: base, shape: {box: {size: [0.1, 0.1, 0.1]}}, motion: {position: ["0.1*sin(7*t)", "0", "0"]}}
  - {name: rod, shape: {capsule: {radius: 0.02, height: 0.5}}, position: [0, 0.1, -0.4]}
joints:
  - {type: ball, bodies: [base, rod], at: [0, 0.1, -0.1]}
)yaml",
                 {0.3, 0.7001}, 1);
}

TEST(Duration, DoesNotChangeSteps) {
  expect_passive(R"yaml(
abut: 1
duration: 1
solver: {clock: step}
materials: {r: {friction: 0.4}}
bodies:
  - {name: floor, shape: {plane: {}}, motion: fixed, material: r}
  - name: box
    shape: {box: {size: [0.2, 0.2, 0.2]}}
    position: [0, 0, 0.11]
    repeat: {count: [1, 1, 3], spacing: [1, 1, 0.21]}
    material: r
)yaml",
                 {0.1, 0.2345}, 0.4);
}

// A motion that ends where its formula does is followed up to there.
TEST(Duration, IsTheEndOfFormulasToo) {
  const test::KeepingSink sink = frames_until(R"yaml(
abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: base, shape: {box: {size: [0.1, 0.1, 0.1]}}, motion: {position: ["sqrt(1.0001 - t)", "0", "0"]}}
  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [0, 3, 0]}
)yaml",
                                              1);
  EXPECT_NEAR(sink.last(0).position.x(), 0.01, 1e-12);
}

}  // namespace
}  // namespace abut::loop
