// Rows of contacts of rings and bowls against distances found by implicit functions and circles in
// 50 digits and differentiated there.

#include "contact/refined_place.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/contact/smooth_sides.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using test::MadeSide;
using test::RandomMotions;

/// A circle is a rim that something round touches.
enum class RoundSide {
  bowl,
  rounder_bowl,
  ring,
  circle,
  cone,
  small_circle,
  small_ellipsoid,
  ellipsoid,
  superellipsoid,
  point,
  line,
  plane
};

MadeSide bowl_side(RandomMotions& random, double sharpness) {
  MadeSide made = test::curved_side(random, 0.8, 1.2, sharpness);
  made.side.kind = SmoothSideKind::bowl;
  return made;
}

MadeSide ring_side(double radius, double tube) {
  MadeSide made;
  made.reference.is_curved = false;
  made.side.kind = SmoothSideKind::ring;
  made.side.circle = made.reference.circle = radius;
  made.side.rounding = made.reference.rounding = tube;
  return made;
}

MadeSide made_round(RoundSide shape, RandomMotions& random) {
  switch (shape) {
    case RoundSide::bowl:
      return bowl_side(random, 0);
    case RoundSide::rounder_bowl:
      return bowl_side(random, 0.2);
    case RoundSide::small_ellipsoid:
      return test::curved_side(random, 0.1, 0.15, 0);
    case RoundSide::ellipsoid:
      return test::curved_side(random, 0.1, 0.5, 0);
    case RoundSide::superellipsoid:
      return test::curved_side(random, 0.1, 0.5, 0.4);
    case RoundSide::ring:
      return ring_side(random.number(0.5, 1), random.number(0.05, 0.2));
    case RoundSide::circle:
      return ring_side(random.number(0.5, 1), 0);
    case RoundSide::small_circle:
      return ring_side(random.number(0.1, 0.15), 0);
    case RoundSide::cone:
      return test::cone_side(random);
    case RoundSide::point:
      return test::straight_side(SmoothSideKind::point, random, 0.1, 0.1);
    case RoundSide::line:
      return test::straight_side(SmoothSideKind::line, random, 0.1, 0.1);
    case RoundSide::plane:
      break;
  }
  return test::straight_side(SmoothSideKind::plane, random, 0.1, 0);
}

test::GapState round_state(RoundSide a, RoundSide b, double gap, RandomMotions& random) {
  test::GapState state;
  state.a = made_round(a, random);
  state.b = made_round(b, random);
  state.pair.sides = {state.a.side, state.b.side};
  state.motions = {random.motion(), random.motion()};
  state.motions[0].pose.position = state.motions[1].pose.position + 0.2 * random.vector();
  test::set_gap(state.pair, state.motions, gap);
  return state;
}

// As a contact that was found here and now.
void find_places(test::GapState& state) {
  const auto& [a, b] = state.motions;
  const ContactNow now = evaluate_smooth(state.pair, a, b);
  for (const std::size_t side : {0, 1}) {
    const RigidMotion& body = state.motions[side];
    state.pair.places[side] =
        body.pose.orientation.conjugate() * (now.points[side] - body.pose.position);
  }
  state.pair.start = b.pose.orientation.conjugate() * now.normal;
}

// Two gaps of each pair: a thousand states at full size.
void attack_round(RoundSide a, RoundSide b, double gap, std::uint64_t seed) {
  const auto is_contact = [&](const test::GapState& state, const ContactNow& now) {
    // Another place may have become the nearest.
    return std::abs(now.row.value - gap) <= 1e-14 &&
           !test::is_beyond_apex(state.a, now.points[0], state.motions[0]) &&
           !test::is_beyond_apex(state.b, now.points[1], state.motions[1]);
  };
  test::compare_states(
      test::full_size() ? 500 : test::cases(4), seed, 4e-15,
      [&](RandomMotions& random) { return round_state(a, b, gap, random); }, is_contact);
}

TEST(BowlGap, OfARoundedCornerMovesAsTheDistance) {
  attack_round(RoundSide::point, RoundSide::bowl, 0.1, 1);
  attack_round(RoundSide::bowl, RoundSide::point, 1e-10, 2);
  attack_round(RoundSide::point, RoundSide::rounder_bowl, 1e-3, 3);
}

