// Curved solids outside of each other: a direction parts them.

#include <cmath>

#include "contact/proof_terms.h"
#include "geometry/place_over_step.h"

namespace abut::contact {
namespace {

// The support function of one side along -m or m: m.x of a point of it, and what is added to that,
// times the weight of the side's frame.
struct Extent {
  Vec3 point = Vec3::Zero();  // in the motion frame
  Polynomial more{0};
};

bool has_lines(const SmoothSide& side) {
  return side.kind == SmoothSideKind::line;
}

bool is_plane(const SmoothSide& side) {
  return side.kind == SmoothSideKind::plane;
}

const geometry::SupportAtom* superellipsoid_of(const SmoothSide& side) {
  if (side.kind != SmoothSideKind::surface) return nullptr;
  const geometry::SupportAtom& atom = side.surface.surface->atoms()[side.atom];
  return atom.is_superellipsoid() ? &atom : nullptr;
}

const geometry::SupportAtom* surface_by_formula(const SmoothSide& side) {
  if (side.kind != SmoothSideKind::surface) return nullptr;
  const geometry::SupportAtom& atom = side.surface.surface->atoms()[side.atom];
  return atom.surface() != nullptr ? &atom : nullptr;
}

// What m is along the axes of a core, times its radii.
PolynomialVector stretched(const FrameOverStep& frame, const PolynomialVector& m, const Mat3& axes,
                           const Vec3& radii) {
  PolynomialVector s;
  for (int k = 0; k < 3; ++k)
    if (radii[k] != 0) s[k] = dot(m, turned(frame, axes.col(k))) * radii[k];
  return s;
}

std::optional<Extent> extent_of(const geometry::SupportAtom& superellipsoid, const SmoothSide& side,
                                const FrameOverStep& frame, const PolynomialVector& m,
                                double margin) {
  const Mat3& axes = side.surface.rotation;
  const PolynomialVector s = stretched(frame, m, axes, superellipsoid.half_axes());
  const std::optional<Polynomial> norm =
      above_norm_of_norms(s, superellipsoid.dual_exponents(), margin);
  if (!norm) return std::nullopt;
  return Extent{side.surface.position + axes * superellipsoid.centre(), *norm};
}

// Of a surface of the user's own, by places that are nearly where it has the outward normal m.
// Unlike the others it need not be the same on both sides.
std::optional<Extent> extent_by_formula(const geometry::SupportAtom& atom, const SmoothSide& side,
                                        const FrameOverStep& frame, const PolynomialVector& m) {
  const PolynomialVector s = stretched(frame, m, side.surface.rotation, Vec3::Ones());
  const auto place = geometry::place_over_step(atom, s);
  if (!place) return std::nullopt;
  return Extent{side.surface.position, place->height(s, 2 * atom.outer_radius())};
}

// The outward normal is m times `outward`. Planes and lines have an extent only along directions
// that are across them; the lines of a cone that lean by no less, along which its apex is first.
std::optional<Extent> extent_of(const SmoothSide& side, const FrameOverStep& frame,
                                const PolynomialVector& m, double outward, const Polynomial& length,
                                double margin) {
  if (is_plane(side)) return Extent{side.feature.point};
  const Polynomial around = frame.weight * length * side.rounding;
  if (has_lines(side))
    return Extent{side.level == 0 ? foot_of(side.feature) : side.feature.point, around};
  if (const geometry::SupportAtom* atom = superellipsoid_of(side))
    return extent_of(*atom, side, frame, m, margin);
  if (const geometry::SupportAtom* atom = surface_by_formula(side))
    return extent_by_formula(*atom, side, frame, m * Polynomial(outward));
  const std::optional<Core> core = core_of(side);
  if (!core) return std::nullopt;
  const PolynomialVector s = stretched(frame, m, core->axes, core->radii);
  const std::optional<Polynomial> root = above_root(dot(s, s), margin);
  if (!root) return std::nullopt;
  return Extent{core->centre, *root + around};
}

bool has_proof(const SmoothSide& side) {
  return is_plane(side) || has_lines(side) || superellipsoid_of(side) != nullptr ||
         surface_by_formula(side) != nullptr ||
         (side.kind != SmoothSideKind::bowl && core_of(side).has_value());
}

// A line of one side, and what m . e is of its unit direction e and the unit direction m from b to
// a: the outward normals of a are -m.
struct LineOverStep {
  PolynomialVector along;
  const Polynomial& weight;  // the length of `along`
  double level;
};

LineOverStep line_of(const SmoothPair& pair, int side, const FrameOverStep& frame) {
  const SmoothSide& line = pair.sides[side];
  return {turned(frame, line.feature.direction), frame.weight,
          side == 0 ? -line.level : line.level};
}

// m, of any length, turned about the line until it leans as the lines of the cone do, or a little
// more: with u what m is across e, u + tan(angle) |u| e.
std::optional<PolynomialVector> turned_across(const PolynomialVector& m, const LineOverStep& line,
                                              double margin) {
  const PolynomialVector across = cross(cross(line.along, m), line.along);
  if (line.level == 0) return across;
  const std::optional<Polynomial> length = above_root(dot(across, across), margin);
  if (!length) return std::nullopt;
  const double tangent = line.level / std::sqrt(1 - line.level * line.level);
  return across * line.weight + line.along * (*length * tangent);
}

// Two lines leave but two directions. With unit vectors e, f along them, c = e.f and the levels k
// and l, these are, times 1 - c^2,
//     (k - c l) e + (l - c k) f +- sqrt(1 - c^2 - k^2 - l^2 + 2 c k l) e x f:
// shorter, and so leaning more, with less than the root.
std::optional<PolynomialVector> across_both(const LineOverStep& a, const LineOverStep& b,
                                            const Vec3& normal, double margin) {
  PolynomialVector across = cross(a.along, b.along);
  const Vec3 first(across[0].value(0), across[1].value(0), across[2].value(0));
  across = across * Polynomial(first.dot(normal) < 0 ? -1 : 1);
  const double k = a.level, l = b.level;
  if (k == 0 && l == 0) return across;
  const Polynomial cosine = dot(a.along, b.along), weight = a.weight * b.weight;
  const std::optional<Polynomial> root = below_root(
      weight * weight * (1 - k * k - l * l) - cosine * cosine + cosine * weight * (2 * k * l),
      margin);
  if (!root) return std::nullopt;
  return a.along * (b.weight * (weight * k - cosine * l)) +
         b.along * (a.weight * (weight * l - cosine * k)) + across * *root;
}

// The direction from b to a, of any length, along which the sides are to be shown apart. `margin`:
// by how much, of its length, it may be off (dimensionless).
std::optional<PolynomialVector> parting(const SmoothPair& pair, const FrameOverStep& a,
                                        const FrameOverStep& b, std::span<const Vec3> normals,
                                        double margin) {
  const auto& [side_a, side_b] = pair.sides;
  if (is_plane(side_b)) return turned(b, side_b.feature.direction);
  if (is_plane(side_a)) return turned(a, -side_a.feature.direction);
  if (has_lines(side_a) && has_lines(side_b))
    return across_both(line_of(pair, 0, a), line_of(pair, 1, b), normals.front(), margin);
  const PolynomialVector m = through_normals(normals);
  if (has_lines(side_a)) return turned_across(m, line_of(pair, 0, a), margin);
  if (has_lines(side_b)) return turned_across(m, line_of(pair, 1, b), margin);
  return m;
}

}  // namespace

GapProof prove_apart(const SmoothPair& pair, const FrameOverStep& a, const FrameOverStep& b,
                     double lowest, std::span<const Vec3> normals) {
  const auto& [side_a, side_b] = pair.sides;
  if (!has_proof(side_a) || !has_proof(side_b)) return GapProof::no_way;
  // A plane meets all lines but those that are parallel to it.
  if ((is_plane(side_a) && has_lines(side_b)) || (is_plane(side_b) && has_lines(side_a)))
    return GapProof::no_way;
  const bool has_plane = is_plane(side_a) || is_plane(side_b);
  if (!has_plane && normals.size() != proof_instants) return GapProof::no_way;
  const double lever =
      size_of(a.centre - b.centre) + side_a.feature.point.norm() + side_b.feature.point.norm();
  const std::optional<PolynomialVector> m =
      parting(pair, a, b, normals, root_margin * lowest / lever);
  if (!m) return GapProof::fails;
  std::optional<Polynomial> length;
  if (has_plane)
    length = is_plane(side_b) ? b.weight : a.weight;
  else
    length = above_root(dot(*m, *m), length_margin);
  if (!length) return GapProof::fails;
  const double margin = root_margin * lowest;
  const std::optional<Extent> of_a = extent_of(side_a, a, *m, -1, *length, margin);
  const std::optional<Extent> of_b = extent_of(side_b, b, *m, 1, *length, margin);
  if (!of_a || !of_b) return GapProof::fails;
  const MovingPlace d = between(a, of_a->point, b, of_b->point);
  // All in the weight of both frames, which d may lack where a point is a centre.
  const Polynomial weight = a.weight * b.weight;
  const Polynomial missing = (of_a->point.isZero(0) ? a.weight : Polynomial(1)) *
                             (of_b->point.isZero(0) ? b.weight : Polynomial(1));
  const Polynomial room = dot(*m, d.value) * missing - of_a->more * b.weight -
                          of_b->more * a.weight - weight * *length * lowest;
  const double rounding =
      rounding_of(a, b, size_of(d.value) + size_of(of_a->more) + size_of(of_b->more));
  return verdict(is_above(room, rounding), rounding, lowest);
}

}  // namespace abut::contact
