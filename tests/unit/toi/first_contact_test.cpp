// Times of first contact against closed forms and against an independent search.

#include "toi/first_contact.h"

#include <random>

#include "geometry/convex_hull.h"
#include "math/rotation.h"
#include "support/models.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/toi/moving_bodies.h"

namespace abut::toi {
namespace {

using motion::BodyPath;
using test::fixed;
using test::thrown;

SearchResult search(const model::Body& a, const model::Body& b, const BodyPath& pa,
                    const BodyPath& pb, double to) {
  FirstContact contact(a, b, {});
  return contact.search(pa, pb, 0, to);
}

TEST(FirstContact, ABallFallsOnAPlane) {
  const model::Body ball = test::body_of(shape::Sphere{0.5});
  const model::Body floor = fixed(shape::Plane{Vec3::UnitZ(), 0});
  const BodyPath path = thrown(Vec3(0, 0, 1.5), Vec3::Zero(), Vec3(0, 0, -9.81), 1);
  const auto result = search(ball, floor, path, BodyPath::resting(0, 1, {}), path.end());
  ASSERT_TRUE(result.touch);
  EXPECT_NEAR(result.touch->time, std::sqrt(2 * 1.0 / 9.81), 1e-10);
  EXPECT_NEAR((result.touch->separation.normal - Vec3::UnitZ()).norm(), 0, 1e-12);
  EXPECT_GT(result.touch->separation.gap, 0);
  EXPECT_GT(result.gap_bound, 0);
}

TEST(FirstContact, AFastSmallBallDoesNotTunnelThroughAThinPlate) {
  const model::Body ball = test::body_of(shape::Sphere{0.01});
  const model::Body plate = fixed(shape::Box{Vec3(1, 1, 0.01)});
  const BodyPath path = thrown(Vec3(0.1, 0.2, 5), Vec3(0, 0, -500), Vec3::Zero(), 1.0 / 60);
  const auto result = search(ball, plate, path, BodyPath::resting(0, 1, {}), path.end());
  ASSERT_TRUE(result.touch);
  EXPECT_NEAR(result.touch->time, (5 - 0.015) / 500, 1e-11);
}

// Two needles that spin in crossing planes meet between their ends, or pass.
TEST(FirstContact, SpinningNeedlesMeetWhereGeometrySaysSo) {
  const model::Body needle = test::body_of(shape::Box{Vec3(2, 0.002, 0.002)});
  // A resting needle along y at x = 0.5; the other sweeps in the xy-plane through angle asin(...).
  const model::Body bar = fixed(shape::Box{Vec3(0.002, 2, 0.002)});
  const BodyPath spinning = thrown(Vec3(0, 0, 0), Vec3::Zero(), Vec3::Zero(), 0.3, Vec3(0, 0, 4),
                                   math::rotation_exp(Vec3(0, 0, 2)));
  const BodyPath rest = BodyPath::resting(0, 1, {Vec3(-0.9, 0, 0), Quat::Identity()});
  const auto result = search(needle, bar, spinning, rest, spinning.end());
  ASSERT_TRUE(result.touch);
  // The corner (1, 0.001) of the needle reaches the bar's side x = -0.899 at the angle at which
  // cos(angle) - 0.001 sin(angle) = -0.899.
  const double angle = std::acos(-0.899 / std::hypot(1, 0.001)) - std::atan(0.001);
  EXPECT_NEAR(result.touch->time, (angle - 2) / 4, 1e-8);
}

// Two plates, a millimetre thick, fly at each other edge on: in one plane, crosswise, and shifted
// out of the plane by a little less or more than their thickness.
TEST(FirstContact, ThinPlatesThatFlyEdgeOnMeetOrPass) {
  const model::Body plate = test::body_of(shape::Box{Vec3(1, 1, 1e-3)});
  const Quat crosswise = math::rotation_exp(Vec3(M_PI / 2, 0, 0));
  const BodyPath rest = BodyPath::resting(0, 1, {});
  const auto contact_event = [&](double shift, const Quat& turn) {
    const BodyPath path =
        thrown(Vec3(3, 0.3, shift), Vec3(-100, 0, 0), Vec3(-40, 0, 0), 0.05, Vec3::Zero(), turn);
    return search(plate, plate, path, rest, path.end()).touch;
  };
  // 100 t + 20 t^2 = 2
  const double time = (-100 + std::sqrt(100 * 100 + 4 * 20 * 2.0)) / 40;
  for (const double shift : {0.0, 0.5e-3, 0.999e-3}) {
    const auto touch = contact_event(shift, Quat::Identity());
    ASSERT_TRUE(touch) << shift;
    EXPECT_NEAR(touch->time, time, 1e-11) << shift;
    EXPECT_NEAR((touch->separation.normal - Vec3::UnitX()).norm(), 0, 1e-9) << shift;
  }
  EXPECT_FALSE(contact_event(1.001e-3, Quat::Identity()));
  ASSERT_TRUE(contact_event(0.5, crosswise));
  EXPECT_NEAR(contact_event(0.5, crosswise)->time, time, 1e-11);
  EXPECT_FALSE(contact_event(0.501, crosswise));
}

// A search that may not take the steps it needs says so, ends where it has proven the motion free,
// and finds the same touch when it is asked again from there on.
TEST(FirstContact, ALimitOfWorkIsToldAndLosesNothing) {
  const model::Body one = test::body_of(shape::Box{Vec3(1, 0.1, 0.1)});
  const model::Body other = test::body_of(shape::Box{Vec3(0.1, 1, 0.1)});
  const BodyPath a = thrown(Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), 0.4, Vec3(3, 4, 5));
  const BodyPath b = thrown(Vec3(0, 0, 0.8), Vec3(0, 0, -2), Vec3::Zero(), 0.4, Vec3(-6, 2, 1));
  const auto whole = search(one, other, a, b, a.end());
  ASSERT_TRUE(whole.touch);

