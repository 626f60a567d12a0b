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

TEST(SurfaceTree, FindsWhatIsNearABoxOrLow) {
  flexible::SheetShape shape;
  shape.size_x = shape.size_y = 1;
  shape.cells_x = 9;
  shape.cells_y = 7;
  shape.stretch = 1;
  const auto body = flexible::make_sheet(shape);
  SurfaceTree tree(body->boundary);
  const double h = 0.05;
  const MovingSurface surface = crumpled(*body, 4);
  tree.fit(surface, h);
  const geometry::Box3 around(Vec3(-0.1, 0, -0.05), Vec3(0.2, 0.1, 0.02));
  const Vec3 up = Vec3(1, 2, -2) / 3;
  constexpr double height = -0.15;
  std::vector<int> near, low, near_expected, low_expected;
  tree.find_near(around, near);
  tree.find_below(up, height, low);
  for (int k = 0; k < surface.triangles(); ++k) {
    const geometry::Box3 box = surface.swept(k, 0, h);
    if (box.intersects(around)) near_expected.push_back(k);
    double lowest = 0;
    for (int i = 0; i < 3; ++i) lowest += up[i] * (up[i] > 0 ? box.min() : box.max())[i];
    if (lowest <= height) low_expected.push_back(k);
  }
  std::sort(near.begin(), near.end());
  std::sort(low.begin(), low.end());
  EXPECT_GT(near.size(), 3U);
  EXPECT_GT(low.size(), 3U);
  EXPECT_EQ(near, near_expected);
  EXPECT_EQ(low, low_expected);
}

}  // namespace
}  // namespace abut::clock
