#include "record/display_mesh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/convex_hull.h"
#include "record/polyhedron_mesh.h"
#include "shape/moments.h"

namespace {

using abut::Vec3;
using abut::record::display_detail;
using abut::record::display_shape;
using abut::record::DisplayMesh;
namespace shape = abut::shape;

/// The mesh in metres.
DisplayMesh mesh_of(const shape::Geometry& geometry, int detail = 64) {
  const auto shown = display_shape(geometry, detail).value();
  DisplayMesh mesh = shown.mesh();
  for (Vec3& v : mesh.vertices) v = shown.scale.cwiseProduct(v);
  for (Vec3& n : mesh.normals) n = n.cwiseQuotient(shown.scale).normalized();
  return mesh;
}

/// One of each bounded shape.
std::vector<shape::Geometry> solids() {
  const auto tetrahedron = std::make_shared<abut::geometry::PolygonMesh>(
      abut::geometry::PolygonMesh{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}},
                                  {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
  return {shape::Sphere{0.7},
          shape::Ellipsoid{{0.5, 1, 2}},
          shape::Superellipsoid{{0.5, 1, 2}, 0.4, 1.5},
          shape::Capsule{0.3, 1.2},
          shape::Cylinder{0.4, 1.1},
          shape::Cone{0.6, 1.4},
          shape::Torus{1, 0.3},
          shape::Box{{1, 2, 3}},
          shape::Convex{tetrahedron},
          shape::Convex{tetrahedron, 0.2},
          shape::Mesh{tetrahedron}};
}

double volume_of(const DisplayMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    sum += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c])) / 6;
  return sum;
}

TEST(DisplayMesh, EnclosesTheVolumeOfTheSolid) {
  for (const shape::Geometry& solid : solids()) {
    const double exact = shape::moments_of(solid, 1).volume;
    for (const int detail : {28, 64}) {
      const double off = std::abs(volume_of(mesh_of(solid, detail)) - exact) / exact;
      // Chords lie inside: the error falls with the square of the number of cells.
      EXPECT_LT(off, 40.0 / (detail * detail)) << shape::name_of(solid) << " " << detail;
    }
  }
}

TEST(DisplayMesh, IsClosed) {
  for (const shape::Geometry& solid : solids()) {
    const DisplayMesh mesh = mesh_of(solid);
    Vec3 sum = Vec3::Zero();
    double area = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 n =
          (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]) / 2;
      sum += n;
      area += n.norm();
    }
    EXPECT_LT(sum.norm(), 1e-12 * area) << shape::name_of(solid);
  }
}

TEST(DisplayMesh, NormalsPointOutwardsLikeTheTriangles) {
  for (const shape::Geometry& solid : solids()) {
    const DisplayMesh mesh = mesh_of(solid);
    ASSERT_EQ(mesh.vertices.size(), mesh.normals.size());
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 n =
          (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
      for (const auto corner : {a, b, c}) {
        EXPECT_NEAR(mesh.normals[corner].norm(), 1, 1e-12);
        EXPECT_GT(mesh.normals[corner].dot(n), 0) << shape::name_of(solid);
      }
    }
  }
}

TEST(DisplayMesh, VerticesLieOnTheSurface) {
  for (const Vec3& v : mesh_of(shape::Ellipsoid{{0.5, 1, 2}}).vertices)
    EXPECT_NEAR(v.cwiseQuotient(Vec3(0.5, 1, 2)).norm(), 1, 1e-12);
  for (const Vec3& v : mesh_of(shape::Torus{1, 0.3}).vertices)
    EXPECT_NEAR(std::hypot(std::hypot(v.x(), v.y()) - 1, v.z()), 0.3, 1e-12);
  for (const Vec3& v : mesh_of(shape::Capsule{0.3, 1.2}).vertices) {
    const double beyond = std::max(std::abs(v.z()) - 0.6, 0.0);
    EXPECT_NEAR(std::hypot(std::hypot(v.x(), v.y()), beyond), 0.3, 1e-12);
  }
}

TEST(DisplayMesh, EdgesAreThoseOfThePolyhedron) {
  EXPECT_EQ(mesh_of(shape::Box{{1, 1, 1}}).edges.size(), 12u);
  EXPECT_TRUE(mesh_of(shape::Sphere{1}).edges.empty());
  EXPECT_EQ(mesh_of(shape::Cylinder{1, 1}).edges.size(), 2u * 64);
}

TEST(DisplayMesh, TrianglesOfOneFlatSideAreNoEdge) {
  // A box whose top is two triangles.
  const abut::geometry::PolygonMesh box{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
      {{0, 3, 2, 1}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 4, 7, 3}, {1, 2, 6, 5}}};
  EXPECT_EQ(abut::record::polyhedron_mesh(box, true).edges.size(), 12u);
}

TEST(DisplayMesh, ShapesThatDifferByAScaleShareAMesh) {
  abut::record::MeshLibrary library;
  const auto index = [&](const shape::Geometry& g) {
    return library.index_of(display_shape(g, 28).value());
  };
  EXPECT_EQ(index(shape::Sphere{1}), index(shape::Ellipsoid{{1, 2, 3}}));
  EXPECT_EQ(index(shape::Capsule{1, 2}), index(shape::Capsule{2, 4}));
  EXPECT_NE(index(shape::Capsule{1, 2}), index(shape::Capsule{1, 3}));
  EXPECT_FALSE(display_shape(shape::Plane{}, 28).has_value());
}

TEST(DisplayMesh, ManyBodiesAreCoarser) {
  EXPECT_GT(display_detail(1), display_detail(1000));
}

}  // namespace
