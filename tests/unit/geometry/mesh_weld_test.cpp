#include "geometry/mesh_weld.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace abut;
using namespace abut::geometry;

TEST(MeshWeld, EqualPointsShareTheFirst) {
  const std::vector<Vec3> points = {Vec3(1, 2, 3), Vec3(0, 0, 0), Vec3(1, 2, 3), Vec3(-0.0, 0, 0),
                                    Vec3(1, 2, 3.0000000000000004)};
  EXPECT_EQ(first_equal_points(points), (std::vector<int>{0, 1, 0, 1, 4}));
}

RC_GTEST_PROP(MeshWeld, NearPointsAreThoseThatAllPairsFind, ()) {
  std::vector<Vec3> points;
  const int count = *rc::gen::inRange(1, 60);
  for (int i = 0; i < count; ++i) {
    const auto c = [] { return *rc::gen::inRange(-40, 41) * 0.1; };
    points.emplace_back(c(), c(), 0.1 * (i % 3));
  }
  const double distance = 0.45;
  // Clusters by comparing all pairs until nothing changes.
  std::vector<int> expected(points.size());
  for (int i = 0; i < count; ++i) expected[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        if ((points[i] - points[j]).norm() < distance && expected[j] > expected[i]) {
          expected[j] = expected[i];
          changed = true;
        }
      }
    }
  }
  RC_ASSERT(first_near_points(points, distance) == expected);
}

TEST(MeshWeld, ManyEqualPointsAreQuick) {
  const std::vector<Vec3> points(200000, Vec3(1, 1, 1));
  EXPECT_EQ(first_near_points(points, 0.1), std::vector<int>(points.size(), 0));
}

TEST(MeshWeld, RepresentativesReplaceAndUnusedGo) {
  PolygonMesh mesh;
  mesh.vertices = {Vec3(9, 9, 9), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 0), Vec3(0, 1, 0)};
  mesh.faces = {{3, 2, 4}};
  const PolygonMesh result = with_representatives(mesh, {0, 1, 2, 1, 4});
  EXPECT_EQ(result.vertices, (std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}));
  EXPECT_EQ(result.faces, (std::vector<std::vector<int>>{{0, 1, 2}}));
}

TEST(MeshWeld, SpareVerticesGo) {
  PolygonMesh mesh;
  mesh.vertices = {Vec3(9, 9, 9), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 0), Vec3(0, 1, 0)};
  mesh.faces = {{3, 2, 4}, {1, 4, 2}};
  const PolygonMesh result = without_spare_vertices(mesh);
  EXPECT_EQ(result.vertices.size(), 3u);
  EXPECT_EQ(result.faces, (std::vector<std::vector<int>>{{0, 1, 2}, {0, 2, 1}}));
}
