#include "geometry/place_over_step.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "geometry/closed_surface.h"
#include "math/series.h"

namespace abut::geometry {
namespace {

using math::Interval;
using math::Polynomial;
using math::PolynomialVector;
using math::Series;
using math::SeriesJet;

// Instants from which places are taken: as many as series have terms that are not estimated.
constexpr int instants = Series::order;

// How far from the path derivatives are enclosed too, as a part of the size of the solid
// (dimensionless): the surface must be nearer than that.
constexpr double beside = 1e-8;

using Values = Eigen::Matrix<double, instants, 1>;

// Denser at the ends, so that rounding does not grow between them (Chebyshev); from -1 to 1.
double instant(int i) {
  return -std::cos(std::numbers::pi * i / (instants - 1));
}

// The coefficients of powers of s in [-1, 1] of the polynomial that has these values.
Values through(const Values& values) {
  using Square = Eigen::Matrix<double, instants, instants>;
  static const Eigen::PartialPivLU<Square> powers([] {
    Square rows;
    for (int i = 0; i < instants; ++i)
      for (int k = 0; k < instants; ++k) rows(i, k) = std::pow(instant(i), k);
    return rows;
  }());
  return powers.solve(values);
}

// A function over the step as a polynomial, and how far that may be off.
struct Near {
  Polynomial value;
  double error = 0;

  Near() = default;
  Near(const Series& at_middle, const Series& over_all) {
    const math::NearPolynomial near = math::near_polynomial(at_middle, over_all);
    value = Polynomial::from_bernstein(
        Eigen::Map<const Eigen::Matrix<double, instants, 1>>(near.coefficients.data()));
    error = near.error;
  }
  explicit Near(const Values& powers)
      : Near(Series::polynomial({powers.data(), instants}, Interval(0)), Series()) {}

  double size() const { return math::size_of(value) + error; }
};

// The function whose zeros are the surface, relative to the atom's centre. Of a superellipsoid a
// p-norm of radii of which one is a p-norm: (|x / a|^p + |y / b|^p)^(r / p) + |z / c|^r - 1, for
// the norms whose duals have the exponents q.
std::optional<SeriesJet> field_of(const SupportAtom& atom, const std::array<Series, 3>& path) {
  if (!atom.is_superellipsoid()) return atom.surface()->field_along(path);
  const auto [q1, q2] = atom.dual_exponents();
  const double p1 = q1 / (q1 - 1), p2 = q2 / (q2 - 1);
  std::array<SeriesJet, 3> u;
  for (int k = 0; k < 3; ++k)
    u[k] = SeriesJet::variable(path[k], k) / SeriesJet(Series(atom.half_axes()[k]));
  const SeriesJet inner = math::abs_power(u[0], p2) + math::abs_power(u[1], p2);
  return math::power(inner, p1 / p2) + math::abs_power(u[2], p1) - SeriesJet(Series(1));
}

double least(const Polynomial& p) {
  return p.bernstein().minCoeff();
}

Vec3 value(const PolynomialVector& m, double s) {
  return {m[0].value(s), m[1].value(s), m[2].value(s)};
}

double place_in_step(int i) {
  return 0.5 * (1 + instant(i));
}

// Where the surface has the normal m, relative to the centre, through instants.
std::array<Values, 3> places_of(const SupportAtom& atom, const PolynomialVector& m) {
  std::array<Values, 3> places;
  for (int i = 0; i < instants; ++i) {
    const Vec3 x = atom.support(value(m, place_in_step(i)).normalized()) - atom.centre();
    for (int k = 0; k < 3; ++k) places[k][i] = x[k];
  }
  for (Values& values : places) values = through(values);
  return places;
}

// How many times longer m is than the gradient.
Values factors_of(const PolynomialVector& m, const PolynomialVector& gradient) {
  Values factors;
  for (int i = 0; i < instants; ++i)
    factors[i] = value(m, place_in_step(i)).norm() / value(gradient, place_in_step(i)).norm();
  return through(factors);
}

// The largest absolute values of second derivatives, together.
double bend_of(const SeriesJet& jet) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) sum += std::pow(jet.by(i, k)[0].magnitude(), 2);
  return std::sqrt(sum);
}

// The function whose zeros are the surface, along a path and beside it.
struct FieldOverStep {
  Near value;
  std::array<Near, 3> slopes;
  double bend = 0;  // the largest of second derivatives, together
};

// sum (x / r)^2 - 1: of polynomials it is one.
FieldOverStep of_ellipsoid(const Vec3& radii, const PolynomialVector& path) {
  FieldOverStep found;
  found.value.value = Polynomial(-1);
  for (int k = 0; k < 3; ++k) {
    const double factor = 1 / (radii[k] * radii[k]);
    found.value.value += path[k] * path[k] * factor;
    found.slopes[k].value = path[k] * (2 * factor);
    found.bend += 2 * factor;
  }
  return found;
}

