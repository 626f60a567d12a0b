// Points, balls and circles in the cavity of an ellipsoid: that the wall is farther than a gap.

#include <algorithm>
#include <cmath>

#include "contact/proof_terms.h"

namespace abut::contact {
namespace {

// Radii of curvature are known to this (dimensionless).
constexpr double radius_rounding = 1e-14;

// Polynomials of higher degrees than this there are not (math/polynomial.cpp).
constexpr int highest_degree = 200;

// A point x from the middle of an ellipsoid of half axes r, with f = |(x_k / r_k)|, is within the
// ellipsoid f r, whose support function along any m lies (1 - f) h(m) >= (1 - f) min r below that
// of the whole: the wall is no nearer. For a sphere that is its distance, and a ball may be around
// x.
GapProof point_in_smaller(const MovingPlace& d, double radius, const Core& wall,
                          const FrameOverStep& a, const FrameOverStep& b, double lowest) {
  const double least = wall.radii.minCoeff(), room = least - radius - lowest;
  Polynomial square;
  for (int k = 0; k < 3; ++k) {
    const Polynomial along = dot(d.value, turned(b, wall.axes.col(k))) * (least / wall.radii[k]);
    square += along * along;
  }
  const Polynomial weight = d.weight * b.weight;
  const double rounding = rounding_of(a, b, size_of(d.value));
  const bool holds =
      room > 0 && is_above(weight * weight * (room * room) - square, 2 * least * rounding);
  return verdict(holds, rounding, lowest);
}

// A root of a polynomial q, replaced by a larger one: with a guess g of it, (g^2 + q) / (2 g) is
// larger by (g - sqrt(q))^2 / (2 g), and so by squares only of what the guess is off.
struct LargerRoot {
  Polynomial numerator, denominator;
  double excess = 0;  // by at most this part (dimensionless)
};

std::optional<LargerRoot> larger_root(const Polynomial& square) {
  Eigen::Matrix<double, proof_instants, 1> values;
  for (int i = 0; i < proof_instants; ++i)
    values[i] = std::sqrt(std::max(0.0, square.value(double(i) / (proof_instants - 1))));
  const Polynomial guess = through(values, even_places<proof_instants>()), guessed = guess * guess;
  const double least = guess.bernstein().minCoeff();
  if (!(least > 0)) return std::nullopt;
  const double off = (size_of(guessed - square) + proof_rounding * size_of(square)) / least;
  return LargerRoot{guessed + square, guess * 2, (off / least) * (off / least)};
}

// With rho the least radius of curvature of the wall, a ball of that radius rolls in all of it
// (Blaschke): for any direction m, its centre z = x(m) - rho m / |m| may be where it touches the
// wall along m, and a ball of radius r < rho about p is at least rho - r - |p - z| from the wall.
// Along the normal of the contact that is its gap, and beside it less by squares only. For half
// axes a_k, with H = |(a_k m_k)| and L = |m|,
//     z_k = a_k^2 m_k / H - rho m_k / L.
// Larger polynomials in the place of H and L move z by no more than their excess times max a, and
// times rho.
GapProof ball_in_ellipsoid(const MovingPlace& d, double radius, const Core& wall,
                           const FrameOverStep& a, const FrameOverStep& b, double lowest,
                           std::span<const Vec3> normals) {
  const double least = wall.radii.minCoeff(), most = wall.radii.maxCoeff();
  const double rho = least * (least / most) * (1 - radius_rounding);
  if (!(radius < rho) || normals.size() != proof_instants) return GapProof::no_way;
  const PolynomialVector m = through_normals(normals);
  const double outward = dot(m, d.value).value(0.5) < 0 ? -1 : 1;
  PolynomialVector p, along;
  Polynomial squares, stretched;
  for (int k = 0; k < 3; ++k) {
    const PolynomialVector axis = turned(b, wall.axes.col(k));
    p[k] = dot(d.value, axis);
    along[k] = dot(m, axis) * outward;
    squares += along[k] * along[k];
    stretched += along[k] * along[k] * (wall.radii[k] * wall.radii[k]);
  }
  const std::optional<LargerRoot> l = larger_root(squares), h = larger_root(stretched);
  if (!l || !h) return GapProof::fails;
  const Polynomial weight = d.weight * b.weight, both = l->numerator * h->numerator;
  // Of a bowl that turns while a ball turns with its body about another point the degrees are too
  // high.
  const int of_place = dot(d.value, turned(b, Vec3::Ones())).degree() + both.degree();
  const int of_centre = dot(m, turned(b, Vec3::Ones())).degree() + weight.degree() +
                        both.degree();  // more than it is
  if (2 * std::max(of_place, of_centre) > highest_degree) return GapProof::no_way;
  Polynomial square;
  for (int k = 0; k < 3; ++k) {
    const Polynomial centre =
        along[k] * (l->numerator * h->denominator * (wall.radii[k] * wall.radii[k]) -
                    h->numerator * l->denominator * rho);
    const Polynomial off = p[k] * both - centre * weight;
    square += off * off;
  }
  const double room = rho - radius - lowest - h->excess * most - l->excess * rho;
  const double rounding = rounding_of(a, b, size_of(d.value) + most);
  const Polynomial scale = both * weight;
  const double size = size_of(scale);
  const bool holds = room > 0 && is_above(scale * scale * (room * room) - square,
                                          2 * most * rounding * size * size);
  return verdict(holds, rounding, lowest);
}

// The farthest point of a circle of radius r from the middle of a sphere, at d from the circle's
// middle, with n the circle's axis: |d|^2 + r^2 + 2 r |d x n|.
GapProof circle_in_sphere(const MovingPlace& d, const Core& circle, double tube, double sphere,
                          const FrameOverStep& a, const FrameOverStep& b, double lowest) {
  const double r = circle.radii.maxCoeff(), room = sphere - tube - lowest;
  const PolynomialVector across = cross(d.value, turned(a, circle.axes.col(2)));
  const std::optional<Polynomial> root = above_root(dot(across, across), root_margin * lowest);
  if (!root) return GapProof::fails;
  const Polynomial weight = d.weight * a.weight;
  const Polynomial farthest = dot(d.value, d.value) * a.weight * a.weight +
                              weight * weight * (r * r) + weight * *root * (2 * r);
  const double rounding = rounding_of(a, b, size_of(d.value) + r);
  const bool holds =
      room > 0 && is_above(weight * weight * (room * room) - farthest, 2 * sphere * rounding);
  return verdict(holds, rounding, lowest);
}

}  // namespace

GapProof prove_inside(const SmoothSide& inside, const FrameOverStep& a, const SmoothSide& bowl,
                      const FrameOverStep& b, double lowest, std::span<const Vec3> normals) {
  const std::optional<Core> core = core_of(inside), wall = core_of(bowl);
  if (!core || !wall || wall->radii.minCoeff() == 0) return GapProof::no_way;
  const double radius = inside.rounding + bowl.rounding;
  const bool is_round = wall->radii.minCoeff() == wall->radii.maxCoeff();
  const MovingPlace d = between(a, core->centre, b, wall->centre);
  if (core->radii.isZero(0))
    return is_round || radius == 0 ? point_in_smaller(d, radius, *wall, a, b, lowest)
                                   : ball_in_ellipsoid(d, radius, *wall, a, b, lowest, normals);
  if (is_round && core->radii.z() == 0)
    return circle_in_sphere(d, *core, radius, wall->radii.x(), a, b, lowest);
  return GapProof::no_way;
}

}  // namespace abut::contact
