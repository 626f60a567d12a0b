#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"
#include "shape/polyhedron_moments.h"
#include "support/mesh_errors.h"
#include "unit/geometry/mesh_samples.h"
#include "unit/geometry/mesh_writers.h"

using namespace abut;
using namespace abut::geometry;

namespace {

std::string no_file(const std::string& name) {
  throw InputError(Location{name}, "no file");
}

PolygonMesh parse(const std::string& bytes) {
  return parse_gltf(bytes, "m.gltf", Faces::required, no_file);
}

std::string error_of(const std::string& bytes) {
  return test::first_error("m.gltf", [&] { parse(bytes); });
}

using test::starts;

// Positions as floats, then indices as 16-bit numbers; the y axis is up.
std::string binary_of(const PolygonMesh& mesh) {
  std::string bytes;
  for (const Vec3& v : mesh.vertices)
    for (const double x : {v.x(), v.z(), -v.y()})
      samples::append(bytes, static_cast<float>(x), std::endian::little);
  for (const auto& face : mesh.faces)
    for (const int corner : face)
      samples::append(bytes, static_cast<std::uint16_t>(corner), std::endian::little);
  return bytes;
}

std::string base64(const std::string& bytes) {
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

struct Writing {
  std::string uri = {};  // of the buffer; empty: a chunk
  std::string nodes = R"([{"mesh": 0}])";
  std::string top = {};  // more at the top
  int mode = 4;
};

std::string json_of(const PolygonMesh& mesh, const Writing& how) {
  const std::size_t points = 12 * mesh.vertices.size();
  std::size_t corners = 0;
  for (const auto& face : mesh.faces) corners += face.size();
  return fmt::format(
      R"({{"asset": {{"version": "2.0"}}, "nodes": {}, {} "meshes": [{{"primitives": [{{"mode": {},
 "attributes": {{"POSITION": 0}}, "indices": 1}}]}}], "buffers": [{{"byteLength": {}{}}}],
 "bufferViews": [{{"buffer": 0, "byteLength": {}}}, {{"buffer": 0, "byteOffset": {}, "byteLength": {}}}],
 "accessors": [{{"bufferView": 0, "componentType": 5126, "count": {}, "type": "VEC3"}},
 {{"bufferView": 1, "componentType": 5123, "count": {}, "type": "SCALAR"}}]}})",
      how.nodes, how.top, how.mode, points + 2 * corners,
      how.uri.empty() ? "" : fmt::format(R"(, "uri": "{}")", how.uri), points, points, 2 * corners,
      mesh.vertices.size(), corners);
}

std::string embedded(const PolygonMesh& mesh, Writing how = {}) {
  how.uri = "data:application/octet-stream;base64," + base64(binary_of(mesh));
  return json_of(mesh, how);
}

std::string glb_of(const PolygonMesh& mesh) {
  std::string json = json_of(mesh, {}), binary = binary_of(mesh), bytes = "glTF";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  const auto word = [&](std::size_t value) {
    samples::append(bytes, static_cast<std::uint32_t>(value), std::endian::little);
  };
  word(2);
  word(12 + 8 + json.size() + 8 + binary.size());
  word(json.size());
  word(0x4E4F534A);
  bytes += json;
  word(binary.size());
  word(0x004E4942);
  return bytes + binary;
}

std::multiset<std::array<std::array<double, 3>, 3>> triangles_of(const PolygonMesh& mesh) {
  std::multiset<std::array<std::array<double, 3>, 3>> all;
  for (const auto& face : mesh.faces) {
    std::array<std::array<double, 3>, 3> triangle;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) triangle[i][k] = mesh.vertices[face[i]][k];
    all.insert(triangle);
  }
  return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST(MeshFileGltf, TextWithItsDataAndBinaryAreTheSame) {
  const PolygonMesh mesh = samples::octahedron(0.5);
  EXPECT_EQ(triangles_of(parse(embedded(mesh))), triangles_of(mesh));
  EXPECT_EQ(triangles_of(parse(glb_of(mesh))), triangles_of(mesh));
}

TEST(MeshFileGltf, BuffersBesideTheFileAreRead) {
  const PolygonMesh mesh = samples::tetrahedron();
  const auto folder = std::filesystem::temp_directory_path() / "abut_gltf_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a b.bin", std::ios::binary) << binary_of(mesh);
  std::ofstream(folder / "m.gltf") << json_of(mesh, {.uri = "a%20b.bin"});
  std::ofstream(folder / "m.GLB", std::ios::binary) << glb_of(mesh);
  EXPECT_EQ(triangles_of(read_mesh_file((folder / "m.gltf").string())), triangles_of(mesh));
  EXPECT_EQ(triangles_of(read_mesh_file((folder / "m.GLB").string())), triangles_of(mesh));
  std::filesystem::remove_all(folder);
}

