#include "flexible/elasticity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "flexible/basis.h"
#include "math/dense.h"
#include "shape/cubature.h"
#include "support/bending.h"
#include "support/seeds.h"

namespace abut::flexible {
namespace {

using Body = std::shared_ptr<const BendingBody>;

/// Solids of both orders and a sheet, all damped.
std::vector<Body> bodies() {
  const SolidMaterial material = test::rubber(0.01);
  return {test::bending_box(1, {0.5, 1, 0.8}, material),
          test::bending_box(2, {0.5, 1, 0.8}, material),
          make_solid(2, {test::part_of(shape::Sphere{0.6})}, material, {}),
          make_solid(2, test::odd_parts(), material, {}),
          make_sheet({1, 1.5, 3, 4, 200, 50, 7, 0.3, 1e-3, 0.2})};
}

Columns force_of(const BendingBody& body, const Columns& columns) {
  Columns force = Columns::Zero(3, body.columns());
  body.elasticity->add_force(columns, force);
  return force;
}

Matrix whole(const BendingBody& body, const Blocks& blocks) {
  const auto& pairs = body.elasticity->pairs();
  Matrix matrix = Matrix::Zero(3 * body.columns(), 3 * body.columns());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    matrix.block<3, 3>(3 * pairs[p].first, 3 * pairs[p].second) = blocks[p];
    matrix.block<3, 3>(3 * pairs[p].second, 3 * pairs[p].first) = blocks[p].transpose();
  }
  return matrix;
}

// lambda/2 tr(E)^2 + mu tr(E^2) at each point of a rule that is exact for it.
double integrated_energy(const BendingBody& body, const SolidMaterial& material,
                         const Columns& columns) {
  const double lambda =
      material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson));
  const double mu = material.young / (2 * (1 + material.poisson));
  double sum = 0;
  for (const shape::Part& part : body.parts)
    for (const shape::CubaturePoint& p : shape::cubature_of(part)) {
      const Mat3 f = columns * basis_gradient(body.kind, p.point);
      const Mat3 e = 0.5 * (f.transpose() * f - Mat3::Identity());
      sum += p.weight * (0.5 * lambda * e.trace() * e.trace() + mu * (e * e).trace());
    }
  return sum;
}

TEST(Elasticity, OfSolidsIsTheIntegralOverTheBody) {
  std::mt19937 random(test::seed(7));
  for (const Body& body : bodies()) {
    if (body->is_sheet()) continue;
    for (int i = 0; i < 5; ++i) {
      const Columns columns = test::deformed(*body, 0.3, random);
      const double exact = integrated_energy(*body, test::rubber(), columns);
      EXPECT_NEAR(body->elasticity->energy(columns), exact, 1e-12 * exact);
    }
  }
}

// Stretching an affine body by s along x: E = (s^2 - 1)/2 e_x e_x^T everywhere.
TEST(Elasticity, OfStretchedBlockIsTheTextbooks) {
  const double s = 1.4, lambda = 1e5 * 0.3 / (1.3 * 0.4), mu = 1e5 / 2.6;
  for (const int order : {1, 2}) {
    const Body body = test::bending_box(order, {1, 2, 3});
    Columns columns = placed(*body, {});
    columns.col(linear_column(body->kind, 0)) *= s;
    const double strain = (s * s - 1) / 2;
    EXPECT_NEAR(body->elasticity->energy(columns), 6 * (lambda / 2 + mu) * strain * strain,
                1e-12 * 6 * lambda);
  }
}

