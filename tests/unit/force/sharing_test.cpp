#include "force/sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "impulse/equalities.h"
#include "impulse/mixed_problem.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"

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

// A row at body `slot` that pushes along `direction` at `arm`.
impulse::SystemRow row_at(int slot, const Vec3& direction, const Vec3& arm) {
  impulse::SystemRow row;
  row.slots = {slot, impulse::immovable};
  row.row.sides[0] = {direction, arm.cross(direction)};
  return row;
}

impulse::RowSystem system_of(std::vector<impulse::SystemRow> rows, int bodies) {
  impulse::Inertia inertia;
  inertia.inverse_mass = 0.5;
  inertia.inverse_inertia = Vec3(1, 2, 3).asDiagonal();
  return {std::move(rows),
          std::vector<impulse::Inertia>(static_cast<std::size_t>(bodies), inertia)};
}

// Of a body on places of which some are the same: what is held may depend on each other too.
impulse::RowSystem redundant_rows(test::Random& random, int count) {
  std::vector<impulse::SystemRow> rows;
  for (int i = 0; i < count; ++i) {
    if (i > 1 && test::uniform(random, 0, 1) < 0.2) {
      rows.push_back(rows[static_cast<std::size_t>(test::uniform(random, 0, i))]);
      continue;
    }
    const Vec3 arm(std::round(test::uniform(random, -2, 2)),
                   std::round(test::uniform(random, -2, 2)), 0);
    rows.push_back(row_at(0, Vec3::UnitZ(), arm));
  }
  return system_of(std::move(rows), 1);
}

// The nearest forces that push and hold, by trying all sets of rows; empty: there are none.
Vector nearest_by_enumeration(const impulse::RowSystem& system, const Carrying& rows,
                              const Vector& b, const Vector& wanted) {
  const auto count = static_cast<unsigned>(rows.carriers.size());
  const Vector target = -impulse::gathered(b, rows.held);
  Vector best;
  for (unsigned set = 0; set < 1U << count; ++set) {
    std::vector<int> chosen;
    for (unsigned i = 0; i < count; ++i)
      if ((set >> i & 1U) != 0) chosen.push_back(rows.carriers[i]);
    Vector forces = Vector::Zero(system.size());
    if (!chosen.empty()) {
      const impulse::Matrix g = system.matrix(rows.held, chosen);
      const Vector z0 = impulse::gathered(wanted, chosen);
      const Vector z = z0 + g.completeOrthogonalDecomposition().solve(target - g * z0);
      for (std::size_t i = 0; i < chosen.size(); ++i)
        forces[chosen[i]] = z[static_cast<Eigen::Index>(i)];
    }
    const Vector left = impulse::gathered(b + system.along(system.response(forces)), rows.held);
    if (forces.minCoeff() < -1e-11 || left.cwiseAbs().maxCoeff() > 1e-10) continue;
    if (best.size() == 0 || (forces - wanted).norm() < (best - wanted).norm()) best = forces;
  }
  return best;
}

// Forces without the rows that pull, which are left out for good: not the nearest in general.
Vector without_what_pulls(const impulse::RowSystem& system, Carrying rows, const Vector& b,
                          const Vector& wanted) {
  Sharing sharing;
  Vector forces = sharing.nearest_forces(system, rows, b, wanted);
  while (forces.minCoeff() < 0) {
    std::erase_if(rows.carriers, [&](int row) { return forces[row] < 0; });
    forces = sharing.nearest_forces(system, rows, b, wanted);
  }
  return forces;
}

double largest_left(const impulse::RowSystem& system, const Carrying& rows, const Vector& b,
                    const Vector& forces) {
  return impulse::gathered(b + system.along(system.response(forces)), rows.held)
      .cwiseAbs()
      .maxCoeff();
}

