#pragma once
// The St. Venant-Kirchhoff energy of affine and quadratic bodies, integrated exactly.
//
// With F = dx/dp and the strain E = (F^T F - 1)/2 the energy is
//     W = integral of lambda/2 tr(E)^2 + mu tr(E^2)
// over the body at rest. F is a constant G_0 in an affine body; in a quadratic one
// F = G_0 + q_1 G_1 + q_2 G_2 + q_3 G_3 with q = (p - middle)/size, so that E is a polynomial of
// degree 2 in q. Let phi_m be such polynomials (one, or ten) that are orthonormal over the body,
// 1 = sum_m i_m phi_m and q_a q_b = sum_m c^m_ab phi_m (q_0 = 1). Then E = sum_m E_m phi_m with
//     E_m = 1/2 (sum_ab c^m_ab G_a^T G_b - i_m 1),
// and, since they are orthonormal, the integral is a plain sum:
//     W = sum_m lambda/2 tr(E_m)^2 + mu tr(E_m^2).
// No quadrature at run time, no tensor of fourth order. With H^m_a = sum_b c^m_ab G_b,
//     dE_m = sym(sum_a dG_a^T H^m_a),   dW/dG_a = sum_m H^m_a S_m,   S = lambda tr(E) 1 + 2 mu E.
//
// Damping: S is that of E + tau E' (Kelvin and Voigt).

#include <array>
#include <vector>

#include "flexible/basis.h"
#include "flexible/elasticity.h"
#include "flexible/make.h"
#include "shape/cubature.h"

namespace abut::flexible {

class SolidElasticity : public Elasticity {
 public:
  /// `volume` integrates over the body at rest, exactly for polynomials of degree 4 (2 for affine
  /// bodies).
  SolidElasticity(Kind kind, const std::vector<shape::CubaturePoint>& volume, const Scale& scale,
                  const SolidMaterial& material);

  double energy(const Columns& columns) const override;
  void add_force(const Columns& columns, Columns& force) const override;
  void stiffness(const Columns& columns, Blocks& blocks, bool convex) const override;
  void add_damping(const State& state, Columns& force) const override;
  void damping(const Columns& columns, Blocks& blocks) const override;
  double dissipation(const State& state) const override;
  void add_mean_force(const Columns& from, const Columns& to, Columns& force) const override;

 private:
  static constexpr int largest_gradients = 4;
  static constexpr int largest_modes = 10;
  /// G_a, a < gradients_: 3 x 3 each, side by side.
  using Gradients = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3 * largest_gradients>;
  using PerMode = std::array<Mat3, largest_modes>;

  Gradients gradients(const Columns& columns) const;
  /// H^m_a for all a, side by side.
  Gradients mixed(int mode, const Gradients& g) const;
  PerMode strains(const Gradients& g) const;
  PerMode strain_rates(const Gradients& g, const Gradients& rates) const;
  Mat3 stress(const Mat3& strain) const;
  /// Adds -sum_m H^m_a S_m, carried over to columns.
  void add_stress_force(const Gradients& g, const PerMode& stresses, Columns& force) const;
  /// sum_m c^m_ab S_m: what the stress does to the second derivative, the same for x, y and z.
  Matrix geometric(const PerMode& strains) const;
  /// The second derivative by strain: scale * sum_m dE_m C dE_m.
  void material_blocks(const Gradients& g, double scale, Matrix& whole) const;
  void fold(const Matrix& whole, Blocks& blocks) const;

  int gradients_ = 1;
  int modes_ = 1;
  double lambda_ = 0, mu_ = 0, tau_ = 0;
  std::array<Eigen::Matrix4d, largest_modes> couplings_;  ///< c^m
  Vector one_;                                            ///< i_m
  Matrix from_columns_;  ///< G = columns * from_columns_, without the last column
};

}  // namespace abut::flexible
