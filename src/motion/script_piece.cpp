#include "motion/script_piece.h"

#include <cmath>

#include "base/limits.h"

namespace abut::motion {
namespace {

// Of the product of two unit quaternions, of the axis of a script and of the instants at which a
// piece begins and ends, in units of epsilon (dimensionless).
constexpr double pose_rounding = 16;

}  // namespace

std::optional<ScriptPiece> script_piece(const ScriptSeries& at_middle, const ScriptSeries& over_all,
                                        const Quat& base) {
  ScriptPiece piece;
  double of_centre = 0, of_quaternion = 0;  // squares
  for (int i = 0; i < 3; ++i) {
    const math::NearPolynomial near = near_polynomial(at_middle.centre[i], over_all.centre[i]);
    for (int k = 0; k < 13; ++k) piece.centre(i, k) = near.coefficients[k];
    of_centre += near.error * near.error;
  }
  math::BernsteinCoefficients<4, 13> turned;
  for (int i = 0; i < 4; ++i) {
    const math::NearPolynomial near =
        near_polynomial(at_middle.quaternion[i], over_all.quaternion[i]);
    for (int k = 0; k < 13; ++k) turned(i, k) = near.coefficients[k];
    of_quaternion += near.error * near.error;
  }
  for (int k = 0; k < 13; ++k)
    piece.quaternion.col(k) = (base * Quat(Eigen::Vector4d(turned.col(k)))).coeffs();
  piece.centre_error =
      std::sqrt(of_centre) + pose_rounding * epsilon * piece.centre.cwiseAbs().maxCoeff();
  piece.quaternion_error = std::sqrt(of_quaternion) + pose_rounding * epsilon;
  if (!std::isfinite(piece.centre_error) || !std::isfinite(piece.quaternion_error))
    return std::nullopt;
  return piece;
}

}  // namespace abut::motion
