// What is left of the surfaces of parts that lie flush, overlap or meet in a corner.

#include "narrow/outer_surface.h"

#include <gtest/gtest.h>

#include "unit/contact/contact_testing.h"

namespace abut::narrow {
namespace {

constexpr double tolerance = 5e-11;

model::Body boxes(const std::vector<std::pair<Vec3, Vec3>>& sizes_and_centres) {
  model::Body body;
  for (const auto& [size, centre] : sizes_and_centres)
    body.parts.push_back({shape::Box{size}, {centre, Quat::Identity()}, 1000, 0});
  return body;
}

// Two cubes of 1 m with their tops at z = 0 that meet at x = 0, or overlap by a metre.
model::Body flush(double overlap = 0) {
  return boxes({{Vec3(1 + overlap, 1, 1), Vec3(-0.5, 0, -0.5)},
                {Vec3(1 + overlap, 1, 1), Vec3(0.5, 0, -0.5)}});
}

bool hidden(const model::Body& body, int part, const Vec3& point, const Vec3& outward) {
  std::vector<int> others;
  for (int i = 0; i < static_cast<int>(body.parts.size()); ++i)
    if (i != part) others.push_back(i);
  return is_hidden(BodyShape(body), {part, point, outward.normalized()}, others, tolerance);
}

TEST(OuterSurface, ASeamOfFlushFacesHasTheirNormalOnly) {
  EXPECT_FALSE(hidden(flush(), 1, Vec3(0, 0.1, 0), Vec3(0, 0, 1)));
  for (const double tilt : {1e-8, 1e-6, 1e-3, 0.5}) {
    EXPECT_TRUE(hidden(flush(), 1, Vec3(0, 0.1, 0), Vec3(-tilt, 0, 1))) << tilt;
    EXPECT_TRUE(hidden(flush(), 0, Vec3(0, 0.1, 0), Vec3(tilt, 0, 1))) << tilt;
  }
}

TEST(OuterSurface, AFaceBetweenPartsIsHidden) {
  EXPECT_TRUE(hidden(flush(), 1, Vec3(0, 0.1, -0.3), Vec3(-1, 0, 0)));
  EXPECT_TRUE(hidden(flush(), 1, Vec3(0, 0.1, 0), Vec3(-1, 0, 0)));
  EXPECT_TRUE(hidden(flush(0.4), 1, Vec3(-0.2, 0.1, -0.3), Vec3(-1, 0, 0)));
}

TEST(OuterSurface, FacesThatOverlapHaveTheirNormal) {
  EXPECT_FALSE(hidden(flush(0.4), 1, Vec3(0.1, 0.1, 0), Vec3(0, 0, 1)));
  EXPECT_TRUE(hidden(flush(0.4), 1, Vec3(-0.2, 0.1, 0), Vec3(-1e-6, 0, 1)));
}

TEST(OuterSurface, OutsideOfOtherPartsEverythingIsFelt) {
  EXPECT_FALSE(hidden(flush(), 1, Vec3(1, 0.1, 0), Vec3(1, 0, 1)));
  EXPECT_FALSE(hidden(flush(), 1, Vec3(0.5, 0.5, 0), Vec3(0, 1, 1)));
  // At the end of the seam, with the normals that both cubes have there.
  EXPECT_FALSE(hidden(flush(), 1, Vec3(0, 0.5, 0), Vec3(0, 1, 1)));
}

TEST(OuterSurface, AConvexEdgeBetweenPartsHasTheNormalsOfBoth) {
  model::Body roof = test::hull({{-1, -1, 0},
                                 {-1, 1, 0},
                                 {0, -1, 0},
                                 {0, 1, 0},
                                 {0, -1, -2},
                                 {0, 1, -2},
                                 {-1, -1, -2},
                                 {-1, 1, -2}});
  roof.parts.push_back(test::hull({{0, -1, 0},
                                   {0, 1, 0},
                                   {1, -1, -1},
                                   {1, 1, -1},
                                   {1, -1, -2},
                                   {1, 1, -2},
                                   {0, -1, -2},
                                   {0, 1, -2}})
                           .parts.front());
  for (const int part : {0, 1}) {
    EXPECT_FALSE(hidden(roof, part, Vec3::Zero(), Vec3(0, 0, 1)));
    EXPECT_FALSE(hidden(roof, part, Vec3::Zero(), Vec3(0.5, 0, 1)));
    EXPECT_FALSE(hidden(roof, part, Vec3::Zero(), Vec3(1, 0, 1)));
  }
  EXPECT_TRUE(hidden(roof, 0, Vec3::Zero(), Vec3(1.001, 0, 1)));
  EXPECT_TRUE(hidden(roof, 1, Vec3::Zero(), Vec3(-0.001, 0, 1)));
}

TEST(OuterSurface, WallsOfACornerKeepTheirNormalsThere) {
  const model::Body corner = boxes({{Vec3(5, 5, 1), Vec3(1.5, 1.5, -0.5)},
                                    {Vec3(1, 5, 4), Vec3(-0.5, 1.5, 2)},
                                    {Vec3(4, 1, 4), Vec3(2, -0.5, 2)}});
  EXPECT_FALSE(hidden(corner, 0, Vec3::Zero(), Vec3::UnitZ()));
  EXPECT_FALSE(hidden(corner, 1, Vec3::Zero(), Vec3::UnitX()));
  EXPECT_FALSE(hidden(corner, 2, Vec3::Zero(), Vec3::UnitY()));
  EXPECT_TRUE(hidden(corner, 1, Vec3::Zero(), -Vec3::UnitZ()));
  EXPECT_TRUE(hidden(corner, 2, Vec3::Zero(), -Vec3::UnitX()));
  EXPECT_TRUE(hidden(corner, 0, Vec3(-0.5, 1, 0), Vec3::UnitZ()));
}

TEST(OuterSurface, RoundPartsHideWhatIsWithinThem) {
  model::Body body = test::sphere(1);
  body.parts.push_back({shape::Cylinder{1, 2}, {}, 1000, 0});
  body.parts.push_back({shape::Torus{1, 0.2}, {}, 1000, 0});
  // The ball touches the cylinder's ends from within; the ring goes around both.
  EXPECT_FALSE(hidden(body, 0, Vec3::UnitZ(), Vec3::UnitZ()));
  EXPECT_TRUE(hidden(body, 0, Vec3(0.6, 0, 0.8), Vec3(0.6, 0, 0.8)));
  EXPECT_TRUE(hidden(body, 1, Vec3(0, 1, 0.1), Vec3::UnitY()));
  EXPECT_FALSE(hidden(body, 1, Vec3(0, 1, 0.5), Vec3::UnitY()));
  EXPECT_FALSE(hidden(body, 2, Vec3(0, 1.2, 0), Vec3::UnitY()));
}

}  // namespace
}  // namespace abut::narrow
