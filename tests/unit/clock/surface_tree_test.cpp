#include "clock/surface_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "flexible/make.h"

namespace abut::clock {
namespace {

using Pairs = std::vector<SurfaceTree::Pair>;

// A crumpled sheet on its way.
MovingSurface crumpled(const flexible::BendingBody& body, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  MovingSurface surface;
  surface.body = &body;
  for (const Vec3& rest : body.boundary.rest()) {
    surface.places.push_back(0.5 * rest +
                             0.1 * Vec3(uniform(random), uniform(random), uniform(random)));
    surface.velocities.emplace_back(uniform(random), uniform(random), uniform(random));
  }
  return surface;
}

bool are_near(const geometry::Box3& a, const geometry::Box3& b, double margin) {
  return ((a.min() - b.max()).array() <= margin).all() &&
         ((b.min() - a.max()).array() <= margin).all();
}

TEST(SurfaceTree, FindsWhatLookingAtAllPairsFinds) {
  flexible::SheetShape shape;
  shape.size_x = shape.size_y = 1;
  shape.cells_x = 9;
  shape.cells_y = 7;
  shape.stretch = 1;
  const auto body = flexible::make_sheet(shape);
  SurfaceTree tree(body->boundary), other(body->boundary);
  for (const unsigned seed : {1U, 2U, 3U}) {
    const double h = 0.03 * seed, margin = 0.02;
    const MovingSurface a = crumpled(*body, seed), b = crumpled(*body, seed + 10);
    tree.fit(a, h);
    other.fit(b, h);
    Pairs own, both, own_expected, both_expected;
    tree.find_own_pairs(margin, own);
    tree.find_pairs(other, margin, both);
    for (int i = 0; i < a.triangles(); ++i)
      for (int j = 0; j < a.triangles(); ++j) {
        if (i < j && are_near(a.swept(i, 0, h), a.swept(j, 0, h), margin))
          own_expected.push_back({i, j});
        if (are_near(a.swept(i, 0, h), b.swept(j, 0, h), margin)) both_expected.push_back({i, j});
      }
    std::sort(own.begin(), own.end());
    std::sort(both.begin(), both.end());
    EXPECT_GT(own.size(), 100U);
    EXPECT_EQ(own, own_expected);
    EXPECT_EQ(both, both_expected);
  }
}

}  // namespace
}  // namespace abut::clock
