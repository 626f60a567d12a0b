// First contacts of rings and bowls against closed forms and against dense sampling in time.

#include "toi/close_watch.h"

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/models.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "toi/first_contact.h"
#include "unit/contact/random_motions.h"
#include "unit/toi/moving_bodies.h"

namespace abut::toi {
namespace {

using motion::BodyPath;
using test::fixed;
using test::thrown;

const Vec3 gravity(0, 0, -9.81);  // m/s^2

/// Nothing is nearer than the bound before the touch, and the touch is one.
void expect_first(const shape::Geometry& moving, const shape::Geometry& other, const Vec3& from,
                  double speed, test::RandomMotions& random) {
  SCOPED_TRACE(testing::Message() << shape::name_of(moving) << " and " << shape::name_of(other));
  const model::Body a = test::body_of(moving), b = fixed(other);
  const Quat turned = math::rotation_exp(random.vector());
  const BodyPath resting = BodyPath::resting(0, 1, {Vec3::Zero(), turned});
  const double duration = 0.2;
  const BodyPath path = thrown(from, speed * random.vector(), gravity, duration, random.vector(3),
                               math::rotation_exp(random.vector()));
  FirstContact contact(a, b, {});
  const auto start = contact.separation(path.pose(0), resting.pose(0));
  ASSERT_TRUE(start.has_value());
  if (start->gap < 1e-3) return;  // they overlap at the beginning
  const SearchResult found = contact.search(path, resting, 0, duration);
  EXPECT_EQ(contact.statistics().unresolved, 0);
  EXPECT_LT(contact.statistics().advances, 3000);
  EXPECT_GT(found.gap_bound, 0);
  constexpr int samples = 400;
  for (int i = 0; i <= samples; ++i) {
    const double t = found.free_until * i / samples;
    const double gap = contact.separation(path.pose(t), resting.pose(t))->gap;
    ASSERT_GT(gap, found.gap_bound * (1 - 1e-6) - 1e-14) << t;
  }
  if (!found.touch) {
    EXPECT_EQ(found.free_until, duration);
    return;
  }
  EXPECT_LE(found.touch->separation.gap, 1.01e-10);
  EXPECT_GT(found.touch->separation.gap, 0);
}

TEST(CloseWatch, RingsMeetOthersWhenTheyDo) {
  test::RandomMotions random(test::seed(1));
  const shape::Geometry ring = shape::Torus{0.5, 0.1};
  for (int round = 0; round < test::cases(2); ++round) {
    SCOPED_TRACE(round);
    for (const double spread : {0.15, 0.8}) {
      expect_first(ring, shape::Plane{Vec3::UnitZ(), -1}, spread * random.vector(), 3, random);
      expect_first(ring, shape::Sphere{0.2}, spread * random.vector(), 3, random);
      expect_first(ring, shape::Capsule{0.1, 2}, spread * random.vector(), 3, random);
      expect_first(ring, shape::Torus{0.5, 0.1}, spread * random.vector(), 3, random);
      expect_first(ring, shape::Box{Vec3(0.3, 0.2, 1.5)}, spread * random.vector(), 3, random);
      expect_first(ring, shape::Ellipsoid{Vec3(0.3, 0.2, 0.1)}, spread * random.vector(), 3,
                   random);
    }
  }
}

// A ring lies across a bar, held on one side of it, and sinks on the other: which of the two places
// is the held one is not told by which is nearer.
TEST(CloseWatch, ARingThatIsHeldAtOnePlaceTouchesAtAnother) {
  const model::Body ring = test::body_of(shape::Torus{0.5, 0.1});
  const model::Body bar = fixed(shape::Capsule{0.1, 3});
  const double held_gap = 3e-10, spin = 1e-6, duration = 1e-3;
  const BodyPath resting =
      BodyPath::resting(0, duration, {Vec3::Zero(), math::rotation_exp(Vec3(0, M_PI / 2, 0))});
  const BodyPath sinking = thrown(Vec3(0, 0, 0.2 + held_gap), Vec3(0, 0, -0.5 * spin), Vec3::Zero(),
                                  duration, Vec3(0, spin, 0), Quat::Identity());
  FirstContact contact(ring, bar, {});
  PartHold hold{0, 0, {}};
  hold.places.any = true;
  hold.places.gaps = {held_gap};
  contact.hold({hold});
  const SearchResult found = contact.search(sinking, resting, 0, duration);
  ASSERT_TRUE(found.touch.has_value());
  const double gap = found.touch->separation.gap;
  EXPECT_GT(gap, 0);
  EXPECT_LE(gap, 1.01e-10);
  // It sinks at spin times the diameter, from the gap that it is held at.
  EXPECT_NEAR(found.touch->time, (held_gap - gap) / spin, 1e-7);
}

// A needle lies across a bowl, below its middle, and turns about the end that is held. The other
// end is as near at first and comes down on the wall.
TEST(CloseWatch, ANeedleInABowlThatIsHeldAtOneEndTouchesAtTheOther) {
  const model::Body needle = test::body_of(shape::Ellipsoid{Vec3(0.8, 0.1, 0.1)});
  const model::Body bowl = fixed(shape::Sphere{1, true});
  FirstContact contact(needle, bowl, {});
  const auto at_height = [&](double z) {
    return *contact.separation({Vec3(0, 0, z), Quat::Identity()}, {});
  };
  const double wanted = 3e-10, spin = 1e-6, duration = 1e-3;
  double low = -0.7, high = -0.3;
  ASSERT_LT(at_height(low).gap, 0);
  while (high - low > 1e-16) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (at_height(middle).gap < wanted ? low : high) = middle;
  }
  const narrow::Separation held_end = at_height(high);
  ASSERT_NEAR(held_end.gap, wanted, 1e-14);
  const Vec3 centre(0, 0, high), pivot = held_end.point_a;
  const Vec3 mirror(-1, 1, 1);
  const Vec3 angular_velocity(0, pivot.x() < 0 ? spin : -spin, 0);
  const auto velocity_at = [&](const Vec3& p) { return angular_velocity.cross(p - pivot); };
  FirstContact watch(needle, bowl, {});
  PartHold hold{0, 0, {}};
  hold.places.any = true;
  hold.places.gaps = {held_end.gap};
  watch.hold({hold});
  const BodyPath sinking = thrown(centre, velocity_at(centre), Vec3::Zero(), duration,
                                  angular_velocity, Quat::Identity());
  const SearchResult found = watch.search(sinking, BodyPath::resting(0, duration, {}), 0, duration);
  ASSERT_TRUE(found.touch.has_value());
  const double gap = found.touch->separation.gap;
  EXPECT_GT(gap, 0);
  EXPECT_LE(gap, 1.01e-10);
  const double rate =
      mirror.cwiseProduct(held_end.normal).dot(velocity_at(mirror.cwiseProduct(pivot)));
  EXPECT_LT(rate, 0);
  EXPECT_NEAR(found.touch->time, (gap - held_end.gap) / rate, 1e-7);
}

TEST(CloseWatch, ThingsInABowlMeetItsWallWhenTheyDo) {
  test::RandomMotions random(test::seed(2, test::few_rounds));
  for (int round = 0; round < test::cases(6); ++round) {
    SCOPED_TRACE(round);
    for (const shape::Geometry& bowl :
         {shape::Geometry(shape::Sphere{1, true}),
          shape::Geometry(shape::Ellipsoid{Vec3(1, 0.8, 0.6), true})}) {
      expect_first(shape::Sphere{0.2}, bowl, 0.1 * random.vector(), 3, random);
      expect_first(shape::Capsule{0.1, 0.3}, bowl, 0.1 * random.vector(), 3, random);
      expect_first(shape::Box{Vec3(0.3, 0.2, 0.1)}, bowl, 0.1 * random.vector(), 3, random);
    }
    const shape::Geometry egg = shape::Ellipsoid{Vec3(1, 0.8, 0.6), true};
    expect_first(shape::Ellipsoid{Vec3(0.3, 0.2, 0.1)}, egg, 0.1 * random.vector(), 3, random);
    expect_first(shape::Sphere{0.45}, egg, 0.02 * random.vector(), 3, random);
    expect_first(shape::Torus{0.3, 0.1}, egg, 0.05 * random.vector(), 3, random);
  }
}

TEST(CloseWatch, ABallFallsInABowlForTheTimeItTakes) {
  const model::Body ball = test::body_of(shape::Sphere{0.25});
  const model::Body bowl = fixed(shape::Sphere{1, true});
  const BodyPath path = thrown(Vec3::Zero(), Vec3::Zero(), gravity, 1, Vec3(1, 2, 3));
  FirstContact contact(ball, bowl, {});
  const SearchResult found = contact.search(path, BodyPath::resting(0, 1, {}), 0, 1);
  ASSERT_TRUE(found.touch);
  EXPECT_NEAR(found.touch->time, std::sqrt(2 * 0.75 / 9.81), 1e-9);
  EXPECT_LT((found.touch->separation.normal - Vec3::UnitZ()).norm(), 1e-12);
}

// A ball that fits through the hole falls through; one that does not is caught.
TEST(CloseWatch, ABallFallsThroughARingOrNot) {
  const model::Body ring = fixed(shape::Torus{0.5, 0.1});
  const BodyPath path = thrown(Vec3(0, 0, 1), Vec3::Zero(), gravity, 0.7);
  const BodyPath resting = BodyPath::resting(0, 1, {});
  FirstContact small(test::body_of(shape::Sphere{0.39}), ring, {});
  const SearchResult through = small.search(path, resting, 0, 0.7);
  EXPECT_FALSE(through.touch);
  EXPECT_GT(through.gap_bound, 0.004);
  EXPECT_LE(through.gap_bound, 0.01);
  FirstContact large(test::body_of(shape::Sphere{0.45}), ring, {});
  const SearchResult caught = large.search(path, resting, 0, 0.7);
  ASSERT_TRUE(caught.touch);
  const double rise = std::sqrt(0.55 * 0.55 - 0.25);
  EXPECT_NEAR(caught.touch->time, std::sqrt(2 * (1 - rise) / 9.81), 1e-9);
}

}  // namespace
}  // namespace abut::toi
