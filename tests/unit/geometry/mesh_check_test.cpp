#include "geometry/mesh_check.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "geometry/convex_hull.h"
#include "support/sizes.h"
#include "unit/geometry/mesh_samples.h"

using namespace abut;
using namespace abut::geometry;

namespace {

/// The kinds of all errors.
std::vector<MeshProblemKind> errors_of(const PolygonMesh& mesh) {
  std::vector<MeshProblemKind> kinds;
  for (const MeshProblem& problem : check_closed_surface(mesh)) {
    if (problem.severity == Severity::error) kinds.push_back(problem.kind);
  }
  return kinds;
}

const MeshProblem* find(const std::vector<MeshProblem>& problems, MeshProblemKind kind) {
  for (const MeshProblem& problem : problems) {
    if (problem.kind == kind) return &problem;
  }
  return nullptr;
}

using Kinds = std::vector<MeshProblemKind>;

PolygonMesh hollow_box() {
  return samples::together(samples::box(Vec3(0, 0, 0), Vec3(3, 3, 3)),
                           samples::flipped(samples::box(Vec3(1, 1, 1), Vec3(2, 2, 2))));
}

/// A square frame: a box with a square hole through it, of quadrilaterals.
PolygonMesh square_frame() {
  PolygonMesh mesh;
  for (const double z : {0.0, 1.0}) {
    for (const double r : {2.0, 1.0}) {
      for (int k = 0; k < 4; ++k) {
        mesh.vertices.emplace_back(k == 0 || k == 3 ? -r : r, k < 2 ? -r : r, z);
      }
    }
  }
  for (int k = 0; k < 4; ++k) {
    const int n = (k + 1) % 4;
    mesh.faces.push_back({k, n, 8 + n, 8 + k});            // outer wall
    mesh.faces.push_back({4 + n, 4 + k, 12 + k, 12 + n});  // inner wall
    mesh.faces.push_back({8 + k, 8 + n, 12 + n, 12 + k});  // top
    mesh.faces.push_back({n, k, 4 + k, 4 + n});            // bottom
  }
  return mesh;
}

}  // namespace

TEST(MeshCheck, ClosedSurfacesPass) {
  EXPECT_TRUE(check_closed_surface(samples::unit_cube()).empty());
  EXPECT_TRUE(check_closed_surface(samples::tetrahedron()).empty());
  EXPECT_TRUE(check_closed_surface(samples::octahedron(2)).empty());
  EXPECT_TRUE(check_closed_surface(square_frame()).empty());
  EXPECT_TRUE(check_closed_surface(samples::torus(2, 0.7, 24, 12)).empty());
  EXPECT_TRUE(check_closed_surface(hollow_box()).empty());
  EXPECT_TRUE(
      check_closed_surface(samples::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 1))
          .empty());
}

TEST(MeshCheck, PiecesMayBeApartOrInCavities) {
  const PolygonMesh apart =
      samples::together(samples::unit_cube(), samples::moved(samples::unit_cube(), Vec3(5, 0, 0)));
  EXPECT_TRUE(check_closed_surface(apart).empty());
  const PolygonMesh nut =
      samples::together(hollow_box(), samples::box(Vec3::Constant(1.25), Vec3::Constant(1.75)));
  EXPECT_TRUE(check_closed_surface(nut).empty());
}

TEST(MeshCheck, PiecesMayShareAnEdgeOrACorner) {
  // As separate vertices that coincide, which is a warning, and with one set of vertices.
  for (const Vec3& offset : {Vec3(1, 1, 0), Vec3(1, 1, 1)}) {
    PolygonMesh mesh =
        samples::together(samples::unit_cube(), samples::moved(samples::unit_cube(), offset));
    const std::vector<MeshProblem> problems = check_closed_surface(mesh);
    EXPECT_FALSE(has_error(problems));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].kind, MeshProblemKind::coincident_vertices);
    EXPECT_EQ(problems[0].count, offset.z() == 0 ? 2u : 1u);
    for (std::vector<int>& face : mesh.faces) {
      for (int& corner : face) {
        for (int v = 0; v < corner; ++v) {
          if (mesh.vertices[v] == mesh.vertices[corner]) corner = v;
        }
      }
    }
    EXPECT_FALSE(has_error(check_closed_surface(mesh)));
  }
}

