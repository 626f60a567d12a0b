#include "narrow/pair.h"

#include <cmath>
#include <memory>
#include <stdexcept>

#include "narrow/body_shape.h"
#include "support/dense.h"
#include "support/models.h"
#include "support/random_hulls.h"
#include "support/seeds.h"

using namespace abut;
using namespace abut::test;
using narrow::FeatureKind;
using narrow::PairQuery;
using narrow::Separation;

namespace {

model::Body body_with(const shape::Geometry& geometry, const Pose& pose = {}) {
  model::Body body;
  body.parts.push_back({geometry, pose, 1000, 0});
  return body;
}

const shape::Sphere ball{0.5};
const shape::Capsule pill{0.25, 2};
const shape::Box cube{Vec3(1, 1, 1)};
const shape::Plane half_space{Vec3::UnitZ(), 0};

shape::Convex some_hull(Random& random) {
  return {
      std::make_shared<const geometry::PolygonMesh>(round_hull(random, 40, Vec3(0.5, 0.6, 0.7)))};
}

Separation of(const shape::Geometry& a, const Vec3& at_a, const shape::Geometry& b,
              const Vec3& at_b, const Quat& turn_a = Quat::Identity()) {
  PairQuery query(body_with(a), body_with(b));
  return query.separation({at_a, turn_a}, {at_b, Quat::Identity()});
}

Quat turn(double angle, const Vec3& axis) {
  return Quat(Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis)));
}

void expect_same(const Separation& s, double gap, const Vec3& normal, const Vec3& point_a,
                 const Vec3& point_b) {
  EXPECT_NEAR(s.gap, gap, 1e-14);
  EXPECT_NEAR((s.normal - normal).norm(), 0, 1e-14);
  EXPECT_NEAR((s.point_a - point_a).norm(), 0, 1e-13);
  EXPECT_NEAR((s.point_b - point_b).norm(), 0, 1e-13);
  EXPECT_TRUE(s.converged);
}

}  // namespace

TEST(Pair, SphereSphere) {
  expect_same(of(ball, Vec3(3, 4, 0), ball, Vec3::Zero()), 4, Vec3(0.6, 0.8, 0), Vec3(2.7, 3.6, 0),
              Vec3(0.3, 0.4, 0));
  expect_same(of(ball, Vec3(0.6, 0.8, 0), ball, Vec3::Zero()), 0, Vec3(0.6, 0.8, 0),
              Vec3(0.3, 0.4, 0), Vec3(0.3, 0.4, 0));
  const Separation same = of(ball, Vec3::Zero(), ball, Vec3::Zero());
  EXPECT_EQ(same.gap, -1);
  EXPECT_EQ(same.normal.norm(), 1);
}

TEST(Pair, SphereCapsule) {
  expect_same(of(ball, Vec3(2, 0, 0.3), pill, Vec3::Zero()), 1.25, Vec3::UnitX(), Vec3(1.5, 0, 0.3),
              Vec3(0.25, 0, 0.3));
  // Beyond the end of the axis, and in the other order.
  expect_same(of(pill, Vec3::Zero(), ball, Vec3(3, 0, 5)), 4.25, Vec3(-0.6, 0, -0.8),
              Vec3(0.15, 0, 1.2), Vec3(2.7, 0, 4.6));
  EXPECT_EQ(of(ball, Vec3(0, 0, 0.5), pill, Vec3::Zero()).gap, -0.75);
}

TEST(Pair, CapsuleCapsule) {
  // Crossed, parallel, end to end, and with axes that meet.
  const Quat across = turn(M_PI / 2, Vec3::UnitX());
  expect_same(of(pill, Vec3(1, 0, 0), pill, Vec3::Zero(), across), 0.5, Vec3::UnitX(),
              Vec3(0.75, 0, 0), Vec3(0.25, 0, 0));
  const Separation parallel = of(pill, Vec3(0, 2, 0.5), pill, Vec3::Zero());
  EXPECT_NEAR(parallel.gap, 1.5, 1e-15);
  EXPECT_NEAR((parallel.normal - Vec3::UnitY()).norm(), 0, 1e-15);
  expect_same(of(pill, Vec3(0, 0, 3), pill, Vec3::Zero()), 0.5, Vec3::UnitZ(), Vec3(0, 0, 1.75),
              Vec3(0, 0, 1.25));
  const Separation contact_event = of(pill, Vec3::Zero(), pill, Vec3::Zero(), across);
  EXPECT_NEAR(contact_event.gap, -0.5, 1e-15);
  EXPECT_NEAR(std::abs(contact_event.normal.x()), 1, 1e-15);
}

