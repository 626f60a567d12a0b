#include "geometry/brep_index.h"

#include <gtest/gtest.h>

#include <random>

#include "geometry/mesh_check.h"
#include "mesh_samples.h"
#include "support/exact_classification.h"
#include "support/sizes.h"

namespace abut::geometry {
namespace {

PolygonMesh joined(PolygonMesh a, const PolygonMesh& b) {
  const int shift = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (std::vector<int> face : b.faces) {
    for (int& v : face) v += shift;
    a.faces.push_back(face);
  }
  return a;
}

PolygonMesh bracket() {
  return samples::prism({{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}}, 2);
}

// The faces of a cube of 2 cut into triangles around their middles and the middles of their sides.
PolygonMesh cut_cube() {
  PolygonMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double level : {0.0, 2.0}) {
      const auto at = [&](double u, double v) {
        Vec3 p;
        p[axis] = level;
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = v;
        mesh.vertices.push_back(p);
        return static_cast<int>(mesh.vertices.size()) - 1;
      };
      const double ring[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
      for (int i = 0; i < 8; ++i) {
        const double *a = ring[i], *b = ring[(i + 1) % 8];
        std::vector<int> face = {at(1, 1), at(a[0], a[1]), at(b[0], b[1])};
        if (level == 0) std::swap(face[1], face[2]);
        mesh.faces.push_back(face);
      }
    }
  return mesh;
}

// Figure 9 of Bouma and Vanecek 1991: a tower with a vertical edge ahead and a face behind, and a
// lower one with an edge ahead, a flat top and a corner behind, on one base.
PolygonMesh figure_nine() {
  PolygonMesh mesh;
  const auto at = [&](double x, double y, double z) {
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      if (mesh.vertices[i] == Vec3(x, y, z)) return static_cast<int>(i);
    mesh.vertices.emplace_back(x, y, z);
    return static_cast<int>(mesh.vertices.size()) - 1;
  };
  mesh.faces = {{at(2, 1, 0), at(3, 1, 0), at(4, 0, 0), at(3, -1, 0), at(2, -1, 0), at(1, 0, 0)},
                {at(1, 0, 2), at(2, -1, 2), at(2, 1, 2)},
                {at(2, -1, 0.5), at(3, -1, 0.5), at(3, 1, 0.5), at(2, 1, 0.5)},
                {at(3, -1, 1), at(4, 0, 1), at(3, 1, 1)},
                {at(2, -1, 0.5), at(2, 1, 0.5), at(2, 1, 2), at(2, -1, 2)},
                {at(3, 1, 0.5), at(3, -1, 0.5), at(3, -1, 1), at(3, 1, 1)},
                {at(1, 0, 0), at(2, -1, 0), at(2, -1, 0.5), at(2, -1, 2), at(1, 0, 2)},
                {at(2, -1, 0), at(3, -1, 0), at(3, -1, 0.5), at(2, -1, 0.5)},
                {at(3, -1, 0), at(4, 0, 0), at(4, 0, 1), at(3, -1, 1), at(3, -1, 0.5)},
                {at(4, 0, 0), at(3, 1, 0), at(3, 1, 0.5), at(3, 1, 1), at(4, 0, 1)},
                {at(3, 1, 0), at(2, 1, 0), at(2, 1, 0.5), at(3, 1, 0.5)},
                {at(2, 1, 0), at(1, 0, 0), at(1, 0, 2), at(2, 1, 2), at(2, 1, 0.5)}};
  return mesh;
}

struct NamedMesh {
  const char* name;
  PolygonMesh mesh;
};

std::vector<NamedMesh> solids() {
  const PolygonMesh cube = samples::box(Vec3::Zero(), Vec3::Constant(2));
  const Quat turn = Quat(0.9, 0.1, -0.3, 0.2).normalized();
  return {
      {"tetrahedron", samples::moved(samples::tetrahedron(), Vec3::Zero(), Quat::Identity(), 4)},
      {"bracket", bracket()},
      {"turned bracket", samples::moved(bracket(), Vec3(0.1, -0.7, 0.3), turn, 0.9)},
      {"cube of 48 triangles", cut_cube()},
      {"figure nine", figure_nine()},
      {"cubes that share an edge", joined(cube, samples::moved(cube, Vec3(2, 2, 0)))},
      {"cubes that share a corner", joined(cube, samples::moved(cube, Vec3(2, 2, 2)))},
      {"cube with a cavity", joined(samples::box(Vec3::Zero(), Vec3::Constant(4)),
                                    samples::flipped(samples::moved(cube, Vec3::Constant(1))))},
      {"ring", samples::torus(2, 0.75, 4, 4)},
  };
}

std::string text_of(const SegmentClassification& all) {
  std::string text;
  const auto name = [](const Where& where) {
    static const char* names[] = {"out", "in", "face", "edge", "vertex"};
    return names[static_cast<int>(where.locus)] + std::to_string(where.entity);
  };
  for (std::size_t i = 0; i < all.points.size(); ++i) {
    text += "(" + name(all.points[i].where) + ")";
    if (i < all.stretches.size()) text += " " + name(all.stretches[i]) + " ";
  }
  return text;
}

// Points of a solid with special ones among them: corners, middles of sides, places in triangles,
// and random ones on a grid, so that segments between them pass through corners, along edges, in
// faces, and in planes of faces beyond them.
Vec3 any_point(const BrepEntities& solid, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const auto& t = solid.triangles[below(solid.triangles.size())];
  const Vec3 &a = solid.points[t[0]], &b = solid.points[t[1]], &c = solid.points[t[2]];
  switch (below(5)) {
    case 0:
      return a;
    case 1:
      return 0.5 * a + 0.5 * b;
    case 2:
      return 0.25 * a + 0.25 * b + 0.5 * c;
    case 3:
      return 2 * a - b;  // on the line of a side, beyond it
    default:
      std::uniform_int_distribution<int> steps(-2, 10);
      return 0.5 * Vec3(steps(random), steps(random), steps(random));
  }
}

TEST(BrepIndex, AgreesWithRationalArithmeticOnPointsAndSegments) {
  for (const NamedMesh& solid : solids()) {
    ASSERT_FALSE(has_error(check_closed_surface(solid.mesh))) << solid.name;
    const BrepIndex index(solid.mesh);
    const test::ExactClassifier twin(index.entities());
    std::mt19937 random(static_cast<unsigned>(solid.mesh.faces.size()));
    for (int i = 0; i < test::cases(20); ++i) {
      const Vec3 from = any_point(index.entities(), random);
      Vec3 to = any_point(index.entities(), random);
      EXPECT_EQ(index.classify(from), twin.at(test::ExactClassifier::exact(from)))
          << solid.name << " " << from.transpose();
      if (from == to) continue;
      if (i % 3 == 0) to += to - from;
      const SegmentClassification found = index.classify(from, to), expected = twin.of(from, to);
      ASSERT_EQ(text_of(found), text_of(expected))
          << solid.name << " from " << from.transpose() << " to " << to.transpose();
      for (std::size_t k = 0; k < found.points.size(); ++k) {
        EXPECT_LT((found.points[k].point - expected.points[k].point).norm(), 1e-14);
        EXPECT_NEAR(found.points[k].parameter, expected.points[k].parameter, 1e-15);
      }
    }
  }
}

TEST(BrepIndex, ClassifiesTheEdgeOfFigureNine) {
  const BrepIndex index(figure_nine());
  const BrepEntities& solid = index.entities();
  EXPECT_EQ(solid.face_normals.size(), 12u);
  const SegmentClassification edge = index.classify(Vec3(0, 0, 1), Vec3(5, 0, 1));
  const std::vector<Locus> points = {Locus::out,     Locus::on_edge,   Locus::on_face,
                                     Locus::on_edge, Locus::on_vertex, Locus::out};
  const std::vector<Locus> stretches = {Locus::out, Locus::in, Locus::out, Locus::on_face,
                                        Locus::out};
  ASSERT_EQ(edge.points.size(), points.size());
  ASSERT_EQ(edge.stretches.size(), stretches.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(edge.points[i].where.locus, points[i]) << i;
    EXPECT_EQ(edge.points[i].point, Vec3(static_cast<double>(i), 0, 1)) << i;
  }
  for (std::size_t i = 0; i < stretches.size(); ++i)
    EXPECT_EQ(edge.stretches[i].locus, stretches[i]) << i;
  const auto ends = [&](int point) {
    const auto& [a, b] = solid.edges[edge.points[point].where.entity].ends;
    return std::pair(solid.points[a], solid.points[b]);
  };
  EXPECT_EQ(ends(1), std::pair(Vec3(1, 0, 0), Vec3(1, 0, 2)));                          // e1
  EXPECT_EQ(solid.face_normals[edge.points[2].where.entity], Vec3::UnitX());            // f1
  EXPECT_EQ(ends(3), std::pair(Vec3(3, -1, 1), Vec3(3, 1, 1)));                         // e2
  EXPECT_EQ(solid.face_normals[edge.stretches[3].entity], Vec3::UnitZ());               // f2
  EXPECT_EQ(solid.points[solid.vertices[edge.points[4].where.entity]], Vec3(4, 0, 1));  // v1
}

TEST(BrepIndex, EntitiesAreThoseOfTheSolidHoweverItWasCut) {
  const BrepIndex cut(cut_cube());
  EXPECT_EQ(cut.entities().face_normals.size(), 6u);
  EXPECT_EQ(cut.entities().edges.size(), 12u);
  EXPECT_EQ(cut.entities().vertices.size(), 8u);
  for (const BrepEdge& edge : cut.entities().edges) {
    const Vec3 along = cut.entities().points[edge.ends[1]] - cut.entities().points[edge.ends[0]];
    EXPECT_EQ(along.norm(), 2);
    EXPECT_EQ(edge.faces.size(), 2u);
  }
  // From one side to the other through the middle of a face, and along an edge with a cut.
  EXPECT_EQ(cut.classify(Vec3(-1, 1, 1), Vec3(3, 1, 1)).points.size(), 4u);
  EXPECT_EQ(cut.classify(Vec3(-1, 0, 0), Vec3(3, 0, 0)).points.size(), 4u);
  EXPECT_EQ(cut.classify(Vec3(-1, 0, 0), Vec3(3, 0, 0)).stretches[1].locus, Locus::on_edge);

  const BrepIndex pair(
      joined(samples::box(Vec3::Zero(), Vec3::Ones()), samples::box(Vec3(1, 1, 0), Vec3(2, 2, 1))));
  EXPECT_EQ(pair.entities().edges.size(), 23u);  // one of them is common
  EXPECT_EQ(pair.entities().vertices.size(), 14u);
  const Where common = pair.classify(Vec3(1, 1, 0.25));
  EXPECT_EQ(common.locus, Locus::on_edge);
  EXPECT_EQ(pair.entities().edges[common.entity].faces.size(), 4u);
}

// The last bit of a coordinate decides.
TEST(BrepIndex, IsExact) {
  const BrepIndex index(samples::box(Vec3::Zero(), Vec3::Constant(0.1)));
  const double beyond = std::nextafter(0.1, 1), before = std::nextafter(0.1, 0);
  EXPECT_EQ(index.classify(Vec3(0.03, 0.07, 0.1)).locus, Locus::on_face);
  EXPECT_EQ(index.classify(Vec3(0.03, 0.07, beyond)).locus, Locus::out);
  EXPECT_EQ(index.classify(Vec3(0.03, 0.07, before)).locus, Locus::in);
  EXPECT_EQ(index.classify(Vec3(0.1, 0.07, 0.1)).locus, Locus::on_edge);
  EXPECT_EQ(index.classify(Vec3(before, 0.07, beyond), Vec3(beyond, 0.07, before)).points.size(),
            3u);
}

}  // namespace
}  // namespace abut::geometry
