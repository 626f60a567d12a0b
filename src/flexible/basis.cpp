#include "flexible/basis.h"

#include <array>

namespace abut::flexible {
namespace {

/// In the order of the scene format: x^2, y^2, z^2, xy, xz, yz.
constexpr std::array<std::array<int, 2>, 6> products = {
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// The change from q to p = m + s q: products of two such expand into products, linear ones and 1.
Matrix change(Kind kind, const Vec3& m, double s) {
  const int n = column_count(kind), one = n - 1;
  Matrix t = Matrix::Zero(n, n);
  t(one, one) = 1;
  for (int i = 0; i < 3; ++i) {
    const int x = linear_column(kind, i);
    t(x, x) = s;
    t(x, one) = m[i];
  }
  if (kind != Kind::quadratic) return t;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = products[static_cast<std::size_t>(k)];
    t(k, k) = s * s;
    t(k, linear_column(kind, i)) += s * m[j];
    t(k, linear_column(kind, j)) += s * m[i];
    t(k, one) = m[i] * m[j];
  }
  return t;
}

}  // namespace

int column_count(Kind kind) {
  return kind == Kind::affine ? 4 : 10;
}

int linear_column(Kind kind, int i) {
  return kind == Kind::affine ? i : 6 + i;
}

int product_column(int i, int j) {
  return i == j ? i : 2 + i + j;
}

Vector basis_at(Kind kind, const Vec3& p) {
  Vector z(column_count(kind));
  if (kind == Kind::quadratic)
    for (int k = 0; k < 6; ++k) {
      const auto [i, j] = products[static_cast<std::size_t>(k)];
      z[k] = p[i] * p[j];
    }
  for (int i = 0; i < 3; ++i) z[linear_column(kind, i)] = p[i];
  z[z.size() - 1] = 1;
  return z;
}

Eigen::Matrix<double, Eigen::Dynamic, 3> basis_gradient(Kind kind, const Vec3& p) {
  Eigen::Matrix<double, Eigen::Dynamic, 3> gradient =
      Eigen::Matrix<double, Eigen::Dynamic, 3>::Zero(column_count(kind), 3);
  if (kind == Kind::quadratic)
    for (int k = 0; k < 6; ++k) {
      const auto [i, j] = products[static_cast<std::size_t>(k)];
      gradient(k, i) += p[j];
      gradient(k, j) += p[i];
    }
  for (int i = 0; i < 3; ++i) gradient(linear_column(kind, i), i) = 1;
  return gradient;
}

Matrix basis_change(Kind kind, const Scale& scale) {
  return change(kind, scale.middle, scale.size);
}

Matrix inverse_basis_change(Kind kind, const Scale& scale) {
  return change(kind, -scale.middle / scale.size, 1 / scale.size);
}

}  // namespace abut::flexible
