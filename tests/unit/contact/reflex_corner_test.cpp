// An edge that passes a reflex corner of a face touches the edges that end there.

#include <gtest/gtest.h>

#include <cmath>

#include "unit/contact/contact_testing.h"

namespace abut::contact {
namespace {

constexpr double passing_gap = 0.2 * test::touching;

// An L whose lower face, at z = 0, has a reflex corner at (1, 1, 0).
model::Body notched_plate() {
  auto mesh = std::make_shared<geometry::PolygonMesh>();
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair(0, 0), {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      mesh->vertices.emplace_back(x, y, z);
  mesh->faces = {{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
  for (int i = 0; i < 6; ++i) mesh->faces.push_back({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
  model::Body body;
  body.name = "bracket";
  body.parts.push_back({shape::Mesh{mesh}, {}, 1000, 0});
  body.motion = model::Fixed{};
  return body;
}

// An edge of a cube along (1, 1, 1), which comes from below and goes up through the notch, at the
// gap from both edges of the corner, and `beside` farther along the first.
Pose passing_cube(double size, double beside) {
  const Vec3 along = Vec3::Ones().normalized(), away = Vec3(1, 1, -2).normalized();
  const Vec3 across = along.cross(away);
  Mat3 rotation;
  rotation.col(0) = along;
  rotation.col(1) = std::sqrt(0.5) * (away - across);
  rotation.col(2) = std::sqrt(0.5) * (away + across);
  const Vec3 on_edge =
      Vec3(1, 1, 0) + std::sqrt(2.0) * passing_gap * Vec3(0, 0, -1) + Vec3(beside, 0, 0);
  return {on_edge + std::sqrt(0.5) * size * away, Quat(rotation)};
}

TEST(ReflexCorner, AnEdgeThatPassesItIsFelt) {
  constexpr double size = 0.2;
  for (const double beside : {0.0, 1e-10, 1e-9, 3e-9, 1e-8, 1e-3}) {
    const auto found = test::regions(test::box(size, size, size), passing_cube(size, beside),
                                     notched_plate(), Pose{});
    ASSERT_FALSE(found.empty()) << beside;
    // From the bracket to the cube, across the edge y = 1.
    const Vec3 expected = Vec3(0, 1, -1).normalized();
    EXPECT_TRUE(std::any_of(
        found.begin(), found.end(),
        [&](const ContactRegion& region) { return (region.normal - expected).norm() < 1e-6; }))
        << beside << ": " << found.front().normal.transpose();
  }
}

}  // namespace
}  // namespace abut::contact
