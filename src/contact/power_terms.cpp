// Polynomials in the place of powers and norms.
//
// u^p is the solution of w' u = p w u' that begins with u(0)^p. Where a polynomial w solves this
// but for
//     |w' u - p w u'| <= e w u
// on all of [0, 1], the logarithm of w / u^p changes by no more than e: w is near the power, by the
// bounds of polynomials alone, and for any exponent. Near a zero of u no polynomial is; there the
// power itself may be too small to matter.

#include <algorithm>
#include <cmath>

#include "contact/proof_terms.h"

namespace abut::contact {
namespace {

// What a power may be off for its errors to be a factor (dimensionless).
constexpr double most_power_error = 1e-3;

// Roundings of the power itself at one place (dimensionless).
constexpr double power_rounding = 1e-15;

double least_of(const Polynomial& p) {
  return p.bernstein().minCoeff();
}

// Larger than u^p, for u > 0.
std::optional<Polynomial> above_power(const Polynomial& u, double p) {
  if (u.degree() == 0) return std::pow(u.value(0), p) * (1 + power_rounding);
  if (p == 2) return u * u;
  const Polynomial near = near_function(u, [p](double x) { return std::pow(x, p); });
  const double least = least_of(near), from = least_of(u);
  if (!(least > 0) || !(from > 0)) return std::nullopt;
  const Polynomial grown = derivative(near) * u, due = near * derivative(u) * p;
  const double error =
      (size_of(grown - due) + proof_rounding * (size_of(grown) + size_of(due))) / (least * from);
  if (!(error < most_power_error)) return std::nullopt;
  const double ratio = std::pow(u.value(0), p) / near.value(0);
  return near * (ratio * (1 + 2 * error + proof_rounding));
}

}  // namespace

std::optional<Polynomial> above_norm(const Polynomial& u, const Polynomial& v, double p,
                                     double margin) {
  const double most_u = size_of(u), most_v = size_of(v);
  if (most_u < most_v) return above_norm(v, u, p, margin);
  if (most_u <= margin) return Polynomial(2 * most_u);
  const Polynomial larger = u.value(0) < 0 ? u * -1.0 : u, other = v.value(0) < 0 ? v * -1.0 : v;
  const double least = least_of(larger);
  if (!(least > 0)) return std::nullopt;
  // The norm is longer than |u| by no more than |v|^p / (p |u|^(p - 1)).
  const double excess = std::pow(most_v, p) / (p * std::pow(least, p - 1));
  if (excess <= margin) return larger + Polynomial(excess * (1 + power_rounding));
  const std::optional<Polynomial> first = above_power(larger, p), second = above_power(other, p);
  if (!first || !second) return std::nullopt;
  return above_power(*first + *second, 1 / p);
}

std::optional<Polynomial> above_norm_of_norms(const PolynomialVector& u,
                                              const std::array<double, 2>& exponents,
                                              double margin) {
  const auto [p, q] = exponents;
  const std::optional<Polynomial> inner = above_norm(u[0], u[1], q, margin);
  if (inner) return above_norm(*inner, u[2], p, margin);
  // Where the larger of the two passes zero both may be too small to matter.
  const double most = std::hypot(size_of(u[0]), size_of(u[1])) * std::exp2(1 / q - 0.5);
  return above_norm(Polynomial(2 * most), u[2], p, margin);
}

}  // namespace abut::contact
