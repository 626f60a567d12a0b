#pragma once
// The mass matrix of the columns, m_kl = integral of rho Z_k Z_l: the same for x, y and z, so that
// the body's whole mass matrix is m (x) 1. Dense for the few columns of a solid, diagonal for the
// many of a sheet.

#include "flexible/columns.h"

namespace abut::flexible {

class ColumnMass {
 public:
  ColumnMass() = default;
  /// A symmetric positive definite matrix and its inverse, which the caller may know more exactly
  /// than elimination would find it; `one` are the numbers u with sum_k u_k Z_k = 1.
  ColumnMass(Matrix dense, Matrix inverse, Vector one);
  /// Point masses; `one` is all ones.
  explicit ColumnMass(Vector diagonal);

  bool is_diagonal() const { return dense_.size() == 0; }
  int columns() const { return static_cast<int>(one_.size()); }
  /// m_kl, and the entries of the inverse.
  double operator()(int k, int l) const;
  double inverse(int k, int l) const;

  double total() const { return total_; }  ///< kg
  const Vector& one() const {
    return one_;
  }  ///< 1 = sum_k one[k] Z_k: a shift d moves r_k by one[k] d
  const Vector& share() const {
    return share_;
  }  ///< integral of rho Z_k: a field g pulls with share[k] g

  /// v -> v m, and f -> f m^-1.
  Columns times(const Columns& rates) const;
  Columns divided(const Columns& forces) const;

  /// w_a^T m^-1 w_b: how fast a unit impulse at b makes the point a (1/kg).
  double mobility(Weights a, Weights b) const;

  double kinetic_energy(const Columns& rates) const;
  Vec3 centre(const Columns& columns) const;  ///< centre of mass; with rates, its velocity
  Vec3 momentum(const Columns& rates) const;
  Vec3 angular_momentum(const State& state) const;  ///< about the world's origin

 private:
  Matrix dense_, inverse_;  ///< empty where diagonal
  Vector diagonal_;         ///< empty where dense
  Vector one_, share_;
  double total_ = 0;
};

}  // namespace abut::flexible
