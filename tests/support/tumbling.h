#pragma once
// Two convex bodies of 200 vertices that tumble near contact.

#include <cmath>

#include "geometry/convex_distance.h"
#include "math/rotation.h"
#include "support/random_hulls.h"

namespace abut::test {

/// They turn about their centres while the distance of these swings, so that they nearly touch most
/// of the time and overlap now and then.
struct Tumbling {
  geometry::ConvexPolyhedron a;
  geometry::ConvexPolyhedron b;
  double nearest;    ///< m, distance of the centres
  double amplitude;  ///< m, of its swing

  geometry::RelativePose at(double time) const {
    const Mat3 turn_a = math::rotation_exp(time * Vec3(0.7, -0.4, 0.3)).toRotationMatrix();
    const Mat3 turn_b = math::rotation_exp(time * Vec3(-0.2, 0.5, 0.6)).toRotationMatrix();
    const double distance = nearest + amplitude * (1 - std::cos(2 * time));
    return {turn_b.transpose() * turn_a, turn_b.transpose() * Vec3(distance, 0, 0)};
  }
};

inline Tumbling tumbling_pair(double nearest, double amplitude) {
  Random random(21);
  return {geometry::ConvexPolyhedron::from_hull(round_hull(random, 200, Vec3::Ones())),
          geometry::ConvexPolyhedron::from_hull(round_hull(random, 200, Vec3::Ones())), nearest,
          amplitude};
}

}  // namespace abut::test