TEST(MeshCheck, EachFaceMayHaveItsOwnVertices) {
  PolygonMesh mesh;
  const PolygonMesh cube = samples::unit_cube();
  for (const std::vector<int>& face : cube.faces) {
    std::vector<int> own;
    for (const int corner : face) {
      own.push_back(int(mesh.vertices.size()));
      mesh.vertices.push_back(cube.vertices[corner]);
    }
    mesh.faces.push_back(own);
  }
  EXPECT_FALSE(has_error(check_closed_surface(mesh)));
}

TEST(MeshCheck, OpenBox) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.faces.erase(mesh.faces.begin() + 1);  // the top
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, MeshProblemKind::open_edge);
  EXPECT_EQ(problems[0].count, 4u);
  EXPECT_EQ(problems[0].point.z(), 1);
  ASSERT_EQ(problems[0].vertices.size(), 2u);
  EXPECT_EQ(problems[0].vertices[0], 4);
  EXPECT_EQ(problems[0].vertices[1], 5);
  EXPECT_EQ(problems[0].faces, std::vector<int>{1});
  EXPECT_EQ(
      problems[0].message,
      "the surface is not closed: face 1 has no neighbour at the edge from vertex 4 (0, 0, 1) "
      "to vertex 5 (1, 0, 1), one of 4; add or remove faces, or set 'mend: true' if vertices "
      "that should be one differ by rounding");
}

TEST(MeshCheck, ThreeFacesAtAnEdge) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.vertices.emplace_back(0.5, -1, 0);
  mesh.faces.push_back({0, 8, 1});  // a flap at the lower front edge
  EXPECT_EQ(errors_of(mesh), Kinds{MeshProblemKind::open_edge});
  EXPECT_EQ(check_closed_surface(mesh)[0].count, 3u);
}

TEST(MeshCheck, FlippedFace) {
  PolygonMesh mesh = samples::unit_cube();
  std::reverse(mesh.faces[3].begin(), mesh.faces[3].end());
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, MeshProblemKind::inconsistent_orientation);
  EXPECT_EQ(problems[0].count, 4u);
  EXPECT_TRUE(problems[0].faces[0] == 3 || problems[0].faces[1] == 3);
}

TEST(MeshCheck, InsideOut) {
  EXPECT_EQ(errors_of(samples::flipped(samples::unit_cube())), Kinds{MeshProblemKind::inside_out});
  EXPECT_EQ(errors_of(samples::flipped(samples::torus(2, 0.5, 12, 8))),
            Kinds{MeshProblemKind::inside_out});
  // Far away the sign of the volume must still be right.
  EXPECT_EQ(errors_of(samples::moved(samples::flipped(samples::unit_cube()), Vec3(1e6, 1e6, 1e6))),
            Kinds{MeshProblemKind::inside_out});
}

TEST(MeshCheck, InnerShellsMustFaceTheOtherWay) {
  const PolygonMesh outer = samples::box(Vec3(0, 0, 0), Vec3(3, 3, 3));
  const PolygonMesh inner = samples::box(Vec3(1, 1, 1), Vec3(2, 2, 2));
  const std::vector<MeshProblem> problems = check_closed_surface(samples::together(outer, inner));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, MeshProblemKind::inside_out);
  EXPECT_EQ(problems[0].count, 1u);
  EXPECT_GE(problems[0].faces[0], 6);  // a face of the inner box
}

TEST(MeshCheck, PieceSharingAnEdgeMayNotBeInsideOut) {
  const PolygonMesh mesh = samples::together(
      samples::unit_cube(), samples::flipped(samples::moved(samples::unit_cube(), Vec3(1, 1, 0))));
  EXPECT_EQ(errors_of(mesh), Kinds{MeshProblemKind::inside_out});
  EXPECT_EQ(check_closed_surface(mesh)[0].count, 1u);
}

TEST(MeshCheck, CrossingPieces) {
  const PolygonMesh mesh = samples::together(
      samples::unit_cube(), samples::moved(samples::unit_cube(), Vec3(0.5, 0.25, 0.125)));
  EXPECT_EQ(errors_of(mesh), Kinds{MeshProblemKind::self_intersection});
}

TEST(MeshCheck, TouchingFacesAreCrossings) {
  // A wall in common in part: the second cube stands half on the first.
  const PolygonMesh mesh = samples::together(samples::unit_cube(),
                                             samples::moved(samples::unit_cube(), Vec3(0.5, 0, 1)));
  EXPECT_EQ(errors_of(mesh), Kinds{MeshProblemKind::self_intersection});
}

TEST(MeshCheck, SpikeThroughTheOppositeSide) {
  // A corner of the top pulled through the bottom: neighbours stay proper, others cross.
  PolygonMesh mesh = samples::triangulated_fans(samples::unit_cube());
  mesh.vertices[7] = Vec3(0.6, 0.6, -0.5);
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  EXPECT_NE(find(problems, MeshProblemKind::self_intersection), nullptr);
}

