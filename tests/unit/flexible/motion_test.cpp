// Bodies that move freely, integrated by the integrator of order 8.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexible/basis.h"
#include "ode/dormand_prince_853.h"
#include "support/bending.h"
#include "support/seeds.h"

namespace abut::flexible {
namespace {

using std::numbers::pi;

/// r'' m = elastic force + damping force.
class FreeBody : public ode::System {
 public:
  FreeBody(const BendingBody& body, double tolerance) : body_(body), tolerance_(tolerance) {}

  int dimension() const override { return 6 * body_.columns(); }

  void derivative(double /*t*/, const ode::Vector& y, ode::Vector& rate) override {
    const State state = state_of(y);
    Columns force = Columns::Zero(3, body_.columns());
    body_.elasticity->add_force(state.columns, force);
    body_.elasticity->add_damping(state, force);
    rate = vector_of({state.rates, body_.mass.divided(force)});
  }

  double error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                    double /*h*/) const override {
    const double scale = std::max(y0.cwiseAbs().maxCoeff(), y1.cwiseAbs().maxCoeff());
    return error.cwiseAbs().maxCoeff() / (tolerance_ * scale);
  }

  State state_of(const ode::Vector& y) const {
    const Eigen::Index half = y.size() / 2;
    return {Eigen::Map<const Columns>(y.data(), 3, body_.columns()),
            Eigen::Map<const Columns>(y.data() + half, 3, body_.columns())};
  }

  static ode::Vector vector_of(const State& state) {
    ode::Vector y(2 * state.columns.size());
    y << Eigen::Map<const ode::Vector>(state.columns.data(), state.columns.size()),
        Eigen::Map<const ode::Vector>(state.rates.data(), state.rates.size());
    return y;
  }

