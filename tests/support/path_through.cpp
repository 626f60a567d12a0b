#include "support/path_through.h"

#include <Eigen/LU>

#include "math/bernstein.h"

namespace abut::test {

motion::BodyPath path_through(double duration, const std::function<PathPoint(double t)>& at) {
  Eigen::Matrix<double, 8, 8> basis;
  motion::PolynomialMotion::CentreCoefficients centre;
  motion::PolynomialMotion::QuaternionCoefficients quaternion;
  for (int i = 0; i < 8; ++i) {
    const double s = i / 7.0;
    const PathPoint point = at(s * duration);
    basis.col(i) = math::bernstein_basis<7>(s);
    centre.col(i) = point.centre;
    quaternion.col(i) = point.quaternion;
  }
  const Eigen::Matrix<double, 8, 8> inverse = basis.inverse();
  return motion::BodyPath::moving(
      motion::PolynomialMotion(0, duration, centre * inverse, quaternion * inverse));
}

}  // namespace abut::test
