// Small vibrations about rest: K v = w^2 M v with the second derivative K of the energy there.

#include <cmath>
#include <limits>
#include <numbers>

#include "flexible/bending_body.h"
#include "math/dense.h"

namespace abut::flexible {
namespace {

constexpr int rigid_motions = 6;

double period_of(double squared_frequency) {
  return 2 * std::numbers::pi / std::sqrt(squared_frequency);
}

/// Of few columns, all of them; the six without force are the rigid motions.
Periods dense_periods(const BendingBody& body, const Columns& rest) {
  const int n = body.columns();
  Blocks blocks;
  body.elasticity->stiffness(rest, blocks, false);
  Matrix k = Matrix::Zero(3 * n, 3 * n), m = Matrix::Zero(3 * n, 3 * n);
  const auto& pairs = body.elasticity->pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    k.block<3, 3>(3 * pairs[p].first, 3 * pairs[p].second) = blocks[p];
    k.block<3, 3>(3 * pairs[p].second, 3 * pairs[p].first) = blocks[p].transpose();
  }
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) m.block<3, 3>(3 * a, 3 * b) = body.mass(a, b) * Mat3::Identity();
  const Vector squared = math::generalised_eigenvalues(k, m);
  return {period_of(squared[rigid_motions]), period_of(squared[squared.size() - 1])};
}

/// The fastest by repeated application of M^-1 K. Some motions across a flat sheet meet no force,
/// so that there is no slowest.
Periods sheet_periods(const BendingBody& body, const Columns& rest) {
  constexpr int rounds = 100;  // the rate is only told, not computed with: a percent will do
  Blocks blocks;
  body.elasticity->stiffness(rest, blocks, true);
  Columns v(3, body.columns());
  for (int k = 0; k < body.columns(); ++k)
    v.col(k) = (k % 2 == 0 ? 1.0 : -1.0) * Vec3(1 + 0.1 * (k % 7), 1 - 0.1 * (k % 5), 0);
  double squared = 0;
  for (int i = 0; i < rounds; ++i) {
    Columns force = Columns::Zero(3, body.columns());
    add_product(body.elasticity->pairs(), blocks, 1, v, force);
    v = body.mass.divided(force);
    squared = v.norm();
    if (squared == 0) break;
    v /= squared;
  }
  const double none = std::numeric_limits<double>::infinity();
  return {none, squared > 0 ? period_of(squared) : none};
}

}  // namespace

Periods natural_periods(const BendingBody& body) {
  const Columns rest = placed(body, {});
  return body.is_sheet() ? sheet_periods(body, rest) : dense_periods(body, rest);
}

}  // namespace abut::flexible