 private:
  const BendingBody& body_;
  double tolerance_;
};

State after(const BendingBody& body, const State& start, double duration,
            double tolerance = 1e-12) {
  FreeBody system(body, tolerance);
  ode::Cursor cursor;
  ode::Workspace workspace;
  workspace.resize(system.dimension());
  ode::Piece piece;
  ode::StepStatistics statistics;
  restart(system, cursor, 0, FreeBody::vector_of(start), statistics);
  while (cursor.t < duration)
    if (advance(system, cursor, duration, workspace, piece, statistics) !=
        ode::StepStatus::accepted) {
      ADD_FAILURE() << "the integration stops at " << cursor.t;
      break;
    }
  return system.state_of(cursor.y);
}

double energy_of(const BendingBody& body, const State& state) {
  return body.mass.kinetic_energy(state.rates) + body.elasticity->energy(state.columns);
}

void expect_conserved(const BendingBody& body, const State& start, const State& end) {
  const double energy = energy_of(body, start);
  EXPECT_NEAR(energy_of(body, end), energy, 1e-9 * energy);
  const Vec3 p = body.mass.momentum(start.rates), l = body.mass.angular_momentum(start);
  const double mass = body.mass.total();
  EXPECT_NEAR((body.mass.momentum(end.rates) - p).norm(), 0, 1e-12 * mass);
  EXPECT_NEAR((body.mass.angular_momentum(end) - l).norm(), 0, 1e-10 * l.norm());
}

/// It tumbles, flies and vibrates with strains of a tenth.
State lively(const BendingBody& body) {
  std::mt19937 random(test::seed(3, test::few_rounds));
  State state;
  state.columns = placed(body, {{0.2, 0.1, 0}, Quat(0.8, 0, 0.6, 0)});
  state.rates = rigid_rates(body, state.columns, {0.01, 0.02, 0}, {2, 1, 3});
  state.columns.leftCols(body.columns() - 1) +=
      test::random_columns(body.columns() - 1, 0.1, random);
  return state;
}

TEST(BendingMotion, KeepsEnergyAndMomentumOverAHundredPeriods) {
  for (const int order : {1, 2}) {
    const auto body = test::bending_box(order, {1, 0.8, 1.2});
    const State start = lively(*body);
    const double hundred = 100 * natural_periods(*body).longest;
    expect_conserved(*body, start, after(*body, start, hundred));
  }
}

TEST(BendingMotion, OfSheetKeepsEnergyAndMomentum) {
  const auto sheet = make_sheet({1, 1, 3, 3, 100, 30, 10, 0, 1e-3, 0.2});
  std::mt19937 random(test::seed(5));
  State start;
  start.columns = placed(*sheet, {}) + test::random_columns(sheet->columns(), 0.05, random);
  start.rates = test::random_columns(sheet->columns(), 0.5, random);
  expect_conserved(*sheet, start, after(*sheet, start, 100 * natural_periods(*sheet).shortest));
}

TEST(BendingMotion, RigidTranslationIsExact) {
  for (const int order : {1, 2}) {
    const auto body = test::bending_box(order, {1, 2, 3});
    State start;
    start.columns = placed(*body, {{1, 0, 0}, Quat(0.6, 0.8, 0, 0)});
    start.rates = rigid_rates(*body, start.columns, {1, -2, 0.5}, Vec3::Zero());
    const State end = after(*body, start, 2);
    Pose pose{{3, -4, 1}, Quat(0.6, 0.8, 0, 0)};
    EXPECT_NEAR((end.columns - placed(*body, pose)).norm(), 0, 1e-12);
  }
}

// A cube of side a that is sheared by s in F = [1 s 0; s 1 0; 0 0 1] has, for small s, the elastic
// energy 2 V mu s^2 and the kinetic energy (m a^2 / 12) s'^2: w^2 = 24 mu / (rho a^2). One that
// swells by s has V (9/2 lambda + 3 mu) s^2 and 3/2 (m a^2 / 12) s'^2:
// w^2 = 12 (3 lambda + 2 mu) / (rho a^2).
TEST(BendingMotion, OfCubeHasTheFrequenciesOfTheEigenproblem) {
  const double a = 0.7, lambda = 1e5 * 0.3 / (1.3 * 0.4), mu = 1e5 / 2.6, rho = 1000;
  const double shear = std::sqrt(24 * mu / (rho * a * a));
  const double swell = std::sqrt(12 * (3 * lambda + 2 * mu) / (rho * a * a));
  const auto cube = test::bending_box(1, Vec3::Constant(a));
  const Periods periods = natural_periods(*cube);
  EXPECT_NEAR(periods.longest, 2 * pi / shear, 1e-12 * periods.longest);
  EXPECT_NEAR(periods.shortest, 2 * pi / swell, 1e-12 * periods.shortest);
  for (const int order : {1, 2}) {
    // For order 2 the affine shear of a cube is still a motion of its own.
    const auto body = test::bending_box(order, Vec3::Constant(a));
    const double small = 1e-6;
    State start{placed(*body, {}), Columns::Zero(3, body->columns())};
    start.columns(1, linear_column(body->kind, 0)) = small;
    start.columns(0, linear_column(body->kind, 1)) = small;
    // A quarter of a period after ten: where the cosine is zero its phase shows best.
    const double time = 10.25 * 2 * pi / shear;
    const State end = after(*body, start, time, 1e-14);
    EXPECT_NEAR(end.columns(1, linear_column(body->kind, 0)) / small, 0, 1e-8 * time * shear)
        << order;
    EXPECT_NEAR(end.rates(1, linear_column(body->kind, 0)) / (small * shear), -1, 1e-8);
  }
}

// F = s 1: W = V (9/2 lambda + 3 mu) ((s^2 - 1)/2)^2 and T = 3/2 (m a^2 / 12) s'^2, one equation of
// second order for s, integrated here by itself with small steps of the classical Runge-Kutta rule.
TEST(BendingMotion, LargeSwellingFollowsItsOwnEquation) {
  const double a = 1, lambda = 1e5 * 0.3 / (1.3 * 0.4), mu = 1e5 / 2.6, rho = 1000;
  const double inertia = 3 * rho * std::pow(a, 5) / 12, k = a * a * a * (9 * lambda / 2 + 3 * mu);
  const auto pull = [&](double s) { return -k * (s * s - 1) * s / inertia; };
  double s = 1.5, v = 0;
  const double duration = 0.5;
  const int steps = 20000;
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const double k1 = v, l1 = pull(s), k2 = v + h / 2 * l1, l2 = pull(s + h / 2 * k1);
    const double k3 = v + h / 2 * l2, l3 = pull(s + h / 2 * k2), k4 = v + h * l3;
    const double l4 = pull(s + h * k3);
    s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  const auto cube = test::bending_box(1, Vec3::Constant(a));
  State start{placed(*cube, {}), Columns::Zero(3, 4)};
  start.columns.leftCols(3) *= 1.5;
  const State end = after(*cube, start, duration, 1e-13);
  EXPECT_NEAR((end.columns.leftCols(3) - s * Mat3::Identity()).norm(), 0, 1e-9);
}

TEST(BendingMotion, DampingTakesOutWhatItSays) {
  const auto body = test::bending_box(2, {1, 0.8, 1.2}, test::rubber(2e-3));
  const State start = lively(*body);
  const double duration = 0.02;
  // The power by Simpson's rule over short pieces.
  double lost = 0;
  State state = start;
  const int pieces = 40;
  const double h = duration / pieces;
  for (int i = 0; i < pieces; ++i) {
    const State middle = after(*body, state, h / 2), end = after(*body, middle, h / 2);
    lost += h / 6 *
            (body->elasticity->dissipation(state) + 4 * body->elasticity->dissipation(middle) +
             body->elasticity->dissipation(end));
    state = end;
  }
  const double energy = energy_of(*body, start);
  EXPECT_GT(lost, 1e-2 * energy);
  EXPECT_NEAR(energy_of(*body, state) + lost, energy, 1e-7 * energy);
}

}  // namespace
}  // namespace abut::flexible
