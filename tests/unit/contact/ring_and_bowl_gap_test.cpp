// Rows of contacts of rings and bowls against distances found by implicit functions and circles in
// 50 digits and differentiated there.

#include "support/sizes.h"
#include "unit/contact/smooth_sides.h"

namespace abut::contact {
namespace {

using test::MadeSide;
using test::RandomMotions;

enum class SideShape { bowl, rounder_bowl, ring, small_ellipsoid, ellipsoid, point, line, plane };

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

MadeSide made(SideShape shape, RandomMotions& random) {
  switch (shape) {
    case SideShape::bowl:
      return bowl_side(random, 0);
    case SideShape::rounder_bowl:
      return bowl_side(random, 0.2);
    case SideShape::small_ellipsoid:
      return test::curved_side(random, 0.1, 0.15, 0);
    case SideShape::ellipsoid:
      return test::curved_side(random, 0.1, 0.5, 0);
    case SideShape::ring:
      return ring_side(random);
    case SideShape::point:
      return test::straight_side(SmoothSideKind::point, random, 0.1, 0.1);
    case SideShape::line:
      return test::straight_side(SmoothSideKind::line, random, 0.1, 0.1);
    case SideShape::plane:
      break;
  }
  return test::straight_side(SmoothSideKind::plane, random, 0.1, 0);
}

// Where the place is nearly undetermined, derivatives are large and lose digits: those few random
// cases are left out.
constexpr double largest_derivative = 1e4;

void attack(SideShape a, SideShape b, double gap, std::uint64_t seed) {
  RandomMotions random(seed);
  int compared = 0;
  const int rounds = test::full_size() ? 1000 : test::cases(12);  // of which most can be compared
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const MadeSide side_a = made(a, random), side_b = made(b, random);
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
  attack(SideShape::point, SideShape::bowl, 0.1, 1);
  attack(SideShape::bowl, SideShape::point, 1e-10, 2);
  attack(SideShape::point, SideShape::rounder_bowl, 1e-3, 3);
}

TEST(BowlGap, OfAnEllipsoidMovesAsTheDistance) {
  attack(SideShape::small_ellipsoid, SideShape::bowl, 0.1, 4);
  attack(SideShape::bowl, SideShape::small_ellipsoid, 1e-10, 5);
}

TEST(RingGap, FromAPlaneMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::plane, 0.1, 6);
  attack(SideShape::plane, SideShape::ring, 1e-10, 7);
}

TEST(RingGap, FromARoundedPointMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::point, 0.1, 8);
  attack(SideShape::point, SideShape::ring, 1e-10, 9);
}

TEST(RingGap, FromARoundedLineMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::line, 0.05, 10);
  attack(SideShape::line, SideShape::ring, 1e-10, 11);
}

TEST(RingGap, FromAnEllipsoidMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::ellipsoid, 0.05, 12);
  attack(SideShape::ellipsoid, SideShape::ring, 1e-10, 13);
}

TEST(RingGap, FromARingMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::ring, 0.05, 14);
  attack(SideShape::ring, SideShape::ring, 1e-10, 15);
}

TEST(RingGap, ThePlaceOfContactMovesAsItSays) {
  RandomMotions random(16);
  for (const SideShape other :
       {SideShape::plane, SideShape::point, SideShape::line, SideShape::ring}) {
    SCOPED_TRACE(static_cast<int>(other));
    const MadeSide side_a = made(SideShape::ring, random), side_b = made(other, random);
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
