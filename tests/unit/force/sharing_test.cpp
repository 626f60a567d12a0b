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

constexpr int places = 12;

// Three of the rows, which are independent, are held; all of them bear.
Carrying three_held() {
  return {{0, 3, 7}, impulse::row_range(0, places), {}};
}

Vector random_forces(test::Random& random, double least, double most) {
  Vector forces(places);
  for (double& force : forces) force = test::uniform(random, least, most);
  return forces;
}

// Accelerations without forces that the given ones take away.
Vector stopped_by(const impulse::RowSystem& system, const Vector& forces) {
  return -system.along(system.response(forces));
}

TEST(Sharing, FindsForcesThatPushAndHold) {
  const impulse::RowSystem system = sliding_disc(places, 0.3);
  const Carrying rows = three_held();
  test::Random random(5);
  Sharing sharing;
  int pulled = 0;
  for (int round = 0; round < 50; ++round) {
    const Vector b = stopped_by(system, random_forces(random, 1, 2));
    const Vector wanted = random_forces(random, -0.5, 3);
    if (sharing.nearest_forces(system, rows, b, wanted).minCoeff() < 0) ++pulled;
    const Vector found = sharing.nearest_pushing_forces(system, rows, places, b, wanted);
    EXPECT_GE(found.minCoeff(), 0);
    const Vector left = b + system.along(system.response(found));
    for (const int row : rows.held) EXPECT_NEAR(left[row], 0, 1e-11);
  }
  EXPECT_GT(pulled, 10);
}

// While what is to be stopped changes, forces that come to zero make no jump.
TEST(Sharing, ForcesThatPushAreContinuous) {
  const impulse::RowSystem system = sliding_disc(places, 0.3);
  const Carrying rows = three_held();
  test::Random random(6);
  Sharing sharing;
  for (int round = 0; round < 20; ++round) {
    const Vector from = stopped_by(system, random_forces(random, 1, 2));
    const Vector to = stopped_by(system, random_forces(random, 0, 4));
    const Vector wanted = random_forces(random, 0, 1);
    constexpr int steps = 1000;
    Vector last;
    for (int i = 0; i <= steps; ++i) {
      const double part = static_cast<double>(i) / steps;
      const Vector now =
          sharing.nearest_pushing_forces(system, rows, places, from + part * (to - from), wanted);
      if (i > 0) {
        EXPECT_LT((now - last).norm(), 20.0 / steps) << part;
      }
      last = now;
    }
  }
}

TEST(Sharing, PullsWhereNoOthersHold) {
  const impulse::RowSystem system = sliding_disc(3, 0.3);
  const Carrying rows{{0, 1, 2}, {0, 1, 2}, {}};
  const Vector forces = Eigen::Vector3d(1, -0.1, 1);
  const Vector b = stopped_by(system, forces);
  Sharing sharing;
  EXPECT_LT((sharing.nearest_pushing_forces(system, rows, 3, b, Vector::Zero(3)) - forces).norm(),
            1e-12);
}

}  // namespace
}  // namespace abut::force
