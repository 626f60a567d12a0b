#include "geometry/convex_polyhedron.h"

#include <stdexcept>

#include "support/models.h"
#include "support/random_hulls.h"
#include "support/seeds.h"

using namespace abut;
using namespace abut::geometry;
using namespace abut::test;

namespace {

void expect_closed_topology(const ConvexPolyhedron& p) {
  EXPECT_EQ(p.vertex_count() - p.edge_count() + p.face_count(), 2);
  std::vector<int> seen(p.half_edges().size(), 0);
  for (int f = 0; f < p.face_count(); ++f) {
    int h = p.faces()[f].first;
    do {
      ASSERT_EQ(p.half_edges()[h].face, f);
      const int next = p.half_edges()[h].next;
      ASSERT_EQ(p.half_edges()[next].origin, p.half_edges()[h ^ 1].origin);
      ++seen[h];
      h = next;
    } while (h != p.faces()[f].first);
  }
  for (const int count : seen) ASSERT_EQ(count, 1);
}

double highest(const ConvexPolyhedron& p, const Vec3& direction) {
  double result = -INFINITY;
  for (const Vec3& v : p.vertices()) result = std::max(result, direction.dot(v));
  return result;
}

}  // namespace

TEST(ConvexPolyhedron, HullsHaveAClosedTopologyAndSupportingPlanes) {
  Random random(abut::test::seed(11));
  for (const PolygonMesh& mesh : hull_pool(random, 40)) {
    const auto p = ConvexPolyhedron::from_hull(mesh);
    expect_closed_topology(p);
    for (const auto& face : p.faces()) {
      EXPECT_NEAR(face.normal.norm(), 1, 1e-15);
      EXPECT_NEAR(highest(p, face.normal), face.offset, 2e-13);
      EXPECT_GT(face.offset, 0) << "the mean of the vertices is inside";
      EXPECT_GE(face.offset, p.inner_radius());
    }
  }
}

TEST(ConvexPolyhedron, SupportIsTheHighestVertexWhateverTheHint) {
  Random random(abut::test::seed(12));
  const auto pool = hull_pool(random, 40);
  for (int i = 0; i < cases(4000); ++i) {
    const auto p = ConvexPolyhedron::from_hull(pool[i % pool.size()]);
    Vec3 direction = random_direction(random);
    // Exactly along a face normal, all corners of the face are equally high.
    if (i % 3 == 0) direction = p.faces()[random() % p.face_count()].normal;
    const int hint = static_cast<int>(random() % (p.vertex_count() + 1)) - 1;
    const int found = p.support(direction, hint);
    EXPECT_GE(direction.dot(p.vertices()[found]), highest(p, direction) - 4e-16);
  }
}

TEST(ConvexPolyhedron, BoxHasSixFacesAtHalfItsSize) {
  const auto box = ConvexPolyhedron::from_box(Vec3(1, 2, 4));
  expect_closed_topology(box);
  EXPECT_EQ(box.vertex_count(), 8);
  EXPECT_EQ(box.edge_count(), 12);
  ASSERT_EQ(box.face_count(), 6);
  for (const auto& face : box.faces()) {
    EXPECT_EQ(face.offset, face.normal.cwiseAbs().dot(Vec3(0.5, 1, 2)));
    EXPECT_EQ(face.normal.cwiseAbs().sum(), 1);
  }
  EXPECT_EQ(box.inner_radius(), 0.5);
  EXPECT_DOUBLE_EQ(box.radius(), std::sqrt(0.25 + 1 + 4));
}

TEST(ConvexPolyhedron, PointAndSegmentHaveNoFaces) {
  const auto point = ConvexPolyhedron::from_point();
  EXPECT_EQ(point.support(Vec3(1, 2, 3)), 0);
  EXPECT_EQ(point.edge_count(), 0);
  const auto segment = ConvexPolyhedron::from_segment(3);
  EXPECT_EQ(segment.edge_count(), 1);
  EXPECT_EQ(segment.face_count(), 0);
  EXPECT_EQ(segment.vertices()[segment.support(Vec3(5, 0, 0.1))], Vec3(0, 0, 1.5));
  EXPECT_EQ(segment.edge_between(0, 1), 0);
  EXPECT_EQ(segment.radius(), 1.5);
}

TEST(ConvexPolyhedron, KeepsItsAccuracyFarFromTheOrigin) {
  // Powers of two, so that the shifted coordinates are exact.
  const auto box = ConvexPolyhedron::from_box(Vec3(1, 2, 4));
  PolygonMesh mesh;
  const Vec3 shift(1048576, -2097152, 4194304);
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back(box.vertices()[i] + shift);
  mesh = convex_hull(mesh.vertices);
  const auto moved = ConvexPolyhedron::from_hull(mesh);
  EXPECT_EQ(moved.centre(), shift);
  EXPECT_EQ(moved.inner_radius(), 0.5);
}

TEST(ConvexPolyhedron, RefusesAnOpenSurface) {
  PolygonMesh open;
  open.vertices = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  open.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}};
  EXPECT_THROW(ConvexPolyhedron::from_hull(open), std::invalid_argument);
}
