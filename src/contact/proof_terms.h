#pragma once
// What proofs of gaps over a step are made of: places and directions as polynomials, what rounding
// does to them, and polynomials in the place of roots.

#include <Eigen/LU>
#include <array>
#include <functional>
#include <optional>

#include "contact/gap_proof.h"
#include "contact/smooth_gap.h"
#include "math/bernstein.h"

namespace abut::contact {

using math::Polynomial;
using math::PolynomialVector;

/// What rounding does to polynomials here, as a fraction of their largest terms (dimensionless):
/// degrees are below 200, so coefficients of a product are sums of at most a hundred products, with
/// weights that are positive, and at most four products follow each other: 400 units of 2^-53.
inline constexpr double proof_rounding = 5e-14;

/// By what part of the lowest gap polynomials that stand for roots lie above them (dimensionless).
inline constexpr double root_margin = 0.01;

/// By how much lengths of directions are taken to be larger than they are (dimensionless).
inline constexpr double length_margin = 1e-12;

/// As a homogeneous vector: value / weight.
struct MovingPlace {
  PolynomialVector value;
  Polynomial weight{1};
};

/// Of a point that the body carries, from the centre of another: differences of coordinates come
/// first.
MovingPlace place_of(const FrameOverStep& frame, const Vec3& point, const PolynomialVector& from);
/// x_a - x_b of two points.
MovingPlace between(const FrameOverStep& a, const Vec3& in_a, const FrameOverStep& b,
                    const Vec3& in_b);

/// What rounding does to distances, m, of the lengths that they are made of.
double rounding_of(const FrameOverStep& a, const FrameOverStep& b, double lengths);
/// Where rounding may be as large as what is to be shown, nothing can be.
GapProof verdict(bool holds, double rounding, double least);

/// A line has many points: the one next to the centre makes the least of degrees.
Vec3 foot_of(const CarriedFeature& line);

/// The polynomial that has these values at these places of [0, 1]. Solved for and not multiplied by
/// an inverse: its values are then right to rounding, whatever its coefficients are.
template <int Count>
Polynomial through(const Eigen::Matrix<double, Count, 1>& values,
                   const Eigen::PartialPivLU<Eigen::Matrix<double, Count, Count>>& places) {
  return Polynomial::from_bernstein(places.solve(values));
}

/// Places that divide [0, 1] evenly, for `through`.
template <int Count>
const Eigen::PartialPivLU<Eigen::Matrix<double, Count, Count>>& even_places() {
  static const Eigen::PartialPivLU<Eigen::Matrix<double, Count, Count>> places([] {
    Eigen::Matrix<double, Count, Count> basis;
    for (int i = 0; i < Count; ++i)
      basis.row(i) = math::bernstein_basis<Count - 1>(double(i) / (Count - 1)).transpose();
    return basis;
  }());
  return places;
}

/// Vectors at the instants of a proof.
PolynomialVector through_normals(std::span<const Vec3> normals);

/// A polynomial that is larger than the root of another, by about `margin`, or ten times that, and
/// so on: whether it is near enough turns out in the end.
std::optional<Polynomial> above_root(const Polynomial& square, double margin);
/// One that is smaller, and not negative.
std::optional<Polynomial> below_root(const Polynomial& square, double margin);

/// A polynomial near f(u), without proof, for a function f that is smooth between the values of u.
Polynomial near_function(const Polynomial& u, const std::function<double(double)>& f);

/// One that is larger than (|u|^p + |v|^p)^(1/p), p >= 1, by about `margin` at most where one of
/// them vanishes (power_terms.cpp).
std::optional<Polynomial> above_norm(const Polynomial& u, const Polynomial& v, double p,
                                     double margin);

/// The same of |(|(u_0, u_1)|_q, u_2)|_p with the exponents {p, q}.
std::optional<Polynomial> above_norm_of_norms(const PolynomialVector& u,
                                              const std::array<double, 2>& exponents,
                                              double margin);

/// The ellipsoid, disc or point that a side is made of, but for its rounding: half axes, about
/// `centre` along the columns of `axes`, in the motion frame.
struct Core {
  Vec3 radii = Vec3::Zero();
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

/// What surrounds a ring is apart where the ring is. Nothing of surfaces without a closed form.
std::optional<Core> core_of(const SmoothSide& side);

/// Of curved solids outside of each other (smooth_proof.cpp).
GapProof prove_apart(const SmoothPair& pair, const FrameOverStep& a, const FrameOverStep& b,
                     double lowest, std::span<const Vec3> normals);
/// Of a ring and a point or ball anywhere beside its circle (ring_proof.cpp).
GapProof prove_beside_ring(const SmoothSide& ring, const FrameOverStep& a, const SmoothSide& point,
                           const FrameOverStep& b, double lowest);
/// Of what is in a bowl (bowl_proof.cpp). `normals` lead from the bowl to what is in it, or the
/// other way.
GapProof prove_inside(const SmoothSide& inside, const FrameOverStep& a, const SmoothSide& bowl,
                      const FrameOverStep& b, double lowest, std::span<const Vec3> normals);

}  // namespace abut::contact