  SearchSettings hurried;
  hurried.advance_limit = 1;
  FirstContact contact(one, other, hurried);
  SearchResult result;
  int searches = 0;
  double from = 0;
  do {
    result = contact.search(a, b, from, a.end());
    ASSERT_TRUE(result.touch);
    ASSERT_GT(result.gap_bound, 0);
    from = result.touch->time;
  } while (result.touch->separation.gap > hurried.touch.upper && ++searches < 1000);
  EXPECT_GT(searches, 0);
  EXPECT_EQ(contact.statistics().limits_met, searches);
  EXPECT_EQ(contact.statistics().unresolved, 0);
  EXPECT_NEAR(result.touch->time, whole.touch->time, 1e-9);
}

// Bodies that hardly move are proven apart by the gap that was seen before, as long as that says
// enough.
TEST(FirstContact, ARememberedGapProvesBodiesApart) {
  const model::Body box = test::body_of(shape::Box{Vec3(1, 1, 1)});
  SearchSettings settings;
  settings.remembered_fraction = 0.5;
  FirstContact contact(box, box, settings);
  const BodyPath a = thrown(Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), 1, Vec3::Zero());
  const auto above = [&](double gap) {
    return thrown(Vec3(0, 0, 1 + gap), Vec3(0, 0, -0.01), Vec3::Zero(), 1, Vec3::Zero());
  };
  EXPECT_FALSE(contact.search(a, above(0.1), 0, 1).touch);
  const long looked = contact.statistics().advances;
  const SearchResult again = contact.search(a, above(0.09), 0, 1);
  EXPECT_FALSE(again.touch);
  EXPECT_EQ(contact.statistics().advances, looked);
  EXPECT_LE(again.gap_bound, 0.08 + 1e-9);
  EXPECT_GE(again.gap_bound, 0.5 * 0.1);
  // What was seen says too little now.
  EXPECT_FALSE(contact.search(a, above(0.05), 0, 1).touch);
  EXPECT_GT(contact.statistics().advances, looked);
  EXPECT_TRUE(contact.search(a, above(0.005), 0, 1).touch);
}

