#pragma once
// Recorded configurations as exact rational numbers.
//
// A recorded quaternion q has unit length only up to rounding. What it stands for is the rotation
// of q / |q|, whose matrix is M(q) / |q|^2 with entries of M quadratic in q: a rational matrix that
// is orthogonal without any error. So every corner x = p + R s of a body is rational too. Included
// by .cpp files only.

#include <gmpxx.h>

#include "verify/triple.h"

namespace abut::verify {

using Rational = mpq_class;
using ExactPoint = Triple<Rational>;

/// The doubles as they are. Precondition: finite.
ExactPoint exact(const Vec3& v);

/// x = position + R s, where R has these rows.
class ExactPose {
 public:
  ExactPose(const Vec3& position, const Quat& orientation);

  ExactPoint operator*(const ExactPoint& s) const { return position_ + rotated(s); }
  ExactPoint rotated(const ExactPoint& s) const {
    return {dot(rows_[0], s), dot(rows_[1], s), dot(rows_[2], s)};
  }

 private:
  ExactPoint position_;
  ExactPoint rows_[3];
};

}  // namespace abut::verify
