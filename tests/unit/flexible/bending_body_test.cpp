#include "flexible/bending_body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "flexible/basis.h"
#include "flexible/impact.h"
#include "shape/moments.h"
#include "support/bending.h"
#include "support/seeds.h"

namespace abut::flexible {
namespace {

using test::part_of;
using Body = std::shared_ptr<const BendingBody>;

double enclosed(const Boundary& boundary) {
  double volume = 0;
  for (const auto& t : boundary.triangles())
    volume += boundary.rest(t[0]).dot(boundary.rest(t[1]).cross(boundary.rest(t[2]))) / 6;
  return volume;
}

/// Every side is used once in each direction.
bool is_closed(const Boundary& boundary) {
  std::map<std::pair<int, int>, int> sides;
  for (const auto& t : boundary.triangles())
    for (std::size_t i = 0; i < 3; ++i) ++sides[{t[i], t[(i + 1) % 3]}];
  for (const auto& [side, count] : sides) {
    const auto back = sides.find({side.second, side.first});
    if (count != 1 || back == sides.end()) return false;
  }
  return !sides.empty();
}

double longest_edge(const Boundary& boundary) {
  double longest = 0;
  for (const auto& t : boundary.triangles())
    for (std::size_t i = 0; i < 3; ++i)
      longest = std::max(longest, (boundary.rest(t[i]) - boundary.rest(t[(i + 1) % 3])).norm());
  return longest;
}

geometry::PolygonMesh pyramid() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}},
          {{3, 2, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
}

std::vector<shape::Geometry> solids() {
  const auto mesh = std::make_shared<const geometry::PolygonMesh>(pyramid());
  return {shape::Sphere{0.5},      shape::Ellipsoid{{0.3, 0.5, 1}},
          shape::Capsule{0.3, 1},  shape::Cylinder{0.4, 1.5},
          shape::Cone{0.5, 1},     shape::Torus{1, 0.3},
          shape::Box{{1, 2, 0.5}}, shape::Superellipsoid{{0.5, 0.6, 0.7}, 0.5, 0.8},
          shape::Convex{mesh, 0},  shape::Mesh{mesh}};
}

TEST(BendingBoundary, OfFigure5Has156Triangles) {
  BoundaryDetail detail;
  detail.cells = {3, 3, 5};
  const Body block = make_solid(2, {part_of(shape::Box{{3, 3, 5}})}, test::rubber(), detail);
  EXPECT_EQ(block->boundary.triangles().size(), 156U);
  EXPECT_EQ(block->boundary.vertex_count(), 156 / 2 + 2);  // Euler's formula
  EXPECT_TRUE(is_closed(block->boundary));
  EXPECT_NEAR(enclosed(block->boundary), 45, 1e-12);
  // A block of these proportions is divided so by itself.
  EXPECT_EQ(test::bending_box(2, {3, 3, 5})->boundary.triangles().size(), 156U);
  EXPECT_EQ(test::bending_box(1, {3, 3, 5})->boundary.triangles().size(), 12U);
}

TEST(BendingBoundary, IsClosedAndAroundTheBody) {
  for (const shape::Geometry& geometry : solids()) {
    const double volume = shape::moments_of(geometry, 1).volume;
    for (const int order : {1, 2}) {
      const Body body = make_solid(order, {part_of(geometry)}, test::rubber(), {});
      SCOPED_TRACE(shape::name_of(geometry));
      EXPECT_TRUE(is_closed(body->boundary));
      // Inscribed: smaller, and not by much. Flat faces are exact.
      EXPECT_LE(enclosed(body->boundary), volume * (1 + 1e-12));
      EXPECT_GE(enclosed(body->boundary), 0.85 * volume);
    }
  }
}

TEST(BendingBoundary, HasNoEdgeLongerThanAskedFor) {
  for (const shape::Geometry& geometry : solids()) {
    BoundaryDetail detail;
    detail.edge = 0.2;
    const Body body = make_solid(1, {part_of(geometry)}, test::rubber(), detail);
    EXPECT_LE(longest_edge(body->boundary), 0.2 * (1 + 1e-12)) << shape::name_of(geometry);
    EXPECT_TRUE(is_closed(body->boundary)) << shape::name_of(geometry);
  }
}

TEST(BendingBoundary, OfMeshKeepsItsTriangles) {
  const auto mesh = std::make_shared<const geometry::PolygonMesh>(pyramid());
  EXPECT_EQ(
      make_solid(2, {part_of(shape::Mesh{mesh})}, test::rubber(), {})->boundary.triangles().size(),
      6U);
}

TEST(BendingBoundary, PointsOfTrianglesMoveWithTheirCorners) {
  std::mt19937 random(test::seed(2));
  for (const Body& body : {test::bending_box(1, {1, 2, 3}), test::bending_box(2, {1, 2, 3}),
                           make_sheet({1, 1, 2, 2, 1, 1, 1, 0, 1e-3, 1})}) {
    const Columns columns = test::deformed(*body, 0.2, random);
    std::vector<Vec3> places;
    body->boundary.places(columns, places);
    const Vec3 weights(0.2, 0.5, 0.3);
    for (int t = 0; t < 5; ++t) {
      const auto& corners = body->boundary.triangles()[static_cast<std::size_t>(t)];
      Vec3 expected = Vec3::Zero();
      for (int i = 0; i < 3; ++i)
        expected +=
            weights[i] * places[static_cast<std::size_t>(corners[static_cast<std::size_t>(i)])];
      const Vec3 found = combined(body->boundary.weights_within(t, weights), columns);
      EXPECT_NEAR((found - expected).norm(), 0, 1e-13);
    }
  }
}

// det F = 1 + 2 a x for x(p) = p + a x^2 e_x, on a box and a ball of half width 1/2.
TEST(Inversion, IsFoundWhereItIs) {
  for (const shape::Geometry& geometry :
       {shape::Geometry(shape::Box{{1, 1, 1}}), shape::Geometry(shape::Sphere{0.5})}) {
    const Body body = make_solid(2, {part_of(geometry)}, test::rubber(), {});
    Columns columns = placed(*body, {{1, 2, 3}, Quat(0.6, 0.8, 0, 0)});
    const Vec3 e = columns.col(linear_column(body->kind, 0));
    columns.col(product_column(0, 0)) = 0.95 * e;
    EXPECT_EQ(inversion(*body, columns).verdict, Inversion::none);
    columns.col(product_column(0, 0)) = 1.3 * e;
    const InversionFinding found = inversion(*body, columns);
    EXPECT_EQ(found.verdict, Inversion::inverted);
    EXPECT_LE(deformation_at(body->kind, columns, found.point).determinant(), 0);
  }
  const Body affine = test::bending_box(1, {1, 1, 1});
  Columns mirrored = placed(*affine, {});
  EXPECT_EQ(inversion(*affine, mirrored).verdict, Inversion::none);
  mirrored.col(0) *= -1;
  EXPECT_EQ(inversion(*affine, mirrored).verdict, Inversion::inverted);
}

// x(p) = p + a (x^2 + y^2) e_z bends without any change of volume, however much.
TEST(Inversion, DoesNotTakeBendingForIt) {
  const Body body = test::bending_box(2, {2, 2, 0.2});
  Columns columns = placed(*body, {});
  columns.col(product_column(0, 0)) = Vec3(0, 0, 3);
  columns.col(product_column(1, 1)) = Vec3(0, 0, 3);
  EXPECT_EQ(inversion(*body, columns).verdict, Inversion::none);
}

TEST(BendingBody, FindsMaterialPoints) {
  std::mt19937 random(test::seed(4));
  for (const int order : {1, 2}) {
    const Body body = test::bending_box(order, {1, 2, 3});
    const Columns columns = test::deformed(*body, 0.1, random);
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.5, 1, 1.5), Vec3(-0.3, 0.9, 0.2)}) {
      Vec3 found;
      ASSERT_TRUE(
          material_point(*body, columns, combined(weights_at(body->kind, p), columns), found));
      EXPECT_NEAR((found - p).norm(), 0, 1e-12);
    }
  }
}