TEST(MeshCheck, NeighboursFoldedOnEachOther) {
  // A flat tetrahedron: every triangle lies on the others.
  PolygonMesh mesh = samples::tetrahedron();
  mesh.vertices[3] = Vec3(0.25, 0.25, 0);
  EXPECT_NE(find(check_closed_surface(mesh), MeshProblemKind::self_intersection), nullptr);
  mesh.vertices[3].z() = 1e-12;  // thin, but a solid
  EXPECT_TRUE(check_closed_surface(mesh).empty());
}

TEST(MeshCheck, TrianglesWithOneCommonCornerMayNotCross) {
  // Two tetrahedra with a common corner, one reaching into the other.
  const PolygonMesh mesh = samples::together(
      samples::tetrahedron(),
      samples::moved(samples::tetrahedron(), Vec3::Zero(), Quat::Identity(), 0.5));
  EXPECT_NE(find(check_closed_surface(mesh), MeshProblemKind::self_intersection), nullptr);
}

TEST(MeshCheck, BowTieFace) {
  PolygonMesh mesh = samples::unit_cube();
  std::swap(mesh.faces[0][1], mesh.faces[0][2]);
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  ASSERT_TRUE(has_error(problems));
  // Its two halves cancel, so that it has no area.
  EXPECT_NE(find(problems, MeshProblemKind::degenerate_face), nullptr);
  // With unequal halves the crossing itself is seen.
  PolygonMesh uneven = samples::prism({{0, 0}, {2, 0}, {0, 1}, {1, 1}}, 1);
  EXPECT_NE(find(check_closed_surface(uneven), MeshProblemKind::crossing_face), nullptr);
}

TEST(MeshCheck, DuplicateFaces) {
  PolygonMesh twice = samples::unit_cube();
  twice.faces.push_back({1, 0, 2, 3});  // face 0 again, started elsewhere
  const std::vector<MeshProblem> problems = check_closed_surface(twice);
  const MeshProblem* duplicate = find(problems, MeshProblemKind::duplicate_face);
  ASSERT_NE(duplicate, nullptr);
  EXPECT_EQ(duplicate->faces, (std::vector<int>{0, 6}));
  // Two cubes with a whole wall in common: legal edges, but a wall without thickness.
  const PolygonMesh wall =
      samples::together(samples::unit_cube(), samples::moved(samples::unit_cube(), Vec3(1, 0, 0)));
  EXPECT_EQ(errors_of(wall), Kinds{MeshProblemKind::duplicate_face});
}

TEST(MeshCheck, DegenerateFaces) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.faces.push_back({0, 1, 1});
  mesh.vertices.emplace_back(0.5, 0, 0);
  mesh.faces.push_back({0, 8, 1});
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  const MeshProblem* degenerate = find(problems, MeshProblemKind::degenerate_face);
  ASSERT_NE(degenerate, nullptr);
  EXPECT_EQ(degenerate->count, 2u);
  EXPECT_EQ(degenerate->faces, std::vector<int>{6});
}

TEST(MeshCheck, BentFacesAreToldHowFar) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.vertices[7].z() += 4e-7;  // a quarter of it at every corner of the top's mean plane
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, MeshProblemKind::nonplanar_face);
  EXPECT_EQ(problems[0].faces, std::vector<int>{1});
  EXPECT_NEAR(problems[0].bend, 1e-7, 1e-12);
  EXPECT_NE(problems[0].message.find("bent by 1e-07 m"), std::string::npos);
  mesh.vertices[7].z() = 1 + 1e-10;
  EXPECT_TRUE(check_closed_surface(mesh).empty());
}

TEST(MeshCheck, BadIndicesAndNumbers) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.faces[2][1] = 8;
  mesh.faces[4] = {1, 2};
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, MeshProblemKind::bad_index);
  EXPECT_EQ(problems[0].count, 2u);
  EXPECT_EQ(problems[0].message,
            "face 2 has the corner 8, one of 2, but there are 8 vertices, counted from 0; mend the "
            "index");
  PolygonMesh broken = samples::unit_cube();
  broken.vertices[3].y() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(errors_of(broken), Kinds{MeshProblemKind::non_finite_vertex});
  EXPECT_EQ(errors_of(PolygonMesh{}), Kinds{MeshProblemKind::no_faces});
}