// Two bricks a few nanometres apart and all but parallel, one of which tumbles a little: where two
// of their edges part, a corner elsewhere comes down. Also with rounded edges.
TEST(FirstContact, BricksAllButParallelNeverPassThroughEachOther) {
  std::mt19937 random(test::seed(7));
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.emplace_back((k & 1) != 0 ? 0.2 : -0.2, (k & 2) != 0 ? 0.1 : -0.1,
                         (k & 4) != 0 ? 0.1 : -0.1);
  int touches = 0;
  for (int i = 0; i < test::cases(100); ++i) {
    const double rounding = i % 2 == 0 ? 0 : 0.05;
    const model::Body brick = test::body_of(shape::Convex{
        std::make_shared<geometry::PolygonMesh>(geometry::convex_hull(corners)), rounding});
    const Vec3 across(0.3 * unit(random), 0.15 * unit(random), 0.2 + 2 * rounding);
    const BodyPath lower = thrown(Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), 2e-4, vector(),
                                  math::rotation_exp(1e-7 * vector()));
    const double lift = 1e-7 * (1 + unit(random));
    const BodyPath upper =
        thrown(across + Vec3(0, 0, lift), 0.1 * vector(), Vec3(0, 0, -10), 2e-4, vector(),
               math::rotation_exp(Vec3(0, 0, unit(random))) * math::rotation_exp(1e-7 * vector()));
    FirstContact contact(brick, brick, {});
    if (!(contact.separation(upper.pose(0), lower.pose(0))->gap > 1e-9)) continue;
    const SearchResult found = contact.search(upper, lower, 0, upper.end());
    EXPECT_GT(found.gap_bound, 0) << i;
    const double until = found.touch ? found.touch->time : upper.end();
    for (int k = 0; k <= 200; ++k) {
      const double t = until * k / 200;
      EXPECT_GE(contact.separation(upper.pose(t), lower.pose(t))->gap, found.gap_bound - 1e-14)
          << i << " at " << t;
    }
    if (found.touch) ++touches;
  }
  EXPECT_GT(touches, test::cases(100) / 4);
}

// Boxes with flush sides, half a nanometre apart, turn together while the gap opens: nearest are
// parallel edges, and only planes that the faces beside them carry stay between the boxes.
TEST(FirstContact, BoxesWithFlushSidesThatTurnTogetherAreProvenApart) {
  const model::Body box = test::body_of(shape::Box{Vec3(0.4, 0.2, 0.1)});
  const Vec3 spin(0, 0.3, 0), offset(0.09, 0, 0.1 + 4e-10);
  SearchSettings settings;
  settings.proves_steps = true;
  for (const double lean : {0.0, 1e-8, -1e-8}) {
    const Quat attitude = math::rotation_exp(Vec3(0, lean, 0));
    const Vec3 apart = attitude * offset;
    const BodyPath lower = BodyPath::steady({0, 1.0 / 240, {Vec3::Zero(), attitude}, {}, spin});
    const BodyPath upper = BodyPath::steady(
        {0, 1.0 / 240, {apart, attitude}, spin.cross(apart) + Vec3(0, 0, 0.01), spin});
    FirstContact contact(box, box, settings);
    EXPECT_FALSE(contact.search(upper, lower, 0, 1.0 / 240).touch) << lean;
    EXPECT_LT(contact.statistics().advances, 30) << lean;
  }
}

// The flat end of a disc that leans by 1e-9 leaves an edge across it, and turns about the edge: a
// plane that either body carries is crossed by the other beside the edge; that of the edge and the
// rim's tangent is not.
TEST(FirstContact, ADiscLeavesAnEdge) {
  const model::Body disc = test::body_of(shape::Cylinder{0.1, 0.05});
  const model::Body box = fixed(shape::Box{Vec3(1, 0.2, 0.2)});
  const double rise = 0.1 * std::sqrt(2.0), gap = 5e-10;
  // The upper edge of a box turned by 45 degrees is along x, at the height `rise`.
  const BodyPath rest =
      BodyPath::resting(0, 1, {Vec3::Zero(), math::rotation_exp(Vec3(M_PI / 4, 0, 0))});
  const BodyPath path = thrown(Vec3(0, 0.03, rise + 0.025 + gap), Vec3(0, 0, 1e-3), Vec3::Zero(),
                               1e-3, Vec3(-0.3, 0, 0), math::rotation_exp(Vec3(0, 1e-9, 0)));
  const auto result = search(disc, box, path, rest, path.end());
  EXPECT_FALSE(result.touch);
  EXPECT_EQ(result.free_until, path.end());
}

