// Rows that are solved for by factorisation, and what is done where they depend on each other.

#include "impulse/equalities.h"

#include <gtest/gtest.h>

#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/impulse/random_rows.h"

namespace abut::impulse {
namespace {

// A row that is there twice bears once: both take the target, by the force of the first.
TEST(SolveRows, IndependentRowsCarryWhereOthersDependOnThem) {
  test::RandomRows random(test::seed(1));
  for (int round = 0; round < test::cases(50); ++round) {
    const std::vector<Inertia> inertias = random.inertias(4);
    std::vector<SystemRow> rows = random.rows(3, 4);
    rows.push_back(rows[1]);
    const RowSystem system(rows, inertias);
    Vector target = random.numbers(4);
    target[3] = target[1];
    RowSolver solver;
    ASSERT_FALSE(solver.factorise(system));
    const Vector forces = solve_rows(solver, system, target);
    EXPECT_EQ(forces[3], 0);
    const Vector reached = system.along(system.response(forces));
    EXPECT_LT((reached - target).norm(), 1e-9 * (target.norm() + system.terms(forces).norm()));
  }
}

}  // namespace
}  // namespace abut::impulse