TEST(BendingBody, RigidFitOfRigidMotionIsThatMotion) {
  const Pose pose{{1, 2, 3}, Quat(0.5, -0.5, 0.5, 0.5)};
  const Vec3 v(1, 2, 3), w(-1, 0.5, 2);
  for (const Body& body : {make_solid(1, test::odd_parts(), test::rubber(), {}),
                           make_solid(2, test::odd_parts(), test::rubber(), {}),
                           make_sheet({1, 2, 3, 3, 1, 1, 1, 0, 1e-3, 1})}) {
    State state;
    state.columns = placed(*body, pose);
    state.rates = rigid_rates(*body, state.columns, v, w);
    const RigidFit fit = rigid_fit(*body, state);
    EXPECT_NEAR(std::abs(fit.rotation.dot(pose.orientation)), 1, 1e-14);
    EXPECT_NEAR((fit.velocity - v).norm(), 0, 1e-13);
    EXPECT_NEAR((fit.angular_velocity - w).norm(), 0, 1e-12);
  }
}

// The angular velocity is the rate of the rotation also while the body is deformed and deforming.
TEST(BendingBody, RigidFitTurnsAtItsOwnRate) {
  std::mt19937 random(test::seed(6));
  for (const Body& body :
       {test::bending_box(2, {1, 2, 3}), make_sheet({1, 2, 3, 3, 1, 1, 1, 0, 1e-3, 1})}) {
    State state{test::deformed(*body, 0.1, random),
                test::random_columns(body->columns(), 1, random)};
    const double h = 1e-5;
    const auto rotation = [&](double t) {
      const State moved{state.columns + t * state.rates, state.rates};
      return rigid_fit(*body, moved).rotation.toRotationMatrix();
    };
    const Mat3 spin = (rotation(h) - rotation(-h)) / (2 * h) * rotation(0).transpose();
    const Vec3 w = rigid_fit(*body, state).angular_velocity;
    EXPECT_NEAR((Vec3(spin(2, 1), spin(0, 2), spin(1, 0)) - w).norm(), 0, 1e-8 * (1 + w.norm()));
  }
}