TEST(Sharing, FindsForcesThatPushAndHold) {
  const impulse::RowSystem system = sliding_disc(places, 0.3);
  const Carrying rows = three_held();
  test::Random random(test::seed(5));
  Sharing sharing;
  int pulled = 0;
  for (int round = 0; round < 50; ++round) {
    const Vector b = stopped_by(system, random_forces(random, 1, 2));
    const Vector wanted = random_forces(random, -0.5, 3);
    if (sharing.nearest_forces(system, rows, b, wanted).minCoeff() < 0) ++pulled;
    const Vector found = sharing.nearest_allowed_forces(system, rows, {places, {}}, b, wanted);
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
  test::Random random(test::seed(6));
  Sharing sharing;
  for (int round = 0; round < 20; ++round) {
    const Vector from = stopped_by(system, random_forces(random, 1, 2));
    const Vector to = stopped_by(system, random_forces(random, 0, 4));
    const Vector wanted = random_forces(random, 0, 1);
    constexpr int steps = 1000;
    Vector last;
    for (int i = 0; i <= steps; ++i) {
      const double part = static_cast<double>(i) / steps;
      const Vector now = sharing.nearest_allowed_forces(system, rows, {places, {}},
                                                        from + part * (to - from), wanted);
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
  EXPECT_LT(
      (sharing.nearest_allowed_forces(system, rows, {3, {}}, b, Vector::Zero(3)) - forces).norm(),
      1e-12);
}

// What kinds of problems there were.
struct Kinds {
  int pulled = 0, refuted = 0, harder = 0;
};

void compare_with_all_sets(std::uint64_t seed, int rounds, Kinds& kinds) {
  SCOPED_TRACE(seed);
  test::Random random(seed);
  Sharing sharing;
  for (int round = 0; round < rounds; ++round) {
    const int count = 4 + round % 5;
    const impulse::RowSystem system = redundant_rows(random, count);
    const std::vector<int> all = impulse::row_range(0, count);
    const Carrying rows{
        round % 3 == 0 ? std::vector<int>{0, 1, 2} : impulse::independent_rows(system), all, {}};
    Vector forces(count), wanted(count);
    for (double& force : forces) force = std::max(0.0, std::round(test::uniform(random, -2, 4)));
    if (round % 4 == 0) forces[0] = -1;  // perhaps none that push
    if (round % 7 == 0) forces.setZero();
    for (double& force : wanted) force = std::round(test::uniform(random, -3, 3));
    const Vector b = stopped_by(system, forces);
    const Vector expected = nearest_by_enumeration(system, rows, b, wanted);
    const Vector found = sharing.nearest_allowed_forces(system, rows, {count, {}}, b, wanted);
    EXPECT_LT(largest_left(system, rows, b, found), 1e-9) << round;
    if (rows.held.size() == all.size()) continue;
    if (expected.size() == 0) {
      ++kinds.refuted;
      EXPECT_LT(found.minCoeff(), -1e-3) << round;
      continue;
    }
    if (sharing.nearest_forces(system, rows, b, wanted).minCoeff() < 0) ++kinds.pulled;
    EXPECT_GE(found.minCoeff(), 0) << round;
    EXPECT_LT((found - expected).norm(), 1e-9) << round;
    if ((without_what_pulls(system, rows, b, wanted) - expected).norm() > 1e-3) ++kinds.harder;
  }
}

// Whatever rows are the same or depend on each other, and wherever forces come to be zero.
TEST(Sharing, FindsTheNearestOfAllSetsOfRows) {
  const int seeds = test::cases(20), rounds = 100;
  Kinds kinds;
  for (int seed = 1; seed <= seeds; ++seed)
    compare_with_all_sets(static_cast<std::uint64_t>(seed), rounds, kinds);
  EXPECT_GT(kinds.pulled, 20 * seeds);
  EXPECT_GT(kinds.refuted, 2 * seeds);
  EXPECT_GT(kinds.harder, 2 * seeds);
}

// A table that stands on its corner and on three legs. Friction at the corner and at two legs.
impulse::RowSystem table(double tilt) {
  std::vector<impulse::SystemRow> rows;
  const std::array<Vec3, 4> arms = {Vec3(1, 1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, -1),
                                    Vec3(1, -1, -1)};
  const Vec3 normal(std::sin(tilt), 0, std::cos(tilt));
  for (const Vec3& arm : arms) rows.push_back(row_at(0, normal, arm));
  for (const Vec3& arm : arms) {
    rows.push_back(row_at(0, normal.cross(Vec3::UnitY()), arm));
    rows.push_back(row_at(0, Vec3::UnitY(), arm));
  }
  return system_of(std::move(rows), 1);
}

AllowedForces cones_of_table(double friction) {
  AllowedForces allowed{4, {}};
  for (int i = 0; i < 4; ++i) allowed.cones.push_back({i, 4 + 2 * i, friction});
  return allowed;
}

double beyond_cones(const AllowedForces& allowed, const Vector& forces) {
  double most = 0;
  for (const AllowedForces::Cone& cone : allowed.cones)
    most = std::max(most,
                    forces.segment<2>(cone.tangent).norm() - cone.friction * forces[cone.normal]);
  return most;
}

// x is the nearest to w of a convex set if and only if (w - x).(u - x) <= 0 for all its u.
TEST(Sharing, FrictionStaysWithinItsCone) {
  const impulse::RowSystem system = table(0.2);
  const AllowedForces allowed = cones_of_table(0.25);
  const std::vector<int> all = impulse::row_range(0, system.size());
  const Carrying rows{impulse::independent_rows(system), all, {}};
  test::Random random(test::seed(8));
  Sharing sharing;
  int outside = 0;
  for (int round = 0; round < 30; ++round) {
    Vector allowed_ones(system.size());
    for (int i = 0; i < 4; ++i) {
      allowed_ones[i] = test::uniform(random, 0.5, 2);
      const double angle = test::uniform(random, 0, 6);
      allowed_ones.segment<2>(4 + 2 * i) =
          0.25 * allowed_ones[i] * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
    const Vector b = stopped_by(system, allowed_ones);
    std::vector<Vector> wanted, found = {allowed_ones};
    for (int k = 0; k < 6; ++k) {
      Vector one(system.size());
      for (double& force : one) force = test::uniform(random, -1, 1);
      wanted.push_back(one);
      if (beyond_cones(allowed, sharing.nearest_forces(system, rows, b, one)) > 1e-3) ++outside;
      found.push_back(sharing.nearest_allowed_forces(system, rows, allowed, b, one));
      EXPECT_LT(beyond_cones(allowed, found.back()), 1e-13);
      EXPECT_LT(largest_left(system, rows, b, found.back()), 1e-11);
    }
    for (std::size_t k = 0; k < wanted.size(); ++k)
      for (const Vector& other : found)
        EXPECT_LT((wanted[k] - found[k + 1]).dot(other - found[k + 1]), 1e-9);
  }
  EXPECT_GT(outside, 30);
}

// On a slope steeper than the cones no forces hold a table. Those found do, and leave the cones by
// no more than the slope does.
TEST(Sharing, FrictionLeavesItsConeWhereItMust) {
  constexpr double friction = 0.25;
  const AllowedForces allowed = cones_of_table(friction);
  Sharing sharing;
  Vector last;
  for (int i = 0; i <= 40; ++i) {
    const double tilt = std::atan(friction) + 1e-3 * (i - 20);
    const impulse::RowSystem system = table(tilt);
    const Carrying rows{
        impulse::independent_rows(system), impulse::row_range(0, system.size()), {}};
    const Vector b = system.along({{Vec3(0, 0, -9.81), Vec3::Zero()}});
    const Vector found =
        sharing.nearest_allowed_forces(system, rows, allowed, b, Vector::Zero(system.size()));
    EXPECT_LT(largest_left(system, rows, b, found), 1e-9);
    if (i <= 20)
      EXPECT_LT(beyond_cones(allowed, found), 1e-12);
    else
      EXPECT_GT(beyond_cones(allowed, found), 1e-4);
    if (i > 0) {
      EXPECT_LT((found - last).norm(), 0.2) << tilt;
    }
    last = found;
  }
}

// Where a table is about to rise nothing bears it any more. The instant at which that is so is
// known to the accuracy of the forces there, and then legs that would have to pull by so little
// bear nothing, though others were wanted that press and pull by far more.
TEST(Sharing, NothingBearsWhatIsAboutToRise) {
  const impulse::RowSystem system = table(0);
  const Carrying rows{impulse::independent_rows(system), impulse::row_range(0, system.size()), {}};
  Vector wanted = Vector::Zero(system.size());
  wanted.head<4>() << 0.1, -0.1, 0.1, -0.1;
  Sharing sharing;
  for (const double lift : {-1e-11, 0.0, 1e-11}) {
    const Vector b = system.along({{Vec3(0, 0, lift), Vec3::Zero()}});
    const Vector found =
        sharing.nearest_allowed_forces(system, rows, cones_of_table(0.25), b, wanted);
    EXPECT_LT(beyond_cones(cones_of_table(0.25), found), 1e-12) << lift;
    EXPECT_LT(found.norm(), 1e-9) << lift;
    EXPECT_LT(largest_left(system, rows, b, found), 1e-10) << lift;
  }
}

// Many bodies that do not meet are what each is alone.
TEST(Sharing, ManyRowsShareAsFewDo) {
  constexpr int bodies = 6, rows_each = 12;
  std::vector<impulse::SystemRow> all;
  for (int body = 0; body < bodies; ++body)
    for (int i = 0; i < rows_each; ++i) {
      impulse::SystemRow row = table(0.1 + 0.018 * body)[i];
      row.slots[0] = body;
      all.push_back(row);
    }
  // Normals first, as in a set of constraints.
  std::stable_partition(all.begin(), all.end(), [&](const impulse::SystemRow& row) {
    return std::abs(row.row.sides[0].linear.z()) > 0.9;
  });
  const impulse::RowSystem system = system_of(all, bodies);
  AllowedForces allowed{4 * bodies, {}};
  for (int i = 0; i < 4 * bodies; ++i) allowed.cones.push_back({i, 4 * bodies + 2 * i, 0.2});
  const Carrying rows{impulse::independent_rows(system), impulse::row_range(0, system.size()), {}};
  test::Random random(test::seed(9));
  Vector wanted(system.size());
  for (double& force : wanted) force = test::uniform(random, -2, 2);
  const Vector b =
      system.along(std::vector<impulse::Twist>(bodies, {Vec3(0, 0, -9.81), Vec3::Zero()}));
  Sharing sharing;
  const Vector found = sharing.nearest_allowed_forces(system, rows, allowed, b, wanted);
  EXPECT_LT(beyond_cones(allowed, found), 1e-12);
  for (int body = 0; body < bodies; ++body) {
    std::vector<int> own;
    for (int i = 0; i < system.size(); ++i)
      if (system[i].slots[0] == body) own.push_back(i);
    const impulse::RowSystem alone = system.only(own);
    const Carrying few{impulse::independent_rows(alone), impulse::row_range(0, rows_each), {}};
    const Vector expected = sharing.nearest_allowed_forces(
        alone, few, cones_of_table(0.2), impulse::gathered(b, own), impulse::gathered(wanted, own));
    EXPECT_LT((impulse::gathered(found, own) - expected).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace abut::force
