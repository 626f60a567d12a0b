#include "geometry/cyrus_beck.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/convex_hull.h"
#include "geometry/distance_triangle.h"
#include "support/models.h"
#include "support/seeds.h"

using namespace abut;
using namespace abut::geometry;
using namespace abut::test;

namespace {

PolygonMesh box_mesh(const Vec3& low, const Vec3& high) {
  PolygonMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back((i & 1) != 0 ? high.x() : low.x(), (i & 2) != 0 ? high.y() : low.y(),
                               (i & 4) != 0 ? high.z() : low.z());
  }
  mesh.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return mesh;
}
FacedSolid box(const Vec3& low, const Vec3& high) {
  return faced_solid(box_mesh(low, high));
}
const FacedSolid cube = box({-1, -1, -1}, {1, 1, 1});

using Step = Interpenetration::Step;

}  // namespace

TEST(CyrusBeck, KnowsTheFeaturesOfABox) {
  EXPECT_EQ(cube.edges.size(), 12u);
  EXPECT_EQ(cube.planes.size(), 6u);
  for (const FacePlane& plane : cube.planes) {
    EXPECT_DOUBLE_EQ(plane.offset, 1);
    EXPECT_DOUBLE_EQ(plane.height_of(Vec3::Zero()), -1);
  }
}

TEST(CyrusBeck, DepthIsTheDistanceFromTheNearestFacePlane) {
  EXPECT_DOUBLE_EQ(depth_inside(cube.planes, {0.75, 0, 0.5}), 0.25);
  EXPECT_DOUBLE_EQ(depth_inside(cube.planes, {0, -3, 0}), -2);
  EXPECT_DOUBLE_EQ(depth_inside(cube.planes, {1, 0.2, 0}), 0);
}

TEST(CyrusBeck, ClipsSegments) {
  const auto through = clipped_segment(cube.planes, {-3, 0, 0}, {5, 0, 0});
  ASSERT_TRUE(through);
  EXPECT_DOUBLE_EQ(through->from, 0.25);
  EXPECT_DOUBLE_EQ(through->to, 0.5);
  const auto within = clipped_segment(cube.planes, {-0.5, 0, 0}, {0.5, 0.5, 0.5});
  ASSERT_TRUE(within);
  EXPECT_EQ(within->from, 0);
  EXPECT_EQ(within->to, 1);
  EXPECT_FALSE(clipped_segment(cube.planes, {-3, 1.5, 0}, {0, 1.5, 0}));
  EXPECT_FALSE(clipped_segment(cube.planes, {0, 2.5, 0}, {2.5, 0, 0}));    // past an edge
  const auto corner = clipped_segment(cube.planes, {0, 2, 0}, {2, 0, 0});  // touches an edge
  ASSERT_TRUE(corner);
  EXPECT_DOUBLE_EQ(corner->from, corner->to);
  const auto deep = clipped_segment(cube.planes, {-3, 0, 0}, {5, 0, 0}, 0.5);
  ASSERT_TRUE(deep);
  EXPECT_DOUBLE_EQ(deep->from, 2.5 / 8);
  const auto point = clipped_segment(cube.planes, {0.5, 0.5, 0}, {0.5, 0.5, 0});
  EXPECT_TRUE(point);
}

TEST(CyrusBeck, EachStepFindsWhatItIsFor) {
  const auto vertex = find_interpenetration(cube, box({0.5, 0.5, 0.5}, {3, 3, 3}), 0);
  ASSERT_TRUE(vertex);
  EXPECT_EQ(vertex->step, Step::vertex);
  EXPECT_FALSE(vertex->of_first);
  EXPECT_DOUBLE_EQ(vertex->depth, 0.5);

  const auto edge = find_interpenetration(cube, box({-0.5, -0.5, -3}, {0.5, 0.5, 3}), 0);
  ASSERT_TRUE(edge);
  EXPECT_EQ(edge->step, Step::edge);
  EXPECT_FALSE(edge->of_first);
  EXPECT_EQ(edge->point.cwiseAbs(), Vec3(0.5, 0.5, 0));
  EXPECT_DOUBLE_EQ(edge->depth, 0.5);

  const auto face = find_interpenetration(cube, box({0, -1, -1}, {2, 1, 1}), 0);  // aligned
  ASSERT_TRUE(face);
  EXPECT_EQ(face->step, Step::face);
  EXPECT_EQ(face->point, Vec3(0, 0, 0));

  const auto same = find_interpenetration(cube, cube, 0);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->step, Step::centre);
}

