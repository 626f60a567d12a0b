#include "verify/mesh_judge.h"

#include <gtest/gtest.h>

#include "unit/verify/judged_bodies.h"
#include "verify/solid.h"

namespace abut::verify {
namespace {

Solid only(const shape::Geometry& geometry) {
  model::Body body;
  body.parts = {{geometry, {}, 1000, 0}};
  return solids_of(body).front();
}

Solid bracket(double size = 1) {
  auto mesh = std::make_shared<geometry::PolygonMesh>();
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair(0, 0), {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      mesh->vertices.push_back(size * Vec3(x, y, z));
  mesh->faces = {{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
  for (int i = 0; i < 6; ++i) mesh->faces.push_back({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
  return only(shape::Mesh{mesh});
}

Solid rounded_cube(double size, double rounding) {
  auto mesh = std::make_shared<geometry::PolygonMesh>();
  for (const double z : {-0.5, 0.5})
    for (const auto& [x, y] : {std::pair(-0.5, -0.5), {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
      mesh->vertices.push_back(size * Vec3(x, y, z));
  mesh->faces = {{3, 2, 1, 0}, {4, 5, 6, 7}};
  for (int i = 0; i < 4; ++i) mesh->faces.push_back({i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4});
  return only(shape::Convex{mesh, rounding});
}

Outcome outcome(const Solid& other, const Vec3& position) {
  Hint hint;
  return judge(bracket(), judge_testing::at(Vec3::Zero()), other, judge_testing::at(position), hint)
      .outcome;
}

TEST(MeshJudge, TellsWhatIsInTheNotch) {
  ASSERT_EQ(bracket().kind, SolidKind::mesh);
  const Solid cube = only(shape::Box{Vec3::Constant(0.5)});
  EXPECT_EQ(outcome(cube, Vec3(1.25 + 1e-13, 1.25 + 1e-13, 0.5)), Outcome::apart);
  EXPECT_EQ(outcome(cube, Vec3(1.25 - 1e-9, 1.4, 0.5)), Outcome::overlapping);
  const Solid ball = only(shape::Sphere{0.25});
  EXPECT_EQ(outcome(ball, Vec3(1.25 + 1e-13, 1.25 + 1e-13, 0.5)), Outcome::apart);
  EXPECT_EQ(outcome(ball, Vec3(1.25 - 1e-9, 1.4, 0.5)), Outcome::overlapping);
  EXPECT_EQ(outcome(bracket(), Vec3(1 + 1e-12, 1 + 1e-12, 0)), Outcome::apart);
  EXPECT_EQ(outcome(bracket(), Vec3(0.9, 0.9, 0.1)), Outcome::overlapping);
  const Solid ring = only(shape::Torus{0.2, 0.05});
  EXPECT_EQ(outcome(ring, Vec3(1.3, 1.3, 0.5)), Outcome::apart);
  EXPECT_EQ(outcome(ring, Vec3(1.2, 1.3, 0.5)), Outcome::overlapping);
}

TEST(MeshJudge, TouchingIsNoOverlap) {
  EXPECT_EQ(outcome(only(shape::Box{Vec3::Constant(0.5)}), Vec3(0.25, 0.25, 1.25)), Outcome::apart);
  EXPECT_EQ(outcome(only(shape::Box{Vec3::Constant(0.5)}), Vec3(1.25, 1.25, 0.5)), Outcome::apart);
  EXPECT_EQ(outcome(bracket(), Vec3(0, 0, 1)), Outcome::apart);
}

TEST(MeshJudge, TellsWhatIsInsideWithoutTouching) {
  EXPECT_EQ(outcome(only(shape::Sphere{0.1}), Vec3(0.5, 0.5, 0.5)), Outcome::overlapping);
  EXPECT_EQ(outcome(only(shape::Box{Vec3::Constant(9)}), Vec3(1, 1, 0.5)), Outcome::overlapping);
  EXPECT_EQ(outcome(only(shape::Plane{Vec3::UnitZ(), 0}), Vec3(0, 0, -1e-9)), Outcome::apart);
  EXPECT_EQ(outcome(only(shape::Plane{Vec3::UnitZ(), 0}), Vec3(0, 0, 5)), Outcome::overlapping);
}

// Beside a corner of a rounded hull the planes of its faces, moved out by the rounding, meet beyond
// it.
TEST(MeshJudge, RoundedCornersAreRound) {
  const Solid rounded = rounded_cube(0.2, 0.1), speck = bracket(1e-3);
  Hint hint;
  const auto seen_at = [&](double along) {
    const Vec3 corner = Vec3::Constant(0.1), out = Vec3::Ones().normalized();
    return judge(speck, judge_testing::at(corner + along * out), rounded,
                 judge_testing::at(Vec3::Zero()), hint)
        .outcome;
  };
  EXPECT_EQ(seen_at(0.11), Outcome::apart);
  EXPECT_EQ(seen_at(0.05), Outcome::overlapping);
}

}  // namespace
}  // namespace abut::verify
