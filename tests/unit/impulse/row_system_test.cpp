// J, M^-1 and A against dense algebra.

#include "impulse/row_system.h"

#include <gtest/gtest.h>

#include "support/dense.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/impulse/random_rows.h"

namespace abut::impulse {
namespace {

using test::RandomRows;

struct SystemCase {
  std::vector<Inertia> inertias;
  std::vector<SystemRow> rows;
  RowSystem system;
  Matrix j, w;  // J and M^-1

  SystemCase(RandomRows& random, int bodies, int count)
      : inertias(random.inertias(bodies)),
        rows(random.rows(count, bodies)),
        system(rows, inertias),
        j(test::dense_rows(rows, bodies)),
        w(test::dense_inverse_mass(inertias)) {}
  Matrix a() const { return j * w * j.transpose(); }
};

TEST(RowSystem, TheInverseInertiaTurnsWithTheBody) {
  body::Mass mass;
  mass.mass = 4;
  mass.principal = Vec3(1, 2, 5);
  const Quat q = math::rotation_exp(Vec3(1, -2, 0.5));
  const Inertia inertia = Inertia::of(mass, q);
  EXPECT_EQ(inertia.inverse_mass, 0.25);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 direction = q * Vec3(Vec3::Unit(axis));
    EXPECT_NEAR((inertia.inverse_inertia * direction - direction / mass.principal[axis]).norm(), 0,
                1e-15);
  }
}

TEST(RowSystem, TheMatrixIsJTimesInverseMassTimesJTransposed) {
  RandomRows random(test::seed(1));
  for (int round = 0; round < test::cases(50); ++round) {
    const int bodies = random.whole(1, 6);
    const SystemCase c(random, bodies, random.whole(1, 20));
    const Matrix a = c.a();
    const double scale = a.cwiseAbs().maxCoeff();
    EXPECT_LT((c.system.matrix() - a).cwiseAbs().maxCoeff(), 1e-14 * scale);
    const Matrix sparse = Matrix(c.system.sparse_matrix()).selfadjointView<Eigen::Lower>();
    EXPECT_EQ((sparse - c.system.matrix()).cwiseAbs().maxCoeff(), 0);
    std::vector<int> some, others;
    for (int i = 0; i < c.system.size(); ++i)
      for (std::vector<int>* list : {&some, &others})
        if (random.whole(0, 1) == 1) list->push_back(i);
    const Matrix block = c.system.matrix(some, others);
    EXPECT_LT((block - a(some, others)).norm(), 1e-14 * scale * 20);
    EXPECT_LT((c.system.only(some).matrix() - a(some, some)).norm(), 1e-14 * scale * 20);
    const Vector f = random.numbers(c.system.size());
    const Vector terms = (a.cwiseAbs() * f.cwiseAbs())(some);
    EXPECT_LT((c.system.terms(some, f) - terms).norm(), 1e-14 * scale * f.norm() * 20);
  }
}

TEST(RowSystem, ResponseAndAlongAreTheTwoHalvesOfTheMatrix) {
  RandomRows random(test::seed(2));
  for (int round = 0; round < test::cases(50); ++round) {
    const int bodies = random.whole(1, 6);
    const SystemCase c(random, bodies, random.whole(1, 20));
    const Vector f = random.numbers(c.system.size());
    const std::vector<Twist> response = c.system.response(f);
    ASSERT_EQ(static_cast<int>(response.size()), bodies);
    const double scale = c.a().cwiseAbs().maxCoeff() * f.cwiseAbs().sum();
    EXPECT_LT((test::stacked(response) - c.w * c.j.transpose() * f).norm(), 1e-13 * scale);
    EXPECT_LT((c.system.along(response) - c.a() * f).norm(), 1e-13 * scale);
    // Adjoint: f . (J x) = (J^T f) . x, with J^T f = M response.
    std::vector<Twist> x(bodies);
    for (Twist& twist : x) twist = {random.vector(), random.vector()};
    const double left = f.dot(c.system.along(x));
    const double right = (c.j.transpose() * f).dot(test::stacked(x));
    EXPECT_NEAR(left, right, 1e-12 * (1 + std::abs(left)));
  }
}

int rank_of(const Matrix& a) {
  return static_cast<int>(test::rank(a, 1e-9));
}

/// Independent, as many as there can be, and each one left out depends on earlier ones.
void expect_largest_independent(const RowSystem& system, const Matrix& half) {
  const std::vector<int> kept = independent_rows(system);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_EQ(static_cast<int>(kept.size()), rank_of(half));
  EXPECT_EQ(rank_of(half(kept, Eigen::all)), static_cast<int>(kept.size()));
  for (int i = 0; i < system.size(); ++i) {
    if (std::count(kept.begin(), kept.end(), i) > 0) continue;
    std::vector<int> earlier;
    for (const int k : kept)
      if (k < i) earlier.push_back(k);
    const int before = static_cast<int>(earlier.size());
    earlier.push_back(i);
    EXPECT_EQ(rank_of(half(earlier, Eigen::all)), before) << "row " << i;
  }
}

// J M^-1/2, rows of unit length: its rank is that of A, with the square root of its condition.
Matrix half_of(const Matrix& j, const Matrix& w) {
  Matrix half = j * test::cholesky_factor(w);
  half.rowwise().normalize();
  return half;
}

TEST(IndependentRows, FindsTheRankOfRandomRedundantRows) {
  RandomRows random(test::seed(3));
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const int bodies = random.whole(1, 4);
    const std::vector<Inertia> inertias = random.inertias(bodies);
    std::vector<SystemRow> rows = random.rows(random.whole(1, 4 * bodies), bodies);
    // Combinations of rows between the same bodies, and rows said twice.
    for (int extra = random.whole(0, 6); extra > 0; --extra) {
      SystemRow copy = rows[random.whole(0, static_cast<int>(rows.size()) - 1)];
      const double factor = random.normal();
      for (const SystemRow& other : rows)
        if (other.slots == copy.slots)
          for (int side = 0; side < 2; ++side) {
            copy.row.sides[side].linear += factor * other.row.sides[side].linear;
            copy.row.sides[side].angular += factor * other.row.sides[side].angular;
          }
      rows.insert(rows.begin() + random.whole(0, static_cast<int>(rows.size())), copy);
    }
    const RowSystem system(rows, inertias);
    expect_largest_independent(
        system, half_of(test::dense_rows(rows, bodies), test::dense_inverse_mass(inertias)));
  }
}

