// Bodies made of several parts move as one body of the same outline: seams, overlaps of parts and
// faces between them are never felt.

#include <random>

#include "support/constants.h"
#include "support/contact_runs.h"
#include "support/seeds.h"

namespace abut {
namespace {

using test::head;
using test::number;
using test::run_text;

using abut::test::g;

std::string vector_text(const Vec3& v) {
  return "[" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + "]";
}

std::string box_part(double from, double to) {
  return "{box: {size: " + vector_text(Vec3(to - from, 1, 0.25)) +
         "}, position: " + vector_text(Vec3((from + to) / 2, 0, -0.125)) + "}";
}

std::string floor_of(const std::vector<std::pair<double, double>>& parts) {
  std::string text = "  - {name: floor, motion: fixed, material: stuff, shapes: [";
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i > 0 ? ", " : "") + box_part(parts[i].first, parts[i].second);
  return text + "]}\n";
}

std::string stuff(double friction) {
  return "materials: {stuff: {friction: " + number(friction) + ", restitution: 0}}\n";
}

const std::vector<std::vector<std::pair<double, double>>> floors = {
    {{-1, 0}, {0, 1}},                             // flush
    {{-1, 0.2}, {-0.2, 1}},                        // overlapping
    {{-1, -0.5}, {-0.5, 0}, {0, 0.5}, {0.5, 1}}};  // with many seams

TEST(Union, ABallSlidesOverSeamsAtEverySpeed) {
  std::mt19937_64 random(test::seed(22, test::few_rounds));
  std::uniform_real_distribution<double> speeds(0.5, 1.2);
  for (int i = 0; i < 24; ++i) {
    const double speed = speeds(random);
    const auto run =
        run_text(head(1.4, 20) + stuff(0) + "bodies:\n" + floor_of(floors[i % floors.size()]) +
                 "  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: 1, material: stuff, "
                 "position: [-0.8, 0.013, 0.1], velocity: " +
                 vector_text(Vec3(speed, 0.1, 0)) + ", angular_velocity: [1, 2, 3]}\n");
    const BodyState& ball = run.sink.frames.back().bodies[1];
    EXPECT_LT((ball.velocity - Vec3(speed, 0.1, 0)).norm(), 1e-12) << speed;
    EXPECT_TRUE(run.events(EventKind::impact).empty()) << speed;
    EXPECT_LE(run.summary.contacts_max, 1) << speed;
  }
}

TEST(Union, ABallRollsOverSeamsAsOverOneBox) {
  for (const auto& parts : floors) {
    const auto run =
        run_text(head(1.4, 20) + stuff(0.5) + "bodies:\n" + floor_of(parts) +
                 "  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: 1, material: stuff, "
                 "position: [-0.8, 0.013, 0.1], velocity: [1, 0.1, 0], "
                 "angular_velocity: [-1, 10, 0]}\n");
    const BodyState& ball = run.sink.frames.back().bodies[1];
    EXPECT_LT((ball.position - Vec3(0.6, 0.153, 0.1)).norm(), 1e-8);
    EXPECT_LT((ball.velocity - Vec3(1, 0.1, 0)).norm(), 1e-9);
    EXPECT_LT((ball.angular_velocity - Vec3(-1, 10, 0)).norm(), 1e-8);
    EXPECT_TRUE(run.events(EventKind::impact).empty());
  }
}

TEST(Union, ABoxAndACylinderSlideOverSeamsAsOverOneBox) {
  const double friction = 0.1, speed = 1.5, time = 0.9;
  const std::string shapes[] = {"box: {size: [0.2, 0.16, 0.2]}",
                                "cylinder: {radius: 0.1, height: 0.2}"};
  for (const std::string& shape : shapes)
    for (const auto& parts : floors) {
      const auto run = run_text(head(time, 20) + stuff(friction) + "bodies:\n" + floor_of(parts) +
                                "  - {name: slider, shape: {" + shape +
                                "}, mass: 1, material: stuff, position: [-0.8, 0.013, 0.1], "
                                "velocity: [1.5, 0, 0]}\n");
      const BodyState& slider = run.sink.frames.back().bodies[1];
      const double way = speed * time - 0.5 * friction * g * time * time;
      EXPECT_NEAR(slider.position.x(), -0.8 + way, 1e-8) << shape;
      EXPECT_NEAR(slider.velocity.x(), speed - friction * g * time, 1e-8) << shape;
      EXPECT_LT((slider.orientation.vec()).norm(), 1e-8) << shape;
      EXPECT_TRUE(run.events(EventKind::impact).empty()) << shape;
    }
}

// Steps keep a gap, from which the edges of hidden faces could be seen.
TEST(Union, SeamsAreNotFeltInStepsEither) {
  const std::string shapes[] = {"box: {size: [0.2, 0.16, 0.2]}",
                                "cylinder: {radius: 0.1, height: 0.2}", "sphere: {radius: 0.1}"};
  for (const std::string& shape : shapes)
    for (const auto& parts : floors) {
      const auto run = run_text(head(0.9, 20, "clock: step") + stuff(0) + "bodies:\n" +
                                floor_of(parts) + "  - {name: slider, shape: {" + shape +
                                "}, mass: 1, material: stuff, position: [-0.8, 0.013, 0.1], "
                                "velocity: [1.5, 0, 0]}\n");
      const BodyState& slider = run.sink.frames.back().bodies[1];
      EXPECT_NEAR(slider.velocity.x(), 1.5, 1e-5) << shape;
      EXPECT_NEAR(slider.position.x(), -0.8 + 1.5 * 0.9, 1e-5) << shape;
    }
}

TEST(Union, ABallFliesOffAConvexEdgeBetweenParts) {
  // The slope falls by 3 in 4, faster than the ball does.
  for (const double hidden : {0.0, -0.5}) {
    const auto run = run_text(
        head(0.2, 20) + stuff(0) +
        "bodies:\n  - {name: floor, motion: fixed, material: stuff, shapes: [" + box_part(-1, 0) +
        ", {convex: {points: [[0, -0.5, 0], [0, 0.5, 0], [1.6, -0.5, -1.2], [1.6, 0.5, -1.2], "
        "[1.6, -0.5, -1.5], [1.6, 0.5, -1.5], [" +
        number(hidden) + ", -0.5, -1.5], [" + number(hidden) +
        ", 0.5, -1.5]]}}]}\n"
        "  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: 1, material: stuff, "
        "position: [-0.15, 0.013, 0.1], velocity: [1.5, 0, 0]}\n");
    const BodyState& ball = run.sink.frames.back().bodies[1];
    const double flight = 0.2 - 0.1;
    EXPECT_LT((ball.position - Vec3(0.15, 0.013, 0.1 - 0.5 * g * flight * flight)).norm(), 1e-7);
    EXPECT_NEAR(ball.velocity.x(), 1.5, 1e-12);
    EXPECT_TRUE(run.events(EventKind::impact).empty());
  }
}

}  // namespace
}  // namespace abut
