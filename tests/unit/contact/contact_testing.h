#pragma once
// Bodies and comparisons for the tests of contact regions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "contact/contact_set.h"
#include "geometry/convex_hull.h"
#include "shape/shape.h"

namespace abut::test {

inline constexpr double touching = 1e-9;  ///< m, the default of scenes

inline model::Body single(const shape::Geometry& geometry) {
  model::Body body;
  body.parts.push_back({geometry, {}, 1000, 0});
  return body;
}
inline model::Body box(double x, double y, double z) {
  return single(shape::Box{Vec3(x, y, z)});
}
inline model::Body sphere(double radius) {
  return single(shape::Sphere{radius, false});
}
inline model::Body capsule(double radius, double height) {
  return single(shape::Capsule{radius, height});
}
inline model::Body ground() {
  return single(shape::Plane{Vec3::UnitZ(), 0});
}
inline model::Body hull(const std::vector<Vec3>& points, double rounding = 0) {
  return single(shape::Convex{
      std::make_shared<const geometry::PolygonMesh>(geometry::convex_hull(points)), rounding});
}
/// Along z, with a corner on the x axis.
inline model::Body prism(int corners, double radius, double height, double rounding = 0) {
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * i / corners;
    for (const double z : {-height / 2, height / 2}) {
      points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
  }
  return hull(points, rounding);
}

inline Quat turn(const Vec3& axis, double angle) {
  return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}
inline Pose at(double x, double y, double z, const Quat& q = Quat::Identity()) {
  return {Vec3(x, y, z), q};
}

inline std::vector<contact::ContactRegion> regions(const model::Body& a, const Pose& pose_a,
                                                   const model::Body& b, const Pose& pose_b,
                                                   double distance = touching) {
  narrow::PairQuery query(a, b);
  return contact::find_regions(query, pose_a, pose_b, distance);
}

inline std::vector<Vec3> positions(const contact::ContactRegion& region) {
  std::vector<Vec3> result;
  for (const contact::ContactPoint& point : region.points) result.push_back(point.position);
  return result;
}

/// The largest distance from a point of one set to the nearest of the other.
inline double mismatch(const std::vector<Vec3>& found, const std::vector<Vec3>& expected) {
  double worst = 0;
  const auto compare = [&](const auto& from, const auto& to) {
    for (const Vec3& p : from) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vec3& q : to) nearest = std::min(nearest, (p - q).norm());
      worst = std::max(worst, nearest);
    }
  };
  compare(found, expected);
  compare(expected, found);
  return worst;
}

inline void expect_region(const std::vector<contact::ContactRegion>& found, int dimension,
                          const Vec3& normal, const std::vector<Vec3>& points,
                          double tolerance = 1e-12) {
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].dimension, dimension);
  EXPECT_LT((found[0].normal - normal).norm(), tolerance) << found[0].normal.transpose();
  EXPECT_EQ(found[0].points.size(), points.size());
  EXPECT_LT(mismatch(positions(found[0]), points), tolerance);
}

inline Quat random_turn(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
}

}  // namespace abut::test
