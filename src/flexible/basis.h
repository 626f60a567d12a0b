#pragma once
// The functions Z_k of solids, and the same functions about the middle of a body.
//
// With q = (p - c) / s the functions Z(p) are combinations of the Z(q): Z(p) = T Z(q). Integrals
// are taken of Z(q), whose sizes are alike and which are nearly independent, and carried over; a
// body frame far from the body costs no digits there.

#include "flexible/bending_body.h"

namespace abut::flexible {

/// Where the body's middle is and how large it is: q = (p - middle) / size.
struct Scale {
  Vec3 middle = Vec3::Zero();
  double size = 1;  ///< m

  Vec3 normalised(const Vec3& p) const { return (p - middle) / size; }
};

int column_count(Kind kind);
/// The column of x, y or z; and that of a product of two of them, of quadratic bodies.
int linear_column(Kind kind, int i);
int product_column(int i, int j);

/// Z(p).
Vector basis_at(Kind kind, const Vec3& p);
/// dZ_k/dp_i, one row for each function.
Eigen::Matrix<double, Eigen::Dynamic, 3> basis_gradient(Kind kind, const Vec3& p);

/// T with Z(p) = T Z(q), and its inverse.
Matrix basis_change(Kind kind, const Scale& scale);
Matrix inverse_basis_change(Kind kind, const Scale& scale);

}  // namespace abut::flexible
