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

Solid bracket() {
  auto mesh = std::make_shared<geometry::PolygonMesh>();
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair(0, 0), {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      mesh->vertices.emplace_back(x, y, z);
  mesh->faces = {{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
  for (int i = 0; i < 6; ++i) mesh->faces.push_back({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
  return only(shape::Mesh{mesh});
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

}  // namespace
}  // namespace abut::verify