TEST(CyrusBeck, FindsBarsOfEqualHeightThatCrossOffCentre) {
  // No vertex, edge or centroid of a whole face of either is inside the other.
  const auto found =
      find_interpenetration(box({-10, -1, -1}, {2, 1, 1}), box({-1, -2, -1}, {1, 10, 1}), 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, Step::face);
  EXPECT_DOUBLE_EQ(found->depth, 1);
}

TEST(CyrusBeck, TouchingIsNotInterpenetration) {
  EXPECT_FALSE(find_interpenetration(cube, box({1, -1, -1}, {2, 1, 1}), 0));  // face on face
  EXPECT_FALSE(find_interpenetration(cube, box({1, 1, -3}, {2, 2, 3}), 0));   // edge on edge
  EXPECT_FALSE(find_interpenetration(cube, box({1, 1, 1}, {2, 2, 2}), 0));    // corner on corner
  EXPECT_FALSE(find_interpenetration(cube, box({1, -0.5, 0}, {2, 0.5, 5}), 0));
}

TEST(CyrusBeck, TheToleranceIsADepth) {
  const FacedSolid overlapping = box({0.99, -0.5, -0.5}, {3, 0.5, 0.5});  // by 0.01
  EXPECT_TRUE(find_interpenetration(cube, overlapping, 0.0099));
  EXPECT_FALSE(find_interpenetration(cube, overlapping, 0.0101));
  const FacedSolid aligned = box({0.99, -1, -1}, {3, 1, 1});
  EXPECT_TRUE(find_interpenetration(cube, aligned, 0.0099));
  EXPECT_FALSE(find_interpenetration(cube, aligned, 0.0101));
}

// Independent truth: convex solids whose centres are outside each other interpenetrate if and only
// if their surfaces cross, which the distances of all pairs of triangles tell.
TEST(CyrusBeck, AgreesWithTheDistanceOfSurfaces) {
  std::mt19937_64 random(abut::test::seed(17));
  std::uniform_real_distribution<double> real(-1, 1);
  const auto hull_at = [&](const Vec3& centre) {
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) {
      points.push_back(centre + Vec3(real(random), real(random), real(random)));
    }
    return convex_hull(points);
  };
  const auto triangles = [](const PolygonMesh& mesh) {
    std::vector<Triangle> all;
    for (const auto& face : mesh.faces) {
      for (std::size_t i = 1; i + 1 < face.size(); ++i) {
        all.push_back({mesh.vertices[face[0]], mesh.vertices[face[i]], mesh.vertices[face[i + 1]]});
      }
    }
    return all;
  };
  int apart = 0;
  const int count = cases(100);
  for (int n = 0; n < count; ++n) {
    const PolygonMesh a = hull_at(Vec3::Zero());
    const PolygonMesh b = hull_at(1.7 * Vec3(real(random), real(random), real(random)));
    const FacedSolid s = faced_solid(a), t = faced_solid(b);
    double distance = 1e9;
    for (const Triangle& x : triangles(a)) {
      for (const Triangle& y : triangles(b)) {
        distance = std::min(distance, distance_triangle_triangle(x, y).distance);
      }
    }
    const bool nested =
        depth_inside(s.planes, t.centre) > 0 || depth_inside(t.planes, s.centre) > 0;
    const auto found = find_interpenetration(s, t, 0);
    if (distance > 0 && !nested) {
      ++apart;
      ASSERT_FALSE(found) << n;
    } else {
      ASSERT_TRUE(found) << n;
    }
    ASSERT_EQ(found.has_value(), find_interpenetration(t, s, 0).has_value());
    if (found) {  // the point belongs to both
      ASSERT_GE(depth_inside(s.planes, found->point), -1e-12);
      ASSERT_GE(depth_inside(t.planes, found->point), -1e-12);
    }
  }
  EXPECT_GT(apart, count / 10);
  EXPECT_LT(apart, count * 9 / 10);
}