// A closed ring of ball joints in a plane's worth of welds: more rows than freedoms, and dependence
// that only shows around the whole ring.
TEST(IndependentRows, FindsDependenceAroundClosedChains) {
  RandomRows random(test::seed(4));
  for (const int bodies : {2, 3, 8, 30}) {
    SCOPED_TRACE(bodies);
    const std::vector<Inertia> inertias = random.inertias(bodies);
    std::vector<SystemRow> rows;
    std::vector<Vec3> centres;
    for (int i = 0; i < bodies; ++i) centres.push_back(random.vector(2));
    for (int i = 0; i < bodies; ++i)
      for (int axis = 0; axis < 6; ++axis) {  // a weld to the next one
        const int next = (i + 1) % bodies;
        const Vec3 at = 0.5 * (centres[i] + centres[next]), e = Vec3::Unit(axis % 3);
        SystemRow row;
        row.slots = {i, next};
        for (int side = 0; side < 2; ++side) {
          const double sign = side == 0 ? 1 : -1;
          const Vec3 arm = at - centres[row.slots[side]];
          row.row.sides[side] = axis < 3 ? body::RowSide{sign * e, sign * arm.cross(e)}
                                         : body::RowSide{Vec3::Zero(), sign * e};
        }
        rows.push_back(row);
      }
    const RowSystem system(rows, inertias);
    const std::vector<int> kept = independent_rows(system);
    // Welds around a ring: the last one says nothing new.
    ASSERT_EQ(static_cast<int>(kept.size()), 6 * (bodies - 1));
    for (int i = 0; i < 6 * (bodies - 1); ++i) EXPECT_EQ(kept[i], i);
  }
}

