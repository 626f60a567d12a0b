#include "contact/gap_proof.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "contact/proof_terms.h"

namespace abut::contact {
namespace {

// The value of a gap times a positive weight, with what rounding may do to it.
struct Bounded {
  Polynomial value, weight;
  double rounding = 0;
};

bool is_between(const Bounded& gap, double lowest, double highest) {
  if (!is_above(gap.value - gap.weight * lowest, gap.rounding)) return false;
  return highest == infinity || is_above(gap.weight * highest - gap.value, gap.rounding);
}

GapProof point_on_plane(const Contact& c, const FrameOverStep& point, const FrameOverStep& plane,
                        double lowest, double highest) {
  const CarriedFeature& carried = c.features[1 - c.point_side];
  const Vec3& at = c.features[c.point_side].point;
  const MovingPlace place = place_of(point, at, plane.centre);
  const PolynomialVector normal = turned(plane, carried.direction);
  Bounded gap;
  gap.weight = place.weight * plane.weight;
  gap.value =
      dot(normal, place.value) - gap.weight * (carried.direction.dot(carried.point) + c.rounding());
  gap.rounding =
      rounding_of(point, plane, size_of(place.value) + carried.point.norm() + c.rounding());
  return verdict(is_between(gap, lowest, highest), gap.rounding, lowest);
}

// Of distances, by their squares: d^2 = square / weight, made of lengths of this size, m.
GapProof by_squares(const Polynomial& square, const Polynomial& weight, double core, double size,
                    double rounding, double lowest, double highest) {
  const double least = core + lowest, most = core + highest;
  const double of_squares = 2 * std::max(core, size) * rounding;
  bool holds = is_above(square - weight * (least * least), of_squares);
  if (holds && highest < infinity) holds = is_above(weight * (most * most) - square, of_squares);
  return verdict(holds, rounding, lowest);
}

GapProof point_on_point(const Contact& c, const FrameOverStep& a, const FrameOverStep& b,
                        double lowest, double highest) {
  const MovingPlace d = between(a, c.features[0].point, b, c.features[1].point);
  const double size = size_of(d.value);
  return by_squares(dot(d.value, d.value), d.weight * d.weight, c.rounding(), size,
                    rounding_of(a, b, size), lowest, highest);
}

GapProof point_on_line(const Contact& c, const FrameOverStep& point, const FrameOverStep& line,
                       double lowest, double highest) {
  const CarriedFeature& carried = c.features[1 - c.point_side];
  const MovingPlace d = between(point, c.features[c.point_side].point, line, foot_of(carried));
  const PolynomialVector area = cross(d.value, turned(line, carried.direction));
  const Polynomial weight = d.weight * line.weight;
  const double size = size_of(d.value);
  return by_squares(dot(area, area), weight * weight, c.rounding(), size,
                    rounding_of(point, line, size), lowest, highest);
}

GapProof edge_on_edge(const Contact& c, const FrameOverStep& a, const FrameOverStep& b,
                      double lowest, double highest) {
  const PolynomialVector across =
      cross(turned(a, c.features[0].direction), turned(b, c.features[1].direction));
  const MovingPlace d = between(a, foot_of(c.features[0]), b, foot_of(c.features[1]));
  const Polynomial volume = dot(across, d.value) * c.edge_sign;
  const Polynomial sine = dot(across, across);  // squared, with weights
  const double size = size_of(d.value), rounding = rounding_of(a, b, size);
  if (c.rounding() > 0)
    return is_above(volume, 0) ? by_squares(volume * volume, sine * d.weight * d.weight,
                                            c.rounding(), size, rounding, lowest, highest)
                               : GapProof::fails;
  // Squares of nothing but a gap would drown in rounding.
  const Eigen::VectorXd sines = sine.bernstein();
  const double largest = std::sqrt(sines.maxCoeff());
  const double smallest = std::sqrt(std::max(0.0, sines.minCoeff()));
  const bool holds =
      is_above(volume - d.weight * (lowest * largest), rounding) &&
      (highest == infinity || is_above(d.weight * (highest * smallest) - volume, rounding));
  return verdict(holds, rounding, lowest * largest);
}

GapProof smooth_gap(const SmoothPair& pair, const FrameOverStep& a, const FrameOverStep& b,
                    double lowest, std::span<const Vec3> normals) {
  const auto& [side_a, side_b] = pair.sides;
  if (side_b.kind == SmoothSideKind::bowl)
    return prove_inside(side_a, a, side_b, b, lowest, normals);
  if (side_a.kind == SmoothSideKind::bowl)
    return prove_inside(side_b, b, side_a, a, lowest, normals);
  if (side_a.kind == SmoothSideKind::ring && side_b.kind == SmoothSideKind::point)
    return prove_beside_ring(side_a, a, side_b, b, lowest);
  if (side_b.kind == SmoothSideKind::ring && side_a.kind == SmoothSideKind::point)
    return prove_beside_ring(side_b, b, side_a, a, lowest);
  return prove_apart(pair, a, b, lowest, normals);
}

// How far from its frame's centre what a side is made of may be, m.
double lever_of(const SmoothSide& side) {
  double lever = side.feature.point.norm() + side.rounding;
  if (side.kind == SmoothSideKind::ring) lever += side.surface.position.norm() + side.circle;
  if (side.surface.surface != nullptr)
    lever += side.surface.position.norm() + side.surface.surface->outer_radius();
  return lever;
}

// By how much the gap may differ from that of the motions of polynomials, m. Planes and lines are
// turned about their own centre, at most by the distance from there to what touches them.
double doubt_of(const Contact& contact, const FrameOverStep& a, const FrameOverStep& b) {
  const double turn = a.turn_error + b.turn_error;
  double lever = 0;
  if (turn > 0) {
    lever = size_of(a.centre - b.centre) + contact.rounding();
    for (int i = 0; i < 2; ++i)
      lever += contact.kind == GapKind::smooth ? lever_of(contact.smooth->sides[i])
                                               : contact.features[i].point.norm();
  }
  return a.centre_error + b.centre_error + turn * lever;
}

}  // namespace

GapProof prove_gap(const Contact& contact, const FrameOverStep& a, const FrameOverStep& b,
                   double least, double most, std::span<const Vec3> normals) {
  const double doubt = doubt_of(contact, a, b);
  if (!(doubt < least)) return GapProof::no_way;
  const double lowest = least + doubt, highest = most - doubt;
  if (contact.kind == GapKind::smooth) return smooth_gap(*contact.smooth, a, b, lowest, normals);
  if (contact.kind == GapKind::edge_edge) return edge_on_edge(contact, a, b, lowest, highest);
  if (contact.kind == GapKind::point_point) return point_on_point(contact, a, b, lowest, highest);
  const FrameOverStep& point = contact.point_side == 0 ? a : b;
  const FrameOverStep& other = contact.point_side == 0 ? b : a;
  return contact.kind == GapKind::point_plane
             ? point_on_plane(contact, point, other, lowest, highest)
             : point_on_line(contact, point, other, lowest, highest);
}

}  // namespace abut::contact
