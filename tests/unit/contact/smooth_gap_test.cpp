// Rows of smooth contacts against distances found by implicit functions in 50 digits and
// differentiated there, and against the formulas of Baraff 1990, appendix C.

#include "contact/smooth_gap.h"

#include <gtest/gtest.h>

#include "support/seeds.h"
#include "support/sizes.h"
#include "support/surfaces.h"
#include "unit/contact/smooth_sides.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using test::MadeSide;
using test::RandomMotions;
using test::Real;
using test::set_gap;

/// A point with a rounding is a ball or a rounded corner, a line an edge, a capsule or the side of
/// a cylinder, a plane also a face.
enum class SideShape {
  ellipsoid,
  superellipsoid,
  implicit,
  parametric,
  point,
  line,
  plane,
  rim,
  cone
};

/// Surfaces by formula are checked and weighed when they are made: once for all states.
MadeSide implicit_side() {
  static const auto surface = test::proven(
      test::implicit("(x/0.5)^2 + (y/0.35)^2 + (z/0.6)^2 + 0.3*((x/0.5)^4 + (y/0.35)^4) - 1",
                     Vec3::Constant(-0.8), Vec3::Constant(0.8)));
  MadeSide made;
  made.reference.solid.radii = Vec3(0.5, 0.35, 0.6);
  made.reference.solid.quartic = 0.3;
  made.side.surface.surface =
      std::make_shared<const geometry::ConvexSurface>(geometry::ConvexSurface::of_surface(surface));
  return made;
}

MadeSide parametric_side() {
  static const auto surface = test::proven(test::parametric(
      {"0.4*cos(u)*sin(v)", "0.5*sin(u)*sin(v)", "0.25*cos(v)"}, {0, 2 * M_PI}, {0, M_PI}));
  MadeSide made;
  made.reference.solid.radii = Vec3(0.4, 0.5, 0.25);
  made.side.surface.surface =
      std::make_shared<const geometry::ConvexSurface>(geometry::ConvexSurface::of_surface(surface));
  return made;
}

MadeSide upper_rim(RandomMotions& random) {
  // Of a cylinder, about the origin.
  MadeSide made;
  made.reference.is_curved = false;
  const double radius = random.number(0.2, 0.6), height = random.number(0.3, 1);
  made.side.surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::cylinder(radius, height));
  made.side.surface.position = Vec3(0, 0, -0.5 * height);
  made.reference.circle = radius;
  return made;
}

MadeSide made(SideShape shape, RandomMotions& random) {
  switch (shape) {
    case SideShape::ellipsoid:
      return test::curved_side(random, 0.2, 1, 0);
    case SideShape::superellipsoid:
      return test::curved_side(random, 0.2, 1, 0.4);
    case SideShape::implicit:
      return implicit_side();
    case SideShape::parametric:
      return parametric_side();
    case SideShape::point:
      return test::straight_side(SmoothSideKind::point, random, 0.3, 0.3);
    case SideShape::line:
      return test::straight_side(SmoothSideKind::line, random, 0.3, 0.3);
    case SideShape::rim:
      return upper_rim(random);
    case SideShape::cone:
      return test::cone_side(random);
    case SideShape::plane:
      break;
  }
  return test::straight_side(SmoothSideKind::plane, random, 0.3, 0);
}

/// A direction, in its body's frame, in which a side is nearest with the feature that is tried: of
/// a rim not over its flat end, of a cone not over its apex.
Vec3 facing(SideShape shape, RandomMotions& random) {
  const double angle = random.number(0, 2 * M_PI);
  const double up = shape == SideShape::cone ? -0.7 : random.number(-0.8, 0.8);
  return Vec3(std::cos(angle), std::sin(angle), up).normalized();
}
bool has_a_front(SideShape shape) {
  return shape == SideShape::rim || shape == SideShape::cone;
}

