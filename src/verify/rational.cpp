#include "verify/rational.h"

namespace abut::verify {

ExactPoint exact(const Vec3& v) {
  return {Rational(v.x()), Rational(v.y()), Rational(v.z())};
}

ExactPose::ExactPose(const Vec3& position, const Quat& orientation) : position_(exact(position)) {
  const Rational w(orientation.w()), x(orientation.x()), y(orientation.y()), z(orientation.z());
  const Rational scale = 1 / Rational(w * w + x * x + y * y + z * z);
  rows_[0] = scale * ExactPoint{Rational(w * w + x * x - y * y - z * z),
                                Rational(2 * (x * y - w * z)), Rational(2 * (x * z + w * y))};
  rows_[1] =
      scale * ExactPoint{Rational(2 * (x * y + w * z)), Rational(w * w - x * x + y * y - z * z),
                         Rational(2 * (y * z - w * x))};
  rows_[2] = scale * ExactPoint{Rational(2 * (x * z - w * y)), Rational(2 * (y * z + w * x)),
                                Rational(w * w - x * x - y * y + z * z)};
}

}  // namespace abut::verify
