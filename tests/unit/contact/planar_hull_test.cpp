#include "contact/planar_hull.h"
#include "support/seeds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using abut::contact::planar_hull;
using Points = std::vector<Eigen::Vector2d>;

TEST(PlanarHull, Dimensions) {
  EXPECT_EQ(planar_hull({}, 1e-9).dimension, -1);
  EXPECT_EQ(planar_hull({{1, 2}}, 1e-9).vertices, (std::vector<int>{0}));
  EXPECT_EQ(planar_hull({{1, 2}, {1, 2 + 1e-10}, {1, 2}}, 1e-9).dimension, 0);
  const auto line = planar_hull({{1, 0}, {0, 1e-10}, {2, 0}, {0, 0}, {1.5, -1e-10}}, 1e-9);
  EXPECT_EQ(line.dimension, 1);
  EXPECT_EQ(line.vertices, (std::vector<int>{1, 2}));  // of equivalent points the first
}

TEST(PlanarHull, DropsInnerAndFlatPoints) {
  const Points points{{0, 0}, {1, 0}, {0.5, -1e-10}, {1, 1}, {0, 1}, {0.5, 0.5}, {1, 0.3}};
  const auto hull = planar_hull(points, 1e-9);
  EXPECT_EQ(hull.dimension, 2);
  EXPECT_EQ(hull.vertices, (std::vector<int>{0, 1, 3, 4}));
}

TEST(PlanarHull, ThinTriangleIsNoLineWhileWiderThanTheTolerance) {
  EXPECT_EQ(planar_hull({{0, 0}, {1, 0}, {0.5, 2e-9}}, 1e-9).dimension, 2);
  EXPECT_EQ(planar_hull({{0, 0}, {1, 0}, {0.5, 0.5e-9}}, 1e-9).dimension, 1);
}

/// Every point is within the hull, and every corner turns left.
TEST(PlanarHull, HoldsRandomPoints) {
  std::mt19937_64 random(abut::test::seed(4711));
  std::uniform_real_distribution<double> coordinate(-1, 1);
  for (int run = 0; run < 200; ++run) {
    Points points;
    for (int i = 0; i < 3 + run % 40; ++i)
      points.emplace_back(coordinate(random), coordinate(random));
    const auto hull = planar_hull(points, 1e-9);
    ASSERT_EQ(hull.dimension, 2);
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
      const auto& p = points[hull.vertices[i]];
      const Eigen::Vector2d side = points[hull.vertices[(i + 1) % hull.vertices.size()]] - p;
      for (const auto& q : points) {
        const double left = side.x() * (q - p).y() - side.y() * (q - p).x();
        EXPECT_GE(left, -1e-9 * side.norm());
      }
    }
  }
}
