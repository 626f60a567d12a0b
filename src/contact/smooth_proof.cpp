// Curved solids outside of each other: a direction parts them.

#include "contact/proof_terms.h"

namespace abut::contact {
namespace {

// The support function of one side along -m or m: m.x of a point of it, and what is added to that,
// times the weight of the side's frame.
struct Extent {
  Vec3 point = Vec3::Zero();  // in the motion frame
  Polynomial more{0};
};

bool is_straight(const SmoothSide& side) {
  return side.kind == SmoothSideKind::line && side.level == 0;
}

bool is_plane(const SmoothSide& side) {
  return side.kind == SmoothSideKind::plane;
}

// Planes and lines have an extent only along directions that are across them.
std::optional<Extent> extent_of(const SmoothSide& side, const FrameOverStep& frame,
                                const PolynomialVector& m, const Polynomial& length,
                                double margin) {
  if (is_plane(side)) return Extent{side.feature.point};
  const Polynomial around = frame.weight * length * side.rounding;
  if (is_straight(side)) return Extent{foot_of(side.feature), around};
  const std::optional<Core> core = core_of(side);
  if (!core) return std::nullopt;
  Polynomial square;
  for (int k = 0; k < 3; ++k) {
    if (core->radii[k] == 0) continue;
    const Polynomial along = dot(m, turned(frame, core->axes.col(k))) * core->radii[k];
    square += along * along;
  }
  const std::optional<Polynomial> root = above_root(square, margin);
  if (!root) return std::nullopt;
  return Extent{core->centre, *root + around};
}

bool has_proof(const SmoothSide& side) {
  return is_plane(side) || is_straight(side) ||
         (side.kind != SmoothSideKind::bowl && core_of(side).has_value());
}

// The direction from b to a, of any length, along which the sides are to be shown apart.
std::optional<PolynomialVector> parting(const SmoothPair& pair, const FrameOverStep& a,
                                        const FrameOverStep& b, std::span<const Vec3> normals) {
  const auto& [side_a, side_b] = pair.sides;
  if (is_plane(side_b)) return turned(b, side_b.feature.direction);
  if (is_plane(side_a)) return turned(a, -side_a.feature.direction);
  if (normals.size() != proof_instants) return std::nullopt;
  const PolynomialVector along_a = turned(a, side_a.feature.direction);
  const PolynomialVector along_b = turned(b, side_b.feature.direction);
  if (is_straight(side_a) && is_straight(side_b)) {
    const PolynomialVector across = cross(along_a, along_b);
    const Vec3 first(across[0].value(0), across[1].value(0), across[2].value(0));
    return across * Polynomial(first.dot(normals.front()) < 0 ? -1 : 1);
  }
  const PolynomialVector m = through_normals(normals);
  if (is_straight(side_a)) return cross(cross(along_a, m), along_a);
  if (is_straight(side_b)) return cross(cross(along_b, m), along_b);
  return m;
}

}  // namespace

GapProof prove_apart(const SmoothPair& pair, const FrameOverStep& a, const FrameOverStep& b,
                     double lowest, std::span<const Vec3> normals) {
  const auto& [side_a, side_b] = pair.sides;
  if (!has_proof(side_a) || !has_proof(side_b)) return GapProof::no_way;
  // A plane meets all lines but those that are parallel to it.
  if ((is_plane(side_a) && is_straight(side_b)) || (is_plane(side_b) && is_straight(side_a)))
    return GapProof::no_way;
  const std::optional<PolynomialVector> m = parting(pair, a, b, normals);
  if (!m) return GapProof::no_way;
  std::optional<Polynomial> length;
  if (is_plane(side_a) || is_plane(side_b))
    length = is_plane(side_b) ? b.weight : a.weight;
  else
    length = above_root(dot(*m, *m), length_margin);
  if (!length) return GapProof::fails;
  const double margin = root_margin * lowest;
  const std::optional<Extent> of_a = extent_of(side_a, a, *m, *length, margin);
  const std::optional<Extent> of_b = extent_of(side_b, b, *m, *length, margin);
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
