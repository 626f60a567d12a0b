#include "geometry/aabb.h"

#include <cmath>

namespace abut::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Aabb, TheDefaultIsEmptyAndNeutralInAUnion) {
  const Aabb box{Vec3(1, 2, 3), Vec3(4, 5, 6)};
  EXPECT_TRUE(Aabb().is_empty());
  EXPECT_FALSE(box.is_empty());
  EXPECT_EQ(merged(Aabb(), box).lower, box.lower);
  EXPECT_EQ(merged(box, Aabb()).upper, box.upper);
  EXPECT_TRUE(box.contains(Aabb()));
}

TEST(Aabb, MergingContainsBothAndNothingMore) {
  const Aabb both = merged({Vec3(0, 0, 0), Vec3(1, 1, 1)}, {Vec3(-1, 0.5, 2), Vec3(0.5, 3, 4)});
  EXPECT_EQ(both.lower, Vec3(-1, 0, 0));
  EXPECT_EQ(both.upper, Vec3(1, 3, 4));
}

TEST(Aabb, FacesBelongToTheBox) {
  const Aabb box{Vec3(0, 0, 0), Vec3(1, 1, 1)};
  EXPECT_TRUE(overlap(box, {Vec3(1, 1, 1), Vec3(2, 2, 2)}));
  EXPECT_FALSE(overlap(box, {Vec3(std::nextafter(1.0, 2.0), 0, 0), Vec3(2, 1, 1)}));
  EXPECT_TRUE(box.contains(Vec3(1, 0, 1)));
  EXPECT_FALSE(box.contains(Vec3(1, 0, std::nextafter(1.0, 2.0))));
}

// 1 + 1e-17 is 1 in double precision: the side must move all the same.
TEST(Aabb, InflationRoundsOutward) {
  const Aabb box = inflated({Vec3::Zero(), Vec3::Ones()}, 1e-17);
  EXPECT_GT(box.upper.x(), 1);
  EXPECT_LT(box.upper.x(), 1 + 1e-15);
  EXPECT_LE(box.lower.x(), -1e-17);
}

TEST(Aabb, InfiniteAndUndefinedSidesStayInfinite) {
  EXPECT_EQ(inflated(Aabb::whole(), infinity).upper, Aabb::whole().upper);
  const Aabb box = inflated({Vec3::Zero(), Vec3::Ones()}, std::nan(""));
  EXPECT_EQ(box.lower, Aabb::whole().lower);
  EXPECT_EQ(box.upper, Aabb::whole().upper);
  EXPECT_FALSE(box.is_bounded());
}

}  // namespace
}  // namespace abut::geometry
