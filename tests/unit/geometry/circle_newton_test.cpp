// Places of a circle found by Newton's method, against searches all around it.

#include "geometry/circle_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/rotation.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::geometry {
namespace {

class RandomCircles {
 public:
  explicit RandomCircles(int seed) : random_(seed) {}

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 vector() { return {between(-1, 1), between(-1, 1), between(-1, 1)}; }
  Mat3 rotation() { return math::rotation_exp(3 * vector()).toRotationMatrix(); }
  PlacedCircle circle() { return {1.5 * vector(), rotation(), between(0.3, 1)}; }

 private:
  std::mt19937_64 random_;
};

TEST(CircleNewton, GoesToTheMinimumThatIsNear) {
  RandomCircles random(test::seed(5));
  int found = 0;
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    const PlacedCircle circle = random.circle();
    const Vec3 line = random.vector().normalized(), at = random.vector();
    const auto distance = [&](const Vec3& p) {
      return from_segment(p, at, line, std::numeric_limits<double>::infinity());
    };
    const auto bending = [&](const DistanceOfSet& f) {
      return Mat3((Mat3::Identity() - f.normal * f.normal.transpose() - line * line.transpose()) /
                  f.distance);
    };
    for (const CirclePlace& minimum :
         circle_minima(circle, distance, std::numeric_limits<double>::infinity(), 0.05)) {
      if (minimum.distance() < 0.05) continue;
      const auto near = minimum_near(circle, distance, bending, minimum.angle + 1e-3);
      if (!near) continue;
      ++found;
      EXPECT_NEAR(near->distance(), minimum.distance(), 1e-14);
      EXPECT_NEAR(std::remainder(near->angle - minimum.angle, 2 * M_PI), 0, 1e-7);
      EXPECT_NEAR(near->stiffness, minimum.stiffness, 1e-5 * (1 + minimum.stiffness));
    }
  }
  EXPECT_GT(found, test::cases(200));
}

TEST(CircleNewton, OverAPlaneIsTheLowestPlace) {
  RandomCircles random(test::seed(6));
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    const PlacedCircle circle = random.circle();
    const Vec3 normal = random.vector().normalized(), at = random.vector();
    const auto distance = [&](const Vec3& p) { return from_plane(p, at, normal); };
    const CirclePlace lowest = lowest_over_plane(circle, at, normal);
    const CirclePlace searched = minimum_downhill(circle, distance, 1);
    EXPECT_NEAR(lowest.distance(), searched.distance(), 1e-14);
    EXPECT_NEAR(lowest.stiffness, searched.stiffness, 1e-7);
  }
}

// What is proven to be the nearest place to a convex solid is it.
TEST(CircleNewton, FindsTheNearestPlaceBesideAConvexSolid) {
  RandomCircles random(test::seed(7));
  const ConvexSurface solid = ConvexSurface::superellipsoid(Vec3(0.3, 0.5, 0.4), 0.8, 0.7);
  int proven = 0;
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    const PlacedCircle circle = random.circle();
    const PlacedAtom atom{&solid.atoms().front(), random.rotation(), Vec3::Zero()};
    Vec3 hint = Vec3::Zero();
    const auto distance = [&](const Vec3& p) -> DistanceOfSet {
      const Extremum found = extremum_of_point(p, atom, hint);
      return {found.gap, found.normal, found.b};
    };
    const CirclePlace searched = nearest_on_circle(circle, distance, 0.05, 0);
    const Vec3 start = (searched.other.normal + 0.1 * random.vector()).normalized();
    const auto place = stationary_near(circle, atom, start, 1);
    if (!place || !is_nearest_to_convex(circle, *place)) continue;
    ++proven;
    EXPECT_NEAR(place->distance(), searched.distance(), 1e-13);
  }
  EXPECT_GT(proven, test::cases(200) / 2);
}

// Also from within the circle, where no plane proves it.
TEST(CircleNewton, FindsTheNearestPlaceAroundAConvexSolid) {
  RandomCircles random(test::seed(8));
  for (const double exponent : {0.5, 0.9}) {
    const ConvexSurface solid =
        ConvexSurface::superellipsoid(Vec3(0.3, 0.35, 0.25), exponent, exponent);
    for (int round = 0; round < test::cases(100); ++round) {
      SCOPED_TRACE(round);
      PlacedCircle circle = random.circle();
      circle.radius = random.between(0.5, 0.8);
      circle.centre = 0.3 * random.vector();
      const PlacedAtom atom{&solid.atoms().front(), random.rotation(), Vec3::Zero()};
      Vec3 hint = Vec3::Zero();
      const auto distance = [&](const Vec3& p) -> DistanceOfSet {
        const Extremum found = extremum_of_point(p, atom, hint);
        return {found.gap, found.normal, found.b};
      };
      const CirclePlace scanned = nearest_on_circle(circle, distance, 0.05, 0);
      if (scanned.distance() < 0.05) continue;
      const CirclePlace found =
          nearest_to_convex(circle, distance, bending_of(atom), 0.05, random.between(0, 2 * M_PI));
      EXPECT_NEAR(found.distance(), scanned.distance(), 1e-13);
    }
  }
}

}  // namespace
}  // namespace abut::geometry
