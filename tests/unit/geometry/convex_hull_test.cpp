#include "geometry/convex_hull.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "abut/diagnostics.h"
#include "unit/geometry/mesh_samples.h"

using namespace abut;
using namespace abut::geometry;

namespace {

Vec3 normal_of(const PolygonMesh& mesh, const std::vector<int>& face) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    sum += (mesh.vertices[face[i]] - mesh.vertices[face[0]])
               .cross(mesh.vertices[face[i + 1]] - mesh.vertices[face[0]]);
  }
  return sum.normalized();
}

std::size_t edge_count(const PolygonMesh& mesh) {
  std::size_t sides = 0;
  for (const std::vector<int>& face : mesh.faces) sides += face.size();
  return sides / 2;
}

bool is_closed(const PolygonMesh& mesh) {
  std::map<std::pair<int, int>, int> balance;
  for (const std::vector<int>& face : mesh.faces) {
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      balance[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  }
  for (const auto& [edge, sum] : balance) {
    if (sum != 0) return false;
  }
  return mesh.vertices.size() + mesh.faces.size() == edge_count(mesh) + 2;
}

/// How far the points stick out of the faces' planes, relative to their extent.
double excess(const PolygonMesh& hull, const std::vector<Vec3>& points) {
  double extent = 0;
  for (const Vec3& p : points) extent = std::max(extent, (p - points[0]).norm());
  double worst = 0;
  for (const std::vector<int>& face : hull.faces) {
    const Vec3 normal = normal_of(hull, face);
    for (const Vec3& p : points) {
      worst = std::max(worst, (p - hull.vertices[face[0]]).dot(normal) / extent);
    }
  }
  return worst;
}

std::string error_of(const std::vector<Vec3>& points) {
  try {
    convex_hull(points);
  } catch (const InputError& error) {
    return error.diagnostics().at(0).message;
  }
  return "no error";
}

Quat random_rotation() {
  const auto c = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  return Quat(1.2 + c(), c(), c(), c()).normalized();
}

}  // namespace

TEST(ConvexHull, GridOfPointsIsABox) {
  std::vector<Vec3> points;
  for (int i = 0; i < 27; ++i) points.emplace_back(i % 3, i / 3 % 3, i / 9);
  const PolygonMesh hull = convex_hull(points);
  ASSERT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.vertices.front(), Vec3(0, 0, 0));
  EXPECT_EQ(hull.vertices.back(), Vec3(2, 2, 2));
  ASSERT_EQ(hull.faces.size(), 6u);
  for (const std::vector<int>& face : hull.faces) EXPECT_EQ(face.size(), 4u);
  EXPECT_TRUE(is_closed(hull));
  EXPECT_EQ(excess(hull, points), 0);
}

TEST(ConvexHull, FacesPointOutwards) {
  const PolygonMesh hull = convex_hull(samples::octahedron(1).vertices);
  ASSERT_EQ(hull.faces.size(), 8u);
  for (const std::vector<int>& face : hull.faces) {
    EXPECT_GT(normal_of(hull, face).dot(hull.vertices[face[0]]), 0.5);
  }
}

TEST(ConvexHull, AllLegalSizes) {
  for (const double size : {1e-8, 1e-3, 1.0, 1e6}) {
    const Quat rotation = Quat(0.3, -0.5, 0.7, 0.2).normalized();
    const std::vector<Vec3> points =
        samples::moved(samples::unit_cube(), size * Vec3(1, 2, 3), rotation, size).vertices;
    const PolygonMesh hull = convex_hull(points);
    EXPECT_EQ(hull.vertices.size(), 8u) << size;
    EXPECT_EQ(hull.faces.size(), 6u) << size;
    EXPECT_LE(excess(hull, points), 1e-14) << size;
  }
}

TEST(ConvexHull, PrismWithManySides) {
  std::vector<Eigen::Vector2d> outline;
  for (int i = 0; i < 100; ++i)
    outline.emplace_back(std::cos(M_PI * i / 50), std::sin(M_PI * i / 50));
  const PolygonMesh hull = convex_hull(
      samples::moved(samples::prism(outline, 1), Vec3(7, 8, 9), Quat(1, 2, 3, 4).normalized())
          .vertices);
  EXPECT_EQ(hull.vertices.size(), 200u);
  EXPECT_EQ(hull.faces.size(), 102u);
  EXPECT_TRUE(is_closed(hull));
}

TEST(ConvexHull, PointsWithoutVolumeAreErrors) {
  EXPECT_NE(error_of({}).find("at least 4"), std::string::npos);
  EXPECT_NE(error_of({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}).find("3 points"),
            std::string::npos);
  EXPECT_NE(error_of(std::vector<Vec3>(9, Vec3(1, 2, 3))).find("equal"), std::string::npos);
  std::vector<Vec3> line, plane;
  for (int i = 0; i < 9; ++i) {
    line.push_back(Vec3(0.1, 0.2, 0.3) * i);
    plane.push_back(Vec3(0.1, 0.2, 0.3) * (i % 3) + Vec3(-0.7, 0.1, 0.9) * i);
  }
  EXPECT_NE(error_of(line).find("one line"), std::string::npos);
  EXPECT_NE(error_of(plane).find("one plane"), std::string::npos);
  std::vector<Vec3> points = samples::unit_cube().vertices;
  points[5].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(error_of(points).find("point 5"), std::string::npos);
}

RC_GTEST_PROP(ConvexHull, RandomPointsAreInside, ()) {
  std::vector<Vec3> points;
  const int count = *rc::gen::inRange(8, 80);
  for (int i = 0; i < count; ++i) {
    const auto c = [] { return *rc::gen::inRange(-100000, 100001) / 1e5; };
    points.emplace_back(c(), c(), c());
  }
  // Rounding of the cut positions makes thin hulls with ill-defined normals; a solid core does not.
  for (const Vec3& p : samples::octahedron(0.5).vertices) points.push_back(p);
  const PolygonMesh hull = convex_hull(points);
  RC_ASSERT(is_closed(hull));
  RC_ASSERT(excess(hull, points) <= 1e-10);
}

// Many coplanar and collinear points, rotated so that rounding takes them out of their planes.
RC_GTEST_PROP(ConvexHull, RotatedGridPointsGiveWholeFaces, ()) {
  const Quat rotation = random_rotation();
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) points.push_back(4 * Vec3(i % 2, i / 2 % 2, i / 4));
  const int more = *rc::gen::inRange(0, 40);
  for (int i = 0; i < more; ++i) {
    points.emplace_back(*rc::gen::inRange(0, 5), *rc::gen::inRange(0, 5), *rc::gen::inRange(0, 5));
  }
  const Vec3 offset = *rc::gen::inRange(0, 1000) * Vec3(1, -1, 2);
  for (Vec3& p : points) p = rotation * p + offset;
  const PolygonMesh hull = convex_hull(points);
  RC_ASSERT(hull.vertices.size() == 8u);
  RC_ASSERT(hull.faces.size() == 6u);
  RC_ASSERT(is_closed(hull));
}
