#include "flexible/polar.h"

#include <Eigen/SVD>

namespace abut::flexible {

Polar polar(const Mat3& f) {
  const Eigen::JacobiSVD<Mat3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vec3 signs = Vec3::Ones();
  if (svd.matrixU().determinant() * svd.matrixV().determinant() < 0) signs[2] = -1;
  const Mat3 u = svd.matrixU() * signs.asDiagonal();
  return {u * svd.matrixV().transpose(), svd.matrixV() *
                                             signs.cwiseProduct(svd.singularValues()).asDiagonal() *
                                             svd.matrixV().transpose()};
}

Mat3 Polar::turning_of_skew() const {
  const Mat3 inverse = (stretch.trace() * Mat3::Identity() - stretch).inverse();
  return inverse.allFinite() ? inverse : Mat3(Mat3::Zero());
}

Vec3 turning(const Polar& p, const Mat3& rate) {
  const Mat3 seen = p.rotation.transpose() * rate;
  const Vec3 skew(seen(2, 1) - seen(1, 2), seen(0, 2) - seen(2, 0), seen(1, 0) - seen(0, 1));
  return p.rotation * (p.turning_of_skew() * skew);
}

}  // namespace abut::flexible