// Beyond an end of its axis a capsule touches a ring with a cap, wherever the bodies are: the end
// is not taken for a place on the side because of rounding.
TEST(Pair, RingAgainstTheCapOfACapsule) {
  Random random(abut::test::seed(11));
  const shape::Torus tyre{0.4, 0.1};
  int caps = 0;
  for (int round = 0; round < 300; ++round) {
    const Quat turned = random_rotation(random);
    const Vec3 at = 2 * random_direction(random);
    const Vec3 axis = turned * Vec3::UnitZ();
    PairQuery query(body_with(tyre), body_with(pill));
    const Pose ring{at + (1.6 + uniform(random, 0, 0.3)) * axis + 0.3 * random_direction(random),
                    random_rotation(random)};
    const Separation s = query.separation(ring, {at, turned});
    const double along = axis.dot(s.point_a - at);
    if (s.gap < 0 || along < 1.01) continue;
    ++caps;
    EXPECT_EQ(s.feature_b.kind, FeatureKind::smooth);
    EXPECT_EQ(s.feature_b.index, 2) << round;
  }
  EXPECT_GT(caps, 50);
}

TEST(Pair, PlaneAgainstEverything) {
  EXPECT_NEAR(of(half_space, Vec3::Zero(), ball, Vec3(1, 2, 3)).gap, 2.5, 1e-15);
  expect_same(of(ball, Vec3(1, 2, 3), half_space, Vec3(0, 0, 1)), 1.5, Vec3::UnitZ(),
              Vec3(1, 2, 2.5), Vec3(1, 2, 1));
  EXPECT_NEAR(of(pill, Vec3(0, 0, 3), half_space, Vec3::Zero()).gap, 1.75, 1e-15);
  // A cube on its corner: half its diagonal is sqrt(3) / 2.
  const Quat on_corner = turn_between(Vec3(1, 1, 1), Vec3::UnitZ());
  const Separation corner = of(cube, Vec3(0, 0, 2), half_space, Vec3::Zero(), on_corner);
  EXPECT_NEAR(corner.gap, 2 - std::sqrt(0.75), 1e-15);
  EXPECT_EQ(corner.feature_a.kind, FeatureKind::vertex);
  EXPECT_EQ(corner.feature_b.kind, FeatureKind::face);
  EXPECT_NEAR(of(cube, Vec3(0, 0, 0.25), half_space, Vec3::Zero()).gap, -0.25, 1e-15);
}

TEST(Pair, RoundedHullsAreFartherIn) {
  Random random(abut::test::seed(5));
  const shape::Convex sharp = some_hull(random), other = some_hull(random);
  shape::Convex round = sharp, round_other = other;
  round.rounding = 0.125;
  round_other.rounding = 0.25;
  for (int i = 0; i < 20; ++i) {
    const Quat q = turn(0.3 * i, Vec3(1, 2, 3).normalized());
    const Vec3 at = 2 * random_direction(random);
    const Separation cores = of(sharp, at, other, Vec3::Zero(), q);
    const Separation s = of(round, at, round_other, Vec3::Zero(), q);
    EXPECT_NEAR(s.gap, cores.gap - 0.375, 1e-14);
    EXPECT_LT((s.point_a - (cores.point_a - 0.125 * cores.normal)).norm(), 1e-12);
    EXPECT_LT((s.point_b - (cores.point_b + 0.25 * cores.normal)).norm(), 1e-12);
    EXPECT_EQ(s.feature_a, cores.feature_a);
    EXPECT_NEAR(of(round, at, half_space, Vec3(0, 0, -3), q).gap,
                of(sharp, at, half_space, Vec3(0, 0, -3), q).gap - 0.125, 1e-14);
    for (const shape::Geometry& solid :
         {shape::Geometry(shape::Ellipsoid{{0.2, 0.4, 0.6}}), shape::Geometry(ball),
          shape::Geometry(shape::Torus{0.5, 0.1}), shape::Geometry(shape::Sphere{9, true})})
      EXPECT_NEAR(of(round, at, solid, Vec3::Zero(), q).gap,
                  of(sharp, at, solid, Vec3::Zero(), q).gap - 0.125, 1e-10);
  }
}