TEST(BowlGap, OfAnEllipsoidMovesAsTheDistance) {
  attack_round(RoundSide::small_ellipsoid, RoundSide::bowl, 0.1, 4);
  attack_round(RoundSide::bowl, RoundSide::small_ellipsoid, 1e-10, 5);
  attack_round(RoundSide::small_ellipsoid, RoundSide::rounder_bowl, 1e-3, 16);
}

TEST(BowlGap, OfARimMovesAsTheDistance) {
  attack_round(RoundSide::small_circle, RoundSide::bowl, 0.1, 17);
  attack_round(RoundSide::bowl, RoundSide::small_circle, 1e-10, 18);
}

TEST(RingGap, FromAPlaneMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::plane, 0.1, 6);
  attack_round(RoundSide::plane, RoundSide::ring, 1e-10, 7);
}

TEST(RingGap, FromARoundedPointMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::point, 0.1, 8);
  attack_round(RoundSide::point, RoundSide::ring, 1e-10, 9);
}

TEST(RingGap, FromARoundedLineMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::line, 0.05, 10);
  attack_round(RoundSide::line, RoundSide::ring, 1e-10, 11);
}

// One step of refinement leaves nothing for another: with a normal that is nearly along the axis,
// where the radii of a ring are large, the place is known to its last digits all the same.
TEST(RingGap, BesideALineIsRefinedAtOnce) {
  RandomMotions random(test::seed(24));
  for (int i = 0; i < test::cases(200); ++i) {
    SCOPED_TRACE(i);
    test::GapState state = round_state(RoundSide::ring, RoundSide::line, 0.05, random);
    state.motions[0].pose.position -= state.motions[1].pose.position;
    state.motions[1].pose.position.setZero();
    const auto& [a, b] = state.motions;
    if (test::is_ill_conditioned(state.pair, state.motions)) continue;
    const auto once = refined_place(state.pair, smooth_place(state.pair, a, b).extremum, a, b);
    if (!once) continue;
    const auto twice = refined_place(state.pair, once->extremum, a, b);
    ASSERT_TRUE(twice);
    EXPECT_LT((once->extremum.a - twice->extremum.a).norm(), 1e-13);
  }
}

TEST(RingGap, FromAnEllipsoidMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::ellipsoid, 0.05, 12);
  attack_round(RoundSide::ellipsoid, RoundSide::ring, 1e-10, 13);
}

TEST(RingGap, FromASuperellipsoidMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::superellipsoid, 0.05, 19);
  attack_round(RoundSide::superellipsoid, RoundSide::ring, 1e-10, 20);
}

TEST(RingGap, FromTheSideOfAConeMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::cone, 0.05, 21);
  attack_round(RoundSide::cone, RoundSide::ring, 1e-10, 22);
}

// Rims of discs, with or without a tube on the other side.
TEST(RingGap, OfRimsMovesAsTheDistance) {
  attack_round(RoundSide::circle, RoundSide::ring, 0.05, 23);
  attack_round(RoundSide::ring, RoundSide::circle, 1e-10, 24);
  attack_round(RoundSide::circle, RoundSide::point, 0.05, 25);
  attack_round(RoundSide::circle, RoundSide::ellipsoid, 0.05, 26);
}

TEST(RingGap, FromARingMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::ring, 0.05, 14);
  attack_round(RoundSide::ring, RoundSide::ring, 1e-10, 15);
}

