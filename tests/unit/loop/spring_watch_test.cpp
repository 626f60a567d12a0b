// Points of bodies in touch that come and go.

#include "loop/spring_watch.h"

#include <gtest/gtest.h>

#include "narrow/pair.h"
#include "support/models.h"
#include "support/path_through.h"

namespace abut::loop {
namespace {

// A block that falls without turning, tilted by a small angle about y: its lower edge passes the
// floor first, then its upper one.
class FallingBlock : public testing::Test {
 protected:
  FallingBlock() {
    block_.name = "block";
    floor_.name = "floor";
    floor_.motion = model::Fixed{};
    floor_.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor_.bounding_radius = std::numeric_limits<double>::infinity();
    shapes_ = {std::make_shared<const narrow::BodyShape>(block_),
               std::make_shared<const narrow::BodyShape>(floor_)};
  }

  static constexpr double tilt = 0.01, speed = 0.1, margin = 1e-6;
  // The height of the centre at which a lower corner is in the floor by a depth.
  static double height(double depth) { return std::sin(tilt) * 0.5 + std::cos(tilt) * 0.5 - depth; }

  motion::BodyPath path() const {
    return test::path_through(1, [](double t) {
      const Quat q(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
      return test::PathPoint{Vec3(0, 0, height(1e-3) - speed * t), q.coeffs()};
    });
  }
  motion::BodyPath rest() const { return motion::BodyPath::resting(0, 1, {}); }

  std::vector<contact::Contact> contacts(const Pose& a, const Pose& b) {
    narrow::PairQuery query(shapes_[0], shapes_[1]);
    std::vector<contact::Contact> found;
    for (const auto& region :
         contact::find_regions(query, a, b, margin, contact::RegionPoints::all_within))
      for (contact::Contact& one :
           contact::contacts_of(region, block_, *shapes_[0], a, floor_, *shapes_[1], b))
        found.push_back(std::move(one));
    return found;
  }

  model::Body block_ = test::body_of(shape::Box{Vec3(1, 1, 1)});
  model::Body floor_;
  std::array<std::shared_ptr<const narrow::BodyShape>, 2> shapes_;
};

TEST_F(FallingBlock, AllCornersBelowTheFloorAreFound) {
  const Pose a = path().pose(0), b;
  EXPECT_EQ(contacts(a, b).size(), 2);
  const Pose deep = path().pose(0.9);
  EXPECT_EQ(contacts(deep, b).size(), 4);
}

TEST_F(FallingBlock, TheInstantOfTheNextCornersIsLocated) {
  const motion::BodyPath a = path(), b = rest();
  SpringWatch watch(contacts(a.pose(0), b.pose(0)), spring_tolerance(block_, floor_), margin, 1);
  const auto change =
      watch.first_change(a, b, 0, 1, [&](const Pose& x, const Pose& y) { return contacts(x, y); });
  ASSERT_TRUE(change);
  // The upper corners are sin(tilt) higher than the lower ones, which begin 1e-3 deep. They get
  // their springs half a margin above the floor.
  EXPECT_NEAR(*change, (std::sin(tilt) - 1e-3 - 0.5 * margin) / speed, 1e-9);
}

TEST_F(FallingBlock, WithAllCornersNothingChanges) {
  const motion::BodyPath a = path(), b = rest();
  SpringWatch watch(contacts(a.pose(0.5), b.pose(0.5)), spring_tolerance(block_, floor_), margin,
                    1);
  EXPECT_FALSE(watch.first_change(a, b, 0.5, 1,
                                  [&](const Pose& x, const Pose& y) { return contacts(x, y); }));
}

// What hardly moves is not searched.
TEST_F(FallingBlock, WhatRestsCostsOneSearch) {
  const motion::BodyPath b = rest();
  const Pose pose = path().pose(0);
  const motion::BodyPath a = motion::BodyPath::resting(0, 1, pose);
  SpringWatch watch(contacts(pose, {}), spring_tolerance(block_, floor_), margin, 1);
  int searches = 0;
  for (int i = 0; i < 10; ++i)
    EXPECT_FALSE(
        watch.first_change(a, b, 0.1 * i, 0.1 * (i + 1), [&](const Pose& x, const Pose& y) {
          ++searches;
          return contacts(x, y);
        }));
  EXPECT_EQ(searches, 1);
}

}  // namespace
}  // namespace abut::loop