/// Sets the bodies before each other, 3 m apart.
void place(SideShape a, SideShape b, const MadeSide& side_b, std::array<RigidMotion, 2>& motions,
           RandomMotions& random) {
  const Quat& turn = motions[1].pose.orientation;
  Vec3 apart = random.vector().normalized();
  if (b == SideShape::plane) apart = turn * side_b.side.feature.direction;
  if (has_a_front(b)) apart = turn * facing(b, random);
  if (has_a_front(a))
    motions[0].pose.orientation = Quat(Eigen::AngleAxisd(random.number(0, 6), apart)) *
                                  Quat::FromTwoVectors(facing(a, random), -apart);
  motions[0].pose.position = motions[1].pose.position + 3 * apart;
}

/// A thousand states of each pair at full size, half of them far apart, half all but touching.
int states() {
  return test::full_size() ? 500 : test::large(2);
}

/// Lines of a cone go on beyond its apex, and a circle has an inner side, which is no part of the
/// solid: states in which the nearest place is there are no contacts. Nor are those in which a line
/// is steeper than a cone: no normal belongs to both.
bool is_off_solid(SideShape shape, const MadeSide& side, const Vec3& place, const Vec3& outward,
                  const RigidMotion& motion) {
  const Quat to_body = motion.pose.orientation.conjugate();
  const Vec3 at = to_body * (place - motion.pose.position), m = to_body * outward;
  if (shape == SideShape::line || shape == SideShape::cone)
    if (std::abs(m.dot(side.side.feature.direction) - side.side.level) > 1e-9) return true;
  if (test::is_beyond_apex(side, place, motion)) return true;
  return side.reference.circle > 0 && at.head<2>().dot(m.head<2>()) < 0;
}

test::GapState state_of(SideShape a, SideShape b, double gap, RandomMotions& random) {
  test::GapState state;
  state.a = made(a, random);
  state.b = made(b, random);
  state.pair.sides = {state.a.side, state.b.side};
  state.motions = {random.motion(), random.motion()};
  place(a, b, state.b, state.motions, random);
  const auto& [first, second] = state.motions;
  state.pair.start = second.pose.orientation.conjugate() *
                     (first.pose.position - second.pose.position).normalized();
  set_gap(state.pair, state.motions, gap);
  return state;
}

void attack(SideShape a, SideShape b, double gap, std::uint64_t seed) {
  const bool sharp = has_a_front(a) || has_a_front(b);
  const auto is_contact = [&](const test::GapState& state, const ContactNow& now) {
    if (is_off_solid(a, state.a, now.points[0], -now.normal, state.motions[0]) ||
        is_off_solid(b, state.b, now.points[1], now.normal, state.motions[1]))
      return false;
    EXPECT_NEAR(now.row.value, gap, sharp ? 1e-13 : 1e-14);
    const double roundings = state.a.side.rounding + state.b.side.rounding;
    const Vec3 between = now.points[0] - now.points[1] + roundings * now.normal;
    EXPECT_NEAR(between.norm(), gap + roundings, 1e-12);
    return true;
  };
  test::compare_states(
      states(), seed, 5e-15, [&](RandomMotions& random) { return state_of(a, b, gap, random); },
      is_contact);
}

/// With all that comes after it, far apart and all but touching.
void attack_with_all(SideShape a) {
  constexpr std::array all = {
      SideShape::ellipsoid, SideShape::superellipsoid, SideShape::implicit, SideShape::parametric,
      SideShape::point,     SideShape::line,           SideShape::plane,    SideShape::rim,
      SideShape::cone};
  for (const SideShape b : all) {
    // Straight things lie on planes with their ends, which are points.
    const bool is_straight = b == SideShape::line || b == SideShape::cone || b == SideShape::point;
    if (b < a || (a == SideShape::plane && b != SideShape::rim)) continue;
    if (b == SideShape::plane && (a == SideShape::line || a == SideShape::point)) continue;
    // Kinds of gaps of their own (contact_test.cpp).
    if (a == SideShape::point && is_straight && b != SideShape::cone) continue;
    for (const double gap : {0.2, 1e-10}) {
      SCOPED_TRACE(testing::Message() << "with " << static_cast<int>(b) << " at " << gap);
      // Which of the two is body a must not matter.
      const bool swapped = a == SideShape::plane || (b != SideShape::plane && gap < 1e-3);
      const auto seed = static_cast<std::uint64_t>(100 * static_cast<int>(a) + static_cast<int>(b));
      attack(swapped ? b : a, swapped ? a : b, gap, seed);
    }
  }
}

