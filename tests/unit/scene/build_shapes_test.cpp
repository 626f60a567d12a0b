// Shapes, unions, meshes.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::Vec3;
namespace shape = abut::shape;

namespace {

template <class Shape>
Shape read(const std::string& text, const std::string& more = "") {
  const auto b = body("    shape: {" + text + "}\n" + more);
  if (b.parts.size() != 1 || !std::holds_alternative<Shape>(b.parts[0].geometry)) {
    ADD_FAILURE() << text;
    return {};
  }
  return std::get<Shape>(b.parts[0].geometry);
}

std::vector<std::string> shape_errors(const std::string& text) {
  return body_errors("    shape: {" + text + "}\n");
}

const std::string fixed = "    motion: fixed\n";
const std::string cube =
    "vertices: [[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0,0,1],[1,0,1],[1,1,1],[0,1,1]], "
    "faces: [[3,2,1,0],[4,5,6,7],[0,1,5,4],[1,2,6,5],[2,3,7,6],[3,0,4,7]]";

/// Loads a scene whose mesh files are these bytes of an OBJ file.
std::vector<abut::Diagnostic> load_with_file(const std::string& text, const std::string& obj) {
  const auto reader = [&](const std::string& path, abut::geometry::Faces faces) {
    return abut::geometry::parse_obj(obj, path, faces);
  };
  try {
    return abut::scene::load_scene_text(text, "folder/test.yaml", {}, reader).warnings;
  } catch (const abut::InputError& error) {
    return error.diagnostics();
  }
}

}  // namespace

