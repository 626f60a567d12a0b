#include "geometry/ear_clipping.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

using namespace abut;
using namespace abut::geometry;

namespace {

double area_of(const std::vector<Vec2>& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2& a = polygon[i];
    const Vec2& b = polygon[(i + 1) % polygon.size()];
    sum += a.x() * b.y() - a.y() * b.x();
  }
  return sum / 2;
}

void expect_tiled(const std::vector<Vec2>& polygon) {
  const auto triangles = clipped_ears(polygon);
  ASSERT_TRUE(triangles.has_value());
  EXPECT_EQ(triangles->size(), polygon.size() - 2);
  double sum = 0;
  for (const auto& [a, b, c] : *triangles) {
    EXPECT_EQ(orientation_2d(polygon[a], polygon[b], polygon[c]), 1);
    sum += area_of({polygon[a], polygon[b], polygon[c]});
  }
  EXPECT_NEAR(sum, area_of(polygon), 1e-12 * std::abs(sum));
}

}  // namespace

TEST(EarClipping, ConvexAndNot) {
  expect_tiled({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  expect_tiled({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}});
  expect_tiled({{0, 0}, {4, 0}, {4, 3}, {3, 3}, {3, 1}, {1, 1}, {1, 3}, {0, 3}});
}

TEST(EarClipping, CornersOfHalfATurn) {
  expect_tiled({{0, 0}, {1, 0}, {2, 0}, {0, 2}});
  expect_tiled({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}});
}

TEST(EarClipping, NoThinTrianglesWhereAvoidable) {
  const double bulge = 1e-15;  // outwards, so that the corner is convex by rounding
  const std::vector<Vec2> polygon = {{0, 0}, {1, -bulge}, {2, 0}, {1, 1}};
  const auto triangles = clipped_ears(polygon);
  ASSERT_TRUE(triangles.has_value());
  for (const auto& [a, b, c] : *triangles) {
    EXPECT_GT(area_of({polygon[a], polygon[b], polygon[c]}), 0.4);
  }
}

TEST(EarClipping, PolygonsThatAreNotSimple) {
  EXPECT_FALSE(clipped_ears({{0, 0}, {1, 1}, {1, 0}, {0, 1}}).has_value());          // bow tie
  EXPECT_FALSE(clipped_ears({{0, 0}, {2, 0}, {1, 0}, {1, 1}}).has_value());          // spike
  EXPECT_FALSE(clipped_ears({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}).has_value());  // touch
  EXPECT_FALSE(clipped_ears({{0, 0}, {1, 0}, {1, 0}, {0, 1}}).has_value());          // twice
  EXPECT_FALSE(clipped_ears({{0, 1}, {1, 1}, {1, 0}, {0, 0}}).has_value());          // clockwise
  // A pentagram turns left everywhere, but goes round twice.
  std::vector<Vec2> star;
  for (int i = 0; i < 5; ++i)
    star.emplace_back(std::cos(4 * M_PI * i / 5), std::sin(4 * M_PI * i / 5));
  EXPECT_FALSE(clipped_ears(star).has_value());
}

RC_GTEST_PROP(EarClipping, StarShapedPolygonsAreTiled, ()) {
  const int corners = *rc::gen::inRange(4, 60);
  std::vector<Vec2> polygon;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * i / corners;
    const double radius = *rc::gen::inRange(1, 100);
    polygon.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  expect_tiled(polygon);
}

TEST(EarClipping, ManyCorners) {
  std::vector<Vec2> saw;
  for (int i = 0; i < 2000; ++i) saw.emplace_back(i, i % 2);
  saw.emplace_back(2000, 10);
  saw.emplace_back(-1, 10);
  expect_tiled(saw);
}
