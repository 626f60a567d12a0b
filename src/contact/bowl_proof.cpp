// Curved solids, corners and balls in the cavity of another: that the wall is farther than a gap.

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "contact/proof_terms.h"
#include "geometry/place_over_step.h"

namespace abut::contact {
namespace {

// Radii of curvature are known to this (dimensionless).
constexpr double radius_rounding = 1e-14;

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

// A side as an atom that a frame carries: a ring as its circle, a ball as its centre.
struct CarriedAtom {
  geometry::SupportAtom atom;
  Vec3 position = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

CarriedAtom carried_atom(const SmoothSide& side) {
  if (side.kind == SmoothSideKind::point) return {{}, side.feature.point};
  const toi::CarriedSurface& surface = side.surface;
  if (side.kind == SmoothSideKind::ring)
    return {geometry::SupportAtom::circle(Vec3::Zero(), side.circle), surface.position,
            surface.rotation};
  return {surface.surface->atoms()[side.atom], surface.position, surface.rotation};
}

// A vector of the side's own axes, times the weight of the frame.
PolynomialVector in_world_axes(const CarriedAtom& side, const FrameOverStep& frame,
                               const PolynomialVector& local) {
  PolynomialVector sum;
  for (int k = 0; k < 3; ++k) sum = sum + turned(frame, side.axes.col(k)) * local[k];
  return sum;
}

// Where a side lies farthest along m, in its own axes.
std::optional<geometry::PlaceOverStep> farthest_place(const CarriedAtom& side,
                                                      const FrameOverStep& frame,
                                                      const PolynomialVector& m) {
  if (side.atom.is_point()) {
    geometry::PlaceOverStep place;
    for (int k = 0; k < 3; ++k) place.point[k] = Polynomial(side.atom.centre()[k]);
    return place;
  }
  PolynomialVector local;
  for (int k = 0; k < 3; ++k) local[k] = dot(m, turned(frame, side.axes.col(k)));
  return geometry::place_over_step(side.atom, local);
}

// A ball that touches it where it lies farthest along m, and has all of it inside, has this radius:
// for a circle of radius r whose axis is at an angle to m of which the sine is s, r / s.
std::optional<double> radius_around(const CarriedAtom& side, const FrameOverStep& frame,
                                    const PolynomialVector& m) {
  if (side.atom.is_point()) return 0;
  if (!side.atom.is_circle()) return side.atom.largest_radius() * (1 + radius_rounding);
  const PolynomialVector across = cross(m, turned(frame, side.axes.col(2)));
  const double least = dot(across, across).bernstein().minCoeff();
  if (!(least > 0)) return std::nullopt;
  const double longest = size_of(dot(m, m)) * size_of(frame.weight * frame.weight);
  return side.atom.outer_radius() * std::sqrt(longest / least) * (1 + radius_rounding);
}

// With rho the least radius of curvature of the wall, a ball of that radius touches it from inside
// anywhere and lies in the bowl; with R the largest one of the body in it, a ball of that radius
// has all of it inside, wherever it touches (Blaschke). Where both have the unit normal m, at the
// places x and y, the first ball is in the bowl about z = y - rho m, the second about c = x - R m,
// and the gap is at least
//     rho - R - |c - z|,
// which is the gap itself where m is the normal of the contact, and beside it less by squares only.
GapProof ball_in_ball(const SmoothSide& inside, const FrameOverStep& a, const SmoothSide& bowl,
                      const FrameOverStep& b, double lowest, std::span<const Vec3> normals) {
  const CarriedAtom in = carried_atom(inside), wall = carried_atom(bowl);
  const double rho = wall.atom.least_radius() * (1 - radius_rounding);
  if (!(rho > 0) || normals.size() != proof_instants) return GapProof::no_way;
  const MovingPlace d = between(a, in.position, b, wall.position);
  const PolynomialVector normal = through_normals(normals);
  const double stray = size_of(dot(normal, normal) - Polynomial(1));  // of its length from 1
  GapProof proof = GapProof::fails;
  // The normal leads outward, or the other way.
  for (const double sign : {1.0, -1.0}) {
    const PolynomialVector m = normal * Polynomial(sign);
    const std::optional<double> around = radius_around(in, a, m);
    if (!around) continue;
    const double radius = *around, play = rho - radius - inside.rounding - bowl.rounding;
    if (!(play > lowest)) return GapProof::no_way;
    const auto x = farthest_place(in, a, m), y = farthest_place(wall, b, m);
    if (!x || !y) continue;
    const Polynomial weight = a.weight * b.weight;
    const PolynomialVector off = d.value * weight + (in_world_axes(in, a, x->point) * b.weight -
                                                     in_world_axes(wall, b, y->point) * a.weight +
                                                     m * (weight * (rho - radius))) *
                                                        d.weight;
    const double room = play - lowest - (x->off + radius * x->turn) - (y->off + rho * y->turn) -
                        (rho - radius) * stray;
    const double most = wall.atom.outer_radius();
    const double rounding = rounding_of(a, b, size_of(d.value) + most);
    const Polynomial scale = weight * d.weight;
    const double size = size_of(scale);
    const bool holds = room > 0 && is_above(scale * scale * (room * room) - dot(off, off),
                                            2 * most * rounding * size * size);
    proof = verdict(holds, rounding, lowest);
    if (proof == GapProof::holds) break;
  }
  return proof;
}

// A wall that is the unit ball of a norm F of norms, with the support function h, the half axes a,
// and no radius of curvature below rho: a superellipsoid. About c in it is a ball; with the gap
// that is to be shown around it let its radius be r.
//
// Let m be a vector near the unit normal that leads to the wall, p = c + r m and f = F(p) <= 1: p
// is on the wall of the f times smaller bowl, where that has the unit normal n, say. A ball of
// radius f rho touches it there from inside, and is in it all of it, so that
//     f h(m) >= m.(p - f rho n) + f rho |m|,   that is   f rho (|m| - m.n) <= e = f h(m) - m.p.
// From c to the centre of that ball it is f rho n - r m, a vector of the length
//     sqrt((f rho - r |m|)^2 + 2 f rho r (|m| - m.n)) <= f rho - r |m| + r e / (f rho - r |m|),
// and c is farther from the smaller wall than f rho less that. The wall itself is farther along
// every direction, by (1 - f) min a or more. So the larger ball is in the bowl if
//     (1 - f) min a >= r (1 - |m|) + r e / (f rho - r |m|),
// for which f and h may be bounds from above. It takes no derivative of F: that m is a normal is
// told by e, which is of the second order in what m is off. And f is no less than m.p / h(m): than
// a little less than what that is at instants, by this factor.
constexpr double below_instants = 0.999;

// A number that p / q, q > 0, is not below over the step.
std::optional<double> below_ratio(const Polynomial& p, const Polynomial& q) {
  double least = infinity;
  for (int i = 0; i < proof_instants; ++i) {
    const double s = double(i) / (proof_instants - 1);
    least = std::min(least, p.value(s) / q.value(s));
  }
  least *= below_instants;
  return is_above(p - q * least, 0) ? std::optional(least) : std::nullopt;
}

GapProof ball_in_norm(const MovingPlace& d, double radius, const CarriedAtom& wall,
                      const FrameOverStep& a, const FrameOverStep& b, double lowest,
                      std::span<const Vec3> normals) {
  const double rho = wall.atom.least_radius() * (1 - radius_rounding), r = radius + lowest;
  if (!(rho > r) || normals.size() != proof_instants) return GapProof::no_way;
  PolynomialVector m = through_normals(normals);
  // The normal leads outward, or the other way.
  if (dot(m, d.value).value(0) < 0) m = m * Polynomial(-1);
  const double stray = size_of(dot(m, m) - Polynomial(1));  // of its length from 1
  // In the axes of the wall: p over half axes, and m times half axes.
  const Vec3& axes = wall.atom.half_axes();
  const Polynomial weight = d.weight * b.weight;
  PolynomialVector place, normal;
  Polynomial along;  // m.p
  for (int k = 0; k < 3; ++k) {
    const PolynomialVector axis = turned(b, wall.axes.col(k));
    const Polynomial of_m = dot(m, axis);
    place[k] = (dot(d.value, axis) + of_m * d.weight * r) * (1 / axes[k]);
    normal[k] = of_m * axes[k];
    along += place[k] * normal[k];
  }
  const auto [q1, q2] = wall.atom.dual_exponents();
  const double margin = root_margin * lowest, least = axes.minCoeff();
  const std::optional<Polynomial> f =
      above_norm_of_norms(place, {q1 / (q1 - 1), q2 / (q2 - 1)}, margin / least);
  const std::optional<Polynomial> h = above_norm_of_norms(normal, {q1, q2}, margin);
  const std::optional<double> f_least = h ? below_ratio(along, *h * weight) : std::nullopt;
  const double arm = rho * f_least.value_or(0) - r * (1 + stray);
  if (!f || !(arm > 0)) return GapProof::fails;
  const Polynomial room =
      ((weight - *f) * least - weight * (r * stray)) * b.weight - (*f * *h - along) * (r / arm);
  const double rounding =
      rounding_of(a, b, size_of(d.value) + wall.atom.outer_radius()) * (1 + r / arm);
  return verdict(is_above(room, rounding * size_of(weight * b.weight)), rounding, lowest);
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
  if (core && wall && wall->radii.minCoeff() > 0) {
    const double radius = inside.rounding + bowl.rounding;
    const bool is_round = wall->radii.minCoeff() == wall->radii.maxCoeff();
    const MovingPlace d = between(a, core->centre, b, wall->centre);
    if (core->radii.isZero(0) && (is_round || radius == 0))
      return point_in_smaller(d, radius, *wall, a, b, lowest);
    if (is_round && core->radii.z() == 0 && core->radii.x() > 0)
      return circle_in_sphere(d, *core, radius, wall->radii.x(), a, b, lowest);
  }
  const CarriedAtom in_norm = carried_atom(bowl);
  if (core && core->radii.isZero(0) && in_norm.atom.is_superellipsoid())
    return ball_in_norm(between(a, core->centre, b, in_norm.position), inside.rounding, in_norm, a,
                        b, lowest, normals);
  const bool has_lines =
      inside.kind == SmoothSideKind::line || inside.kind == SmoothSideKind::plane;
  return has_lines ? GapProof::no_way : ball_in_ball(inside, a, bowl, b, lowest, normals);
}

}  // namespace abut::contact
