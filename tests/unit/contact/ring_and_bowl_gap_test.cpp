// Rows of contacts of rings and bowls against distances found by implicit functions and circles in
// 50 digits and differentiated there.

#include "support/sizes.h"
#include "unit/contact/smooth_sides.h"

namespace abut::contact {
namespace {

using test::MadeSide;
using test::RandomMotions;

enum class RoundSide { bowl, rounder_bowl, ring, small_ellipsoid, ellipsoid, point, line, plane };

MadeSide bowl_side(RandomMotions& random, double sharpness) {
  MadeSide made = test::curved_side(random, 0.8, 1.2, sharpness);
  made.side.kind = SmoothSideKind::bowl;
  return made;
}

MadeSide ring_side(RandomMotions& random) {
  MadeSide made;
  made.reference.is_curved = false;
  made.side.kind = SmoothSideKind::ring;
  made.side.circle = made.reference.circle = random.number(0.5, 1);
  made.side.rounding = made.reference.rounding = random.number(0.05, 0.2);
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
    case RoundSide::ring:
      return ring_side(random);
    case RoundSide::point:
      return test::straight_side(SmoothSideKind::point, random, 0.1, 0.1);
    case RoundSide::line:
      return test::straight_side(SmoothSideKind::line, random, 0.1, 0.1);
    case RoundSide::plane:
      break;
  }
  return test::straight_side(SmoothSideKind::plane, random, 0.1, 0);
}

// Where the place is nearly undetermined, derivatives are large and lose digits: those few random
// cases are left out.
constexpr double largest_derivative = 1e4;

void attack_round(RoundSide a, RoundSide b, double gap, std::uint64_t seed) {
  RandomMotions random(seed);
  int compared = 0;
  const int rounds = test::full_size() ? 1000 : test::cases(12);  // of which most can be compared
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const MadeSide side_a = made_round(a, random), side_b = made_round(b, random);
    SmoothPair pair;
    pair.sides = {side_a.side, side_b.side};
    std::array motions = {random.motion(), random.motion()};
    motions[0].pose.position = motions[1].pose.position + 0.2 * random.vector();
    test::set_gap(pair, motions, gap);
    const std::array changes = {random.accelerations(), random.accelerations()};
    const ContactNow now = evaluate_smooth(pair, motions[0], motions[1]);
    if (std::abs(now.row.value - gap) > 1e-14) continue;  // another place has become the nearest

    const test::Derivatives exact = test::exact_gap(side_a, side_b, now, motions, changes);
    if (std::abs(exact.second) > largest_derivative) continue;
    ++compared;
    test::expect_row(now, exact, changes, 4e-15);
  }
  EXPECT_GE(compared, rounds / 2);
}

TEST(BowlGap, OfARoundedCornerMovesAsTheDistance) {
  attack_round(RoundSide::point, RoundSide::bowl, 0.1, 1);
  attack_round(RoundSide::bowl, RoundSide::point, 1e-10, 2);
  attack_round(RoundSide::point, RoundSide::rounder_bowl, 1e-3, 3);
}

TEST(BowlGap, OfAnEllipsoidMovesAsTheDistance) {
  attack_round(RoundSide::small_ellipsoid, RoundSide::bowl, 0.1, 4);
  attack_round(RoundSide::bowl, RoundSide::small_ellipsoid, 1e-10, 5);
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

TEST(RingGap, FromAnEllipsoidMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::ellipsoid, 0.05, 12);
  attack_round(RoundSide::ellipsoid, RoundSide::ring, 1e-10, 13);
}

TEST(RingGap, FromARingMovesAsTheDistance) {
  attack_round(RoundSide::ring, RoundSide::ring, 0.05, 14);
  attack_round(RoundSide::ring, RoundSide::ring, 1e-10, 15);
}

TEST(RingGap, ThePlaceOfContactMovesAsItSays) {
  RandomMotions random(16);
  for (const RoundSide other :
       {RoundSide::plane, RoundSide::point, RoundSide::line, RoundSide::ring}) {
    SCOPED_TRACE(static_cast<int>(other));
    const MadeSide side_a = made_round(RoundSide::ring, random), side_b = made_round(other, random);
    SmoothPair pair;
    pair.sides = {side_a.side, side_b.side};
    pair.depth = {side_a.side.rounding, side_b.side.rounding};
    std::array motions = {random.motion(), random.motion()};
    motions[0].pose.position = motions[1].pose.position + 0.2 * random.vector();
    test::set_gap(pair, motions, 0.02);
    test::expect_place_moves_as_it_says(pair, motions);
  }
}

}  // namespace
}  // namespace abut::contact
