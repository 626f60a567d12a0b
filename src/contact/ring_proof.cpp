// Balls and corners beside a circle, also within it, where no plane parts them from all of it.
//
// A point at the distance rho from the axis of a circle of radius R and z along it is
//     sqrt((rho - R)^2 + z^2) = sqrt(d^2 + R^2 - 2 R rho),      d^2 = rho^2 + z^2,
// from the circle: with a polynomial that is larger than rho in its place, less than that.

#include <algorithm>

#include "contact/proof_terms.h"

namespace abut::contact {

GapProof prove_beside_ring(const SmoothSide& ring, const FrameOverStep& a, const SmoothSide& point,
                           const FrameOverStep& b, double lowest) {
  const double least = ring.rounding + point.rounding + lowest, radius = ring.circle;
  const MovingPlace d = between(a, ring.surface.position, b, point.feature.point);
  const Polynomial along = dot(d.value, turned(a, ring.surface.rotation.col(2)));
  const Polynomial square = dot(d.value, d.value);
  // Squares of the gap alone would drown in rounding; that of the sum is off by twice the sum.
  const double size = std::max(size_of(d.value), radius);
  const double rounding = size / least * rounding_of(a, b, size);
  const std::optional<Polynomial> rho = above_root(square * a.weight * a.weight - along * along,
                                                   root_margin * lowest * least / radius);
  if (!rho) return verdict(false, rounding, lowest);
  const Polynomial room = square * a.weight +
                          d.weight * d.weight * a.weight * (radius * radius - least * least) -
                          d.weight * *rho * (2 * radius);
  return verdict(is_above(room, 2 * least * rounding), rounding, lowest);
}

}  // namespace abut::contact
