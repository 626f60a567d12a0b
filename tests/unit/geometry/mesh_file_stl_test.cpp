#include <gtest/gtest.h>

#include <limits>

#include "abut/diagnostics.h"
#include "geometry/mesh_file.h"
#include "support/mesh_errors.h"
#include "unit/geometry/mesh_samples.h"
#include "unit/geometry/mesh_writers.h"

using namespace abut;
using namespace abut::geometry;

namespace {

std::string stl_error(const std::string& bytes) {
  return test::first_error("m.stl", [&] { parse_stl(bytes, "m.stl"); });
}

using test::starts;

std::string facet(const std::string& corners) {
  return "solid s\nfacet normal 0 0 1\nouter loop\n" + corners + "endloop\nendfacet\nendsolid s\n";
}

}  // namespace

TEST(MeshFileStl, BinaryFilesMayStartWithSolid) {
  const PolygonMesh mesh =
      parse_stl(samples::stl_binary(samples::tetrahedron(), "solid part"), "m.stl");
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.faces.size(), 4u);
}

TEST(MeshFileStl, TextInAnyCaseAndLayout) {
  const PolygonMesh mesh = parse_stl(
      "SOLID\nFacet Normal nan nan nan Outer Loop\n vertex 0 0 0 vertex 1 0 0\nvertex 0 1 -0\n"
      "ENDLOOP EndFacet\nendsolid\nsolid another facet\nfacet normal 0 0 1\nouter loop\n"
      "vertex 0 0 -0.0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid another facet\n",
      "m.stl");
  ASSERT_EQ(mesh.faces.size(), 2u);
  EXPECT_EQ(mesh.vertices.size(), 4u);  // -0 and 0 are the same place
  EXPECT_EQ(mesh.faces[1], (std::vector<int>{0, 2, 3}));
}

TEST(MeshFileStl, TextErrorsHaveTheirPlace) {
  EXPECT_TRUE(
      starts(stl_error(facet("vertex 0 0 0\nvertex 1 0 0\n")), "6:1: the facet has 2 corners"));
  EXPECT_TRUE(starts(stl_error(facet("vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n")),
                     "7:1: the facet has more than 3"));
  EXPECT_TRUE(starts(stl_error(facet("vertex 0 0 0\nvertex 1 inf 0\nvertex 0 1 0\n")),
                     "5:10: 'inf' is not finite"));
  EXPECT_TRUE(starts(stl_error(facet("vertex 0 0 0\nvertex 1 0\nvertex 0 1 0\n")),
                     "6:1: 'vertex' is not a number"));
  EXPECT_TRUE(starts(stl_error("solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"),
                     "5:1: the file ends where 'vertex'"));
  EXPECT_TRUE(starts(stl_error("solid s\nfacets\n"), "2:1: 'facets' stands where"));
  EXPECT_TRUE(starts(stl_error("solid s\nendsolid s\n"), "0:0: the file has no triangles"));
  EXPECT_TRUE(starts(stl_error(""), "0:0: the file has 0 bytes"));
}

TEST(MeshFileStl, BinaryErrorsHaveTheirOffset) {
  const std::string whole = samples::stl_binary(samples::tetrahedron());
  EXPECT_EQ(
      stl_error(whole.substr(0, whole.size() - 1)),
      "0:0: at byte 80: a binary STL file of 4 triangles has 284 bytes, but this one has 283; "
      "it is cut off, so write it again");
  EXPECT_NE(stl_error(whole + "x").find("too long"), std::string::npos);
  std::string absurd = whole;
  absurd.replace(80, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_NE(stl_error(absurd).find("4294967295 triangles"), std::string::npos);
  PolygonMesh broken = samples::tetrahedron();
  broken.vertices[3].x() = std::numeric_limits<double>::infinity();
  // Triangle 1 is {0, 1, 3}; its third corner follows a normal and two corners.
  EXPECT_TRUE(starts(stl_error(samples::stl_binary(broken)),
                     "0:0: at byte 170: a coordinate of triangle 1 is inf"));
}
