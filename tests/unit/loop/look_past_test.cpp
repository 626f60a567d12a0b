// Contacts of bodies that slip past each other's edges, and of such as run against them.

#include "loop/look_past.h"

#include <gtest/gtest.h>

#include "narrow/body_shape.h"
#include "toi/core.h"
#include "unit/contact/contact_testing.h"

namespace abut::loop {
namespace {

using body::RigidMotion;
using contact::Contact;

constexpr double rest = 2e-10, half = 0.5;

// A body of unit size and a tile that ends at x = 0 with its top at z = 0.
struct OverTile {
  model::Body body;
  model::Body tile = test::box(2, 4, 0.2);
  RigidMotion a, b;

  // The place that is nearest to the edge is at (x, 0, z).
  OverTile(model::Body moving, double x, double z, const Vec3& velocity) : body(std::move(moving)) {
    const bool is_ball = std::holds_alternative<shape::Sphere>(body.parts[0].geometry);
    a = {motion_pose(body, test::at(is_ball ? x : x - half, 0, z + half)), velocity, Vec3::Zero()};
    b = {motion_pose(tile, test::at(1, 0, -0.1)), Vec3::Zero(), Vec3::Zero()};
  }

  static Pose motion_pose(const model::Body& of, const Pose& pose) {
    const Pose frame = toi::motion_frame(of);
    return {pose.position + pose.orientation * frame.position,
            pose.orientation * frame.orientation};
  }

  std::vector<Contact> found(const Pose& x, const Pose& y) const {
    const Pose at = toi::body_pose(body, x), tile_at = toi::body_pose(tile, y);
    const narrow::BodyShape shape(body), tile_shape(tile);
    std::vector<Contact> all;
    for (const contact::ContactRegion& region : test::regions(body, at, tile, tile_at)) {
      const auto some = contact::contacts_of(region, body, shape, at, tile, tile_shape, tile_at);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  // The lowest rates, of the contacts that are there and of those that are met.
  double closing_there() const { return lowest(found(a.pose, b.pose)); }
  double closing_met() const {
    const ContactFinder find = [this](const Pose& x, const Pose& y) { return found(x, y); };
    return lowest(contacts_met(find, a, b, model::SolverSettings{}));
  }
  double lowest(const std::vector<Contact>& contacts) const {
    double rate = 0;
    for (const Contact& contact : contacts)
      rate = std::min(rate, contact::evaluate(contact, a, b).row.rate);
    return rate;
  }
};

TEST(LookPast, ABoxThatSlidesOverAFlushEdgePassesIt) {
  for (const double aside : {0.01, 0.1, 0.5, 1.0})
    for (const double speed : {1e-3, 1.0, 100.0}) {
      const OverTile scene(test::box(1, 1, 1), -aside * rest, rest, Vec3(speed, 0, 0));
      EXPECT_LT(scene.closing_there(), -0.5 * aside * speed / std::hypot(1, aside));
      EXPECT_GT(scene.closing_met(), -1e-9 * speed) << aside << ", " << speed;
    }
}

TEST(LookPast, ABallThatSlidesOverAFlushEdgePassesIt) {
  for (const double aside : {1e-8, 1e-7, 1e-6}) {
    const OverTile scene(test::sphere(half), -aside, rest, Vec3(1, 0, 0));
    EXPECT_NEAR(scene.closing_there(), -aside / half, 1e-3 * aside);
    EXPECT_GT(scene.closing_met(), -1e-12) << aside;
  }
}

TEST(LookPast, WhatIsInTheWayIsMet) {
  for (const double step : {1e-8, 1e-5, 0.3}) {
    const OverTile scene(test::box(1, 1, 1), -rest, -step, Vec3(1, 0, 0));
    EXPECT_NEAR(scene.closing_met(), -1, 1e-6) << step;
  }
}

// What lands beside the edge lands, however fast it goes on.
TEST(LookPast, WhatLandsIsMet) {
  for (const double fall : {1e-3, 0.1, 10.0}) {
    const OverTile box(test::box(1, 1, 1), 0.3, rest, Vec3(1, 0, -fall));
    EXPECT_NEAR(box.closing_met(), -fall, 1e-9 * fall);
    const OverTile ball(test::sphere(half), 0.3, rest, Vec3(1, 0, -fall));
    EXPECT_NEAR(ball.closing_met(), -fall, 1e-9 * fall);
  }
}

}  // namespace
}  // namespace abut::loop
