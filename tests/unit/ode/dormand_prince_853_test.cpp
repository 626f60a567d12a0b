#include "ode/dormand_prince_853.h"

#include <limits>
#include <numbers>

namespace abut::ode {
namespace {

// A problem in the plane with a known solution, whose error norm is chosen by the test.
class Problem : public System {
 public:
  double tolerance = 1e-9;
  int dimension() const override { return 2; }
  double error_norm(const Vector&, const Vector&, const Vector& error, double) const override {
    return error.norm() / tolerance;
  }
};

// The Kepler-like nonlinear oscillator u'' = -u^3 hides no symmetry that could flatter a method.
class Duffing : public Problem {
 public:
  void derivative(double, const Vector& y, Vector& rate) override {
    rate[0] = y[1];
    rate[1] = -y[0] * y[0] * y[0];
  }
};

// y' = (1, 8 t^7): the polynomial of degree 8 that order 8 must get exactly right.
class Power : public Problem {
 public:
  int degree = 8;
  void derivative(double t, const Vector&, Vector& rate) override {
    rate[0] = 1;
    rate[1] = degree * std::pow(t, degree - 1);
  }
};

class Blowup : public Problem {
 public:
  void derivative(double, const Vector& y, Vector& rate) override {
    rate[0] = y[0] * y[0];
    rate[1] = 0;
  }
};

class NotANumber : public Problem {
 public:
  void derivative(double, const Vector& y, Vector& rate) override {
    rate[0] = std::sqrt(-1 - y[0] * y[0]);
    rate[1] = 0;
  }
};

// Constraints that cannot be met from farther away than a little.
class HardToProject : public Duffing {
 public:
  static constexpr double reach = 0.01;
  void project(double t0, const Vector&, double t1, Vector& y1) override {
    if (t1 - t0 > reach) y1[0] = std::numeric_limits<double>::quiet_NaN();
  }
};

struct Integration {
  Cursor cursor;
  Piece piece;
  Workspace workspace;
  StepStatistics statistics;

  Integration(System& system, double t, const Vector& y) {
    restart(system, cursor, t, y, statistics);
  }
  StepStatus step(System& system, double limit) {
    return advance(system, cursor, limit, workspace, piece, statistics);
  }
  void to(System& system, double limit) {
    while (cursor.t < limit) ASSERT_EQ(step(system, limit), StepStatus::accepted);
  }
};

// One step of fixed length h: the tolerance is out of the way, and the step ends at the limit.
Integration one_step(System& system, const Vector& y, double h) {
  Integration run(system, 0, y);
  run.cursor.next_step = h;
  EXPECT_EQ(run.step(system, h), StepStatus::accepted);
  return run;
}

Vector duffing_reference(double t) {
  Duffing system;
  system.tolerance = 1e-15;
  Integration run(system, 0, Vector(Eigen::Vector2d(1, 0.2)));
  run.to(system, t);
  return run.cursor.y;
}

TEST(DormandPrince853, IsExactForPolynomialsOfDegreeEight) {
  Power system;
  system.tolerance = 1e9;
  const Integration run = one_step(system, Vector::Zero(2), 1.5);
  EXPECT_NEAR(run.cursor.y[0], 1.5, 1e-15);
  EXPECT_NEAR(run.cursor.y[1] / std::pow(1.5, 8), 1, 1e-13);
}

TEST(DormandPrince853, DenseOutputIsExactForPolynomialsOfDegreeSeven) {
  Power system;
  system.tolerance = 1e9;
  system.degree = 7;
  const Integration run = one_step(system, Vector::Zero(2), 1.5);
  Vector y(2);
  for (const double t : {0.1, 0.4, 0.75, 1.2, 1.49}) {
    run.piece.evaluate(t, y);
    EXPECT_NEAR(y[0], t, 1e-14);
    EXPECT_NEAR(y[1], std::pow(t, 7), 1e-12);
  }
}

// Largest errors at the ends of n equal steps over [0, 4], and within them.
struct Errors {
  double at_ends = 0;
  double within = 0;
};
Errors errors_of_equal_steps(int n) {
  Duffing system;
  system.tolerance = 1e9;
  Integration run(system, 0, Vector(Eigen::Vector2d(1, 0.2)));
  Errors errors;
  Vector y(2);
  for (int i = 1; i <= n; ++i) {
    run.cursor.next_step = 4.0 / n;
    EXPECT_EQ(run.step(system, 4.0 * i / n), StepStatus::accepted);
    errors.at_ends =
        std::max(errors.at_ends, (run.cursor.y - duffing_reference(run.cursor.t)).norm());
    for (const double s : {0.3, 0.6}) {
      const double t = run.piece.begin + s * (run.piece.end - run.piece.begin);
      run.piece.evaluate(t, y);
      errors.within = std::max(errors.within, (y - duffing_reference(t)).norm());
    }
  }
  return errors;
}

// The global error of a method of order p falls as h^p. Of a continuous extension of order 7 the
// local error falls as h^8, on top of the global error of the steps.
TEST(DormandPrince853, ConvergesWithItsOrder) {
  const Errors coarse = errors_of_equal_steps(10), fine = errors_of_equal_steps(20);
  const double order = std::log2(coarse.at_ends / fine.at_ends);
  EXPECT_GT(order, 7.5);
  EXPECT_LT(order, 9);
  const double order_within = std::log2(coarse.within / fine.within);
  EXPECT_GT(order_within, 7.4);
  EXPECT_LT(order_within, 9);
}

TEST(DormandPrince853, PiecesJoinExactlyAndEndAtTheLimit) {
  Duffing system;
  Integration run(system, 0, Vector(Eigen::Vector2d(1, 0)));
  Vector before(2), after(2);
  double end = 0;
  while (run.cursor.t < 3.3) {
    const Vector start = run.cursor.y;
    ASSERT_EQ(run.step(system, 3.3), StepStatus::accepted);
    EXPECT_EQ(run.piece.begin, end);
    end = run.piece.end;
    run.piece.evaluate(run.piece.begin, before);
    run.piece.evaluate(run.piece.end, after);
    EXPECT_EQ(before, start);
    EXPECT_EQ(after, run.cursor.y);
  }
  EXPECT_EQ(run.cursor.t, 3.3);
}

TEST(DormandPrince853, AnErrorBelowTheToleranceIsKept) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    Duffing system;
    system.tolerance = tolerance;
    Integration run(system, 0, Vector(Eigen::Vector2d(1, 0.2)));
    run.to(system, 10);
    // The estimate is of a lower order than the solution: the true error is well below.
    EXPECT_LT((run.cursor.y - duffing_reference(10)).norm(), 20 * tolerance);
  }
}

