// The places where a rim comes nearest to a line, against a search over all angles.

#include "geometry/rim_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "math/rotation.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::geometry {
namespace {

struct RimAndLine {
  ConvexSurface surface = ConvexSurface::cylinder(radius, 0.2);
  PlacedAtom rim;
  Vec3 through, along;

  static constexpr double radius = 0.4;

  double distance(double t) const {
    const Vec3 centre = rim.rotation * rim.atom->centre() + rim.position;
    const Vec3 p = centre + rim.rotation * (radius * Vec3(std::cos(t), std::sin(t), 0)) - through;
    return p.cross(along).norm();
  }
  std::vector<double> found() const {
    std::vector<double> gaps;
    const AtomPair atoms{rim, {&SupportAtom::origin(), Mat3::Identity(), through}};
    for (const Extremum& e : rim_on_line(atoms, 0, along, rim.rotation.col(2)))
      gaps.push_back(std::abs(e.gap));
    std::sort(gaps.begin(), gaps.end());
    return gaps;
  }
  /// By golden sections around the lowest of so many samples.
  std::vector<double> searched() const {
    constexpr int samples = 7200;  // fine enough for two ends that have nearly come together
    std::vector<double> gaps;
    const auto angle = [&](int i) { return 2 * M_PI * i / samples; };
    std::vector<double> distances;
    for (int i = 0; i < samples; ++i) distances.push_back(distance(angle(i)));
    for (int i = 0; i < samples; ++i) {
      const double before = distances[(i + samples - 1) % samples];
      const double after = distances[(i + 1) % samples];
      if (!(distances[i] < before && distances[i] <= after)) continue;
      double low = angle(i - 1), high = angle(i + 1);
      const double section = 0.5 * (std::sqrt(5.0) - 1);
      for (int k = 0; k < 60; ++k) {
        const double x = high - section * (high - low), y = low + section * (high - low);
        (distance(x) < distance(y) ? high : low) = distance(x) < distance(y) ? y : x;
      }
      gaps.push_back(distance(0.5 * (low + high)));
    }
    std::sort(gaps.begin(), gaps.end());
    return gaps;
  }
};

// Lines that leave the disc over its rim, nearly along its tangent: there the two ends of the chord
// and the farthest place between them come together, and all are found until they do.
TEST(RimOnLine, FindsBothEndsOfShortChords) {
  std::mt19937_64 random(test::seed(3));
  const auto number = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  int both = 0;
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    RimAndLine one;
    const Mat3 turned =
        math::rotation_exp(Vec3(number(-2, 2), number(-2, 2), number(-2, 2))).toRotationMatrix();
    one.rim = {&one.surface.atoms()[0], turned, Vec3(number(-1, 1), 2, 3)};
    const Vec3 centre = one.rim.rotation * one.rim.atom->centre() + one.rim.position;
    const double from_centre = one.radius * number(0.85, 1), heading = number(0, 6);
    const Vec3 out(std::cos(heading), std::sin(heading), 0);
    one.through = centre + turned * (from_centre * out + Vec3(0, 0, number(-0.01, 0.01)));
    one.along = turned * (Vec3::UnitZ().cross(out) + Vec3(0, 0, number(-0.03, 0.03))).normalized();
    const std::vector<double> found = one.found(), searched = one.searched();
    ASSERT_EQ(found.size(), searched.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], searched[i], 1e-12);
    both += found.size() == 2 ? 1 : 0;
  }
  EXPECT_GT(both, test::cases(20));
}

// As where a step of motion failed: the search ends.
TEST(RimOnLine, BodiesAtNoPlaceHaveNone) {
  RimAndLine one;
  one.rim = {&one.surface.atoms()[0], Mat3::Identity(), Vec3::Zero()};
  one.through = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  one.along = Vec3::UnitX();
  EXPECT_TRUE(one.found().empty());
}

}  // namespace
}  // namespace abut::geometry
