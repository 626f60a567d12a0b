// Impacts at several contacts with friction: closed forms, Coulomb's law looked at directly, and
// energy that never grows.

#include "impulse/cone_impact.h"
#include "base/limits.h"

#include <gtest/gtest.h>

#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/impulse/random_rows.h"

namespace abut::impulse {
namespace {

using test::RandomRows;

/// Bodies, their velocities, and points at which they touch each other or what does not move.
struct Scene {
  std::vector<Inertia> inertias;
  std::vector<Vec3> centres;
  std::vector<Twist> velocities;
  std::vector<SystemRow> rows;
  std::vector<ConeImpactBlock> blocks;

  void add_body(double mass, const Vec3& moments, const Vec3& centre, const Twist& velocity) {
    body::Mass m;
    m.mass = mass;
    m.principal = moments;
    inertias.push_back(Inertia::of(m, Quat::Identity()));
    centres.push_back(centre);
    velocities.push_back(velocity);
  }
  void add_row(int a, int b, const Vec3& at, const Vec3& direction) {
    SystemRow row;
    row.slots = {a, b};
    for (int side = 0; side < 2; ++side) {
      const Vec3 d = side == 0 ? direction : Vec3(-direction);
      const Vec3 arm = row.slots[side] < 0 ? Vec3::Zero() : Vec3(at - centres[row.slots[side]]);
      row.row.sides[side] = {d, arm.cross(d)};
    }
    rows.push_back(row);
  }
  void add_contact(int a, int b, const Vec3& at, const Vec3& n, double mu, double e,
                   double mu_static = 0) {
    const Vec3 x = n.unitOrthogonal();
    add_row(a, b, at, n);
    add_row(a, b, at, x);
    add_row(a, b, at, n.cross(x));
    blocks.push_back({lcp::ConeBlock::contact(mu), std::max(mu, mu_static), e});
  }
  void add_bounded(int a, int b, const Vec3& at, const Vec3& n, double lower, double upper,
                   double e = 0) {
    add_row(a, b, at, n);
    blocks.push_back({lcp::ConeBlock::bounded(lower, upper), 0, e});
  }
  /// Three equalities: two points that stay together.
  void add_ball_joint(int a, int b, const Vec3& at) {
    for (int i = 0; i < 3; ++i) add_bounded(a, b, at, Vec3::Unit(i), -infinity, infinity);
  }
  ConeImpact impact() const {
    const RowSystem system(rows, inertias);
    return {system.matrix().sparseView(), system.along(velocities), blocks};
  }
};

/// A cube of mass 2 and side 1 that lands flat, with a velocity.
Scene falling_cube(const Vec3& velocity, double mu, double e, double mu_static = 0) {
  Scene scene;
  scene.add_body(2, Vec3::Constant(2.0 / 6), Vec3(0, 0, 0.5), {velocity, Vec3::Zero()});
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      scene.add_contact(0, immovable, Vec3(x, y, 0), Vec3::UnitZ(), mu, e, mu_static);
  return scene;
}

Vec3 momentum(const Scene& scene, const Vector& impulse) {
  return RowSystem(scene.rows, scene.inertias).response(impulse)[0].linear /
         scene.inertias[0].inverse_mass;
}

// A wide plate that slides stays flat, and the corners together have the impulse of a point mass.
TEST(ConeImpact, APlateThatLandsFlatSlides) {
  Scene scene;
  scene.add_body(2, Vec3(10, 10, 20), Vec3(0, 0, 0), {Vec3(3, 4, -1), Vec3::Zero()});
  for (const double x : {-5.0, 5.0})
    for (const double y : {-5.0, 5.0})
      scene.add_contact(0, immovable, Vec3(x, y, 0), Vec3::UnitZ(), 0.2, 0.5);
  const ConeImpactResult result = cone_impact(scene.impact());
  ASSERT_EQ(result.status, lcp::Status::solved);
  for (const double e : result.restitution) EXPECT_EQ(e, 0.5);
  const Vec3 expected = 2 * 1.5 * Vec3(-0.2 * 0.6, -0.2 * 0.8, 1);
  EXPECT_LT((momentum(scene, result.impulse) - expected).norm(), 1e-12);
}

TEST(ConeImpact, ACubeThatStopsSticks) {
  const Scene scene = falling_cube(Vec3(0.1, 0.05, -1), 0.6, 0);
  const ConeImpactResult result = cone_impact(scene.impact());
  ASSERT_EQ(result.status, lcp::Status::solved);
  EXPECT_LT((momentum(scene, result.impulse) - 2 * Vec3(-0.1, -0.05, 1)).norm(), 1e-12);
  EXPECT_LT(result.after.norm(), 1e-12);
}

TEST(ConeImpact, CornersShareAlike) {
  const ConeImpactResult result = cone_impact(falling_cube(Vec3(0, 0, -1), 0.6, 0.5).impact());
  ASSERT_EQ(result.status, lcp::Status::solved);
  for (int corner = 0; corner < 4; ++corner)
    EXPECT_LT((result.impulse.segment<3>(3 * corner) - Vec3(2 * 1.5 / 4, 0, 0)).norm(), 1e-9);
}

// Between the coefficients: it sticks only by the static one. Beyond both it slides by the dynamic.
TEST(ConeImpact, StaticFrictionHoldsWhatStops) {
  for (const double slip : {0.4, 0.6}) {
    Scene scene;
    scene.add_body(2, Vec3(1, 1, 1), Vec3(0, 0, 0), {Vec3(slip, 0, -1), Vec3::Zero()});
    scene.add_contact(0, immovable, Vec3::Zero(), Vec3::UnitZ(), 0.3, 0, 0.5);
    const ConeImpactResult result = cone_impact(scene.impact());
    ASSERT_EQ(result.status, lcp::Status::solved);
    const Vec3 expected = slip < 0.5 ? Vec3(-2 * slip, 0, 2) : Vec3(-2 * 0.3, 0, 2);
    EXPECT_LT((momentum(scene, result.impulse) - expected).norm(), 1e-13);
    EXPECT_EQ(result.modes[0], slip < 0.5 ? lcp::Mode::stick : lcp::Mode::slip);
  }
}

// A body that fits exactly between two walls has nowhere to bounce to.
TEST(ConeImpact, AJammedBodyStops) {
  Scene scene;
  scene.add_body(2, Vec3(1, 1, 1), Vec3(0, 0, 0), {Vec3(2, 0, 0), Vec3::Zero()});
  scene.add_contact(0, immovable, Vec3(-0.5, 0, 0), Vec3::UnitX(), 0.3, 0.7);
  scene.add_contact(0, immovable, Vec3(0.5, 0, 0), -Vec3::UnitX(), 0.3, 0.7);
  const ConeImpactResult result = cone_impact(scene.impact());
  ASSERT_EQ(result.status, lcp::Status::solved);
  EXPECT_LT((momentum(scene, result.impulse) - Vec3(-4, 0, 0)).norm(), 1e-12);
}

Scene random_scene(RandomRows& random, double most_friction) {
  Scene scene;
  const int bodies = random.whole(1, 4);
  for (int i = 0; i < bodies; ++i) {
    const double mass = random.number(0.3, 3);
    scene.add_body(mass, mass * Vec3(random.number(0.1, 1), random.number(0.1, 1), 0.8),
                   random.vector(), {random.vector(), random.vector()});
  }
  for (int i = random.whole(1, 5); i > 0; --i) {
    const int a = random.whole(0, bodies - 1), other = random.whole(-1, bodies - 1);
    const double mu = random.number(0, most_friction);
    scene.add_contact(a, other == a ? immovable : other, random.vector(),
                      random.vector().normalized(), mu, random.number(0, 1),
                      mu * random.number(1, 1.3));
  }
  if (random.whole(0, 1) == 1 && bodies > 1) {
    scene.add_ball_joint(0, 1, random.vector());
    if (random.whole(0, 1) == 1) {  // the same again, in part
      const SystemRow row = scene.rows.back();
      scene.rows.push_back(row);
      scene.blocks.push_back(scene.blocks.back());
    }
  }
  if (random.whole(0, 1) == 1)
    scene.add_bounded(0, immovable, random.vector(), random.vector().normalized(), 0, infinity,
                      random.number(0, 1));
  if (random.whole(0, 1) == 1)
    scene.add_bounded(0, immovable, random.vector(), random.vector().normalized(), -0.1, 0.2);
  return scene;
}

// ... but a ball that hits it from outside does bounce.
TEST(ConeImpact, OnlyTheJamHasNoRestitution) {
  Scene scene;
  scene.add_body(2, Vec3(1, 1, 1), Vec3(0, 0, 0), {Vec3(2, 0, 0), Vec3::Zero()});
  scene.add_body(2, Vec3(1, 1, 1), Vec3(0, 0, 2), {Vec3(0, 0, -3), Vec3::Zero()});
  scene.add_contact(0, immovable, Vec3(-0.5, 0, 0), Vec3::UnitX(), 0, 0.7);
  scene.add_contact(0, immovable, Vec3(0.5, 0, 0), -Vec3::UnitX(), 0, 0.7);
  scene.add_contact(1, 0, Vec3(0, 0, 1), Vec3::UnitZ(), 0.1, 0.5);
  const ConeImpactResult result = cone_impact(scene.impact());
  ASSERT_EQ(result.status, lcp::Status::solved);
  EXPECT_EQ(result.restitution[1], 0);
  EXPECT_EQ(result.restitution[2], 0.5);
  EXPECT_NEAR(result.after[6], 1.5, 1e-12);
}

// What does not depend on each other is not reduced together.
TEST(ConeImpact, PartsAreOnTheirOwn) {
  RandomRows random(test::seed(3));
  for (int round = 0; round < test::cases(20); ++round) {
    SCOPED_TRACE(round);
    Scene one = random_scene(random, 1), two = random_scene(random, 1), both = one;
    const int shift = static_cast<int>(one.inertias.size());
    for (SystemRow& row : two.rows) {
      both.rows.push_back(row);
      for (int& slot : both.rows.back().slots) slot = slot == immovable ? slot : slot + shift;
    }
    both.blocks.insert(both.blocks.end(), two.blocks.begin(), two.blocks.end());
    both.inertias.insert(both.inertias.end(), two.inertias.begin(), two.inertias.end());
    both.velocities.insert(both.velocities.end(), two.velocities.begin(), two.velocities.end());
    const ConeImpactResult a = cone_impact(one.impact()), b = cone_impact(two.impact());
    const ConeImpactResult result = cone_impact(both.impact());
    EXPECT_EQ(result.impulse.head(a.impulse.size()), a.impulse);
    EXPECT_EQ(result.impulse.tail(b.impulse.size()), b.impulse);
  }
}

/// Coulomb's law between an impulse and a velocity, to a tolerance relative to their scales.
void expect_coulomb(const Vec3& r, const Vec3& w, const ConeImpactBlock& block, double impulses,
                    double velocities) {
  const double mu = block.law.friction, tolerance = 1e-8;
  EXPECT_GT(r[0], -tolerance * impulses);
  EXPECT_GT(w[0], -tolerance * velocities);
  EXPECT_LT(std::min(r[0] / impulses, w[0] / velocities), tolerance);
  const double slip = w.tail<2>().norm(), tangential = r.tail<2>().norm();
  if (slip < tolerance * velocities) {
    EXPECT_LE(tangential, block.static_friction * r[0] + tolerance * impulses);
    return;
  }
  const Eigen::Vector2d against = -mu * r[0] / slip * w.tail<2>();
  EXPECT_LT((r.tail<2>() - against).norm(), 10 * tolerance * impulses * (1 + velocities / slip));
}

void expect_laws(const ConeImpact& impact, const ConeImpactResult& result) {
  const double velocities = impact.before.norm();
  const double impulses = result.impulse.norm() + velocities / impact.matrix.diagonal().maxCoeff();
  Vector w = result.after;
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < impact.blocks.size(); ++i) {
    const ConeImpactBlock& block = impact.blocks[i];
    EXPECT_LE(result.restitution[i], block.restitution);
    w[row] += result.restitution[i] * impact.before[row];
    if (block.law.is_contact()) {
      expect_coulomb(result.impulse.segment<3>(row), w.segment<3>(row), block, impulses,
                     velocities);
    } else {
      const double r = result.impulse[row];
      EXPECT_TRUE(r <= block.law.lower + 1e-9 * impulses || w[row] < 1e-9 * velocities);
      EXPECT_TRUE(r >= block.law.upper - 1e-9 * impulses || w[row] > -1e-9 * velocities);
    }
    row += block.law.rows;
  }
  const double exchanged = impulses * velocities;
  EXPECT_LE(result.energy_gained, 1e-11 * exchanged);
  EXPECT_NEAR(result.energy_gained, 0.5 * result.impulse.dot(impact.before + result.after),
              1e-13 * exchanged);
}

/// The least part of its restitution that a contact that approaches is left.
double largest_reduction(const ConeImpact& impact, const ConeImpactResult& result) {
  double left = 1;
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < impact.blocks.size(); row += impact.blocks[i].law.rows, ++i)
    if (impact.before[row] < 0 && impact.blocks[i].restitution > 0)
      left = std::min(left, result.restitution[i] / impact.blocks[i].restitution);
  return left;
}

