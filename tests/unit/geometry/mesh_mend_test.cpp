#include "geometry/mesh_mend.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "geometry/mesh_check.h"
#include "unit/geometry/mesh_samples.h"

using namespace abut;
using namespace abut::geometry;

namespace {

/// Six times the signed volume, about the origin.
double volume_of(const PolygonMesh& mesh) {
  double sum = 0;
  for (const std::vector<int>& face : samples::triangulated_fans(mesh).faces) {
    sum += mesh.vertices[face[0]].dot(mesh.vertices[face[1]].cross(mesh.vertices[face[2]]));
  }
  return sum / 6;
}

void expect_faultless(const PolygonMesh& mesh, double volume) {
  for (const MeshProblem& problem : check_closed_surface(mesh)) ADD_FAILURE() << problem.message;
  EXPECT_NEAR(volume_of(mesh), volume, 1e-6 * volume);
}

}  // namespace

TEST(MeshMend, FaultlessMeshesStayAsTheyAre) {
  for (const PolygonMesh& mesh :
       {samples::unit_cube(), samples::torus(2, 0.5, 12, 8), samples::octahedron(1)}) {
    const PolygonMesh result = mended(mesh);
    EXPECT_EQ(result.vertices, mesh.vertices);
    EXPECT_EQ(result.faces, mesh.faces);
  }
}

TEST(MeshMend, WeldsVerticesThatDifferByRounding) {
  PolygonMesh mesh;
  const PolygonMesh cube = samples::unit_cube();
  for (std::size_t f = 0; f < cube.faces.size(); ++f) {
    std::vector<int> own;
    for (const int corner : cube.faces[f]) {
      own.push_back(int(mesh.vertices.size()));
      mesh.vertices.push_back(cube.vertices[corner] + 1e-9 * double(f) * Vec3(1, -1, 1));
    }
    mesh.faces.push_back(own);
  }
  EXPECT_TRUE(has_error(check_closed_surface(mesh)));
  const PolygonMesh result = mended(mesh);
  EXPECT_EQ(result.vertices.size(), 8u);
  EXPECT_FALSE(has_error(check_closed_surface(result)));
}

TEST(MeshMend, TurnsSingleFacesAndWholePieces) {
  PolygonMesh mesh = samples::unit_cube();
  for (const int f : {1, 4}) std::reverse(mesh.faces[f].begin(), mesh.faces[f].end());
  expect_faultless(mended(mesh), 1);
  expect_faultless(mended(samples::flipped(samples::unit_cube())), 1);
  // The first face decides the sense of its piece, even if it is the wrong one.
  std::reverse(mesh.faces[0].begin(), mesh.faces[0].end());
  expect_faultless(mended(mesh), 1);
}

TEST(MeshMend, TurnsCavitiesInwards) {
  const PolygonMesh outer = samples::flipped(samples::box(Vec3(0, 0, 0), Vec3(3, 3, 3)));
  const PolygonMesh inner = samples::box(Vec3(1, 1, 1), Vec3(2, 2, 2));
  expect_faultless(mended(samples::together(outer, inner)), 26);
  expect_faultless(mended(samples::together(inner, outer)), 26);
}

TEST(MeshMend, DropsDegenerateFaces) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.faces.push_back({0, 1, 1});
  mesh.faces.push_back({2, 6, 2, 6});
  expect_faultless(mended(mesh), 1);
  EXPECT_EQ(mended(mesh).faces.size(), 6u);
}

TEST(MeshMend, GivesTheCornerOfAFlatTriangleToItsNeighbour) {
  // The front's lower edge has a corner that the bottom lacks; a flat triangle fills the gap.
  PolygonMesh mesh = samples::unit_cube();
  mesh.vertices.emplace_back(0.5, 0, 0);
  mesh.faces[2] = {0, 8, 1, 5, 4};
  mesh.faces.push_back({0, 1, 8});
  ASSERT_TRUE(has_error(check_closed_surface(mesh)));
  const PolygonMesh result = mended(mesh);
  expect_faultless(result, 1);
  EXPECT_EQ(result.faces.size(), 6u);
}

TEST(MeshMend, DropsDuplicateFaces) {
  PolygonMesh twice = samples::unit_cube();
  twice.faces.push_back({1, 0, 2, 3});
  twice.faces.push_back({0, 1, 3, 2});
  expect_faultless(mended(twice), 1);
  // A wall between two cubes is no surface: both of its faces go.
  const PolygonMesh wall =
      samples::together(samples::unit_cube(), samples::moved(samples::unit_cube(), Vec3(1, 0, 0)));
  const PolygonMesh result = mended(wall);
  expect_faultless(result, 2);
  EXPECT_EQ(result.faces.size(), 10u);
}

TEST(MeshMend, SplitsBentFaces) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.vertices[7] += Vec3(1e-4, 2e-4, 3e-4);
  const PolygonMesh result = mended(mesh);
  EXPECT_TRUE(check_closed_surface(result).empty());
  EXPECT_EQ(result.faces.size(), 9u);
}

TEST(MeshMend, LeavesOutWhatIsNoFace) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.vertices.push_back(Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  mesh.vertices.push_back(Vec3(5, 5, 5));
  mesh.faces.push_back({0, 1, 8});
  mesh.faces.push_back({0, 1, 99});
  mesh.faces.push_back({0, 1});
  expect_faultless(mended(mesh), 1);
  EXPECT_EQ(mended(mesh).vertices.size(), 8u);
  EXPECT_TRUE(mended(PolygonMesh{}).faces.empty());
}

TEST(MeshMend, DoesNotHideHoles) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.faces.pop_back();
  EXPECT_TRUE(has_error(check_closed_surface(mended(mesh))));
}

RC_GTEST_PROP(MeshMend, FacesTurnedAtRandomAreTurnedBack, ()) {
  PolygonMesh mesh = samples::torus(2, 0.7, 8, 6);
  const double volume = volume_of(mesh);
  for (std::vector<int>& face : mesh.faces) {
    if (*rc::gen::arbitrary<bool>()) std::reverse(face.begin(), face.end());
  }
  const PolygonMesh result = mended(mesh);
  RC_ASSERT(check_closed_surface(result).empty());
  RC_ASSERT(std::abs(volume_of(result) - volume) <= 1e-12 * volume);
}
