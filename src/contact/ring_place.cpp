// The place of contact of a ring with anything.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "contact/smooth_place.h"
#include "geometry/cavity.h"
#include "geometry/normal_step.h"
#include "geometry/rim_distance.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using geometry::PlacedAtom;

// The place of a ring's contact is lost where its whole circle varies in distance by less than this
// part of the touching distance (dimensionless): less than 1, so that the circle is found then. It
// has been seen to be lost at half of that.
constexpr double lost_circle = 0.8;
constexpr double seen_as_lost = 0.5 * lost_circle;

// A rim's nearest place on a smooth surface is told from others if these are farther than this part
// of its radius (dimensionless).
constexpr double narrowest_minimum = 0.1;

// Looks at the other surface until Newton's method is taken not to get there, and the largest turn
// of the normal that it may ask for (rad). The cosine between the normal and the plane of the
// circle below which its place is not taken from the normal (dimensionless).
constexpr int newton_looks = 12;
constexpr double longest_newton_turn = 0.5;
constexpr double least_facing = 1e-3;
// Of several places at once, one that has moved by less than this part of its distance from the
// others (dimensionless) is still the same.
constexpr double same_of_several = 0.25;

// How far a point is from what the other side is made of.
geometry::DistanceFromPoint distance_from(const SmoothSide& side, const RigidMotion& body) {
  const Vec3 at = body.pose.position + body.pose.orientation * side.feature.point;
  const Vec3 along = direction(side, body);
  switch (side.kind) {
    case SmoothSideKind::plane:
      return [=](const Vec3& p) { return geometry::from_plane(p, at, along); };
    case SmoothSideKind::line:
      if (side.level != 0)
        return [=, level = side.level](const Vec3& p) {
          return geometry::from_lines(p, at, along, level);
        };
      return [=](const Vec3& p) {
        return geometry::from_segment(p, at, along, std::numeric_limits<double>::infinity());
      };
    case SmoothSideKind::ring:
      return [circle = circle_of(side, body)](const Vec3& p) {
        return geometry::from_circle(p, circle);
      };
    case SmoothSideKind::surface:
      if (is_rim(side))
        return [circle = circle_of(side, body)](const Vec3& p) {
          return geometry::from_circle(p, circle);
        };
      // Points that are asked for one after the other are near each other.
      return [atom = placed(side, body),
              hint = Vec3(Vec3::Zero())](const Vec3& p) mutable -> geometry::DistanceOfSet {
        const geometry::Extremum found = geometry::extremum_of_point(p, atom, hint);
        return {found.gap, found.normal, found.b};
      };
    case SmoothSideKind::bowl:
      return [atom = placed(side, body)](const Vec3& p) -> geometry::DistanceOfSet {
        const Vec3 local = atom.rotation.transpose() * (p - atom.position);
        const Vec3 m = geometry::towards_nearest_wall(*atom.atom, local);
        const double depth = atom.atom->height(m) - m.dot(local);
        const Vec3 normal = -(atom.rotation * m);
        return {depth, normal, p - depth * normal};
      };
    case SmoothSideKind::point:
      break;
  }
  return [=](const Vec3& p) { return geometry::from_point(p, at); };
}

// A place is looked for first from where it was found: by Newton's method on the conditions of
// geometry/extremal_normal.h, in which the circle takes part with the radii of a ring
// (smooth_gap.h). It takes a handful of looks at the other surface, where going downhill takes one
// search of the nearest point after the other. The places on a circle that faces the other surface
// with its outer or its inner side are told by `side`, 1 or -1.
struct CircleAt {
  Vec3 outward, along, place;
  Mat3 radii;

