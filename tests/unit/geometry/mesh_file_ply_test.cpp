#include <fmt/core.h>
#include <gtest/gtest.h>

#include "abut/diagnostics.h"
#include "geometry/mesh_file.h"
#include "support/mesh_errors.h"
#include "unit/geometry/mesh_samples.h"
#include "unit/geometry/mesh_writers.h"

using namespace abut;
using namespace abut::geometry;

namespace {

std::string ply_error(const std::string& bytes) {
  return test::first_error("m.ply", [&] { parse_ply(bytes, "m.ply"); });
}

using test::starts;

std::string with_header(const std::string& vertices, const std::string& faces,
                        const std::string& body, const std::string& format = "ascii") {
  return "ply\nformat " + format + " 1.0\nelement vertex " + vertices +
         "\nproperty double x\nproperty double y\nproperty double z\nelement face " + faces +
         "\nproperty list uchar int vertex_indices\nend_header\n" + body;
}

const std::string triangle = "0 0 0\n1 0 0\n0 1 0\n";

}  // namespace

TEST(MeshFilePly, EveryTypeIsRead) {
  const std::string text =
      "ply\nformat ascii 1.0\nelement face 1\nproperty list int8 uint32 vertex_index\n"
      "element vertex 3\nproperty short z\nproperty float32 y\nproperty int8 x\n"
      "property list uchar uchar extra\nend_header\n3 0 1 2\n1 2.5 3 0\n4 5 6 2 7 8\n7 8 9 0\n";
  const PolygonMesh mesh = parse_ply(text, "m.ply");
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{Vec3(3, 2.5, 1), Vec3(6, 5, 4), Vec3(9, 8, 7)}));
  EXPECT_EQ(mesh.faces, (std::vector<std::vector<int>>{{0, 1, 2}}));
}

TEST(MeshFilePly, HeaderErrorsHaveTheirPlace) {
  EXPECT_TRUE(starts(ply_error("plyx\n"), "1:1: the file does not start with 'ply'"));
  EXPECT_TRUE(starts(ply_error(""), "1:1: the file does not start with 'ply'"));
  EXPECT_TRUE(starts(ply_error("ply\nformat text 1.0\n"), "2:8: 'text' is no encoding"));
  EXPECT_TRUE(starts(ply_error("ply\nformat ascii 2.0\n"), "2:14: version '2.0'"));
  EXPECT_TRUE(
      starts(ply_error("ply\nelement vertex many\n"), "2:16: 'many' is not a whole number"));
  EXPECT_TRUE(starts(ply_error("ply\nelement vertex -1\n"), "2:16: the number of elements is -1"));
  EXPECT_TRUE(starts(ply_error("ply\nproperty int x\n"), "2:1: a property stands before"));
  EXPECT_TRUE(
      starts(ply_error("ply\nelement vertex 1\nproperty long x\n"), "3:10: 'long' is no type"));
  EXPECT_TRUE(starts(ply_error("ply\nelement face 1\nproperty list float int vertex_indices\n"),
                     "3:15: the length of a list is of type 'float'"));
  EXPECT_TRUE(starts(ply_error("ply\nformat ascii 1.0\n"), "3:1: the file ends within its header"));
  EXPECT_TRUE(starts(ply_error("ply\nend_header\n"), "2:1: the header has no format"));
  EXPECT_TRUE(starts(ply_error("ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\n"
                               "property int y\nend_header\n1 2\n"),
                     "3:16: the element 'vertex' has 0 properties 'z'"));
}

TEST(MeshFilePly, BodyErrorsHaveTheirPlace) {
  EXPECT_TRUE(starts(ply_error(with_header("3", "1", triangle + "3 0 1 3\n")),
                     "13:7: face 0 has the vertex index 3"));
  EXPECT_TRUE(starts(ply_error(with_header("3", "1", triangle + "3 0 1 -1\n")),
                     "13:7: face 0 has the vertex index -1"));
  EXPECT_TRUE(starts(ply_error(with_header("3", "1", triangle + "3 0 1 1.5\n")),
                     "13:7: face 0 has the vertex index 1.5"));
  EXPECT_TRUE(
      starts(ply_error(with_header("3", "1", triangle + "2 0 1\n")), "13:1: face 0 has 2 corners"));
  EXPECT_TRUE(starts(ply_error(with_header("3", "1", triangle + "3 0 1\n")),
                     "14:1: the file ends where a value"));
  EXPECT_TRUE(starts(ply_error(with_header("3", "1", triangle + "-3 0 1 2\n")),
                     "13:1: the length of a list is -3"));
  EXPECT_TRUE(starts(ply_error(with_header("3", "1", triangle + "3 0 1 2\n3 0 1 2\n")),
                     "14:1: more data follows"));
  EXPECT_TRUE(starts(ply_error(with_header("3", "1", "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n")),
                     "11:3: 'nan' is not finite"));
  EXPECT_TRUE(starts(ply_error(with_header("3", "0", triangle)), "0:0: the file has no faces"));
}

TEST(MeshFilePly, AbsurdCountsAllocateNothing) {
  EXPECT_TRUE(starts(ply_error(with_header("2000000000", "1", triangle)),
                     "3:16: the header announces 2000000000 elements 'vertex'"));
  EXPECT_TRUE(starts(ply_error(with_header("99999999999", "1", triangle)),
                     "3:16: the number of elements is 99999999999"));
  const std::string list =
      "ply\nformat binary_little_endian 1.0\nelement face 1\n"
      "property list uint int vertex_indices\nend_header\n\xFF\xFF\xFF\xFF";
  EXPECT_NE(ply_error(list).find("a list of 4294967295 items"), std::string::npos);
  // An element without properties takes no bytes, however many there are.
  const std::string empty = "ply\nformat ascii 1.0\nelement nothing 2000000000\nend_header\n";
  EXPECT_TRUE(starts(ply_error(empty), "0:0: the file has no vertices"));
}

TEST(MeshFilePly, BinaryErrorsHaveTheirOffset) {
  const std::string whole = samples::ply_binary(samples::tetrahedron(), std::endian::little);
  EXPECT_NE(ply_error(whole.substr(0, whole.size() - 1)).find("1 more bytes should follow"),
            std::string::npos);
  EXPECT_NE(ply_error(whole + "x").find(fmt::format("at byte {}: more data", whole.size())),
            std::string::npos);
}