TEST(Elasticity, ForceIsTheDescentOfTheEnergy) {
  std::mt19937 random(test::seed(11));
  for (const Body& body : bodies()) {
    const Columns columns = test::deformed(*body, 0.2, random);
    const Columns way = test::random_columns(body->columns(), 1, random);
    // Fourth-order differences: their error is h^4, that of rounding eps/h.
    const double h = 1e-3;
    const auto energy = [&](double t) { return body->elasticity->energy(columns + t * way); };
    const double slope =
        (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    EXPECT_NEAR(-test::dot(force_of(*body, columns), way), slope, 1e-7 * std::abs(slope));
  }
}

TEST(Elasticity, StiffnessIsTheSlopeOfTheForce) {
  std::mt19937 random(test::seed(13));
  for (const Body& body : bodies()) {
    const Columns columns = test::deformed(*body, 0.2, random);
    const Columns way = test::random_columns(body->columns(), 1, random);
    Blocks blocks;
    body->elasticity->stiffness(columns, blocks, false);
    Columns product = Columns::Zero(3, body->columns());
    add_product(body->elasticity->pairs(), blocks, 1, way, product);
    const double h = 1e-3;
    const auto force = [&](double t) { return force_of(*body, columns + t * way); };
    const Columns slope = (8 * (force(h) - force(-h)) - (force(2 * h) - force(-2 * h))) / (12 * h);
    EXPECT_NEAR((product + slope).norm(), 0, 1e-7 * slope.norm());
  }
}

TEST(Elasticity, ConvexStiffnessIsSemidefinite) {
  std::mt19937 random(test::seed(17));
  for (const Body& body : bodies()) {
    // Compressed, so that the true one is not.
    Columns columns = 0.7 * test::deformed(*body, 0.1, random);
    Blocks blocks;
    body->elasticity->stiffness(columns, blocks, false);
    const Vector values = math::symmetric_eigen(whole(*body, blocks)).values;
    EXPECT_LT(values[0], -1e-6 * values[values.size() - 1]);
    body->elasticity->stiffness(columns, blocks, true);
    const Vector convex = math::symmetric_eigen(whole(*body, blocks)).values;
    EXPECT_GE(convex[0], -1e-12 * convex[convex.size() - 1]);
  }
}

TEST(Elasticity, RigidMotionsMeetNoForce) {
  for (const Body& body : bodies()) {
    const Pose pose{{1, -2, 0.5}, Quat(0.5, 0.1, -0.7, 0.5).normalized()};
    const Columns columns = placed(*body, pose);
    Blocks blocks;
    body->elasticity->stiffness(columns, blocks, false);
    const double scale = whole(*body, blocks).norm();
    EXPECT_NEAR(force_of(*body, columns).norm(), 0, 1e-14 * scale);
    EXPECT_NEAR(body->elasticity->energy(columns), 0, 1e-28 * scale);
    const State state{columns, rigid_rates(*body, columns, {1, 2, 3}, {3, -1, 2})};
    Columns damping = Columns::Zero(3, body->columns());
    body->elasticity->add_damping(state, damping);
    EXPECT_NEAR(damping.norm(), 0, 1e-13 * scale);
    EXPECT_NEAR(body->elasticity->dissipation(state), 0, 1e-24 * scale);
  }
}

TEST(Elasticity, DampingIsLinearInTheRates) {
  std::mt19937 random(test::seed(19));
  for (const Body& body : bodies()) {
    const State state{test::deformed(*body, 0.2, random),
                      test::random_columns(body->columns(), 1, random)};
    Columns force = Columns::Zero(3, body->columns());
    body->elasticity->add_damping(state, force);
    Blocks blocks;
    body->elasticity->damping(state.columns, blocks);
    Columns product = Columns::Zero(3, body->columns());
    add_product(body->elasticity->pairs(), blocks, 1, state.rates, product);
    EXPECT_NEAR((force + product).norm(), 0, 1e-12 * force.norm());
    const double power = body->elasticity->dissipation(state);
    EXPECT_GT(power, 0);
    EXPECT_NEAR(power, -test::dot(force, state.rates), 1e-12 * power);
    const Vector values = math::symmetric_eigen(whole(*body, blocks)).values;
    EXPECT_GE(values[0], -1e-12 * values[values.size() - 1]);
  }
}

// The stress of damping is that of tau dE/dt: moving along the gradient of the strain for the time
// tau changes the elastic force by what damping is, where there is no stress yet.
TEST(Elasticity, DampingTimeCountsAsStrain) {
  std::mt19937 random(test::seed(23));
  const Body body = test::bending_box(2, {0.5, 1, 0.8}, test::rubber(0.01));
  const State state{placed(*body, {}), test::random_columns(body->columns(), 1, random)};
  Columns damping = Columns::Zero(3, body->columns());
  body->elasticity->add_damping(state, damping);
  Blocks blocks;
  body->elasticity->stiffness(state.columns, blocks, false);
  Columns expected = Columns::Zero(3, body->columns());
  add_product(body->elasticity->pairs(), blocks, -0.01, state.rates, expected);
  EXPECT_NEAR((damping - expected).norm(), 0, 1e-12 * expected.norm());
}

TEST(Elasticity, MeanForceDoesExactlyTheWork) {
  std::mt19937 random(test::seed(29));
  for (const Body& body : bodies()) {
    const Columns from = test::deformed(*body, 0.2, random);
    const Columns to = from + test::random_columns(body->columns(), 0.3, random);
    Columns force = Columns::Zero(3, body->columns());
    body->elasticity->add_mean_force(from, to, force);
    const double before = body->elasticity->energy(from), after = body->elasticity->energy(to);
    EXPECT_NEAR(test::dot(force, to - from), before - after, 1e-12 * (before + after));
    Columns same = Columns::Zero(3, body->columns());
    body->elasticity->add_mean_force(from, from, same);
    EXPECT_NEAR((same - force_of(*body, from)).norm(), 0, 1e-12 * same.norm());
  }
}

/// No net force and no net torque, whatever the deformation.
TEST(Elasticity, ForcesWithinABodyBalance) {
  std::mt19937 random(test::seed(31));
  for (const Body& body : bodies()) {
    const State state{test::deformed(*body, 0.3, random),
                      test::random_columns(body->columns(), 1, random)};
    Columns force = force_of(*body, state.columns);
    body->elasticity->add_damping(state, force);
    const Columns shift = Vec3(1, 2, -1) * body->mass.one().transpose();
    const Columns turn = rigid_rates(*body, state.columns, Vec3::Zero(), {0.3, 1, -2});
    EXPECT_NEAR(test::dot(force, shift), 0, 1e-11 * force.norm());
    EXPECT_NEAR(test::dot(force, turn), 0, 1e-11 * force.norm());
  }
}

TEST(Elasticity, OfSheetHasTheSpringsOfTheFormat) {
  // 2 x 1 cells of 0.5 x 1 m; one node pulled up by 0.1 m.
  const auto sheet = make_sheet({1, 1, 2, 1, 3, 5, 7, 0, 1e-3, 1});
  Columns columns = placed(*sheet, {});
  columns(2, sheet->grid.node(0, 0)) += 0.1;
  const auto energy = [](double k, double length) {
    const double change = std::hypot(length, 0.1) - length;
    return 0.5 * k * change * change;
  };
  const double expected =
      energy(3, 0.5) + energy(3, 1) + energy(5, std::hypot(0.5, 1)) + energy(7, 1);
  EXPECT_NEAR(sheet->elasticity->energy(columns), expected, 1e-14);
}

}  // namespace
}  // namespace abut::flexible