  // For a normal n from the other surface to the circle; nothing on top of the ring.
  static std::optional<CircleAt> facing(const geometry::PlacedCircle& circle, const Vec3& n,
                                        double side) {
    const Vec3 axis = circle.axes.col(2);
    const Vec3 aside = -(n - axis * axis.dot(n));
    const double cosine = aside.norm();
    if (!(cosine > least_facing)) return std::nullopt;
    CircleAt at;
    at.outward = side / cosine * aside;
    at.along = axis.cross(at.outward);
    at.place = circle.centre + circle.radius * at.outward;
    at.radii = side * circle.radius / cosine * at.along * at.along.transpose();
    return at;
  }
};

// W^-1 v across n.
std::optional<Vec3> solved_across(const Vec3& n, const Mat3& w, const Vec3& v) {
  const Vec3 first = n.unitOrthogonal(), second = n.cross(first);
  Eigen::Matrix2d m;
  m << first.dot(w * first), first.dot(w * second), second.dot(w * first), second.dot(w * second);
  const double determinant = m.determinant();
  if (!(std::abs(determinant) > 0)) return std::nullopt;
  const Eigen::Vector2d solution = m.inverse() * Eigen::Vector2d(first.dot(v), second.dot(v));
  return Vec3(solution.x() * first + solution.y() * second);
}

// With c the point of the circle, t along it and f the distance, n turns by (W + f)^-1 t R per
// angle:
//     f'' = R^2 t.(W + f)^-1 t - R n.e.
std::optional<geometry::CirclePlace> place_from(const geometry::PlacedCircle& circle,
                                                const PlacedAtom& other, Vec3 n, double side) {
  const double scale = (circle.centre - other.position).norm() + circle.radius +
                       other.atom->outer_radius() + other.atom->centre().norm();
  for (int i = 0; i < newton_looks; ++i) {
    const std::optional<CircleAt> at = CircleAt::facing(circle, n, side);
    if (!at) return std::nullopt;
    const geometry::SurfacePatch patch = other.patch(n);
    const Vec3 between = at->place - patch.point;
    const double distance = n.dot(between);
    const Vec3 residual = between - distance * n;
    const Mat3 of_other = patch.radii + distance * Mat3::Identity();
    if (residual.norm() <= geometry::residual_rounding * scale) {
      const std::optional<Vec3> turning = solved_across(n, of_other, at->along);
      if (!turning) return std::nullopt;
      const double r = circle.radius;
      return geometry::CirclePlace{circle.angle_of(at->place),
                                   at->place,
                                   {distance, n, patch.point},
                                   r * r * at->along.dot(*turning) - r * n.dot(at->outward)};
    }
    const std::optional<Vec3> step = solved_across(n, of_other + at->radii, residual);
    if (!step || !(step->norm() < longest_newton_turn)) return std::nullopt;
    n = (n + *step).normalized();
  }
  return std::nullopt;
}

// The distance varies from side to side by about twice its second derivative, which is nowhere
// negative. Events are located half a slack below zero and seen a whole slack below it, so that is
// where the two bounds are taken to.
double firmness_of(const geometry::CirclePlace& place, double tolerance) {
  const double varies = 2 * place.stiffness / tolerance;
  const double falls = 0.5 * support_slack * (varies - lost_circle) / (lost_circle - seen_as_lost);
  return (falls - 0.5 * support_slack) * tolerance;
}

// From the normal with which the contact was found, where it was at `first` of the circle. It must
// be a place of least distance, and the one that is meant.
std::optional<geometry::CirclePlace> place_near_start(const SmoothPair& pair, int ring,
                                                      const geometry::PlacedCircle& circle,
                                                      const Vec3& first, const RigidMotion& a,
                                                      const RigidMotion& b) {
  const SmoothSide& other = pair.sides[1 - ring];
  if (other.kind != SmoothSideKind::surface || is_rim(other)) return std::nullopt;
  const Vec3 n = (ring == 0 ? 1 : -1) * (b.pose.orientation * pair.start);
  const double side = n.dot(circle.outward(circle.angle_of(first))) <= 0 ? 1 : -1;
  auto found = place_from(circle, placed(other, ring == 0 ? b : a), n, side);
  if (!found || !(found->stiffness > 0)) return std::nullopt;
  if (pair.apart.isZero(0)) return found;
  const Vec3 on_b = ring == 1 ? found->on_circle : found->other.nearest;
  const Vec3 moved = b.pose.orientation.conjugate() * (on_b - b.pose.position) - pair.places[1];
  if (moved.norm() > same_of_several * pair.apart.norm()) return std::nullopt;
  return found;
}

}  // namespace

