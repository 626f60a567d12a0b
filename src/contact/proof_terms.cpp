#include "contact/proof_terms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace abut::contact {
namespace {

// Instants from which polynomials that stand for roots are taken: more than for directions, whose
// errors count by their squares.
constexpr int root_instants = 17;
constexpr int root_attempts = 6;

// Between places that divide an interval evenly rounding grows a thousandfold; between these, which
// are denser at its ends, hardly (Chebyshev).
double root_place(int i) {
  return 0.5 * (1 - std::cos(std::numbers::pi * i / (root_instants - 1)));
}

// Above the root for a sign of 1, below it for -1.
std::optional<Polynomial> beside_root(const Polynomial& square, double margin, double sign) {
  const Polynomial near =
      near_function(square, [](double x) { return std::sqrt(std::max(0.0, x)); });
  const double rounding = proof_rounding * size_of(square);
  for (int i = 0; i < root_attempts; ++i, margin *= 10) {
    const Polynomial root = near + Polynomial(sign * margin);
    if (is_above(root, 0) && is_above((root * root - square) * sign, rounding)) return root;
  }
  return std::nullopt;
}

}  // namespace

MovingPlace place_of(const FrameOverStep& frame, const Vec3& point, const PolynomialVector& from) {
  const PolynomialVector centre = frame.centre - from;
  if (point.isZero(0)) return {centre, 1};
  return {centre * frame.weight + turned(frame, point), frame.weight};
}

MovingPlace between(const FrameOverStep& a, const Vec3& in_a, const FrameOverStep& b,
                    const Vec3& in_b) {
  MovingPlace place = place_of(a, in_a, b.centre);
  if (in_b.isZero(0)) return place;
  const PolynomialVector other = turned(b, in_b);
  return {place.value * b.weight - other * place.weight, place.weight * b.weight};
}

double rounding_of(const FrameOverStep& a, const FrameOverStep& b, double lengths) {
  return motion::rounding_between(a, b) + proof_rounding * lengths;
}

GapProof verdict(bool holds, double rounding, double least) {
  if (holds) return GapProof::holds;
  return rounding < 0.5 * least ? GapProof::fails : GapProof::no_way;
}

Vec3 foot_of(const CarriedFeature& line) {
  const Vec3 foot = line.point - line.direction * line.direction.dot(line.point);
  return foot.norm() > proof_rounding * line.point.norm() ? foot : Vec3(Vec3::Zero());
}

PolynomialVector through_normals(std::span<const Vec3> normals) {
  PolynomialVector m;
  for (int k = 0; k < 3; ++k) {
    Eigen::Matrix<double, proof_instants, 1> values;
    for (int i = 0; i < proof_instants; ++i) values[i] = normals[i][k];
    m[k] = through(values, even_places<proof_instants>());
  }
  return m;
}

Polynomial near_function(const Polynomial& u, const std::function<double(double)>& f) {
  using Places = Eigen::Matrix<double, root_instants, root_instants>;
  static const Eigen::PartialPivLU<Places> places([] {
    Places basis;
    for (int i = 0; i < root_instants; ++i)
      basis.row(i) = math::bernstein_basis<root_instants - 1>(root_place(i)).transpose();
    return basis;
  }());
  Eigen::Matrix<double, root_instants, 1> values;
  for (int i = 0; i < root_instants; ++i) values[i] = f(u.value(root_place(i)));
  return through(values, places);
}

std::optional<Polynomial> above_root(const Polynomial& square, double margin) {
  if (square.is_zero()) return Polynomial(0);
  return beside_root(square, margin, 1);
}

std::optional<Polynomial> below_root(const Polynomial& square, double margin) {
  return beside_root(square, margin, -1);
}

std::optional<Core> core_of(const SmoothSide& side) {
  if (side.kind == SmoothSideKind::point) return Core{Vec3::Zero(), side.feature.point};
  if (side.kind == SmoothSideKind::ring)
    return Core{{side.circle, side.circle, 0}, side.surface.position, side.surface.rotation};
  if (side.kind != SmoothSideKind::surface && side.kind != SmoothSideKind::bowl)
    return std::nullopt;
  const geometry::SupportAtom& atom = side.surface.surface->atoms()[side.atom];
  Core core;
  if (atom.is_ellipsoid())
    core.radii = atom.half_axes();
  else if (atom.is_circle())
    core.radii = Vec3(atom.outer_radius(), atom.outer_radius(), 0);
  else if (!atom.is_point())
    return std::nullopt;
  core.centre = side.surface.position + side.surface.rotation * atom.centre();
  core.axes = side.surface.rotation;
  return core;
}

}  // namespace abut::contact