TEST(BuildShapes, EveryShape) {
  const auto plane = read<shape::Plane>("plane: {normal: [0, 3, 4], offset: 2}", fixed);
  EXPECT_LT((plane.normal - Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(plane.offset, 2);
  EXPECT_EQ(read<shape::Sphere>("sphere: {radius: 2 mm}").radius, 0.002);
  EXPECT_EQ(read<shape::Ellipsoid>("ellipsoid: {radii: [1, 2, 3]}").radii, Vec3(1, 2, 3));
  const auto super =
      read<shape::Superellipsoid>("superellipsoid: {radii: [1, 2, 3], exponents: [0.5, 1.5]}");
  EXPECT_EQ(super.e1, 0.5);
  EXPECT_EQ(super.e2, 1.5);
  EXPECT_EQ(read<shape::Capsule>("capsule: {radius: 1, height: 2}").height, 2);
  EXPECT_EQ(read<shape::Cylinder>("cylinder: {radius: 1, height: 2}").radius, 1);
  EXPECT_EQ(read<shape::Cone>("cone: {radius: 1, height: 2}").height, 2);
  EXPECT_EQ(read<shape::Torus>("torus: {radius: 1, tube: 0.2}").tube, 0.2);
  EXPECT_EQ(read<shape::Box>("box: {size: [1, 2, 3]}").size, Vec3(1, 2, 3));
}

TEST(BuildShapes, InvertedAndPlanesNeedBodiesThatDoNotYield) {
  EXPECT_TRUE(read<shape::Sphere>("sphere: {radius: 2, inverted: true}", fixed).inverted);
  EXPECT_TRUE(read<shape::Ellipsoid>("ellipsoid: {radii: [1, 1, 1], inverted: true}",
                                     "    motion: {rotation: {axis: [0, 0, 1], angle: t}}\n")
                  .inverted);
  EXPECT_TRUE(one_error(shape_errors("plane: {}"), "5:12", "a plane fills an infinite space"));
  EXPECT_TRUE(
      one_error(shape_errors("sphere: {radius: 1, inverted: true}"), "5:12", "an inverted sphere"));
  const auto floor = body("    shape: {plane: {}}\n" + fixed);
  EXPECT_EQ(floor.mass.mass, 0);
  EXPECT_TRUE(std::isinf(floor.bounding_radius));
}

TEST(BuildShapes, Mistakes) {
  EXPECT_TRUE(one_error(shape_errors("sphere: {radius: -1}"), "5:30",
                        "radius is -1, but must be positive"));
  EXPECT_TRUE(one_error(shape_errors("sphere: {radius: 1e-9}"), "5:30", "between 1e-08 m"));
  EXPECT_TRUE(one_error(shape_errors("sphere: {radius: 1e7}"), "5:30", "1e+06 m"));
  EXPECT_TRUE(shape_errors("sphere: {radius: 1e-8}").empty());
  EXPECT_TRUE(shape_errors("sphere: {radius: 1e6}").empty());
  EXPECT_TRUE(one_error(shape_errors("sphere: {radius: 1, inverted: yes}"), "5:43", "`true`"));
  EXPECT_TRUE(one_error(shape_errors("sphere: 1"), "5:21", "must be a map"));
  EXPECT_TRUE(one_error(shape_errors("shpere: {radius: 1}"), "5:13", "did you mean `sphere`?"));
  EXPECT_TRUE(one_error(shape_errors("sphere: {radius: 1}, box: {size: [1, 1, 1]}"), "5:12",
                        "exactly one"));
  EXPECT_TRUE(one_error(shape_errors(""), "5:12", "0 keys"));
  EXPECT_TRUE(
      one_error(shape_errors("torus: {radius: 1, tube: 1}"), "5:38", "less than the radius"));
  EXPECT_TRUE(one_error(body_errors("    shape: {plane: {normal: [0, 0, 0]}}\n" + fixed), "5:29",
                        "must have a direction"));
  EXPECT_TRUE(one_error(body_errors("    color: red\n"), "4:5", "has no `shape`"));
  EXPECT_TRUE(one_error(body_errors(ball + "    shapes: [{sphere: {radius: 1}}]\n"), "6:13",
                        "both `shape` and `shapes`"));
}

TEST(BuildShapes, UnionsHaveTheirOwnPlacesAndMaterials) {
  const auto model = load(header +
                          "materials:\n  steel: {density: 8000}\n  felt: {friction: 1}\nbodies:\n"
                          "  - name: b\n    density: 500\n    shapes:\n"
                          "      - {box: {size: [1, 1, 1]}, position: [0, 0, 2], material: steel}\n"
                          "      - {box: {size: [1, 1, 2]}, material: felt,\n"
                          "         orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
                          "      - {shape: {box: {size: [1, 1, 1]}}, position: [3, 0, 0]}\n");
  ASSERT_EQ(model.bodies.size(), 1u);
  const auto& parts = model.bodies[0].parts;
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].density, 8000);  // its own material says so
  EXPECT_EQ(parts[1].density, 500);   // its own material is silent, so the body's
  EXPECT_EQ(parts[2].density, 500);
  EXPECT_EQ(model.materials[static_cast<std::size_t>(parts[0].material)].name, "steel");
  EXPECT_EQ(parts[0].pose.position, Vec3(0, 0, 2));
  EXPECT_NEAR(parts[1].pose.orientation.x(), std::sqrt(0.5), 1e-15);
  EXPECT_DOUBLE_EQ(model.bodies[0].mass.mass, 8000 + 1000 + 500);
}

TEST(BuildShapes, UnionMistakes) {
  EXPECT_TRUE(one_error(body_errors("    shapes: []\n"), "5:13", "at least 1"));
  EXPECT_TRUE(one_error(body_errors("    shapes: [{position: [0, 0, 0]}]\n"), "5:14", "0 shapes"));
  EXPECT_TRUE(
      one_error(body_errors("    shapes: [{sphere: {radius: 1}, box: {size: [1, 1, 1]}}]\n"),
                "5:14", "2 shapes"));
  EXPECT_TRUE(one_error(body_errors("    shapes: [{sphere: {radius: 1}, material: no}]\n"), "5:46",
                        "no material is named `no`"));
}