geometry::PlacedCircle circle_of(const SmoothSide& side, const RigidMotion& body) {
  if (is_rim(side)) {
    const PlacedAtom rim = placed(side, body);
    return {rim.rotation * rim.atom->centre() + rim.position, rim.rotation,
            rim.atom->outer_radius()};
  }
  const Mat3 rotation = body.pose.orientation.toRotationMatrix();
  return {rotation * side.surface.position + body.pose.position, rotation * side.surface.rotation,
          side.circle};
}

// Of all places where the circle comes nearest, the one this contact is about: downhill from where
// it was found, if that leads to a gap that a contact can have, and looked for all around
// otherwise, or where several places touch at once. Where the whole circle is about to be as near,
// the contact loses its place.
SmoothPlace place_of_ring(const SmoothPair& pair, int ring, const RigidMotion& a,
                          const RigidMotion& b) {
  const SmoothSide &own = pair.sides[ring], &other = pair.sides[1 - ring];
  const geometry::PlacedCircle circle = circle_of(own, ring == 0 ? a : b);
  const geometry::DistanceFromPoint distance = distance_from(other, ring == 0 ? b : a);
  const double rounding = own.rounding + other.rounding;
  const double plausible = rounding + plausible_gap * (circle.radius + rounding);
  // Minima of a circle without a tube, a rim, are as wide as the other surface makes them.
  double width = rounding;
  if (rounding == 0 && other.surface)
    width = std::max(other.surface.surface->atoms()[other.atom].least_radius(),
                     narrowest_minimum * circle.radius);
  const auto off = [&](const geometry::CirclePlace& place) {
    return std::abs(place.distance() - rounding);
  };
  std::vector<geometry::CirclePlace> places;
  const RigidMotion& body = ring == 0 ? a : b;
  const Vec3 first = body.pose.position + body.pose.orientation * pair.places[ring];
  if (const auto near = place_near_start(pair, ring, circle, first, a, b);
      near && off(*near) <= plausible - rounding)
    places = {*near};
  else if (pair.apart.isZero(0))
    places = {minimum_downhill(circle, distance, circle.angle_of(first))};
  if (places.empty() || !(off(places.front()) <= plausible - rounding))
    places = circle_minima(circle, distance, plausible, width);
  if (places.empty()) places = {nearest_on_circle(circle, distance, width, 0)};
  // An edge goes on beyond its ends here, where the circle may come nearer to it or pass it: the
  // place that is meant is the one whose gap is that of a contact.
  const Vec3 apart = pair.chord_end != 0
                         ? Vec3(pair.chord_end * direction(other, ring == 0 ? b : a))
                         : Vec3(b.pose.orientation * pair.apart);
  const auto comes_first = [&](const geometry::CirclePlace& x, const geometry::CirclePlace& y) {
    const bool both_closed = std::max(off(x), off(y)) <= plausible - rounding;
    if (apart.isZero(0) || !both_closed) return off(x) < off(y);
    return apart.dot(x.on_circle) > apart.dot(y.on_circle);
  };
  const geometry::CirclePlace& place = *std::min_element(places.begin(), places.end(), comes_first);
  SmoothPlace found;
  geometry::Extremum& e = found.extremum;
  e.normal = ring == 0 ? place.other.normal : Vec3(-place.other.normal);
  e.gap = place.distance();
  e.a = ring == 0 ? place.on_circle : place.other.nearest;
  e.b = ring == 0 ? place.other.nearest : place.on_circle;
  found.firmness = firmness_of(place, pair.tolerance);
  return found;
}

}  // namespace abut::contact
