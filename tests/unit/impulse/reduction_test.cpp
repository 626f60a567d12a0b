// Joints solved for, against dense algebra; and an impact through joints against one of the whole.

#include "impulse/reduction.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "impulse/mixed_problem.h"
#include "impulse/routh.h"
#include "support/sizes.h"
#include "unit/impulse/random_rows.h"

namespace abut::impulse {
namespace {

using test::RandomRows;

/// Rows of a contact, then of joints, some of them twice.
struct Case {
  int bodies;
  std::vector<Inertia> inertias;
  std::vector<Twist> motion;
  RowSystem system;
  std::vector<int> contact = {0, 1, 2}, joints;

  Case(RandomRows& random, int least_joints)
      : bodies(random.whole(2, 4)), inertias(random.inertias(bodies)) {
    std::vector<SystemRow> rows = random.rows(3 + random.whole(least_joints, 5), bodies);
    for (std::size_t i = 3; i < rows.size(); i += 2) rows.push_back(rows[i]);
    system = RowSystem(rows, inertias);
    for (int i = 0; i < bodies; ++i) motion.push_back({random.vector(), random.vector()});
    joints = row_range(3, system.size());
  }
};

TEST(Reduction, IsTheSchurComplement) {
  RandomRows random(1);
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const Case c(random, 1);
    const Vector b = c.system.along(c.motion);
    const Reduction reduction(c.system, c.contact, c.joints, b);
    const Matrix a = c.system.matrix();
    const Matrix inverse =
        Matrix(a(c.joints, c.joints)).completeOrthogonalDecomposition().pseudoInverse();
    const Matrix coupling = a(c.contact, c.joints);
    const Matrix expected = a(c.contact, c.contact) - coupling * inverse * coupling.transpose();
    EXPECT_LT((reduction.matrix() - expected).norm(), 1e-9 * a.norm());
    const Vector constant = b(c.contact) - coupling * inverse * b(c.joints);
    EXPECT_LT((reduction.constant() - constant).norm(), 1e-9 * b.norm());
    // The multipliers do what the reduced rows say, and joints stay closed.
    const Vector z = random.numbers(3);
    const Vector w = a * reduction.multipliers(z) + b;
    EXPECT_LT((w(c.contact) - reduction.matrix() * z - reduction.constant()).norm(), 1e-8);
    EXPECT_LT(w(c.joints).norm(), 1e-8);
  }
}

// The energy that bodies lose is what the law says about the point, if the joints were closed.
TEST(Reduction, AnImpactThroughJointsLosesItsEnergy) {
  RandomRows random(2);
  int collided = 0;
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    Case c(random, 0);
    // Close the joints first.
    const Reduction closing(c.system, {}, c.joints, c.system.along(c.motion));
    const std::vector<Twist> closed = c.system.response(closing.multipliers(Vector()));
    for (int i = 0; i < c.bodies; ++i) {
      c.motion[i].linear += closed[i].linear;
      c.motion[i].angular += closed[i].angular;
    }
    const Reduction reduction(c.system, c.contact, c.joints, c.system.along(c.motion));
    PointImpact impact;
    impact.matrix = reduction.matrix();
    impact.before = reduction.constant();
    impact.static_friction = impact.dynamic_friction = random.number(0, 1);
    impact.restitution = random.number(0, 1);
    const PointImpactResult result = routh(impact);
    ASSERT_EQ(result.status, lcp::Status::solved);
    if (result.impulse[0] > 0) ++collided;
    const Matrix mass = test::dense_inverse_mass(c.inertias).inverse();
    const Vector before = test::stacked(c.motion);
    const Vector jump = test::stacked(c.system.response(reduction.multipliers(result.impulse)));
    const double lost = -jump.dot(mass * (before + 0.5 * jump));
    EXPECT_NEAR(lost, result.energy_lost, 1e-9 * before.dot(mass * before));
  }
  EXPECT_GT(collided, 20);
}

}  // namespace
}  // namespace abut::impulse