// Dense up to 48 rows, sparse beyond: the same answers.
TEST(RowSolver, SolvesWithIndependentRowsOfAnyNumber) {
  RandomRows random(test::seed(5));
  for (const int bodies : {1, 5, 40}) {
    RowSolver solver;  // one for all: the pattern changes under it
    for (int round = 0; round < 4; ++round) {
      const SystemCase c(random, bodies, random.whole(bodies, 2 * bodies));
      const std::vector<int> kept = independent_rows(c.system);
      const RowSystem system = c.system.only(kept);
      ASSERT_TRUE(solver.factorise(system));
      const Vector f = random.numbers(system.size());
      const Vector b = system.along(system.response(f));
      EXPECT_LT((solver.solve(b) - f).norm(), 1e-7 * f.norm());
      EXPECT_LT((system.along(system.response(solver.solve(b))) - b).norm(), 1e-11 * b.norm());
    }
  }
}

TEST(RowSolver, RefusesRowsThatSayTheSame) {
  RandomRows random(test::seed(6));
  const std::vector<Inertia> inertias = random.inertias(1);
  SystemRow row = random.row(1);
  row.slots = {0, immovable};
  row.row.sides[0] = {Vec3(1, 0, 0), Vec3::Zero()};
  RowSolver solver;
  EXPECT_TRUE(solver.factorise(RowSystem({row}, inertias)));
  EXPECT_FALSE(solver.factorise(RowSystem({row, row}, inertias)));
}

// Rounding leaves a pivot of either sign: both are no pivots. Dense and sparse.
TEST(RowSolver, RefusesRowsThatDependOnEachOtherButForRounding) {
  RandomRows random(test::seed(7));
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const int bodies = round % 2 == 0 ? 2 : 60;
    const std::vector<Inertia> inertias = random.inertias(bodies);
    std::vector<SystemRow> rows;
    for (int i = 0; i + 1 < bodies; ++i) {
      rows.push_back(random.row(bodies));
      rows.back().slots = {i, i + 1};
    }
    RowSolver solver;
    ASSERT_TRUE(solver.factorise(RowSystem(rows, inertias)));
    SystemRow one = random.row(bodies), other = random.row(bodies), both;
    one.slots = other.slots = both.slots = {0, 1};
    const double x = random.normal(), y = random.normal();
    for (int side = 0; side < 2; ++side) {
      const body::RowSide &p = one.row.sides[side], &q = other.row.sides[side];
      both.row.sides[side] = {x * p.linear + y * q.linear, x * p.angular + y * q.angular};
    }
    rows.insert(rows.end(), {one, other, both});
    EXPECT_FALSE(solver.factorise(RowSystem(rows, inertias)));
  }
}

/// Bodies in a row, each of which is held to move by a part of the next, and the first not at all.
struct GearedRow {
  RowSystem system;

  GearedRow(int bodies, double gear) {
    std::vector<SystemRow> rows(bodies);
    for (int i = 0; i < bodies; ++i) {
      rows[i].slots = {i, i > 0 ? i - 1 : immovable};
      rows[i].row.sides = {body::RowSide{Vec3::UnitX(), Vec3::Zero()},
                           body::RowSide{-Vec3::UnitX() / gear, Vec3::Zero()}};
    }
    system = RowSystem(rows, std::vector<Inertia>(bodies, {1, Mat3::Identity()}));
  }
};

// Rows that are well conditioned lose all that is missing.
TEST(LeastChange, TakesOutWhatIsMissing) {
  const GearedRow row(10, 2);
  const Vector missing = Vector::LinSpaced(10, -1, 2);
  const Vector change = row.system.along(row.system.response(least_change(row.system, missing)));
  EXPECT_LT((change - missing).norm(), 1e-9 * missing.norm());
}

// What is missing at the first body would take 2^50 times as much of the last one.
TEST(LeastChange, MovesNothingFarForALittle) {
  const GearedRow row(50, 0.5);
  Vector missing = Vector::Zero(50);
  missing[0] = 1;
  double most = 0;
  for (const Twist& twist : row.system.response(least_change(row.system, missing)))
    most = std::max(most, twist.linear.norm());
  EXPECT_LT(most, 1e5);
}

}  // namespace
}  // namespace abut::impulse
