// Heights above a plane that a body carries: told exactly where a step begins, and never too high
// over the rest of it.

#include "toi/standing_plane.h"

#include <gtest/gtest.h>

#include <random>

#include "math/rotation.h"
#include "support/models.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::toi {
namespace {

using motion::BodyPath;

class StandingPlaneTest : public ::testing::Test {
 protected:
  Vec3 vector(double size) { return size * Vec3(unit_(random_), unit_(random_), unit_(random_)); }

  Core random_core() {
    const std::array<shape::Geometry, 3> shapes = {shape::Box{Vec3(0.4, 0.6, 0.8) + vector(0.3)},
                                                   shape::Ellipsoid{Vec3(0.5, 0.7, 0.9)},
                                                   shape::Capsule{0.2, 0.5}};
    const model::Body body = test::body_of(shapes[random_() % shapes.size()]);
    return *core_of(body, body.parts.front());
  }
  BodyPath random_path(const Vec3& at, double h) {
    return BodyPath::steady({0, h, {at, math::rotation_exp(vector(2))}, vector(1), vector(3)});
  }

  std::mt19937 random_{test::seed(11)};
  std::uniform_real_distribution<double> unit_{-1, 1};
};

// By the support function alone, at one instant.
double height_at(const StandingPlane& plane, const Pose& carrier, const Core& part,
                 const Pose& pose) {
  const Vec3 n = carrier.orientation * plane.normal;
  const Vec3 m = pose.orientation.conjugate() * n;
  double lowest = part.surface ? part.surface.lowest(m) : 1e300;
  for (const Vec3& p : part.points) lowest = std::min(lowest, m.dot(p));
  return n.dot(pose.position - carrier.position) + lowest - part.radius - plane.level;
}

TEST_F(StandingPlaneTest, NothingComesDownFartherThanItSays) {
  for (int i = 0; i < test::cases(200); ++i) {
    const double h = 0.01;
    const Core below = random_core(), part = random_core();
    const BodyPath carrier = random_path(vector(10), h);
    const BodyPath path = random_path(carrier.pose(0).position + vector(2), h);
    const StandingPlane plane = plane_around(below, 0, vector(1).normalized());
    const CertainHeight found = certain_height(plane, carrier, part, path, 0, h);
    EXPECT_NEAR(found.now, height_at(plane, carrier.pose(0), part, path.pose(0)), 1e-12);
    double least = infinity;
    for (int k = 0; k <= 50; ++k)
      least =
          std::min(least, height_at(plane, carrier.pose(h * k / 50), part, path.pose(h * k / 50)));
    EXPECT_LE(found.least, least + 1e-12) << i;
    // Off by the second order: accelerations of points are below 200 m/s^2 here.
    EXPECT_GE(found.least, least - 200 * h * h) << i;
  }
}

TEST_F(StandingPlaneTest, TheCarrierIsBelowItAndTouchesIt) {
  for (int i = 0; i < test::cases(100); ++i) {
    const Core core = random_core();
    const StandingPlane plane = plane_around(core, 0, vector(1).normalized());
    const StandingPlane opposite = plane_around(core, 0, -plane.normal);
    // The part as seen from its own plane: from -thickness up to 0.
    const Pose at;
    EXPECT_NEAR(height_at(plane, at, core, at), -plane.level - opposite.level, 1e-12);
    EXPECT_GT(plane.level + opposite.level, 0);
  }
}

}  // namespace
}  // namespace abut::toi