TEST(FirstContact, ABodyThatTouchesAndLeavesWithinAStepIsSeen) {
  const model::Body ball = test::body_of(shape::Sphere{0.5});
  const model::Body floor = fixed(shape::Plane{Vec3::UnitZ(), 0});
  // Downwards at 2 m/s against gravity upwards: lowest point at t = 1, height 1.5 - 1 = 0.5 -
  // depth.
  for (const double depth : {1e-6, 1e-8, 1e-9}) {
    const BodyPath path = thrown(Vec3(0, 0, 1.5 - depth), Vec3(3, 0, -2), Vec3(0, 0, 2), 2);
    const auto result = search(ball, floor, path, BodyPath::resting(0, 2, {}), path.end());
    ASSERT_TRUE(result.touch) << depth;
    EXPECT_NEAR(result.touch->time, 1 - std::sqrt(depth),
                1e-4 * std::sqrt(depth) + 2e-10 / std::sqrt(depth));
  }
}

TEST(FirstContact, ABodyThatGrazesWithoutTouchingIsFree) {
  const model::Body ball = test::body_of(shape::Sphere{0.5});
  const model::Body floor = fixed(shape::Plane{Vec3::UnitZ(), 0});
  for (const double height : {1e-6, 1e-8, 1e-9}) {
    const BodyPath path = thrown(Vec3(0, 0, 1.5 + height), Vec3(3, 0, -2), Vec3(0, 0, 2), 2);
    FirstContact contact(ball, floor, {});
    const auto result = contact.search(path, BodyPath::resting(0, 2, {}), 0, path.end());
    EXPECT_FALSE(result.touch) << height;
    EXPECT_LE(result.gap_bound, height * (1 + 1e-6));
    EXPECT_GT(result.gap_bound, 0);
    EXPECT_LT(contact.statistics().advances, 2000);
  }
}

TEST(FirstContact, UnionsTouchWithTheirNearestParts) {
  model::Body dumbbell = test::body_of(shape::Sphere{0.2});
  dumbbell.parts = {{shape::Sphere{0.2}, {Vec3(-1, 0, 0), Quat::Identity()}, 1000, 0},
                    {shape::Sphere{0.3}, {Vec3(1, 0, 0), Quat::Identity()}, 1000, 0}};
  dumbbell.mass = body::mass_from(shape::moments_of(dumbbell.parts));
  const model::Body floor = fixed(shape::Plane{Vec3::UnitZ(), 0});
  const BodyPath path = thrown(Vec3(0, 0, 1.3), Vec3::Zero(), Vec3(0, 0, -2), 2);
  const auto result = search(dumbbell, floor, path, BodyPath::resting(0, 2, {}), path.end());
  ASSERT_TRUE(result.touch);
  EXPECT_EQ(result.touch->separation.part_a, 1);
  EXPECT_NEAR(result.touch->time, 1, 1e-9);
}

TEST(FirstContact, UnsupportedShapesAreToldApartByTheirEnclosures) {
  const model::Body angular = test::body_of(shape::Superellipsoid{Vec3(0.5, 0.5, 0.5), 0.1, 0.1});
  const model::Body floor = fixed(shape::Plane{Vec3::UnitZ(), 0});
  const BodyPath high = thrown(Vec3(0, 0, 9), Vec3::Zero(), Vec3(0, 0, -1), 1);
  FirstContact apart(angular, floor, {});
  EXPECT_FALSE(apart.supported());
  EXPECT_FALSE(apart.search(high, BodyPath::resting(0, 1, {}), 0, high.end()).touch);
  EXPECT_EQ(apart.statistics().unresolved, 0);
  const BodyPath low = thrown(Vec3(0, 0, 0.7), Vec3::Zero(), Vec3(0, 0, -1), 1);
  FirstContact near(angular, floor, {});
  EXPECT_FALSE(near.search(low, BodyPath::resting(0, 1, {}), 0, low.end()).touch);
  EXPECT_GT(near.statistics().unresolved, 0);
}