TEST(Pair, SphereAndCapsuleAgainstBox) {
  expect_same(of(ball, Vec3(0.5 + 3, 0.5 + 4, 0), cube, Vec3::Zero()), 4.5, Vec3(0.6, 0.8, 0),
              Vec3(3.2, 4.1, 0), Vec3(0.5, 0.5, 0));
  expect_same(of(cube, Vec3::Zero(), ball, Vec3(0, 0, -2)), 1, Vec3::UnitZ(), Vec3(0, 0, -0.5),
              Vec3(0, 0, -1.5));
  // The centre on the surface and within.
  EXPECT_NEAR(of(ball, Vec3(0.5, 0.1, 0.2), cube, Vec3::Zero()).gap, -0.5, 1e-15);
  EXPECT_NEAR(of(ball, Vec3(0.3, 0.1, 0.2), cube, Vec3::Zero()).gap, -0.7, 1e-15);
  const Quat lying = turn(M_PI / 2, Vec3::UnitY());
  const Separation pill_on_box = of(pill, Vec3(0.1, 0, 1), cube, Vec3::Zero(), lying);
  EXPECT_NEAR(pill_on_box.gap, 0.25, 1e-15);
  EXPECT_NEAR((pill_on_box.normal - Vec3::UnitZ()).norm(), 0, 1e-15);
  EXPECT_EQ(pill_on_box.feature_a.kind, FeatureKind::smooth);
  EXPECT_NEAR(of(pill, Vec3(0.1, 0, 0.4), cube, Vec3::Zero(), lying).gap, -0.35, 1e-15);
}

TEST(Pair, UnionIsTheNearestOfItsParts) {
  model::Body dumbbell = body_with(ball, {Vec3(-2, 0, 0), Quat::Identity()});
  dumbbell.parts.push_back({cube, {Vec3(2, 0, 0), Quat::Identity()}, 1000, 0});
  PairQuery query(dumbbell, body_with(ball));
  const Quat none = Quat::Identity();
  const Separation right = query.separation({Vec3::Zero(), none}, {Vec3(5, 0, 0), none});
  EXPECT_NEAR(right.gap, 2, 1e-15);
  EXPECT_EQ(right.part_a, 1);
  EXPECT_EQ(right.part_b, 0);
  const Separation left = query.separation({Vec3::Zero(), none}, {Vec3(-4, 0, 0), none});
  EXPECT_NEAR(left.gap, 1, 1e-15);
  EXPECT_EQ(left.part_a, 0);
  EXPECT_NEAR(query.separation({Vec3::Zero(), none}, {Vec3::Zero(), none}).gap, 1, 1e-15);
}

TEST(Pair, UnsupportedShapesAreRefused) {
  // So angular that its radii of curvature run over too many decades.
  const model::Body angular = body_with(shape::Superellipsoid{Vec3(1, 1, 1), 0.1, 0.1});
  const model::Body bowl = body_with(shape::Sphere{1, true});
  EXPECT_FALSE(PairQuery::supports(angular, body_with(ball)));
  EXPECT_FALSE(PairQuery::supports(body_with(half_space), body_with(half_space)));
  EXPECT_FALSE(PairQuery::supports(bowl, body_with(half_space)));
  EXPECT_TRUE(PairQuery::supports(bowl, body_with(ball)));
  EXPECT_TRUE(PairQuery::supports(body_with(half_space), body_with(pill)));
  EXPECT_TRUE(PairQuery::supports(body_with(half_space), body_with(shape::Torus{1, 0.2})));
  EXPECT_THROW(PairQuery(angular, body_with(ball)), std::invalid_argument);
  EXPECT_THROW(PairQuery(body_with(half_space), body_with(half_space)), std::invalid_argument);
}

TEST(Pair, MovingBothBodiesAlikeChangesNothing) {
  Random random(abut::test::seed(31));
  const std::vector<shape::Geometry> shapes = {ball, pill, cube, some_hull(random),
                                               some_hull(random)};
  for (int i = 0; i < cases(500); ++i) {
    const model::Body a = body_with(shapes[random() % shapes.size()],
                                    {random_direction(random), random_rotation(random)});
    const model::Body b = body_with(shapes[random() % shapes.size()],
                                    {random_direction(random), random_rotation(random)});
    const Pose at_a{2 * random_direction(random), random_rotation(random)};
    const Pose at_b{Vec3::Zero(), random_rotation(random)};
    const Quat turned = random_rotation(random);
    const Vec3 shift = 1000 * random_direction(random);
    const auto moved = [&](const Pose& p) {
      return Pose{turned * p.position + shift, turned * p.orientation};
    };
    const Separation here = PairQuery(a, b).separation(at_a, at_b);
    const Separation there = PairQuery(a, b).separation(moved(at_a), moved(at_b));
    const Separation swapped = PairQuery(b, a).separation(at_b, at_a);
    ASSERT_NEAR(here.gap, there.gap, 1e-12);
    ASSERT_NEAR(here.gap, swapped.gap, 1e-12);
    if (here.gap < 1e-3) continue;  // overlaps may have two shortest ways out
    ASSERT_NEAR((turned * here.normal - there.normal).norm(), 0, 1e-9);
    ASSERT_NEAR((here.normal + swapped.normal).norm(), 0, 1e-9);
  }
}

