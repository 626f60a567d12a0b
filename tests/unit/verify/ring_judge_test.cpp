// The verifier's own judgement of rings and bowls against the distances that the simulator finds.

#include "verify/ring_judge.h"

#include <gtest/gtest.h>

#include "narrow/pair.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/verify/judged_bodies.h"

namespace {

using namespace abut::verify;
using abut::BodyState;
using abut::Quat;
using abut::Vec3;
using abut::test::Random;
using abut::test::random_rotation;
using abut::test::uniform;
using judge_testing::at;
using judge_testing::body_of;
namespace shape = abut::shape;

/// Brings the bodies from `place` to a gap along the normal between them, and asks for the verdict.
void expect_gap_told(const shape::Geometry& a, const shape::Geometry& b, const Vec3& start,
                     Random& random) {
  SCOPED_TRACE(testing::Message() << shape::name_of(a) << " and " << shape::name_of(b));
  const abut::model::Body body_a = body_of(a), body_b = body_of(b);
  abut::narrow::PairQuery query(body_a, body_b);
  const Quat turn_a = random_rotation(random), turn_b = random_rotation(random);
  for (const double gap : {1e-11, 1e-9, 1e-3, -1e-9, -1e-4}) {
    Vec3 place = start;
    for (int i = 0; i < 60; ++i) {
      const auto now = query.separation({place, turn_a}, {Vec3::Zero(), turn_b});
      place += (gap - now.gap) * now.normal;
    }
    const auto found = query.separation({place, turn_a}, {Vec3::Zero(), turn_b});
    if (std::abs(found.gap - gap) > 1e-14) continue;  // it went to and fro between two places
    const Solid solid_a = solids_of(body_a).at(0), solid_b = solids_of(body_b).at(0);
    Hint hint, swapped;
    const BodyState state_a = at(place, turn_a), state_b = at(Vec3::Zero(), turn_b);
    const Outcome expected = gap > 0 ? Outcome::apart : Outcome::overlapping;
    EXPECT_EQ(judge(solid_a, state_a, solid_b, state_b, hint).outcome, expected) << gap;
    EXPECT_EQ(judge(solid_b, state_b, solid_a, state_a, swapped).outcome, expected) << gap;
  }
}

Vec3 somewhere(Random& random, double size) {
  return {uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)};
}

TEST(RingJudge, TellsSmallGapsAndOverlapsInsideAndOutside) {
  Random random(abut::test::seed(1, abut::test::few_rounds));
  const shape::Geometry ring = shape::Torus{1, 0.15};
  for (int round = 0; round < abut::test::cases(4); ++round) {
    SCOPED_TRACE(round);
    const auto size = [&] { return uniform(random, 0.2, 0.5); };
    for (const double spread : {0.3, 2.0}) {
      expect_gap_told(ring, shape::Sphere{size()}, somewhere(random, spread), random);
      expect_gap_told(ring, shape::Capsule{size(), 2}, somewhere(random, spread), random);
      expect_gap_told(ring, shape::Torus{0.8, 0.1}, somewhere(random, spread), random);
      expect_gap_told(ring, shape::Box{Vec3(size(), size(), size())}, somewhere(random, spread),
                      random);
      expect_gap_told(ring, shape::Plane{}, somewhere(random, spread), random);
    }
    expect_gap_told(ring, shape::Ellipsoid{Vec3(size(), size(), size())}, somewhere(random, 2),
                    random);
  }
}

// A ring about the axis of a solid of revolution touches it all around. By arcs alone each of these
// verdicts would take a minute.
TEST(RingJudge, TellsGapsAllAround) {
  const abut::model::Body ring = body_of(shape::Torus{0.4, 0.1});
  const Solid of_ring = solids_of(ring).at(0);
  struct Case {
    shape::Geometry solid;
    double touching;  // height of its centre above the ring's, m
  };
  // A cone of radius 0.5 and height 1 that stands on its apex: the normal of its side leans by
  // (2, 0, 1)/sqrt(5), and the side is at 0.4 - 0.1 sqrt(5)/2 from the axis where z is the ring's.
  // A ball of radius 0.4 sees the circle's rounding at 0.5 from its centre.
  const std::vector<Case> cases = {{shape::Cone{0.5, 1}, 0.5 - 2 * (0.4 - 0.05 * std::sqrt(5))},
                                   {shape::Ellipsoid{Vec3(0.4, 0.4, 0.4)}, 0.3}};
  for (const Case& one : cases) {
    const abut::model::Body solid = body_of(one.solid);
    const Solid of_solid = solids_of(solid).at(0);
    const bool is_cone = std::holds_alternative<shape::Cone>(one.solid);
    const Quat turn(Eigen::AngleAxisd(is_cone ? M_PI : 0.0, Vec3::UnitX()));
    for (const double lift : {1e-9, 1e-11}) {
      Hint hint, swapped;
      const BodyState state_ring = at(Vec3::Zero(), Quat::Identity());
      const BodyState state = at(Vec3(0, 0, one.touching + lift), turn);
      EXPECT_EQ(judge(of_ring, state_ring, of_solid, state, hint).outcome, Outcome::apart);
      EXPECT_EQ(judge(of_solid, state, of_ring, state_ring, swapped).outcome, Outcome::apart);
    }
    Hint hint;
    EXPECT_EQ(judge(of_ring, at(Vec3::Zero(), Quat::Identity()), of_solid,
                    at(Vec3(0, 0, one.touching - 1e-4), turn), hint)
                  .outcome,
              Outcome::overlapping);
  }
}

TEST(BowlJudge, TellsSmallGapsAndOverlaps) {
  Random random(abut::test::seed(2, abut::test::few_rounds));
  for (int round = 0; round < abut::test::cases(4); ++round) {
    SCOPED_TRACE(round);
    const auto size = [&] { return uniform(random, 0.1, 0.3); };
    const Vec3 radii(uniform(random, 0.8, 1.2), uniform(random, 0.8, 1.2), 1);
    for (const shape::Geometry& bowl :
         {shape::Geometry(shape::Ellipsoid{radii, true}), shape::Geometry(shape::Sphere{1, true}),
          shape::Geometry(shape::Superellipsoid{radii, 0.8, 1.2, true})}) {
      expect_gap_told(shape::Sphere{size()}, bowl, somewhere(random, 0.2), random);
      expect_gap_told(shape::Capsule{size(), size()}, bowl, somewhere(random, 0.2), random);
      expect_gap_told(shape::Box{Vec3(size(), size(), size())}, bowl, somewhere(random, 0.2),
                      random);
      expect_gap_told(shape::Ellipsoid{Vec3(size(), size(), size())}, bowl, somewhere(random, 0.2),
                      random);
      expect_gap_told(shape::Torus{0.3, 0.1}, bowl, somewhere(random, 0.2), random);
    }
  }
}

}  // namespace