TEST(SmoothGap, OfEllipsoidsMovesAsTheDistance) {
  attack_with_all(SideShape::ellipsoid);
}
TEST(SmoothGap, OfSuperellipsoidsMovesAsTheDistance) {
  attack_with_all(SideShape::superellipsoid);
}
TEST(SmoothGap, OfSurfacesByFormulaMovesAsTheDistance) {
  attack_with_all(SideShape::implicit);
  attack_with_all(SideShape::parametric);
}
TEST(SmoothGap, OfRoundedPointsMovesAsTheDistance) {
  attack_with_all(SideShape::point);
}
TEST(SmoothGap, OfLinesMovesAsTheDistance) {
  attack_with_all(SideShape::line);
}
// A rim is a circle: the only curve that it bends in is its own.
TEST(SmoothGap, OfRimsMovesAsTheDistanceOfACircle) {
  attack_with_all(SideShape::plane);
  attack_with_all(SideShape::rim);
}
TEST(SmoothGap, OfConesMovesAsTheDistance) {
  attack_with_all(SideShape::cone);
}

TEST(SmoothGap, ThePlaceOfContactMovesAsItSays) {
  RandomMotions random(test::seed(12));
  for (const SideShape other : {SideShape::ellipsoid, SideShape::point, SideShape::line,
                                SideShape::plane, SideShape::superellipsoid}) {
    SCOPED_TRACE(static_cast<int>(other));
    const test::GapState state = state_of(SideShape::ellipsoid, other, 0.05, random);
    test::expect_place_moves_as_it_says(state.pair, state.motions);
  }
}

// Section 6 and appendix C of Baraff 1990 in a frame with z along n: f and g are the surfaces over
// the tangent plane, with Hessians from implicit functions; the extremal points' velocities drop
// out of chi'' = h_tt - h_st^T h_ss^-1 h_st, with h = f - g.
TEST(SmoothGap, AgreesWithExplicitSurfacesOverTheTangentPlane) {
  RandomMotions random(test::seed(13));
  for (int round = 0; round < states(); ++round) {
    const auto [a, b, pair, motions] =
        state_of(SideShape::ellipsoid, SideShape::superellipsoid, 0, random);
    const MadeSide* sides[2] = {&a, &b};
    const ContactNow now = evaluate_smooth(pair, motions[0], motions[1]);
    Mat3 axes;
    axes.col(2) = now.normal;
    axes.col(0) = now.normal.unitOrthogonal();
    axes.col(1) = now.normal.cross(axes.col(0));

    Eigen::Matrix2d hessian[2];
    Eigen::Vector2d gradient_rate[2];
    double second[2];
    for (int s = 0; s < 2; ++s) {
      const RigidMotion& m = motions[static_cast<std::size_t>(s)];
      const Vec3 arm = now.points[static_cast<std::size_t>(s)] - m.pose.position;
      const auto f = sides[s]->reference.solid((m.pose.orientation.conjugate() * arm).cast<Real>());
      const Mat3 r = axes.transpose() * m.pose.orientation.toRotationMatrix();
      const Mat3 curvature = r * f.hessian.cast<double>() * r.transpose();
      const Vec3 normal = r * f.gradient.cast<double>();
      hessian[s] = -curvature.topLeftCorner<2, 2>() / normal.z();
      const Vec3 omega = axes.transpose() * m.angular_velocity;
      const Vec3 v = axes.transpose() * (m.velocity + m.angular_velocity.cross(arm));
      const double a = axes.col(2).dot(m.angular_velocity.cross(m.angular_velocity.cross(arm)));
      const Eigen::Vector2d vxy = v.head<2>();
      gradient_rate[s] = Eigen::Vector2d(-omega.y(), omega.x()) - hessian[s] * vxy;
      second[s] = a - 2 * (omega.x() * v.y() - omega.y() * v.x()) + vxy.dot(hessian[s] * vxy);
    }
    const Eigen::Vector2d mixed = gradient_rate[0] - gradient_rate[1];
    const double schur =
        second[0] - second[1] - mixed.dot((hessian[0] - hessian[1]).inverse() * mixed);
    EXPECT_NEAR(now.row.bias, schur, 1e-10 * (1 + std::abs(schur)));
  }
}

