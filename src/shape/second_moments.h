#pragma once
// Integrals of 1, x and x x^T over a solid of unit density: what mass properties are made of.

#include "abut/types.h"

namespace abut::shape {

/// Volume integrals; `second` is taken about the centroid.
struct SecondMoments {
  double volume = 0;  ///< integral of 1, m^3
  Vec3 centroid = Vec3::Zero();
  Mat3 second = Mat3::Zero();  ///< integral of (x - centroid) (x - centroid)^T, m^5
};

/// The inertia tensor for unit density: I = tr(S) 1 - S. The diagonal is summed from the two
/// entries it holds, so that nothing cancels.
inline Mat3 inertia_from_second_moments(const Mat3& second) {
  Mat3 inertia = -second;
  inertia(0, 0) = second(1, 1) + second(2, 2);
  inertia(1, 1) = second(2, 2) + second(0, 0);
  inertia(2, 2) = second(0, 0) + second(1, 1);
  return inertia;
}

}  // namespace abut::shape
