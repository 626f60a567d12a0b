#include "geometry/rim_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/curved_distance.h"
#include "support/seeds.h"

namespace abut::geometry {
namespace {

// Against the search for the distance of any convex solids, of which a point is one.
TEST(RimDistance, AgreesWithTheSearch) {
  std::mt19937 random(test::seed(3));
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  const auto origin = ConvexPolyhedron::from_point();
  for (const ConvexSurface& surface :
       {ConvexSurface::cylinder(0.4, 1.1), ConvexSurface::cone(0.5, 0.9)}) {
    int seen[4] = {0, 0, 0, 0};
    for (int i = 0; i < 400; ++i) {
      const Vec3 p(uniform(random), uniform(random), uniform(random));
      const RimDistance found = from_rims(p, surface);
      if (found.point.distance <= 0) {
        // The shortest way out: nothing is nearer along any normal.
        for (int k = 0; k < 50; ++k) {
          const Vec3 m = Vec3(uniform(random), uniform(random), uniform(random)).normalized();
          EXPECT_GE(surface.height(m) - m.dot(p), -found.point.distance - 1e-12);
        }
        const Vec3& n = found.point.normal;
        EXPECT_NEAR(surface.height(n) - n.dot(p), -found.point.distance, 1e-14);
        continue;
      }
      CurvedSearchStatistics statistics;
      const CurvedDistance searched =
          curved_distance({nullptr, &origin, Mat3::Identity(), p},
                          {&surface, nullptr, Mat3::Identity(), Vec3::Zero()}, statistics);
      EXPECT_NEAR(found.point.distance, searched.gap, 1e-13);
      EXPECT_LT((found.point.nearest - searched.b).norm(), 1e-7);
      EXPECT_LT((p - found.point.distance * found.point.normal - found.point.nearest).norm(),
                1e-14);
      ++seen[static_cast<int>(found.feature.kind)];
    }
    EXPECT_GT(seen[static_cast<int>(FeatureKind::edge)], 0);
    EXPECT_GT(seen[static_cast<int>(FeatureKind::face)], 0);
    EXPECT_GT(seen[static_cast<int>(FeatureKind::smooth)], 0);
    EXPECT_EQ(seen[static_cast<int>(FeatureKind::vertex)] > 0, surface.atoms()[1].is_point());
  }
}

TEST(RimDistance, OfTheLinesOfACone) {
  const ConvexSurface cone = ConvexSurface::cone(0.5, 0.9);
  const ConvexSurface::Lines& lines = cone.lines().front();
  const Vec3 apex(0, 0, 0.45), p(0.6, 0.3, 0.1);
  const RimDistance found = from_rims(p, cone);
  ASSERT_EQ(found.feature.kind, FeatureKind::smooth);
  const DistanceOfSet other = from_lines(p, apex, lines.normals.axis, lines.normals.level);
  EXPECT_NEAR(other.distance, found.point.distance, 1e-15);
  EXPECT_LT((other.nearest - found.point.nearest).norm(), 1e-15);
  EXPECT_LT(from_lines(Vec3::Zero(), apex, lines.normals.axis, lines.normals.level).distance, 0);
}

}  // namespace
}  // namespace abut::geometry
