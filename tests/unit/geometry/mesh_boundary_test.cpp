#include "geometry/mesh_boundary.h"

#include <gtest/gtest.h>

namespace abut::geometry {
namespace {

// An L of two bars in the plane, one unit thick.
PolygonMesh angle_bracket() {
  PolygonMesh mesh;
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair(0, 0), {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      mesh.vertices.emplace_back(x, y, z);
  mesh.faces = {{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
  for (int i = 0; i < 6; ++i) mesh.faces.push_back({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
  return mesh;
}

// The same with every face cut into triangles.
PolygonMesh in_triangles(const PolygonMesh& mesh) {
  PolygonMesh cut{mesh.vertices, {}};
  for (const auto& face : mesh.faces) {
    // Fans from the reflex corner, 3 or 9, where there is one.
    std::size_t first = 0;
    for (std::size_t i = 0; i < face.size(); ++i)
      if (face.size() == 6 && face[i] % 6 == 3) first = i;
    for (std::size_t i = 2; i < face.size(); ++i)
      cut.faces.push_back(
          {face[first], face[(first + i - 1) % face.size()], face[(first + i) % face.size()]});
  }
  return cut;
}

TEST(MeshBoundary, CoplanarFacetsAreOneFaceOfFewConvexCells) {
  for (const PolygonMesh& mesh : {angle_bracket(), in_triangles(angle_bracket())}) {
    const MeshBoundary boundary(mesh);
    EXPECT_EQ(boundary.face_count(), 8);
    EXPECT_EQ(boundary.cell_count(), 10);  // two of each L, one of each side
    double area = 0;
    for (int cell = 0; cell < boundary.cell_count(); ++cell) {
      const auto corners = boundary.corners(cell);
      Vec3 sum = Vec3::Zero();
      for (std::size_t i = 0; i < corners.size(); ++i)
        sum +=
            boundary.vertex(corners[i]).cross(boundary.vertex(corners[(i + 1) % corners.size()]));
      EXPECT_NEAR(sum.normalized().dot(boundary.normal(cell)), 1, 1e-14);
      area += 0.5 * sum.norm();
    }
    EXPECT_NEAR(area, 2 * 3 + 8, 1e-13);
  }
}

TEST(MeshBoundary, NormalsBelongToFacesAndConvexEdgesOnly) {
  const MeshBoundary boundary(in_triangles(angle_bracket()));
  const auto is_normal = [&](const Vec3& x, const Vec3& n) {
    return boundary.is_normal_at(x, n.normalized(), 1e-9, 1e-9);
  };
  EXPECT_TRUE(is_normal(Vec3(0.3, 0.4, 1), Vec3::UnitZ()));
  EXPECT_FALSE(is_normal(Vec3(0.3, 0.4, 1), -Vec3::UnitZ()));
  EXPECT_FALSE(is_normal(Vec3(0.3, 0.4, 1), Vec3(0.1, 0, 1)));
  EXPECT_TRUE(is_normal(Vec3(0.5, 0, 1), Vec3(0, -1, 2)));  // between the faces of an edge
  EXPECT_FALSE(is_normal(Vec3(0.5, 0, 1), Vec3(0, 1, 2)));
  EXPECT_TRUE(is_normal(Vec3(0, 0, 1), Vec3(-1, -1, 1)));   // at a corner
  EXPECT_FALSE(is_normal(Vec3(1, 1, 0.5), Vec3(1, 1, 0)));  // at the reflex edge
  EXPECT_FALSE(is_normal(Vec3(1, 1, 0.5), Vec3(-1, -1, 0)));
}

TEST(MeshBoundary, TellsWhatIsInside) {
  const MeshBoundary boundary(angle_bracket());
  EXPECT_TRUE(boundary.contains(Vec3(0.5, 1.5, 0.5)));
  EXPECT_TRUE(boundary.contains(Vec3(1.5, 0.5, 0.01)));
  EXPECT_FALSE(boundary.contains(Vec3(1.5, 1.5, 0.5)));
  EXPECT_FALSE(boundary.contains(Vec3(0.5, 0.5, 1.01)));
}

}  // namespace
}  // namespace abut::geometry
