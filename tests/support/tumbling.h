#pragma once
// Two convex bodies of 200 vertices that tumble near each other.

#include <cmath>
#include <vector>

#include "geometry/convex_distance.h"
#include "math/rotation.h"
#include "support/random_hulls.h"

namespace abut::test {

/// They turn about their centres while the distance of these swings. The centres are means of the
/// vertices, so the bodies reach a few per cent farther than 1 m and may overlap now and then.
struct Tumbling {
  geometry::ConvexPolyhedron a;
  geometry::ConvexPolyhedron b;
  double nearest;    ///< m, distance of the centres
  double amplitude;  ///< m, of its swing

  geometry::RelativePose at(double time) const { return at(time, distance(time)); }
  geometry::RelativePose at(double time, double centre_distance) const {
    const Mat3 turn_a = math::rotation_exp(time * Vec3(0.7, -0.4, 0.3)).toRotationMatrix();
    const Mat3 turn_b = math::rotation_exp(time * Vec3(-0.2, 0.5, 0.6)).toRotationMatrix();
    return {turn_b.transpose() * turn_a, turn_b.transpose() * Vec3(centre_distance, 0, 0)};
  }
  double distance(double time) const { return nearest + amplitude * (1 - std::cos(2 * time)); }
};

inline Tumbling tumbling_pair(double nearest, double amplitude) {
  Random random(21);
  return {geometry::ConvexPolyhedron::from_hull(round_hull(random, 200, Vec3::Ones())),
          geometry::ConvexPolyhedron::from_hull(round_hull(random, 200, Vec3::Ones())), nearest,
          amplitude};
}

/// The same turning over 10 s in steps of 1 ms, with the distance of the centres such that the
/// bodies never overlap and never leave each other: their gap swings between 0.1 mm and 1 cm.
inline std::vector<geometry::RelativePose> near_contact(const Tumbling& bodies) {
  constexpr double least = 1e-4, most = 1e-2;  // m
  std::vector<geometry::RelativePose> poses;
  double distance = 3;
  for (int i = 0; i <= 10000; ++i) {
    const double time = 1e-3 * i;
    const double wanted = least + (most - least) * 0.5 * (1 - std::cos(3 * time));
    // The gap grows with the distance of the centres, and is a convex function of it, so Newton's
    // steps converge from wherever the bodies are apart.
    for (int round = 0; round < 50; ++round) {
      const geometry::RelativePose pose = bodies.at(time, distance);
      geometry::ConvexSearch search;
      const auto found = geometry::convex_distance(bodies.a, bodies.b, pose, search);
      const double excess = found.gap - wanted;
      if (std::abs(excess) < 1e-9) break;
      distance -= excess / found.normal.dot(pose.translation.normalized());
    }
    poses.push_back(bodies.at(time, distance));
  }
  return poses;
}

}  // namespace abut::test
