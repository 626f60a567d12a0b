#include "geometry/mesh_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "abut/diagnostics.h"
#include "unit/geometry/mesh_samples.h"
#include "unit/geometry/mesh_writers.h"

using namespace abut;
using namespace abut::geometry;

namespace {

void expect_same(const PolygonMesh& a, const PolygonMesh& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.faces, b.faces);
}

/// Faces as coordinates, for formats that do not keep the vertices apart.
std::vector<std::vector<Vec3>> soup(const PolygonMesh& mesh) {
  std::vector<std::vector<Vec3>> result;
  for (const std::vector<int>& face : mesh.faces) {
    result.emplace_back();
    for (const int corner : face) result.back().push_back(mesh.vertices[corner]);
  }
  return result;
}

PolygonMesh random_mesh() {
  PolygonMesh mesh = samples::torus(2, 0.5, *rc::gen::inRange(3, 8), *rc::gen::inRange(3, 8));
  const double scale = std::pow(10.0, *rc::gen::inRange(-8, 7));
  for (Vec3& v : mesh.vertices) v *= scale;
  return mesh;
}

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& bytes)
      : path_(std::filesystem::temp_directory_path() / ("abut_mesh_file_test_" + name)) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

Diagnostic diagnostic_of(const std::string& path) {
  try {
    read_mesh_file(path);
  } catch (const InputError& error) {
    return error.diagnostics().at(0);
  }
  ADD_FAILURE() << "no error for " << path;
  return {};
}

}  // namespace

RC_GTEST_PROP(MeshFile, ObjRoundTrip, ()) {
  const PolygonMesh mesh = random_mesh();
  expect_same(parse_obj(samples::obj_text(mesh), "m.obj"), mesh);
}

RC_GTEST_PROP(MeshFile, PlyRoundTrip, ()) {
  const PolygonMesh mesh = random_mesh();
  expect_same(parse_ply(samples::ply_text(mesh), "m.ply"), mesh);
  expect_same(parse_ply(samples::ply_binary(mesh, std::endian::little), "m.ply"), mesh);
  expect_same(parse_ply(samples::ply_binary(mesh, std::endian::big), "m.ply"), mesh);
}

RC_GTEST_PROP(MeshFile, StlRoundTrip, ()) {
  PolygonMesh mesh = random_mesh();
  for (Vec3& v : mesh.vertices) v = v.cast<float>().cast<double>();
  const PolygonMesh text = parse_stl(samples::stl_text(mesh), "m.stl");
  EXPECT_EQ(soup(text), soup(mesh));
  EXPECT_EQ(text.vertices.size(), mesh.vertices.size());  // welded
  expect_same(parse_stl(samples::stl_binary(mesh), "m.stl"), text);
}

TEST(MeshFile, PolygonsStayPolygons) {
  const PolygonMesh cube = samples::unit_cube();
  expect_same(parse_obj(samples::obj_text(cube), "m.obj"), cube);
  expect_same(parse_ply(samples::ply_text(cube), "m.ply"), cube);
}

TEST(MeshFile, EndingDecidesInAnyCase) {
  const PolygonMesh mesh = samples::tetrahedron();
  const TemporaryFile obj("a.OBJ", samples::obj_text(mesh));
  const TemporaryFile stl("a.Stl", samples::stl_binary(mesh));
  const TemporaryFile ply("a.ply", samples::ply_text(mesh));
  expect_same(read_mesh_file(obj.path()), mesh);
  EXPECT_EQ(soup(read_mesh_file(stl.path())), soup(mesh));
  expect_same(read_mesh_file(ply.path()), mesh);
}

// They may never end.
TEST(MeshFile, DevicesAndPipesAreRefused) {
  const auto link = std::filesystem::temp_directory_path() / "abut_device_for_a_test.obj";
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/dev/zero", link);
  std::string message;
  try {
    read_mesh_file(link.string());
  } catch (const InputError& error) {
    message = error.what();
  }
  std::filesystem::remove(link);
  EXPECT_NE(message.find("a device or a pipe"), std::string::npos) << message;
}

TEST(MeshFile, UnreadableFiles) {
  const Diagnostic missing = diagnostic_of("/nonexistent/thing.obj");
  EXPECT_EQ(missing.location.file, "/nonexistent/thing.obj");
  EXPECT_NE(missing.message.find("No such file"), std::string::npos);
  EXPECT_NE(diagnostic_of("thing.fbx").message.find("'.fbx'"), std::string::npos);
  EXPECT_NE(diagnostic_of("thing").message.find("use .obj, .stl, .ply, .gltf or .glb"),
            std::string::npos);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "abut_mesh_file_test_folder.obj";
  std::filesystem::create_directory(folder);
  EXPECT_NE(diagnostic_of(folder.string()).message.find("directory"), std::string::npos);
  std::filesystem::remove(folder);
}

TEST(MeshFile, PointsWithoutFacesOnRequest) {
  EXPECT_THROW(parse_obj("v 1 2 3\n", "m.obj"), InputError);
  EXPECT_EQ(parse_obj("v 1 2 3\n", "m.obj", Faces::optional).vertices.size(), 1u);
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      "property float z\nend_header\n1 2 3\n";
  EXPECT_THROW(parse_ply(ply, "m.ply"), InputError);
  EXPECT_EQ(parse_ply(ply, "m.ply", Faces::optional).vertices.at(0), Vec3(1, 2, 3));
}

// Whatever is cut off a file, the reader says so or reads a smaller mesh; it never crashes.
RC_GTEST_PROP(MeshFile, CutFilesAreErrorsOrMeshes, ()) {
  const PolygonMesh mesh = samples::tetrahedron();
  const auto cut = [](std::string bytes) {
    bytes.resize(std::size_t(*rc::gen::inRange(0, int(bytes.size()) + 1)));
    return bytes;
  };
  const auto survives = [](auto parse, const std::string& bytes) {
    try {
      return !parse(bytes, "cut", Faces::required).faces.empty();
    } catch (const InputError& error) {
      return !error.diagnostics().empty() && error.diagnostics()[0].location.file == "cut";
    }
  };
  RC_ASSERT(survives(parse_obj, cut(samples::obj_text(mesh))));
  RC_ASSERT(survives(parse_stl, cut(samples::stl_text(mesh))));
  RC_ASSERT(survives(parse_stl, cut(samples::stl_binary(mesh))));
  RC_ASSERT(survives(parse_ply, cut(samples::ply_text(mesh))));
  RC_ASSERT(survives(parse_ply, cut(samples::ply_binary(mesh, std::endian::big))));
}
