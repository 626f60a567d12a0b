#pragma once
// The rotation that is in a deformation, and how fast it turns.

#include "abut/types.h"

namespace abut::flexible {

/// F = R U with R a rotation and U symmetric; of an inverted F the nearest rotation.
struct Polar {
  Mat3 rotation = Mat3::Identity();
  Mat3 stretch = Mat3::Identity();

  /// G with w = R G s for the skew part s of R^T F'. With R' = [w]x R and a = R^T w,
  /// R^T F' = [a]x U + U', whose skew part [a]x U + U [a]x = [(tr U - U) a]x leaves one equation
  /// for a. Zero where that is singular: F has collapsed, and nothing turns.
  Mat3 turning_of_skew() const;
};
Polar polar(const Mat3& f);

/// The angular velocity of the polar rotation of F, whose rate is given.
Vec3 turning(const Polar& polar, const Mat3& rate);

}  // namespace abut::flexible