std::optional<FieldOverStep> field_over_step(const SupportAtom& atom,
                                             const std::array<Values, 3>& places,
                                             const PolynomialVector& path, double margin) {
  if (atom.is_ellipsoid()) return of_ellipsoid(atom.half_axes(), path);
  std::array<Series, 3> at_middle, over_all;
  for (int k = 0; k < 3; ++k) {
    const std::span<const double> powers(places[k].data(), instants);
    at_middle[k] = Series::polynomial(powers, Interval(0));
    over_all[k] = Series::polynomial(powers, Interval(-1, 1));
    over_all[k][0] = over_all[k][0] + Interval(-margin, margin);
  }
  const std::optional<SeriesJet> middle = field_of(atom, at_middle), all = field_of(atom, over_all);
  if (!middle || !all) return std::nullopt;
  FieldOverStep found;
  found.value = Near(middle->value, all->value);
  for (int k = 0; k < 3; ++k) found.slopes[k] = Near(middle->first[k], all->first[k]);
  found.bend = bend_of(*all);
  return found;
}

// With e = |m - k grad f| along x, |f| <= v and |grad f| >= g there, and second derivatives below b
// beside it, a zero of f is at most 2 v / g from x, if b times that is below g / 2: along its
// gradient f rises by more than g / 2 there. At that point the gradient is another by 2 b v / g at
// most, and unit vectors differ by twice what vectors do, over the length of one of them.
std::optional<PlaceOverStep> smooth_place(const SupportAtom& atom, const PolynomialVector& m) {
  const std::array<Values, 3> places = places_of(atom, m);
  const double margin = beside * atom.outer_radius();
  PolynomialVector path;
  double rounding = 0;
  for (int k = 0; k < 3; ++k) {
    const Near near(places[k]);
    path[k] = near.value;
    rounding += near.error;
  }
  const std::optional<FieldOverStep> field = field_over_step(atom, places, path, margin);
  if (!field) return std::nullopt;
  PolynomialVector gradient;
  double gradient_error = 0;
  for (int k = 0; k < 3; ++k) {
    gradient[k] = field->slopes[k].value;
    gradient_error += field->slopes[k].error;
  }
  if (!std::isfinite(gradient_error)) return std::nullopt;
  const Near factor(factors_of(m, gradient));
  double missing = 0;
  for (int k = 0; k < 3; ++k)
    missing += math::size_of(m[k] - factor.value * gradient[k]) +
               factor.size() * field->slopes[k].error + factor.error * field->slopes[k].size();
  const double length = std::sqrt(std::max(0.0, least(math::dot(m, m))));
  const double slope =
      std::sqrt(std::max(0.0, least(math::dot(gradient, gradient)))) - gradient_error;
  if (!(length > 0 && slope > 0 && least(factor.value) > factor.error)) return std::nullopt;
  PlaceOverStep place;
  place.off = 2 * field->value.size() / slope + rounding;
  if (!(place.off < margin && 2 * field->bend * place.off < slope)) return std::nullopt;
  place.turn = 2 * (missing + factor.size() * field->bend * place.off) / length;
  for (int k = 0; k < 3; ++k) place.point[k] = path[k] + Polynomial(atom.centre()[k]);
  return place;
}

// Of a circle, with u what m is across its axis: x is along u, and as long as the radius r. A point
// of the circle is | |x|^2 - r^2 | / r from x at most.
std::optional<PlaceOverStep> circle_place(const SupportAtom& circle, const PolynomialVector& m) {
  const double radius = circle.outer_radius();
  std::array<Values, 2> places;
  Values factors;
  for (int i = 0; i < instants; ++i) {
    const Eigen::Vector2d along = value(m, place_in_step(i)).head<2>();
    factors[i] = along.norm() / radius;
    if (!(factors[i] > 0)) return std::nullopt;
    for (int k = 0; k < 2; ++k) places[k][i] = along[k] / factors[i];
  }
  const Near factor(through(factors));
  PlaceOverStep place;
  double missing = 0, rounding = 0;
  Polynomial square(-radius * radius);
  for (int k = 0; k < 2; ++k) {
    const Near x(through(places[k]));
    place.point[k] = x.value + Polynomial(circle.centre()[k]);
    square += x.value * x.value;
    rounding += x.error;
    missing += math::size_of(m[k] - factor.value * x.value) + factor.size() * x.error +
               factor.error * x.size();
  }
  place.point[2] = Polynomial(circle.centre().z());
  const double length = std::sqrt(std::max(0.0, least(math::dot(m, m))));
  if (!(length > 0 && least(factor.value) > factor.error)) return std::nullopt;
  place.off = math::size_of(square) / radius + 3 * rounding;
  place.turn = 2 * (missing + factor.size() * place.off) / length;
  return place.off < radius ? std::optional(place) : std::nullopt;
}

}  // namespace

Polynomial PlaceOverStep::height(const PolynomialVector& m, double diameter) const {
  return math::dot(m, point) + Polynomial(math::size_of(m) * (off + turn * diameter));
}

std::optional<PlaceOverStep> place_over_step(const SupportAtom& atom, const PolynomialVector& m) {
  std::optional<PlaceOverStep> place =
      atom.is_circle() ? circle_place(atom, m) : smooth_place(atom, m);
  if (place && !(std::isfinite(place->off) && std::isfinite(place->turn))) return std::nullopt;
  return place;
}

}  // namespace abut::geometry