TEST(Impact, BringsPointsToRest) {
  std::mt19937 random(test::seed(8));
  std::uniform_real_distribution<double> inside(-0.5, 0.5);
  for (const int order : {1, 2}) {
    const Body a = test::bending_box(order, {1, 1, 1}), b = test::bending_box(3 - order, {1, 1, 1});
    for (int i = 0; i < 20; ++i) {
      const Vec3 n = Vec3(inside(random), inside(random), inside(random)).normalized();
      const auto at_a = weights_at(a->kind, {inside(random), inside(random), inside(random)});
      const auto at_b = weights_at(b->kind, {inside(random), inside(random), inside(random)});
      Columns va = test::random_columns(a->columns(), 1, random);
      Columns vb = test::random_columns(b->columns(), 1, random);
      const double approach = -n.dot(combined(at_a, va) - combined(at_b, vb));
      const double before = a->mass.kinetic_energy(va) + b->mass.kinetic_energy(vb);
      const Vec3 momentum = a->mass.momentum(va) + b->mass.momentum(vb);
      const double j =
          stopping_impulse(n, impact_side(a->mass, at_a, va), impact_side(b->mass, at_b, vb));
      if (approach <= 0) {
        EXPECT_EQ(j, 0);
        continue;
      }
      apply_impulse(a->mass, at_a, j * n, va);
      apply_impulse(b->mass, at_b, -j * n, vb);
      EXPECT_NEAR(n.dot(combined(at_a, va) - combined(at_b, vb)), 0, 1e-12);
      // Half the impulse times the approach is what an impact that ends at rest costs.
      const double after = a->mass.kinetic_energy(va) + b->mass.kinetic_energy(vb);
      EXPECT_NEAR(before - after, 0.5 * j * approach, 1e-12 * before);
      EXPECT_NEAR((a->mass.momentum(va) + b->mass.momentum(vb) - momentum).norm(), 0,
                  1e-12 * a->mass.total());
    }
  }
}

// At its middle an affine cube gives way as a point of all its mass, at a corner ten times more:
// Z^T M^-1 Z = (1 + 3 (a/2)^2 / (a^2/12)) / m.
TEST(Impact, OfAffineCubeIsTheClosedForm) {
  const Body cube = test::bending_box(1, {1, 1, 1});
  const auto middle = weights_at(cube->kind, {0, 0, 0});
  const auto corner = weights_at(cube->kind, {0.5, 0.5, -0.5});
  Columns falling = Columns::Zero(3, 4);
  falling(2, 3) = -2;
  const ImpactSide ground;
  EXPECT_NEAR(stopping_impulse(Vec3::UnitZ(), impact_side(cube->mass, middle, falling), ground),
              2000, 1e-9);
  EXPECT_NEAR(stopping_impulse(Vec3::UnitZ(), impact_side(cube->mass, corner, falling), ground),
              200, 1e-10);
}

}  // namespace
}  // namespace abut::flexible
