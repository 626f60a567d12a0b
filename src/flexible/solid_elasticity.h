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
// No quadrature at run time, no tensor of fourth order. With S = lambda tr(E) 1 + 2 mu E,
//     dE_m = sym(sum_ab c^m_ab dG_a^T G_b),
//     dW/dG_a = sum_b G_b T_ba,   T_ab = sum_m c^m_ab S_m.
//
// Damping: S is that of E + tau E' (Kelvin and Voigt).

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
  /// A symmetric 3 x 3 matrix in each column, as xx, yy, zz, yz, xz, xy: one for each mode, or for
  /// each product q_a q_b.
  using Symmetric = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, largest_modes>;
  /// T: blocks of 3 x 3.
  using Tension = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3 * largest_gradients,
                                3 * largest_gradients>;

  Gradients gradients(const Columns& columns) const;
  /// sym(sum of A_a^T B_b) over both orders of each product q_a q_b.
  Symmetric products(const Gradients& a, const Gradients& b) const;
  Symmetric strains(const Gradients& g) const;
  Symmetric strain_rates(const Gradients& g, const Gradients& rates) const;
  Symmetric stresses(const Symmetric& strains) const;
  Tension tension(const Symmetric& stresses) const;
  /// Adds -G T, carried over to columns.
  void add_tension_force(const Gradients& g, const Symmetric& stresses, Columns& force) const;
  /// H^m_a = sum_b c^m_ab G_b for all a, side by side.
  Gradients mixed(int mode, const Gradients& g) const;
  /// The second derivative by strain: scale * sum_m dE_m C dE_m.
  void material_blocks(const Gradients& g, double scale, Matrix& whole) const;
  void fold(const Matrix& whole, Blocks& blocks) const;

  int gradients_ = 1;
  int modes_ = 1;
  double lambda_ = 0, mu_ = 0, tau_ = 0;
  /// Row of the product q_a q_b, column m: c^m_ab. The first row is that of 1: i_m.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_modes, largest_modes> factor_;
  Matrix from_columns_;  ///< G = columns * from_columns_, without the last column
};

}  // namespace abut::flexible