TEST(BuildShapes, Hulls) {
  const auto hull =
      read<shape::Convex>("convex: {points: [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.1,0.1,0.1]]}");
  ASSERT_TRUE(hull.hull);
  EXPECT_EQ(hull.hull->vertices.size(), 4u);
  const auto b =
      body("    shape: {convex: {points: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], scale: 2}}\n");
  EXPECT_NEAR(b.mass.volume, 8.0 / 6, 1e-14);
  EXPECT_EQ(shape_errors("convex: {points: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}").size(), 1u);
  EXPECT_TRUE(one_error(shape_errors("convex: {points: [[0,0,0],[1,0,0]]}"), "5:30", "at least 4"));
  EXPECT_TRUE(one_error(shape_errors("convex: {}"), "5:21", "either `file` or `points`"));
}

TEST(BuildShapes, RoundedHulls) {
  const std::string tetrahedron = "convex: {points: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], rounding: ";
  EXPECT_EQ(read<shape::Convex>(tetrahedron + "5 mm}").rounding, 0.005);
  EXPECT_EQ(read<shape::Convex>(tetrahedron + "0}").rounding, 0);
  EXPECT_TRUE(one_error(shape_errors(tetrahedron + "1e-9}"), "5:75", "0 or at least 1e-08 m"));
  EXPECT_EQ(shape_errors(tetrahedron + "-0.1}").size(), 1u);
}

TEST(BuildShapes, InlineMeshes) {
  const auto b = body("    shape: {mesh: {" + cube + ", scale: [1, 2, 3]}}\n");
  ASSERT_EQ(b.parts.size(), 1u);
  EXPECT_NEAR(b.mass.volume, 6, 1e-14);
  EXPECT_NEAR((b.mass.central.position - Vec3(0.5, 1, 1.5)).norm(), 0, 1e-14);
  EXPECT_TRUE(one_error(shape_errors("mesh: {vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}"), "5:19",
                        "needs `faces`"));
  EXPECT_TRUE(one_error(shape_errors("mesh: {" + cube + ", scale: 0}"), "5:174", "positive"));
  EXPECT_TRUE(one_error(shape_errors("mesh: {" + cube + ", scale: 1e7}"), "5:30", "check `scale`"));
  EXPECT_TRUE(one_error(shape_errors("mesh: {file: x.obj, " + cube + "}"), "5:19", "not both"));
}

TEST(BuildShapes, MeshFilesAreNamedRelativeToTheScene) {
  std::vector<std::string> paths;
  const auto reader = [&](const std::string& path, abut::geometry::Faces faces) {
    paths.push_back(path);
    return abut::geometry::parse_obj(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n", path, faces);
  };
  const auto scene =
      abut::scene::load_scene_text(header +
                                       "bodies:\n  - {name: a, shape: {mesh: {file: m/t.obj}}}\n"
                                       "  - {name: b, shape: {mesh: {file: m/t.obj}}}\n"
                                       "  - {name: c, shape: {mesh: {file: /abs/t.obj}}}\n",
                                   "folder/test.yaml", {}, reader);
  ASSERT_EQ(paths.size(), 2u);  // the second use shares the first
  EXPECT_EQ(paths[0], "folder/m/t.obj");
  EXPECT_EQ(paths[1], "/abs/t.obj");
  EXPECT_NEAR(scene.model.bodies[0].mass.volume, 1.0 / 6, 1e-15);
}

TEST(BuildShapes, MeshFaultsAreToldWhereTheSceneNamesTheFile) {
  const std::string scene = header + "bodies:\n  - {name: a, shape: {mesh: {file: t.obj}}}\n";
  const auto broken = load_with_file(scene, "v 0 0 x\n");
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].location.line, 4);
  EXPECT_EQ(broken[0].location.column, 36);
  EXPECT_NE(broken[0].message.find("mesh t.obj: line 1"), std::string::npos) << broken[0].message;
  const auto open =
      load_with_file(scene, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
  ASSERT_FALSE(open.empty());
  EXPECT_EQ(open[0].severity, abut::Severity::error);
  EXPECT_NE(open[0].message.find("mesh t.obj: "), std::string::npos) << open[0].message;
}
