#include "motion/frame_over_step.h"

namespace abut::motion {
namespace {

using math::Polynomial;

// M(q) = N R(q) has the entries x^2 + w^2 - y^2 - z^2, 2 (x y - w z), ...
void set_rotation(FrameOverStep& frame, const std::array<Polynomial, 4>& q) {
  const auto& [x, y, z, w] = q;
  const Polynomial xx = x * x, yy = y * y, zz = z * z, ww = w * w;
  const Polynomial xy = x * y, yz = y * z, zx = z * x, xw = x * w, yw = y * w, zw = z * w;
  frame.weight = xx + yy + zz + ww;
  frame.rotation[0] = {ww + xx - yy - zz, 2.0 * (xy + zw), 2.0 * (zx - yw)};
  frame.rotation[1] = {2.0 * (xy - zw), ww + yy - zz - xx, 2.0 * (yz + xw)};
  frame.rotation[2] = {2.0 * (zx + yw), 2.0 * (yz - xw), ww + zz - xx - yy};
}

// What does not change needs no degree.
Polynomial of_coefficients(const Eigen::VectorXd& coefficients) {
  return (coefficients.array() == coefficients[0]).all() ? Polynomial(coefficients[0])
                                                         : Polynomial::from_bernstein(coefficients);
}

template <class Centre, class Quaternion>
FrameOverStep made_of(const Centre& centre, const Quaternion& quaternion) {
  FrameOverStep frame;
  std::array<Polynomial, 4> q;
  for (int i = 0; i < 4; ++i) q[i] = of_coefficients(quaternion.row(i).transpose());
  for (int i = 0; i < 3; ++i) frame.centre[i] = of_coefficients(centre.row(i).transpose());
  set_rotation(frame, q);
  frame.reach = centre.colwise().norm().maxCoeff();
  return frame;
}

}  // namespace

FrameOverStep FrameOverStep::resting(const Pose& pose) {
  FrameOverStep frame;
  const Mat3 rotation = pose.orientation.toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    frame.centre[i] = pose.position[i];
    for (int j = 0; j < 3; ++j) frame.rotation[j][i] = rotation(i, j);
  }
  frame.reach = pose.position.norm();
  return frame;
}

FrameOverStep FrameOverStep::moving(const PolynomialMotion::CentreCoefficients& centre,
                                    const PolynomialMotion::QuaternionCoefficients& quaternion) {
  return made_of(centre, quaternion);
}

// Unit quaternions that differ by e are rotations that differ by an angle of at most 2 asin(e), and
// q / |q| is no further than 2 e from one that q is within e of.
FrameOverStep FrameOverStep::scripted(const ScriptPiece& piece) {
  FrameOverStep frame = made_of(piece.centre, piece.quaternion);
  frame.centre_error = piece.centre_error;
  frame.turn_error = 5 * piece.quaternion_error;
  return frame;
}

FrameOverStep FrameOverStep::at(double s) const {
  FrameOverStep frame = *this;
  frame.weight = weight.value(s);
  for (int i = 0; i < 3; ++i) {
    frame.centre[i] = centre[i].value(s);
    for (int j = 0; j < 3; ++j) frame.rotation[j][i] = rotation[j][i].value(s);
  }
  return frame;
}

double rounding_between(const FrameOverStep& a, const FrameOverStep& b) {
  constexpr double rounding = 4e-16;  // of a coordinate, dimensionless
  return rounding * (a.reach + b.reach);
}

math::PolynomialVector turned(const FrameOverStep& frame, const Vec3& v) {
  math::PolynomialVector sum;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (v[j] != 0) sum[i] += frame.rotation[j][i] * v[j];
  return sum;
}

}  // namespace abut::motion
