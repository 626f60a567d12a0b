#include <gtest/gtest.h>

#include "abut/diagnostics.h"
#include "geometry/mesh_file.h"
#include "support/mesh_errors.h"

using namespace abut;
using namespace abut::geometry;

namespace {

const std::string four_vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

/// The first error as `line:column: message`.
std::string obj_error(const std::string& bytes) {
  return test::first_error("m.obj", [&] { parse_obj(bytes, "m.obj"); });
}

using test::starts;

}  // namespace

TEST(MeshFileObj, AllFormsOfCorners) {
  const PolygonMesh mesh =
      parse_obj(four_vertices +
                    "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n"
                    "f 1/1/1 2/1/1 3/1/1 4/1/1\nf -4 -3 -2\nf -1//-1 1 2\n",
                "m.obj");
  EXPECT_EQ(mesh.faces, (std::vector<std::vector<int>>{
                            {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2}, {3, 0, 1}}));
}

TEST(MeshFileObj, CommentsContinuationsAndLineEnds) {
  const PolygonMesh mesh = parse_obj(
      "\xEF\xBB\xBF# made by hand\\\r\nv 1e0 +2.5 -.5 # a vertex\r\n\r\n  v\t1 0 \\\r\n 0\r\n"
      "v 0 1 0\rmtllib x.mtl\ng a b\nf 1 2 \\\n3 # a face",
      "m.obj");
  ASSERT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.vertices[0], Vec3(1, 2.5, -0.5));
  EXPECT_EQ(mesh.vertices[1], Vec3(1, 0, 0));
  EXPECT_EQ(mesh.faces, (std::vector<std::vector<int>>{{0, 1, 2}}));
}

TEST(MeshFileObj, WeightsAndColoursArePassedOver) {
  const PolygonMesh mesh = parse_obj("v 0 0 0 1\nv 1 0 0 0.1 0.2 0.3\nv 0 1 0\nf 1 2 3\n", "m.obj");
  EXPECT_EQ(mesh.vertices[1], Vec3(1, 0, 0));
}

TEST(MeshFileObj, FacesMayStandBeforeTheirVertices) {
  EXPECT_EQ(parse_obj("f 1 2 3\n" + four_vertices, "m.obj").faces.size(), 1u);
  EXPECT_TRUE(
      starts(obj_error("f 1 2 5\n" + four_vertices), "1:7: vertex index 5 is out of range"));
}

TEST(MeshFileObj, DigitsAreReadExactly) {
  const PolygonMesh mesh = parse_obj(
      "v 0.1 1e-310 1.7976931348623157e308\nv 1e-400 -1e-999 0.30000000000000004\nv 0 1 0\nf 1 2 "
      "3\n",
      "m.obj");
  EXPECT_EQ(mesh.vertices[0], Vec3(0.1, 1e-310, 1.7976931348623157e308));
  EXPECT_EQ(mesh.vertices[1], Vec3(0, 0, 0.1 + 0.2));
}

TEST(MeshFileObj, ErrorsHaveTheirPlace) {
  EXPECT_TRUE(
      starts(obj_error(four_vertices + "f 1 2 9\n"), "5:7: vertex index 9 is out of range"));
  EXPECT_TRUE(
      starts(obj_error(four_vertices + "f 1 -5 2\n"), "5:5: vertex index -5 is out of range"));
  EXPECT_TRUE(starts(obj_error(four_vertices + "f 1 0 2\n"), "5:5: a vertex index is 0"));
  EXPECT_TRUE(starts(obj_error(four_vertices + "f 1 2\n"), "5:1: the face has 2 corners"));
  EXPECT_TRUE(starts(obj_error(four_vertices + "f 1 2 x\n"), "5:7: 'x' is not a whole number"));
  EXPECT_TRUE(starts(obj_error(four_vertices + "f 1 2 3/x\n"), "5:9: 'x' is not a whole number"));
  EXPECT_TRUE(starts(obj_error(four_vertices + "f 1 2 3/1/1/1\n"), "5:7: '3/1/1/1' has too many"));
  EXPECT_TRUE(starts(obj_error("v 0 zero 0\n"), "1:5: 'zero' is not a number"));
  EXPECT_TRUE(starts(obj_error("v 0 nan 0\n"), "1:5: 'nan' is not finite"));
  EXPECT_TRUE(starts(obj_error("v 0 0 -inf\n"), "1:7: '-inf' is not finite"));
  EXPECT_TRUE(starts(obj_error("v 0 1e999 0\n"), "1:5: '1e999' is too large"));
  EXPECT_TRUE(starts(obj_error("v 0 1\n"), "1:6: the line ends where a coordinate"));
  EXPECT_TRUE(starts(obj_error("v 0 1 \\\n 2\nvertex 0 0 0\n"), "3:1: 'vertex' is no statement"));
  EXPECT_TRUE(starts(obj_error("v 0 0 0\nsurf 0 1 0 1 1 2\n"), "2:1: 'surf' belongs to a curved"));
  EXPECT_TRUE(starts(obj_error(""), "0:0: the file has no vertices"));
  EXPECT_TRUE(starts(obj_error(four_vertices), "0:0: the file has no faces"));
  EXPECT_TRUE(starts(obj_error("f 99999999999999999999 1 2\n"), "1:3: "));
}
