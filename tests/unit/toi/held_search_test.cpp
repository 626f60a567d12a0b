// The search for what touches next while parts touch already: bodies that tip over what they stand
// on, whose next contact is known in closed form.

#include <gtest/gtest.h>

#include <limits>

#include "body/mass.h"
#include "math/rotation.h"
#include "support/models.h"
#include "toi/first_contact.h"
#include "unit/toi/moving_bodies.h"

namespace abut::toi {
namespace {

using motion::BodyPath;

constexpr double rate = 0.8, angle = 0.5;  // rad/s, rad
constexpr double instant = angle / rate;   // when a body that tips lies flat, s
constexpr double duration = 1;             // s
const BodyPath resting = BodyPath::resting(0, duration, {});

const model::Body fixed_floor = test::fixed(shape::Plane{Vec3::UnitZ(), 0});

/// Turns about y through a point of the body that stays at `pivot`, from `angle` above the floor
/// down through it.
BodyPath tipping(const model::Body& body, const Vec3& local, const Vec3& pivot) {
  return test::path_through(duration, [&](double t) -> test::PathPoint {
    const Quat turn = math::rotation_exp(Vec3(0, rate * t - angle, 0));
    const Pose central = body::central_from_body(body.mass, {pivot - turn * local, turn});
    return {central.position, central.orientation.coeffs()};
  });
}

/// In the body's motion frame.
Vec3 in_motion_frame(const model::Body& body, const Vec3& local) {
  const Pose central = body::central_from_body(body.mass, {});
  return central.orientation.conjugate() * (local - central.position);
}

/// A cube of edge 1 that stands on the edge x = z = -0.5.
struct TippingCube {
  model::Body cube = test::body_of(shape::Box{Vec3(1, 1, 1)});
  model::Body floor = fixed_floor;
  BodyPath path = tipping(cube, Vec3(-0.5, 0, -0.5), Vec3::Zero());

  /// The floor's plane, which the edge touches, and the corners above it.
  HeldPlane plane(const std::vector<Vec3>& watched) const {
    HeldPlane held;
    held.touching = {in_motion_frame(cube, Vec3(-0.5, 0.5, -0.5)), Vec3::Zero()};
    for (const Vec3& corner : watched) held.watched[0].push_back(in_motion_frame(cube, corner));
    return held;
  }
  HeldPlane all_corners() const {
    return plane({Vec3(0.5, 0.5, -0.5), Vec3(0.5, -0.5, -0.5), Vec3(0.5, 0.5, 0.5),
                  Vec3(0.5, -0.5, 0.5), Vec3(-0.5, 0.5, 0.5), Vec3(-0.5, -0.5, 0.5)});
  }
  SearchResult search(const std::vector<HeldPlane>& planes) const {
    FirstContact contact(cube, floor, {});
    contact.hold({{0, 0, planes}});
    return contact.search(path, resting, 0, duration);
  }
};

TEST(HeldSearch, ACubeThatTipsOverAnEdgeLandsWithTheOther) {
  const TippingCube scene;
  const SearchResult result = scene.search({scene.all_corners()});
  ASSERT_TRUE(result.touch);
  EXPECT_NEAR(result.touch->time, instant, 1e-8);
  EXPECT_LT(result.touch->time, instant);
  EXPECT_EQ(result.free_until, result.touch->time);
}

TEST(HeldSearch, WithoutAHoldTheTouchingEdgeIsFoundAtOnce) {
  const TippingCube scene;
  FirstContact contact(scene.cube, scene.floor, {});
  contact.hold({{0, 0, {scene.all_corners()}}});
  EXPECT_GT(contact.search(scene.path, resting, 0, duration).free_until, 0.5 * instant);
  contact.hold({});
  const SearchResult result = contact.search(scene.path, resting, 0, duration);
  ASSERT_TRUE(result.touch);
  EXPECT_EQ(result.touch->time, 0);
}

TEST(HeldSearch, WhatIsNotWatchedIsNotSearchedFor) {
  const TippingCube scene;
  const SearchResult result = scene.search({scene.plane({})});
  EXPECT_FALSE(result.touch);
  EXPECT_EQ(result.free_until, duration);
}

TEST(HeldSearch, EndsBeforeALaterTouch) {
  const TippingCube scene;
  FirstContact contact(scene.cube, scene.floor, {});
  contact.hold({{0, 0, {scene.all_corners()}}});
  const SearchResult result = contact.search(scene.path, resting, 0, 0.9 * instant);
  EXPECT_FALSE(result.touch);
  EXPECT_EQ(result.free_until, 0.9 * instant);
}

// One plane is crossed already, the other shows the way; without it, the search stops at once.
TEST(HeldSearch, FollowsThePlaneThatReachesFarthest) {
  const TippingCube scene;
  HeldPlane crossed = scene.all_corners();
  crossed.touching[1] = Vec3(0, 0, 2);
  const SearchResult both = scene.search({crossed, scene.all_corners()});
  ASSERT_TRUE(both.touch);
  EXPECT_NEAR(both.touch->time, instant, 1e-8);
  const SearchResult none = scene.search({crossed});
  ASSERT_TRUE(none.touch);
  EXPECT_EQ(none.touch->time, 0);
}

// Of a dumbbell, one ball is held on the floor while the other comes down: the parts that do not
// touch are searched for as ever.
TEST(HeldSearch, OtherPartsOfAHeldBodyStillTouch) {
  constexpr double radius = 0.2;
  model::Body dumbbell = test::body_of(shape::Sphere{radius});
  dumbbell.parts = {{shape::Sphere{radius}, {Vec3(-1, 0, 0), Quat::Identity()}, 1000, 0},
                    {shape::Sphere{radius}, {Vec3(1, 0, 0), Quat::Identity()}, 1000, 0}};
  dumbbell.mass = body::mass_from(shape::moments_of(dumbbell.parts));
  const model::Body floor = fixed_floor;
  FirstContact contact(dumbbell, floor, {});
  contact.hold({{0, 0, {HeldPlane{}}}});
  const BodyPath path = tipping(dumbbell, Vec3(-1, 0, 0), Vec3(0, 0, radius));
  const SearchResult result = contact.search(path, resting, 0, duration);
  ASSERT_TRUE(result.touch);
  EXPECT_EQ(result.touch->separation.part_a, 1);
  EXPECT_NEAR(result.touch->time, instant, 1e-8);
  EXPECT_GT(result.touch->separation.gap, 0);
}

}  // namespace
}  // namespace abut::toi
