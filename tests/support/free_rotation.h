#pragma once
// The closed-form solution of torque-free rotation, for comparison: angular velocity by Jacobi's
// elliptic functions, attitude by a quadrature of the precession about the angular momentum.
// It shares no code with the simulator.

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "abut/types.h"

namespace abut::test {

/// A body with principal moments i1 < i2 < i3 along its axes, whose angular momentum is large
/// enough to circulate about the third: |L|^2 > 2 E i2 (Landau and Lifshitz, Mechanics, section
/// 37).
class FreeRotation {
 public:
  using Real = long double;

  FreeRotation(const Vec3& moments, const Vec3& omega)
      : i1_(moments[0]), i2_(moments[1]), i3_(moments[2]) {
    const Real w1 = omega[0], w2 = omega[1], w3 = omega[2];
    const Real twice_energy = i1_ * w1 * w1 + i2_ * w2 * w2 + i3_ * w3 * w3;
    const Real square = i1_ * i1_ * w1 * w1 + i2_ * i2_ * w2 * w2 + i3_ * i3_ * w3 * w3;
    momentum_ = std::sqrt(square);
    const Real low = square - twice_energy * i1_, high = twice_energy * i3_ - square;
    const Real sign = w3 < 0 ? -1 : 1;
    a1_ = std::sqrt(high / (i1_ * (i3_ - i1_)));
    a2_ = sign * std::sqrt(high / (i2_ * (i3_ - i2_)));
    a3_ = sign * std::sqrt(low / (i3_ * (i3_ - i1_)));
    rate_ = std::sqrt((i3_ - i2_) * low / (i1_ * i2_ * i3_));
    modulus_ = std::sqrt((i2_ - i1_) * high / ((i3_ - i2_) * low));
    phase_ = boost::math::ellint_1(modulus_, std::atan2(w2 / a2_, w1 / a1_));
  }

  /// Angular velocity in body axes.
  Eigen::Matrix<Real, 3, 1> omega(Real t) const {
    Real cn, dn;
    const Real sn = boost::math::jacobi_elliptic(modulus_, rate_ * t + phase_, &cn, &dn);
    return {a1_ * cn, a2_ * sn, a3_ * dn};
  }

  /// Time between two successive passages of omega_2 through zero: half a period.
  double half_period() const {
    return static_cast<double>(2 * boost::math::ellint_1(modulus_) / rate_);
  }
  /// The first time at which omega_2 = 0.
  double first_flip() const {
    const Real half = 2 * boost::math::ellint_1(modulus_);
    return static_cast<double>((std::ceil(phase_ / half) * half - phase_) / rate_);
  }

  /// Attitude at t relative to the attitude at 0.
  Eigen::Quaterniond attitude(double t) const {
    const auto start = in_momentum_frame(0, 0), end = in_momentum_frame(t, precession(t));
    return (start.conjugate() * end).normalized();
  }

 private:
  // Euler angles z-x-z about the angular momentum: L = |L| (sin th sin psi, sin th cos psi, cos th)
  // in body axes, and phi' = |L| (i1 w1^2 + i2 w2^2) / (L1^2 + L2^2).
  Eigen::Quaterniond in_momentum_frame(Real t, Real phi) const {
    const auto w = omega(t);
    const Real l1 = i1_ * w[0], l2 = i2_ * w[1], l3 = i3_ * w[2];
    const double theta = static_cast<double>(std::atan2(std::hypot(l1, l2), l3));
    const double psi = static_cast<double>(std::atan2(l1, l2));
    using Turn = Eigen::AngleAxisd;
    return Turn(static_cast<double>(phi), Eigen::Vector3d::UnitZ()) *
           Turn(theta, Eigen::Vector3d::UnitX()) * Turn(psi, Eigen::Vector3d::UnitZ());
  }

  Real precession(double t) const {
    const auto integrand = [this](double s) {
      const auto w = omega(s);
      const Real l1 = i1_ * w[0], l2 = i2_ * w[1];
      return static_cast<double>(momentum_ * (l1 * w[0] + l2 * w[1]) / (l1 * l1 + l2 * l2));
    };
    constexpr int pieces = 60;
    Real sum = 0;
    for (int i = 0; i < pieces; ++i)
      sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
          integrand, t * i / pieces, t * (i + 1) / pieces, 3, 1e-11);
    return sum;
  }

  Real i1_, i2_, i3_, momentum_, a1_, a2_, a3_, rate_, modulus_, phase_;
};

}  // namespace abut::test