// y' = y^2 has a pole at t = 1/y0: the step shrinks to nothing, and that is said.
TEST(DormandPrince853, ReportsASingularity) {
  Blowup system;
  Integration run(system, 0, Vector(Eigen::Vector2d(1, 0)));
  StepStatus status = StepStatus::accepted;
  while (status == StepStatus::accepted && run.cursor.t < 2) status = run.step(system, 2);
  EXPECT_NE(status, StepStatus::accepted);
  EXPECT_NEAR(run.cursor.t, 1, 1e-3);
}

TEST(DormandPrince853, TakesShorterStepsWhereTheirEndsCannotBeProjected) {
  HardToProject system;
  Integration run(system, 0, Vector(Eigen::Vector2d(1, 0)));
  run.to(system, 1);
  EXPECT_TRUE(run.cursor.y.allFinite());
  EXPECT_GE(run.statistics.accepted, static_cast<long>(1 / HardToProject::reach));
  EXPECT_GT(run.statistics.rejected, 0);
}

TEST(DormandPrince853, ReportsDerivativesThatAreNotFinite) {
  NotANumber system;
  Integration run(system, 0, Vector(Eigen::Vector2d(1, 0)));
  EXPECT_EQ(run.step(system, 1), StepStatus::not_finite);
}

// Order conditions of the tableau itself: row sums give the nodes, and the weights integrate
// polynomials up to degree 7 exactly.
TEST(DormandPrince853, TableauIsConsistent) {
  for (int i = 0; i < dp853::dense_stages; ++i) {
    double sum = 0;
    for (const auto& term : dp853::rows[i]) sum += term.weight;
    EXPECT_NEAR(sum, dp853::nodes[i], 2e-14) << i;
  }
  for (int power = 0; power < 8; ++power) {
    double sum = 0;
    for (const auto& term : dp853::rows[12])
      sum += term.weight * std::pow(dp853::nodes[term.stage], power);
    EXPECT_NEAR(sum, 1.0 / (power + 1), 1e-14) << power;
  }
  double sum3 = 0, sum5 = 0;
  for (const auto& term : dp853::error3) sum3 += term.weight;
  for (const auto& term : dp853::error5) sum5 += term.weight;
  EXPECT_NEAR(sum3, 0, 1e-14);
  EXPECT_NEAR(sum5, 0, 1e-14);
}

}  // namespace
}  // namespace abut::ode