// A contact may last while one body goes all the way round the other: where the search began must
// not matter.
TEST(SmoothGap, DoesNotDependOnWhereTheSearchBegins) {
  RandomMotions random(test::seed(14));
  for (const SideShape other :
       {SideShape::ellipsoid, SideShape::superellipsoid, SideShape::point, SideShape::line}) {
    for (int round = 0; round < test::cases(40); ++round) {
      test::GapState state = state_of(SideShape::ellipsoid, other, 1e-10, random);
      const ContactNow now = evaluate_smooth(state.pair, state.motions[0], state.motions[1]);
      for (int i = 0; i < 10; ++i) {
        state.pair.start = random.vector().normalized();
        const ContactNow again = evaluate_smooth(state.pair, state.motions[0], state.motions[1]);
        EXPECT_NEAR(again.row.value, now.row.value, 1e-14) << static_cast<int>(other);
        EXPECT_LT((again.normal - now.normal).norm(), 1e-11);
        EXPECT_NEAR(again.row.bias, now.row.bias, 1e-9 * (1 + std::abs(now.row.bias)));
      }
    }
  }
}

// A ball is an ellipsoid whose distance from a plane does not depend on how it turns.
TEST(SmoothGap, ABallThatSpinsOnAPlaneStaysAtItsHeight) {
  SmoothPair pair;
  pair.sides[0].surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::ellipsoid(Vec3::Constant(0.7)));
  pair.sides[1].kind = SmoothSideKind::plane;
  RigidMotion ball{
      {Vec3(1, 2, 0.7), math::rotation_exp(Vec3(0.3, 1, 2))}, Vec3(3, -1, 0), Vec3(5, -4, 8)};
  const ContactNow now = evaluate_smooth(pair, ball, {});
  EXPECT_NEAR(now.row.value, 0, 1e-15);
  EXPECT_NEAR(now.row.bias, 0, 1e-13);
  EXPECT_NEAR(now.row.rate, 0, 1e-15);
}

// At the flat pole of a superellipsoid the radii of curvature are infinite; the second derivative
// stays finite, and without rotation it is that of the plane.
TEST(SmoothGap, IsFiniteAtAFlatSpot) {
  SmoothPair pair;
  pair.sides[0].surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::superellipsoid(Vec3(1, 1, 0.5), 0.4, 0.7));
  pair.sides[1].kind = SmoothSideKind::plane;
  RigidMotion body{{Vec3(0, 0, 0.5), Quat::Identity()}, Vec3(1, 0, 0), Vec3::Zero()};
  EXPECT_EQ(evaluate_smooth(pair, body, {}).row.bias, 0);
  EXPECT_NEAR(evaluate_smooth(pair, body, {}).row.value, 0, 1e-16);
  body.angular_velocity = Vec3(0.1, 0, 0);
  EXPECT_TRUE(std::isfinite(evaluate_smooth(pair, body, {}).row.bias));
}

// Near the flat line of a superellipsoid its normal hardly turns, and rounding of the normal moves
// the place on it by far more than a force may be displaced: it is taken opposite to the ball's.
TEST(SmoothGap, PlacesNearAFlatLineAreOppositeToEachOther) {
  SmoothPair pair;
  pair.sides[0].surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::superellipsoid(Vec3(0.2, 0.1, 0.12), 0.6, 0.6));
  pair.sides[1].surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::ellipsoid(Vec3::Constant(0.05)));
  const RigidMotion cam{{Vec3::Zero(), math::rotation_exp(Vec3(0.3, 0.2, 0.1))}};
  for (int i = 0; i < 40; ++i) {
    const double angle = 0.3 + 0.02 * i;
    const Vec3 from = cam.pose.orientation * Vec3(0.3 * std::cos(angle), 0, 0.3 * std::sin(angle));
    const ContactNow now = evaluate_smooth(pair, cam, {{from, Quat::Identity()}});
    EXPECT_LT((now.points[0] - now.points[1] - now.row.value * now.normal).norm(), 1e-14) << angle;
  }
}

}  // namespace
}  // namespace abut::contact