// A parent that turns, and a child that is shifted, scaled and mirrored in its own frame.
TEST(MeshFileGltf, NodesPlaceMeshes) {
  const PolygonMesh mesh = samples::unit_cube();
  PolygonMesh cut{mesh.vertices, {}};
  for (const auto& f : mesh.faces) {
    cut.faces.push_back({f[0], f[1], f[2]});
    cut.faces.push_back({f[0], f[2], f[3]});
  }
  // glTF's y is up: a quarter turn about it takes the x axis here to y.
  const std::string nodes =
      R"([{"children": [1], "rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]},
          {"mesh": 0, "translation": [3, 0, 0], "scale": [-2, 1, 1]}])";
  const PolygonMesh read =
      parse(embedded(cut, {.nodes = nodes, .top = R"("scene": 0, "scenes": [{"nodes": [0]}],)"}));
  EXPECT_FALSE(has_error(check_closed_surface(read)));
  Vec3 low = read.vertices.front(), high = low;
  for (const Vec3& v : read.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  EXPECT_LT((low - Vec3(-1, 1, 0)).norm(), 1e-15);
  EXPECT_LT((high - Vec3(0, 3, 1)).norm(), 1e-15);
  const std::string matrix = R"([{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]}])";
  const PolygonMesh raised = parse(embedded(cut, {.nodes = matrix}));
  EXPECT_EQ(triangles_of(raised), triangles_of(samples::moved(cut, Vec3(0, 0, 5))));
}

// A tetrahedron as a strip: its last triangle closes over a repeated corner.
TEST(MeshFileGltf, StripsAndFansAreRead) {
  PolygonMesh strip{samples::tetrahedron().vertices, {{0, 2, 1, 3, 0, 2}}};
  const PolygonMesh read = parse(embedded(strip, {.mode = 5}));
  EXPECT_EQ(read.faces.size(), 4u);
  EXPECT_FALSE(has_error(check_closed_surface(read)));
  PolygonMesh fan{samples::tetrahedron().vertices, {{3, 0, 1, 2, 0}}};
  EXPECT_EQ(parse(embedded(fan, {.mode = 6})).faces.size(), 3u);
}

TEST(MeshFileGltf, ErrorsHaveTheirPlace) {
  const PolygonMesh mesh = samples::tetrahedron();
  const std::string good = embedded(mesh), glb = glb_of(mesh);
  EXPECT_TRUE(starts(error_of("{\n  \"asset\": }"), "2:12: the JSON text cannot be read"));
  EXPECT_TRUE(starts(error_of(""), "1:1: the JSON text cannot be read"));
  EXPECT_TRUE(starts(error_of("[1]"), "0:0: at the top: "));
  EXPECT_TRUE(starts(error_of(replaced(good, "2.0", "1.0")), "0:0: at asset.version: "));
  EXPECT_TRUE(starts(error_of(embedded(mesh, {.nodes = R"([{"mesh": 7}])"})),
                     "0:0: at nodes[0].mesh: meshes[7] is meant, but there are 1"));
  EXPECT_TRUE(
      starts(error_of(embedded(mesh, {.nodes = R"([{"children": [1]}, {"children": [1]}])"})),
             "0:0: at nodes[1]: the node has several parents"));
  EXPECT_TRUE(starts(error_of(embedded(mesh, {.nodes = R"([{"mesh": 0, "scale": [1, 2]}])"})),
                     "0:0: at nodes[0].scale: this should be 3 finite numbers"));
  EXPECT_TRUE(starts(error_of(embedded(mesh, {.nodes = R"([{"mesh": 0, "skin": 0}])"})),
                     "0:0: at nodes[0].skin: "));
  EXPECT_TRUE(starts(
      error_of(embedded(mesh, {.top = R"("extensionsRequired": ["KHR_draco_mesh_compression"],)"})),
      "0:0: at extensionsRequired: the extension 'KHR_draco_mesh_compression'"));
  EXPECT_TRUE(starts(error_of(replaced(good, R"("count": 4,)", R"("count": 5,)")),
                     "0:0: at accessors[0]: the data reach beyond"));
  EXPECT_TRUE(starts(error_of(replaced(good, R"("count": 4,)", R"("count": 18014398509481983,)")),
                     "0:0: at accessors[0].count: "));
  EXPECT_TRUE(starts(error_of(replaced(good, R"("count": 12,)", R"("count": 11,)")),
                     "0:0: at meshes[0].primitives[0]: there are 11 corners"));
  EXPECT_TRUE(starts(error_of(replaced(good, "base64,", "base64,*")), "0:0: at buffers[0].uri: "));
  EXPECT_TRUE(starts(error_of(json_of(mesh, {.uri = "../secret.bin"})),
                     "0:0: at buffers[0].uri: '../secret.bin' is no file beside"));
  EXPECT_TRUE(starts(error_of(json_of(mesh, {.uri = "/etc/passwd"})), "0:0: at buffers[0].uri: "));
  EXPECT_TRUE(starts(error_of(glb.substr(0, 40)), "0:0: at byte 8: the file says it has"));
  EXPECT_TRUE(starts(error_of(replaced(glb, "asset", "\"sset")), "0:0: at byte 23: the JSON text"));
  PolygonMesh beyond = mesh;
  beyond.faces[2][1] = 9;
  EXPECT_TRUE(
      starts(error_of(embedded(beyond)), "0:0: at meshes[0].primitives[0].indices: index 7 is 9"));
}

TEST(MeshFileGltf, NodesThatShowAMeshTooOftenAreRefused) {
  std::string nodes = "[";
  for (int i = 0; i < 1000; ++i) nodes += std::string(i == 0 ? "" : ",") + R"({"mesh": 0})";
  PolygonMesh grid;
  for (int i = 0; i < 60000; ++i) grid.vertices.emplace_back(i % 1000, i / 1000, 0);
  grid.faces = {{0, 1, 1000}};
  EXPECT_TRUE(starts(error_of(embedded(grid, {.nodes = nodes + "]"})),
                     "0:0: at meshes[0].primitives[0]: the file has more than"));
}
