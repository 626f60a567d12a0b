// The verifier's own judgement of curved solids against the distances that the simulator finds.

#include "verify/curved_judge.h"

#include <gtest/gtest.h>

#include "narrow/pair.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/verify/judged_bodies.h"

namespace {

using namespace abut::verify;
using abut::BodyState;
using abut::Pose;
using abut::Quat;
using abut::Vec3;
using abut::test::Random;
using abut::test::random_direction;
using abut::test::random_rotation;
using abut::test::uniform;
using judge_testing::at;
using judge_testing::body_of;
namespace shape = abut::shape;

/// Brings two bodies to a gap along the normal between them, and asks for the verdict.
void expect_gap_told(const shape::Geometry& a, const shape::Geometry& b, Random& random) {
  SCOPED_TRACE(testing::Message() << shape::name_of(a) << " and " << shape::name_of(b));
  const abut::model::Body body_a = body_of(a), body_b = body_of(b);
  abut::narrow::PairQuery query(body_a, body_b);
  const Quat turn_a = random_rotation(random), turn_b = random_rotation(random);
  const bool plane = std::holds_alternative<shape::Plane>(b);
  const Vec3 apart = plane ? Vec3(turn_b * Vec3::UnitZ()) : random_direction(random);
  for (const double gap : {1e-11, 1e-9, 1e-3, -1e-9, -1e-3}) {
    Vec3 place = 3 * apart;
    for (int i = 0; i < 60; ++i) {
      const auto now = query.separation({place, turn_a}, {Vec3::Zero(), turn_b});
      place += (gap - now.gap) * now.normal;
    }
    const auto found = query.separation({place, turn_a}, {Vec3::Zero(), turn_b});
    if (std::abs(found.gap - gap) > 1e-14) continue;  // deep overlaps have several ways out
    const Solid solid_a = solids_of(body_a).at(0), solid_b = solids_of(body_b).at(0);
    Hint hint, swapped;
    const BodyState state_a = at(place, turn_a), state_b = at(Vec3::Zero(), turn_b);
    const Verdict verdict = judge(solid_a, state_a, solid_b, state_b, hint);
    const Verdict other = judge(solid_b, state_b, solid_a, state_a, swapped);
    // That edges overlap by next to nothing may remain unknown: only a common point proves it.
    if (gap == -1e-9) {
      EXPECT_NE(verdict.outcome, Outcome::apart);
      EXPECT_NE(other.outcome, Outcome::apart);
      continue;
    }
    EXPECT_EQ(verdict.outcome, gap > 0 ? Outcome::apart : Outcome::overlapping) << gap;
    EXPECT_EQ(other.outcome, verdict.outcome);
    if (gap < 0) {
      EXPECT_NEAR(verdict.depth, -gap, 1e-9);
    }
    // What was found helps the next time, and does no harm to another configuration.
    EXPECT_EQ(judge(solid_a, state_a, solid_b, state_b, hint).outcome, verdict.outcome);
  }
}

// A ball beyond the rim of a can by next to nothing: only directions within a narrow cone beside
// the axis are better than the axis.
TEST(CurvedJudge, TellsBallsJustBeyondRims) {
  Random random(abut::test::seed(6, abut::test::few_rounds));
  const abut::model::Body can = body_of(shape::Cylinder{0.3, 0.4});
  const abut::model::Body ball = body_of(shape::Sphere{0.2});
  const Solid solid_can = solids_of(can).at(0), solid_ball = solids_of(ball).at(0);
  for (const double lean : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const double around = uniform(random, 0, 6), gap = 2e-10;
    const Vec3 out(std::cos(around), std::sin(around), 0);
    const Vec3 normal = std::sin(lean) * out + std::cos(lean) * Vec3::UnitZ();
    const Vec3 centre = 0.3 * out + 0.2 * Vec3::UnitZ() + (0.2 + gap) * normal;
    const Quat turn = random_rotation(random);
    const BodyState state_can = at(Vec3::Zero(), turn), state_ball = at(turn * centre, turn);
    Hint hint, swapped;
    EXPECT_EQ(judge(solid_can, state_can, solid_ball, state_ball, hint).outcome, Outcome::apart);
    EXPECT_EQ(judge(solid_ball, state_ball, solid_can, state_can, swapped).outcome, Outcome::apart);
  }
}

TEST(CurvedJudge, TellsSmallGapsAndOverlaps) {
  Random random(abut::test::seed(5, abut::test::few_rounds));
  for (int round = 0; round < abut::test::cases(10); ++round) {
    SCOPED_TRACE(round);
    const auto size = [&] { return uniform(random, 0.2, 1); };
    const shape::Geometry egg = shape::Ellipsoid{Vec3(size(), size(), size())};
    const shape::Geometry pebble = shape::Superellipsoid{
        Vec3(size(), size(), size()), uniform(random, 0.5, 1.5), uniform(random, 0.5, 1.5)};
    expect_gap_told(egg, pebble, random);
    expect_gap_told(egg, shape::Ellipsoid{Vec3(size(), size(), size())}, random);
    expect_gap_told(egg, shape::Sphere{size()}, random);
    expect_gap_told(egg, shape::Capsule{size(), size()}, random);
    expect_gap_told(egg, shape::Box{Vec3(size(), size(), size())}, random);
    expect_gap_told(pebble, shape::Box{Vec3(size(), size(), size())}, random);
    expect_gap_told(pebble, shape::Plane{}, random);
  }
}

}  // namespace
