#include "force/sharing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impulse/mixed_problem.h"
#include "support/random_hulls.h"

namespace abut::force {
namespace {

// A disc that slides on the places around its rim: normal forces that lean against the slip.
impulse::RowSystem sliding_disc(int places, double friction) {
  std::vector<impulse::SystemRow> rows;
  for (int i = 0; i < places; ++i) {
    const double angle = 2 * M_PI * i / places;
    const Vec3 arm(std::cos(angle), std::sin(angle), -0.2);
    const Vec3 slip = Vec3(1, -0.5 * std::sin(angle), 0).normalized();
    const Vec3 push = Vec3::UnitZ() - friction * slip;
    impulse::SystemRow row;
    row.slots = {0, impulse::immovable};
    row.row.sides[0] = {Vec3::UnitZ(), arm.cross(Vec3::UnitZ())};
    row.leaning = {{{push, arm.cross(push)}, {}}};
    rows.push_back(row);
  }
  impulse::Inertia inertia;
  inertia.inverse_mass = 0.5;
  inertia.inverse_inertia = Vec3(1, 2, 3).asDiagonal();
  return {std::move(rows), {inertia}};
}

TEST(Sharing, FindsForcesThatPushWithTheSameEffect) {
  constexpr int places = 12;
  const impulse::RowSystem system = sliding_disc(places, 0.3);
  const Carrying rows{{}, impulse::row_range(0, places), {}};
  test::Random random(5);
  for (int round = 0; round < 50; ++round) {
    Vector forces(places);
    for (double& force : forces) force = test::uniform(random, 1, 2);
    forces[round % places] = -test::uniform(random, 1e-6, 0.1);
    const Vector found = without_pulls(system, rows, places, forces);
    EXPECT_GE(found.minCoeff(), -1e-9);
    const impulse::Twist before = system.response(forces)[0], after = system.response(found)[0];
    EXPECT_LT((before.linear - after.linear).norm(), 1e-12);
    EXPECT_LT((before.angular - after.angular).norm(), 1e-12);
  }
}

TEST(Sharing, LeavesForcesThatNoOthersReplace) {
  const impulse::RowSystem system = sliding_disc(3, 0.3);
  const Carrying rows{{}, impulse::row_range(0, 3), {}};
  const Vector forces = Eigen::Vector3d(1, -0.1, 1);
  EXPECT_EQ(without_pulls(system, rows, 3, forces), forces);
  EXPECT_EQ(without_pulls(system, rows, 0, forces), forces);
}

}  // namespace
}  // namespace abut::force