// Random hulls, boxes, capsules and spheres that spin and accelerate, against fine sampling and
// bisection on distances that are searched for from scratch every time.
class RandomPairs : public ::testing::Test {
 protected:
  Vec3 vector(double size) {
    std::normal_distribution<double> normal;
    return size * Vec3(normal(random_), normal(random_), normal(random_));
  }
  model::Body body() {
    std::uniform_real_distribution<double> size(0.1, 1);
    switch (random_() % 4) {
      case 0:
        return test::body_of(shape::Sphere{size(random_)});
      case 1:
        return test::body_of(shape::Capsule{0.3 * size(random_), size(random_)});
      case 2:
        return test::body_of(shape::Box{Vec3(size(random_), size(random_), size(random_))});
      default:
        break;
    }
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) points.push_back(vector(0.5));
    const double rounding = random_() % 2 == 0 ? 0 : 0.2 * size(random_);
    return test::body_of(shape::Convex{
        std::make_shared<const geometry::PolygonMesh>(geometry::convex_hull(points)), rounding});
  }

  static double gap_from_scratch(const model::Body& a, const model::Body& b, const BodyPath& pa,
                                 const BodyPath& pb, double t) {
    narrow::PairQuery query(a, b);
    return query.separation(body_pose(a, pa.pose(t)), body_pose(b, pb.pose(t))).gap;
  }

  std::mt19937_64 random_{test::seed(7, test::few_rounds)};
};

TEST_F(RandomPairs, AgreeWithAnIndependentSearch) {
  int touches = 0;
  for (int i = 0; i < test::cases(200); ++i) {
    const model::Body a = body(), b = body();
    const Vec3 apart = 3 * vector(1).normalized();
    const BodyPath pa = thrown(Vec3::Zero(), vector(1), vector(2), 0.4, vector(4));
    const BodyPath pb =
        thrown(apart, -6 * apart.normalized() + vector(1), vector(2), 0.4, vector(4));
    const double end = std::min(pa.end(), pb.end());
    const auto result = search(a, b, pa, pb, end);

    constexpr int samples = 400;
    double low = 0, high = -1;
    for (int k = 1; k <= samples && high < 0; ++k) {
      const double t = end * k / samples;
      if (gap_from_scratch(a, b, pa, pb, t) <= 0.75e-10)
        high = t;
      else
        low = t;
    }
    if (high < 0) {
      if (result.touch) {  // the samples may have stepped over a short touch: look closer
        EXPECT_LE(gap_from_scratch(a, b, pa, pb, result.touch->time), 1e-10);
      } else {
        for (int k = 0; k <= samples; ++k)
          ASSERT_GE(gap_from_scratch(a, b, pa, pb, end * k / samples), result.gap_bound - 1e-12);
      }
      continue;
    }
    while (high - low > 1e-12) {
      const double middle = 0.5 * (low + high);
      (gap_from_scratch(a, b, pa, pb, middle) <= 0.75e-10 ? high : low) = middle;
    }
    ASSERT_TRUE(result.touch) << i;
    if (result.touch->time < low - 1e-9) {  // an earlier, shorter touch between two samples
      EXPECT_LE(gap_from_scratch(a, b, pa, pb, result.touch->time), 1e-10);
    } else {
      EXPECT_NEAR(result.touch->time, high, 1e-9) << i;
    }
    ++touches;
  }
  EXPECT_GT(touches, test::cases(200) / 4);
}

}  // namespace
}  // namespace abut::toi
