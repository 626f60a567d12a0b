#include "flexible/column_mass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "flexible/basis.h"
#include "shape/cubature.h"
#include "shape/moments.h"
#include "support/bending.h"
#include "support/seeds.h"

namespace abut::flexible {
namespace {

using test::part_of;

/// Exponents of x, y and z in the functions of a quadratic body, in the order of the scene format.
constexpr int powers[10][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1},
                               {0, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};

template <class Integral>
void expect_mass(const BendingBody& body, const Integral& integral, double precision = 1e-13) {
  const int first = body.columns() == 10 ? 0 : 6;
  const auto at = [](int k) { return powers[k]; };
  for (int k = first; k < 10; ++k)
    for (int l = first; l < 10; ++l) {
      const double exact = integral(at(k)[0] + at(l)[0], at(k)[1] + at(l)[1], at(k)[2] + at(l)[2]);
      const double scale = std::sqrt(integral(2 * at(k)[0], 2 * at(k)[1], 2 * at(k)[2]) *
                                     integral(2 * at(l)[0], 2 * at(l)[1], 2 * at(l)[2]));
      EXPECT_NEAR(body.mass(k - first, l - first), exact, precision * scale) << k << ", " << l;
    }
}

TEST(ColumnMass, OfBoxIsExact) {
  const Vec3 half(0.5, 1, 1.5);
  const auto integral = [&](int i, int j, int k) {
    const auto over = [](double a, int n) {
      return n % 2 != 0 ? 0 : 2 * std::pow(a, n + 1) / (n + 1);
    };
    return 1000 * over(half.x(), i) * over(half.y(), j) * over(half.z(), k);
  };
  for (const int order : {1, 2})
    expect_mass(*make_solid(order, {part_of(shape::Box{2 * half})}, test::rubber(), {}), integral);
}

TEST(ColumnMass, OfTetrahedronIsExact) {
  const auto mesh = std::make_shared<const geometry::PolygonMesh>(geometry::PolygonMesh{
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
  const auto integral = [&](int i, int j, int k) {
    return 1000 * std::tgamma(i + 1.0) * std::tgamma(j + 1.0) * std::tgamma(k + 1.0) /
           std::tgamma(i + j + k + 4.0);
  };
  for (const int order : {1, 2})
    expect_mass(*make_solid(order, {part_of(shape::Mesh{mesh})}, test::rubber(), {}), integral);
}

TEST(ColumnMass, OfEllipsoidIsExact) {
  const Vec3 r(0.5, 1, 2);
  const auto integral = [&](int i, int j, int k) {
    if (i % 2 != 0 || j % 2 != 0 || k % 2 != 0) return 0.0;
    return 1000 * 2 * std::tgamma((i + 1) / 2.0) * std::tgamma((j + 1) / 2.0) *
           std::tgamma((k + 1) / 2.0) / std::tgamma((i + j + k + 3) / 2.0) / (i + j + k + 3) *
           std::pow(r.x(), i + 1) * std::pow(r.y(), j + 1) * std::pow(r.z(), k + 1);
  };
  expect_mass(*make_solid(2, {part_of(shape::Ellipsoid{r})}, test::rubber(), {}), integral);
}

// The body is far from its frame: the inverse would lose ten digits if found by elimination.
TEST(ColumnMass, HasAnInverseFarFromItsFrame) {
  const Vec3 far(30, -20, 10);
  const auto body = make_solid(2, {part_of(shape::Box{{1, 1, 1}}, 1000, {far, Quat::Identity()})},
                               test::rubber(), {});
  // An impulse at the middle of the box: by symmetry that of a box about its own frame.
  const auto near = test::bending_box(2, {1, 1, 1});
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.5, 0.5, 0.5), Vec3(-0.5, 0.2, 0)}) {
    const auto there = weights_at(body->kind, far + p), here = weights_at(near->kind, p);
    EXPECT_NEAR(body->mass.mobility(there, there), near->mass.mobility(here, here),
                1e-6 * near->mass.mobility(here, here));
  }
  EXPECT_NEAR(body->mass.total(), 1000, 1e-9);
}

TEST(ColumnMass, GivesRigidMotionsTheirEnergyAndMomentum) {
  const auto parts = test::odd_parts();
  const shape::Moments moments = shape::moments_of(parts);
  const Pose pose{{1, 2, 3}, Quat(0.6, 0, 0.8, 0)};
  const Vec3 v(0.3, -0.2, 0.5), w(1, 2, -0.5);
  const Mat3 turn = pose.orientation.toRotationMatrix();
  const Mat3 inertia = turn * moments.inertia * turn.transpose();
  const Vec3 centre = pose.position + turn * moments.centre;
  for (const int order : {1, 2}) {
    const auto body = make_solid(order, parts, test::rubber(), {});
    State state;
    state.columns = placed(*body, pose);
    state.rates = rigid_rates(*body, state.columns, v, w);
    const ColumnMass& mass = body->mass;
    EXPECT_NEAR(mass.total(), moments.mass, 1e-12 * moments.mass);
    EXPECT_NEAR((mass.centre(state.columns) - centre).norm(), 0, 1e-13);
    EXPECT_NEAR((mass.momentum(state.rates) - moments.mass * v).norm(), 0, 1e-11 * moments.mass);
    EXPECT_NEAR(mass.kinetic_energy(state.rates),
                0.5 * moments.mass * v.squaredNorm() + 0.5 * w.dot(inertia * w),
                1e-12 * moments.mass);
    const Vec3 angular = inertia * w + moments.mass * centre.cross(v);
    EXPECT_NEAR((mass.angular_momentum(state) - angular).norm(), 0, 1e-11 * moments.mass);
  }
}

TEST(ColumnMass, DividesByWhatItMultipliesWith) {
  std::mt19937 random(test::seed(1));
  for (const auto& body : {test::bending_box(1, {1, 2, 3}), test::bending_box(2, {1, 2, 3}),
                           make_sheet({1, 1, 4, 3, 100, 10, 1, 0, 1e-3, 0.2})}) {
    const Columns v = test::random_columns(body->columns(), 1, random);
    EXPECT_NEAR((body->mass.divided(body->mass.times(v)) - v).norm(), 0, 1e-12 * v.norm());
  }
}

TEST(ColumnMass, OfSheetIsByArea) {
  const auto sheet = make_sheet({2, 3, 4, 5, 100, 0, 0, 0, 1e-3, 0.5});
  const Grid& grid = sheet->grid;
  const double inner = 0.5 * 6 / 20;
  EXPECT_NEAR(sheet->mass.total(), 3, 1e-14);
  EXPECT_NEAR(sheet->mass(grid.node(2, 2), grid.node(2, 2)), inner, 1e-15);
  EXPECT_NEAR(sheet->mass(grid.node(0, 2), grid.node(0, 2)), inner / 2, 1e-15);
  EXPECT_NEAR(sheet->mass(grid.node(4, 5), grid.node(4, 5)), inner / 4, 1e-15);
}

}  // namespace
}  // namespace abut::flexible
