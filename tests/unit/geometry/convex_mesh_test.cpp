#include "geometry/convex_mesh.h"

#include <gtest/gtest.h>

#include "support/random_hulls.h"
#include "support/seeds.h"
#include "unit/geometry/mesh_samples.h"

using namespace abut;
using namespace abut::geometry;

TEST(ConvexMesh, HullsInTrianglesAreConvex) {
  test::Random random(abut::test::seed(7));
  for (const PolygonMesh& hull : test::hull_pool(random, 40)) {
    const auto found = hull_if_convex(samples::triangulated_fans(hull));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->faces.size(), hull.faces.size());
  }
}

TEST(ConvexMesh, FacesMayBeRoundedAsInFiles) {
  PolygonMesh cube =
      samples::triangulated_fans(samples::moved(samples::unit_cube(), Vec3(1000, 0, 0)));
  for (std::size_t i = 0; i < cube.vertices.size(); ++i)
    cube.vertices[i].z() += 3e-8 * (i % 3 == 0 ? 1 : -1);
  EXPECT_TRUE(hull_if_convex(cube));
  cube.vertices[0] += 0.3 * (cube.vertices[6] - cube.vertices[0]);  // a corner pushed in
  EXPECT_FALSE(hull_if_convex(cube));
}

TEST(ConvexMesh, SeveralPiecesAndHollowsAreNotConvex) {
  EXPECT_FALSE(hull_if_convex(samples::together(
      samples::unit_cube(), samples::moved(samples::unit_cube(), Vec3(3, 0, 0)))));
  EXPECT_FALSE(hull_if_convex(samples::torus(1, 0.3, 24, 12)));
  EXPECT_FALSE(hull_if_convex(samples::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 1)));
}