// An edge that lies across a ring touches its tube at both ends of a chord. Each contact keeps its
// end, whichever of them is nearer.
// From the normal with which it was found the place is found in a few looks; from none that is of
// use it is looked for along the circle. It is the same place.
TEST(RingGap, ThePlaceDoesNotDependOnHowItIsLookedFor) {
  RandomMotions random(test::seed(25));
  int compared = 0;
  for (const RoundSide round : {RoundSide::ring, RoundSide::circle})
    for (const RoundSide other : {RoundSide::ellipsoid, RoundSide::superellipsoid})
      for (int i = 0; i < test::cases(50); ++i) {
        SCOPED_TRACE(i);
        const bool swapped = i % 2 == 1;
        test::GapState state =
            round_state(swapped ? other : round, swapped ? round : other, 1e-10, random);
        const auto& [a, b] = state.motions;
        const ContactNow first = evaluate_smooth(state.pair, a, b);
        if (std::abs(first.row.value - 1e-10) > 1e-14) continue;  // another place is nearer
        const int ring = swapped ? 1 : 0;
        const RigidMotion& body = state.motions[ring];
        state.pair.places[ring] =
            body.pose.orientation.conjugate() * (first.points[ring] - body.pose.position);
        // From nearby, as for a contact that has gone on a little; and from the other side, which
        // leads nowhere.
        const Vec3 near = (first.normal + 0.02 * random.vector()).normalized();
        std::array<ContactNow, 2> found;
        for (const int k : {0, 1}) {
          state.pair.start = b.pose.orientation.conjugate() * (k == 0 ? near : Vec3(-near));
          found[k] = evaluate_smooth(state.pair, a, b);
        }
        if (test::is_ill_conditioned(state.pair, state.motions)) continue;
        ++compared;
        EXPECT_NEAR(found[0].row.value, found[1].row.value, 4e-15);
        EXPECT_LT((found[0].normal - found[1].normal).norm(), 1e-12);
      }
  EXPECT_GT(compared, test::cases(100));
}

TEST(RingGap, AContactOfALineKeepsItsEndOfTheChord) {
  SmoothPair pair;
  pair.sides[0].kind = SmoothSideKind::ring;
  pair.sides[0].circle = 0.5;
  pair.sides[0].rounding = 0.1;
  pair.sides[1].kind = SmoothSideKind::line;
  pair.sides[1].feature = {Vec3(0, 0.3, 0), Vec3::UnitX()};
  pair.apart = Vec3(0.1, 1, 0);  // from other places, as it happens
  for (const double end : {-1.0, 1.0})
    for (const double lean : {-1e-8, 0.0, 1e-8}) {
      pair.chord_end = end;
      const body::RigidMotion ring{
          {Vec3(0, 0, 0.1), math::rotation_exp(Vec3(0, lean, 0))}, Vec3::Zero(), Vec3::Zero()};
      const body::RigidMotion edge{Pose{Vec3::Zero(), Quat::Identity()}, Vec3::Zero(),
                                   Vec3::Zero()};
      const ContactNow now = evaluate_smooth(pair, ring, edge);
      EXPECT_NEAR(now.points[0].x(), end * 0.4, 1e-6);
      EXPECT_NEAR(now.row.value, -lean * end * 0.4, 1e-15);
    }
}

// Of a contact that lasts: it was found somewhere, and its gap stays next to nothing. A line comes
// near to a ring at up to four places, and which of them is meant is told by nothing else.
TEST(RingGap, ThePlaceOfContactMovesAsItSays) {
  constexpr double gap = 1e-10;
  for (const RoundSide other :
       {RoundSide::plane, RoundSide::point, RoundSide::line, RoundSide::ring}) {
    SCOPED_TRACE(static_cast<int>(other));
    int compared = 0;
    for (int seed = 1; seed <= test::cases(50); ++seed) {
      SCOPED_TRACE(seed);
      RandomMotions random(static_cast<std::uint64_t>(seed));
      test::GapState state = round_state(RoundSide::ring, other, gap, random);
      state.pair.depth = {state.a.side.rounding, state.b.side.rounding};
      find_places(state);
      const ContactNow now = evaluate_smooth(state.pair, state.motions[0], state.motions[1]);
      if (std::abs(now.row.value - gap) > 1e-14) continue;  // another place is nearer
      state.motions[0].velocity -= now.row.rate * now.normal;
      if (test::condition(state.pair, state.motions) > 100) continue;
      ++compared;
      test::expect_place_moves_as_it_says(state.pair, state.motions);
    }
    EXPECT_GT(compared, test::cases(25));
  }
}

}  // namespace
}  // namespace abut::contact
