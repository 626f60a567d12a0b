#include "server/live_world.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scene_run.h"

namespace {

using namespace abut;
using namespace abut::server;

const std::atomic<bool> never{false};

constexpr const char* falling = R"(
abut: 1
duration: 1
bodies:
  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [0, 0, 20], velocity: [1, 0, 0]}
)";

constexpr const char* weightless = R"(
abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [1, 2, 3]}
)";

constexpr const char* bouncing = R"(
abut: 1
duration: 1
materials: {m: {restitution: 0.5}}
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, material: m}
  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [0, 0, 1.5], material: m}
)";

void run_to(LiveWorld& world, double time) {
  while (world.time() < time) ASSERT_TRUE(world.advance()) << world.failure();
}

Vec3 place(const LiveWorld& world, int body = 0) {
  return world.frame().bodies[static_cast<std::size_t>(body)].position;
}

TEST(LiveWorld, RunsBeyondTheScenesDuration) {
  LiveWorld world(test::scene(falling), 1, never);
  run_to(world, 1.5);
  EXPECT_NEAR(place(world).z(), 20 - 0.5 * 9.81 * 1.5 * 1.5, 1e-9);
}

// From then on z = z1 + v1 s + g s^2 / 2 with the new g.
TEST(LiveWorld, GravityChangesFromThePresentOn) {
  LiveWorld world(test::scene(falling), 1, never);
  run_to(world, 0.5);
  const double t1 = world.time();
  world.set({Vec3(0, 0, 2), std::nullopt, std::nullopt});
  EXPECT_EQ(world.time(), t1);
  run_to(world, 1);
  const double s = world.time() - t1;
  EXPECT_NEAR(place(world).z(), 20 - 0.5 * 9.81 * t1 * t1 - 9.81 * t1 * s + s * s, 1e-9);
  EXPECT_NEAR(place(world).x(), world.time(), 1e-9);
  const double v = world.frame().bodies[0].velocity.z();
  const double z = place(world).z();
  world.set({});
  const double t2 = world.time();
  run_to(world, 2);
  const double more = world.time() - t2;
  EXPECT_NEAR(place(world).z(), z + v * more - 0.5 * 9.81 * more * more, 1e-9);
}

// A drop from 1 m takes sqrt(2/g); restitution e bounces it to e^2 m.
TEST(LiveWorld, RestitutionChangesBeforeAnImpact) {
  for (const double e : {0.0, 0.8}) {
    LiveWorld world(test::scene(bouncing), 1, never);
    run_to(world, 0.2);
    world.set({std::nullopt, std::nullopt, e});
    const double impact = std::sqrt(2 / 9.81);
    run_to(world, impact + 1e-6);
    const double apex = impact + e * std::sqrt(2 * 9.81) / 9.81;
    run_to(world, apex);
    const double s = world.time() - apex;
    EXPECT_NEAR(place(world, 1).z(), 0.5 + e * e - 0.5 * 9.81 * s * s * (e > 0 ? 1 : 0), 1e-6);
    EXPECT_GT(world.event_count(), 0);
  }
}

// Without gravity the body swings on the grip's spring like x'' + 2 z w x' + w^2 x = 0 with w = 10
// and z = 0.7, x measured from the target.
TEST(LiveWorld, AGripIsADampedSpring) {
  LiveWorld world(test::scene(weightless), 1, never);
  run_to(world, 0.1);
  const double t0 = world.time();
  ASSERT_TRUE(world.grab({0, Vec3::Zero(), Vec3(2, 2, 3)}));
  run_to(world, 0.5);
  const double t = world.time() - t0;
  const double w = 10, z = 0.7;
  const double turning = w * std::sqrt(1 - z * z);
  const double x =
      -std::exp(-z * w * t) * (std::cos(turning * t) + z * w / turning * std::sin(turning * t));
  EXPECT_NEAR(place(world).x(), 2 + x, 1e-7);
  EXPECT_NEAR(place(world).y(), 2, 1e-12);
  const Vec3 v = world.frame().bodies[0].velocity;
  const Vec3 p = place(world);
  world.release();
  const double t1 = world.time();
  run_to(world, 1);
  EXPECT_LT((place(world) - p - (world.time() - t1) * v).norm(), 1e-9) << "it flies on";
}

TEST(LiveWorld, OnlyDynamicBodiesCanBeHeld) {
  LiveWorld world(test::scene(bouncing), 1, never);
  EXPECT_FALSE(world.grab({0, Vec3::Zero(), Vec3::Zero()}));
  EXPECT_FALSE(world.grab({2, Vec3::Zero(), Vec3::Zero()}));
  EXPECT_TRUE(world.grab({1, Vec3::Zero(), Vec3(0, 0, 2)}));
}

// The balance of the books stays what it is through every intervention.
TEST(LiveWorld, BooksGoOnThroughInterventions) {
  LiveWorld world(test::scene(bouncing), 1, never);
  run_to(world, 0.3);
  world.set({Vec3(0, 0, -3), std::nullopt, 0.9});
  run_to(world, 0.7);
  ASSERT_TRUE(world.grab({1, Vec3(0, 0, 0.5), Vec3(1, 0, 2)}));
  run_to(world, 1);
  world.release();
  run_to(world, 1.2);
  EXPECT_NEAR(world.told_energy().balance(), world.scene().bodies[1].mass.mass * 9.81 * 1.5, 1e-4);
}

TEST(LiveWorld, TheSameInterventionsGiveTheSameBits) {
  std::vector<Vec3> places;
  for (int threads : {1, 2}) {
    LiveWorld world(test::scene(bouncing), threads, never);
    run_to(world, 0.4);
    world.set({std::nullopt, 0.3, 0.6});
    run_to(world, 0.6);
    ASSERT_TRUE(world.grab({1, Vec3(0.1, 0, 0), Vec3(1, 1, 2)}));
    run_to(world, 1);
    places.push_back(place(world, 1));
  }
  EXPECT_EQ(places[0], places[1]);
}

TEST(LiveWorld, RestartsFromTheBeginning) {
  LiveWorld world(test::scene(bouncing), 1, never);
  run_to(world, 0.7);
  const Vec3 then = place(world, 1);
  ASSERT_TRUE(world.grab({1, Vec3::Zero(), Vec3(5, 5, 5)}));
  run_to(world, 1);
  world.restart();
  EXPECT_EQ(world.time(), 0);
  EXPECT_EQ(world.event_count(), 0);
  run_to(world, 0.7);
  EXPECT_EQ(place(world, 1), then);
}

// What rests goes on resting without telling of every contact again.
TEST(LiveWorld, AnInterventionIsNoTouch) {
  LiveWorld world(test::scene(R"(
abut: 1
duration: 1
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}
  - {name: box, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.5]}
)"),
                  1, never);
  run_to(world, 0.2);
  const long before = world.event_count();
  EXPECT_GT(before, 0);
  world.set({Vec3(0, 0, -5), std::nullopt, std::nullopt});
  run_to(world, 0.4);
  EXPECT_EQ(world.event_count(), before);
  EXPECT_NEAR(place(world, 1).z(), 0.5, 1e-8);
}

}  // namespace