TEST(ConeImpact, KeepsTheLawsForWhateverMeets) {
  RandomRows random(test::seed(1));
  int reduced = 0;
  for (int round = 0; round < test::cases(40); ++round) {
    SCOPED_TRACE(round);
    const Scene scene = random_scene(random, 1);
    const ConeImpact impact = scene.impact();
    const ConeImpactResult result = cone_impact(impact);
    EXPECT_EQ(result.status, lcp::Status::solved);
    if (result.status != lcp::Status::solved) continue;
    EXPECT_LT(result.residual, 1e-11);
    expect_laws(impact, result);
    const double left = largest_reduction(impact, result);
    if (left == 1 || left == 0) continue;
    ++reduced;
    // Hardly more restitution, and energy would be gained.
    ConeImpact more = impact;
    for (std::size_t i = 0; i < more.blocks.size(); ++i)
      more.blocks[i].restitution = 1.001 * result.restitution[i];
    EXPECT_LT(largest_reduction(more, cone_impact(more)), 1);
  }
  if (!test::sanitized) {  // a tenth of the cases may have none
    EXPECT_GT(reduced, 0);
  }
}

// Without friction it is Newton's law: minimise r.W r / 2 + b.r over r >= 0.
TEST(ConeImpact, WithoutFrictionItIsNewtonsLaw) {
  RandomRows random(test::seed(2));
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const Scene scene = random_scene(random, 0);
    const ConeImpact impact = scene.impact();
    const ConeImpactResult result = cone_impact(impact);
    ASSERT_EQ(result.status, lcp::Status::solved);
    const auto n = impact.before.size();
    lcp::Problem problem{impact.matrix, impact.before, Vector::Zero(n), Vector::Zero(n)};
    Eigen::Index row = 0;
    for (std::size_t i = 0; i < impact.blocks.size(); ++i) {
      const ConeImpactBlock& block = impact.blocks[i];
      problem.b[row] *= 1 + result.restitution[i];
      problem.lower[row] = block.law.is_contact() ? 0 : block.law.lower;
      problem.upper[row] = block.law.is_contact() ? infinity : block.law.upper;
      row += block.law.rows;
    }
    const lcp::Solution expected = lcp::solve_psd(problem);
    ASSERT_EQ(expected.status, lcp::Status::solved);
    EXPECT_LT(lcp::residual(problem, result.impulse), 1e-13);
    // Two solutions of a symmetric problem have the same motion. If both are exact to a residual,
    // d.W d of their difference d is at most that part of the work of the terms: velocities are
    // only as near as its square root where bodies are nearly jammed.
    const Vector d = result.impulse - expected.z;
    const double terms =
        (impact.matrix.cwiseAbs() * expected.z.cwiseAbs()).norm() + impact.before.norm();
    EXPECT_LT(d.dot(impact.matrix * d), 1e-13 * terms * expected.z.norm() + 1e-300);
  }
}

}  // namespace
}  // namespace abut::impulse