TEST(MeshCheck, UnusedVerticesAreAWarning) {
  PolygonMesh mesh = samples::unit_cube();
  mesh.vertices.emplace_back(9, 9, 9);
  const std::vector<MeshProblem> problems = check_closed_surface(mesh);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, MeshProblemKind::unused_vertex);
  EXPECT_FALSE(has_error(problems));
}

TEST(MeshCheck, AllLegalSizes) {
  const Quat rotation = Quat(0.3, -0.5, 0.7, 0.2).normalized();
  for (const double size : {1e-8, 1e-3, 1e6}) {
    const auto at_size = [&](const PolygonMesh& mesh) {
      return samples::moved(mesh, size * Vec3(3, -1, 2), rotation, size);
    };
    EXPECT_TRUE(check_closed_surface(at_size(hollow_box())).empty()) << size;
    EXPECT_TRUE(check_closed_surface(at_size(samples::torus(2, 0.7, 24, 12))).empty()) << size;
    EXPECT_EQ(errors_of(at_size(samples::flipped(samples::unit_cube()))),
              Kinds{MeshProblemKind::inside_out});
  }
}

// Rotation takes the corners of flat regions out of their plane by rounding; no face may be taken
// to cross its neighbours for that.
RC_GTEST_PROP(MeshCheck, RotatedGridsPass, ()) {
  const auto c = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  const Quat rotation = Quat(1.2 + c(), c(), c(), c()).normalized();
  std::vector<Eigen::Vector2d> outline;  // a square with flat corners along its sides
  for (int i = 0; i < 5; ++i) outline.emplace_back(i, 0);
  for (int i = 0; i < 5; ++i) outline.emplace_back(5, i);
  for (int i = 0; i < 5; ++i) outline.emplace_back(5 - i, 5);
  for (int i = 0; i < 5; ++i) outline.emplace_back(0, 5 - i);
  const PolygonMesh mesh =
      samples::moved(samples::prism(outline, 1), Vec3(c(), c(), c()) * 10, rotation, 0.1);
  RC_ASSERT(check_closed_surface(mesh).empty());
}

// Teeth with flat corners between them: caps that are far from convex.
RC_GTEST_PROP(MeshCheck, RotatedCombsPass, ()) {
  const auto c = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  const Quat rotation = Quat(1.2 + c(), c(), c(), c()).normalized();
  std::vector<Eigen::Vector2d> outline;
  for (int x = 0; x <= 13; ++x) outline.emplace_back(x, 0);
  for (int right = 13; right >= 1; right -= 4) {  // teeth one wide and two high, gaps three wide
    for (const int y : {1, 2, 3}) outline.emplace_back(right, y);
    for (const int y : {3, 2, 1}) outline.emplace_back(right - 1, y);
    if (right > 1) outline.emplace_back(right - 2, 1);
    if (right > 1) outline.emplace_back(right - 3, 1);
  }
  const PolygonMesh mesh =
      samples::moved(samples::prism(outline, 1), Vec3(c(), c(), c()) * 10, rotation, 0.1);
  for (const MeshProblem& problem : check_closed_surface(mesh)) RC_FAIL(problem.message);
}

RC_GTEST_PROP(MeshCheck, HullsPass, ()) {
  std::vector<Vec3> points;
  const int count = *rc::gen::inRange(6, 60);
  for (int i = 0; i < count; ++i) {
    const auto c = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
    points.emplace_back(c(), c(), c());
  }
  for (const Vec3& p : samples::octahedron(0.3).vertices) points.push_back(p);
  for (const MeshProblem& problem : check_closed_surface(convex_hull(points))) {
    RC_FAIL(problem.message);
  }
}

TEST(MeshCheck, AHundredThousandTrianglesPass) {
  const int around = test::large(500);
  const PolygonMesh mesh = samples::torus(2, 0.7, around, 100);
  ASSERT_EQ(mesh.faces.size(), 200u * around);
  EXPECT_TRUE(check_closed_surface(mesh).empty());
}

TEST(MeshCheck, ManySeparatePiecesPass) {
  PolygonMesh mesh;
  for (int i = 0; i < test::large(20000); ++i) {
    const PolygonMesh piece =
        samples::moved(samples::tetrahedron(), Vec3(2 * (i % 200), 2 * (i / 200), 0));
    const int offset = int(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), piece.vertices.begin(), piece.vertices.end());
    for (std::vector<int> face : piece.faces) {
      for (int& corner : face) corner += offset;
      mesh.faces.push_back(face);
    }
  }
  EXPECT_TRUE(check_closed_surface(mesh).empty());
}
