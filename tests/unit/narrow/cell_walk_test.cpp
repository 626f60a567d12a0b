#include "narrow/cell_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "math/rotation.h"
#include "narrow/mesh_cells.h"
#include "narrow/pair.h"
#include "support/random_hulls.h"
#include "support/scene_run.h"
#include "support/seeds.h"

namespace abut::narrow {
namespace {

// A ring of 16 by 6 flat faces, as a body sees it.
BodyShape ring() {
  const model::Model model = test::scene(
      "abut: 1\nduration: 1\nbodies:\n  - {name: ring, material: {density: 1000}, "
      "shape: {mesh: {file: " +
      std::string(ABUT_SCENES_DIR) + "/meshes/ring.obj}}}\n");
  return BodyShape(model.bodies.front());
}

// Two bodies that move steadily.
struct Moving {
  Pose pose;
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();

  Pose at(double t) const {
    return {pose.position + t * velocity, math::rotation_exp(t * spin) * pose.orientation};
  }
};

Drift drift_of(const Moving& a, const Moving& b, double duration, double radius) {
  Drift drift;
  drift.duration = duration;
  const Moving* bodies[2] = {&a, &b};
  for (const int side : {0, 1}) {
    const Moving& body = *bodies[side];
    drift.spin[side] = body.spin;
    drift.velocity[side] = body.velocity + body.spin.cross(b.pose.position - body.pose.position);
    drift.stray += 0.5 * duration * duration * body.spin.squaredNorm() * radius;
  }
  return drift;
}

class LinkedRings : public ::testing::Test {
 protected:
  // The second ring passes through the first one.
  Moving moving(test::Random& random, const Vec3& at) const {
    const auto vector = [&](double size) -> Vec3 {
      return {test::uniform(random, -size, size), test::uniform(random, -size, size),
              test::uniform(random, -size, size)};
    };
    return {{at + vector(0.01), math::rotation_exp(vector(0.5))}, vector(0.3), vector(4)};
  }
  BodyShape shape_ = ring();
};

TEST_F(LinkedRings, NoCellThatComesNearIsLeftOut) {
  test::Random random(test::seed(3));
  constexpr double duration = 0.004, reach = 0.004;
  const Solid& solid = shape_.solids().front();
  const int cells = solid.cells->boundary().cell_count();
  std::size_t visited = 0;
  for (int round = 0; round < 3; ++round) {
    const Moving a = moving(random, Vec3::Zero());
    const Moving b = moving(random, Vec3(0.1, 0, 0));
    const Placed placed_a = placed(solid, a.pose.position - b.pose.position, a.pose.orientation);
    const Placed placed_b = placed(solid, Vec3::Zero(), b.pose.orientation);
    std::map<std::pair<int, int>, NearPieces> found;
    double within = reach;
    for_near_cells(placed_a, placed_b, drift_of(a, b, duration, solid.bounding_radius()), within,
                   [&](const NearPieces& one) {
                     found[{one.a, one.b}] = one;
                   });
    visited += found.size();
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        PairQuery query(std::make_shared<const BodyShape>(solid.cells->solid(i)),
                        std::make_shared<const BodyShape>(solid.cells->solid(j)));
        const double now = query.separation(a.pose, b.pose).gap;
        if (now > 10 * reach) continue;  // too far to come near at these speeds
        double least = now;
        for (const double part : {0.25, 0.5, 0.75, 1.0})
          least =
              std::min(least, query.separation(a.at(part * duration), b.at(part * duration)).gap);
        const auto one = found.find({i, j});
        if (one == found.end()) {
          EXPECT_GT(least, reach);
          continue;
        }
        EXPECT_LE(one->second.bound, std::max(least, 0.0));
        if (least <= reach) {
          EXPECT_LE(now, one->second.farthest);
        }
      }
  }
  // It is not that everything is taken for near.
  EXPECT_LT(visited, 3u * static_cast<std::size_t>(cells) * cells / 20);
  EXPECT_GT(visited, 0u);
}

// What is remembered from pose to pose changes nothing, whether these follow each other closely or
// not.
TEST_F(LinkedRings, RememberingDoesNotChangeTheDistance) {
  test::Random random(test::seed(5));
  const auto shape = std::make_shared<const BodyShape>(shape_);
  PairQuery remembering(shape, shape);
  Moving a = moving(random, Vec3::Zero()), b = moving(random, Vec3(0.1, 0, 0));
  for (int step = 0; step < 300; ++step) {
    if (step % 100 == 50) b = moving(random, Vec3(0.1, 0, 0));
    a.pose.orientation = math::rotation_exp(1e-3 * a.spin) * a.pose.orientation;
    b.pose.orientation = math::rotation_exp(1e-3 * b.spin) * b.pose.orientation;
    PairQuery fresh(shape, shape);
    const double expected = fresh.separation(a.pose, b.pose).gap;
    if (!(expected > 0)) continue;  // depths are found differently
    ASSERT_NEAR(remembering.separation(a.pose, b.pose).gap, expected, 1e-12) << step;
  }
}

TEST(Drift, TakesWhatTurnsTogetherForAtRest) {
  // Two gears that roll on each other: where they meet nothing moves.
  Drift drift;
  drift.duration = 0.01;
  drift.spin = {Vec3(0, 0, 2), Vec3(0, 0, -1)};
  drift.velocity = {Vec3(0, 0, 0), Vec3(0, 3, 0)};  // axes at the origin and at x = 3
  const Vec3 pitch_point(1, 0, 0);
  EXPECT_NEAR(drift.approach(0, pitch_point, 0, 0), 0, 1e-15);
  EXPECT_NEAR(drift.approach(0, -pitch_point, 0, 0), 0.01 * 6, 1e-15);
  EXPECT_NEAR(drift.farthest(1, pitch_point, 0, 0.5), 0.5 / (1 - 0.01 * 2), 1e-15);
}

}  // namespace
}  // namespace abut::narrow