// How often the nearest features change, or bodies that are apart come to overlap, depends on the
// hulls; no more often is anything searched for.
TEST(Pair, LowerBoundIsOneAndExactWhereNotEnough) {
  for (int seed = 1; seed <= cases(10); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const auto hull_a = std::make_shared<const narrow::BodyShape>(body_with(some_hull(random)));
    const auto hull_b = std::make_shared<const narrow::BodyShape>(body_with(some_hull(random)));
    PairQuery query(hull_a, hull_b);
    Separation last;
    int changes = 0;
    for (int i = 0; i < 1000; ++i) {
      const Pose a{(1.2 + 0.3 * std::sin(0.01 * i)) * Vec3::UnitX(), turn(0.01 * i, Vec3::UnitZ())};
      const Pose b{Vec3::Zero(), turn(0.02 * i, Vec3::UnitY())};
      const double bound = query.gap_lower_bound(a, b, 0.1);
      const double gap = query.separation(a, b).gap;
      ASSERT_LE(bound, gap + 1e-14);
      if (bound <= 0.1) {
        ASSERT_NEAR(bound, gap, 1e-14);
      }
      const Separation now = PairQuery(hull_a, hull_b).separation(a, b);
      const bool same = now.feature_a == last.feature_a && now.feature_b == last.feature_b &&
                        (now.gap < 0) == (last.gap < 0);
      if (i == 0 || !same) ++changes;
      last = now;
    }
    EXPECT_LE(query.statistics().witness_misses, changes);
  }
}

// What is not a number is no distance: nothing is told to be apart, and it is counted.
TEST(Pair, NonsenseIsNeverApart) {
  Random random(abut::test::seed(33));
  const std::vector<shape::Geometry> shapes = {ball,
                                               pill,
                                               cube,
                                               some_hull(random),
                                               shape::Ellipsoid{Vec3(1, 2, 3)},
                                               shape::Cylinder{1, 2},
                                               shape::Torus{1, 0.2}};
  for (const shape::Geometry& a : shapes) {
    for (const Pose& nowhere :
         {Pose{Vec3(NAN, 0, 0), Quat::Identity()}, Pose{Vec3(9, 0, 0), Quat(NAN, NAN, NAN, NAN)}}) {
      PairQuery query(body_with(a), body_with(ball));
      SCOPED_TRACE(a.index());
      EXPECT_FALSE(query.separation(nowhere, {}).gap > 0);
      EXPECT_FALSE(query.gap_lower_bound(nowhere, {}, 0.1) > 0);
      EXPECT_GT(query.statistics().limits_met, 0);
    }
  }
}

// Of curved solids apart it is the same as the separation; of such as overlap it is a way out, as
// long as the shortest one or longer.
TEST(Pair, AnyWayOutOfAnOverlapIsNoShorterThanTheShortest) {
  int apart = 0, overlaps = 0;
  Random random(11);
  const shape::Geometry coin = shape::Cylinder{0.5, 0.1}, egg = shape::Ellipsoid{{0.3, 0.4, 0.6}};
  for (int i = 0; i < 300; ++i) {
    const model::Body a = body_with(i % 2 == 0 ? coin : egg), b = body_with(coin);
    const Pose pose_a{uniform(random, 0, 1) * random_direction(random), random_rotation(random)};
    const Pose pose_b{Vec3::Zero(), random_rotation(random)};
    const Separation shortest = PairQuery(a, b).separation(pose_a, pose_b);
    const Separation any = PairQuery(a, b).separation_or_overlap(pose_a, pose_b);
    ++(shortest.gap > 0 ? apart : overlaps);
    if (shortest.gap > 0) {
      EXPECT_EQ(any.gap, shortest.gap);
    } else {
      EXPECT_LE(any.gap, shortest.gap + 1e-12);
    }
  }
  EXPECT_GT(apart, 30);
  EXPECT_GT(overlaps, 30);
}
