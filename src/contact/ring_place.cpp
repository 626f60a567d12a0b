// The place of contact of a ring with anything.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "contact/smooth_place.h"
#include "geometry/cavity.h"
#include "geometry/circle_newton.h"
#include "geometry/rim_crossing.h"
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

// How far round its circle a place may go from where the contact was found, rad, before it is to be
// found anew: from farther away the search may lead to another place that is about to touch.
constexpr double farthest_round = 0.5;

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

// How the normal of a distance turns as the point moves (geometry/circle_newton.h); nothing where
// the other side is a plane, a surface or a bowl.
std::optional<geometry::BendingOfSet> bending_from(const SmoothSide& side,
                                                   const RigidMotion& body) {
  using geometry::DistanceOfSet;
  const auto across = [](const Vec3& n) { return Mat3(Mat3::Identity() - n * n.transpose()); };
  const Vec3 along = direction(side, body);
  if (side.kind == SmoothSideKind::point)
    return [=](const DistanceOfSet& f) { return Mat3(across(f.normal) / f.distance); };
  if (side.kind == SmoothSideKind::ring || is_rim(side))
    return [=, circle = circle_of(side, body)](const DistanceOfSet& f) {
      const double angle = circle.angle_of(f.nearest);
      const Vec3 t = circle.tangent(angle);
      // 1 / (W + f) with W = R / (n.e), without the pole where n.e = 0.
      const double cosine = f.normal.dot(circle.outward(angle));
      const double turns = cosine / (circle.radius + f.distance * cosine);
      return Mat3((across(f.normal) - t * t.transpose()) / f.distance + turns * t * t.transpose());
    };
  if (side.kind != SmoothSideKind::line) return std::nullopt;
  if (side.level == 0)
    return [=](const DistanceOfSet& f) {
      return Mat3((across(f.normal) - along * along.transpose()) / f.distance);
    };
  const Vec3 apex = body.pose.position + body.pose.orientation * side.feature.point;
  return [=, level = side.level](const DistanceOfSet& f) {
    const Vec3 u = f.normal.cross(along).normalized();
    const double radius = (f.nearest - apex).norm() * level / std::sqrt(1 - level * level);
    return Mat3(u * u.transpose() / (radius + f.distance));
  };
}

// The distance varies from side to side by about twice its second derivative, which is nowhere
// negative. Events are located half a slack below zero and seen a whole slack below it, so that is
// where the two bounds are taken to.
double firmness_of(const geometry::CirclePlace& place, double tolerance) {
  const double varies = 2 * place.stiffness / tolerance;
  const double falls = 0.5 * support_slack * (varies - lost_circle) / (lost_circle - seen_as_lost);
  return (falls - 0.5 * support_slack) * tolerance;
}

// A margin, m, that is used up where the place has gone too far from where it was found.
double left_of_round(const geometry::PlacedCircle& circle, double angle, const Vec3& first) {
  const double round = std::remainder(angle - circle.angle_of(first), 2 * M_PI);
  return circle.radius * (farthest_round - std::abs(round));
}

// From where the contact was found, at `first` of the circle. It must be a place of least distance,
// and the one that is meant.
std::optional<geometry::CirclePlace> place_near_start(const SmoothPair& pair, int ring,
                                                      const geometry::PlacedCircle& circle,
                                                      const geometry::DistanceFromPoint& distance,
                                                      const Vec3& first, const RigidMotion& a,
                                                      const RigidMotion& b) {
  const SmoothSide& other = pair.sides[1 - ring];
  const RigidMotion& body = ring == 0 ? b : a;
  const double angle = circle.angle_of(first);
  std::optional<geometry::CirclePlace> found;
  if (const auto bending = bending_from(other, body)) {
    found = minimum_near(circle, distance, *bending, angle);
  } else if (other.kind == SmoothSideKind::surface) {
    const Vec3 n = (ring == 0 ? 1 : -1) * (b.pose.orientation * pair.start);
    const double side = n.dot(circle.outward(angle)) <= 0 ? 1 : -1;
    const PlacedAtom surface = placed(other, body);
    found = stationary_near(circle, surface, n, side);
    // Where the surface is flat its normal does not tell the place well.
    if (!found) found = minimum_near(circle, distance, bending_of(surface), angle);
  }
  if (!found || !(found->stiffness > 0)) return std::nullopt;
  if (pair.apart.isZero(0)) return found;
  const Vec3 on_b = ring == 1 ? found->on_circle : found->other.nearest;
  const Vec3 moved = b.pose.orientation.conjugate() * (on_b - b.pose.position) - pair.places[1];
  if (moved.norm() > same_of_several * pair.apart.norm()) return std::nullopt;
  return found;
}

}  // namespace

geometry::PlacedCircle circle_of(const SmoothSide& side, const RigidMotion& body) {
  if (is_rim(side)) return geometry::circle_of_rim(placed(side, body));
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
  const RigidMotion& under = ring == 0 ? b : a;
  if (other.kind == SmoothSideKind::plane)
    places = {lowest_over_plane(circle,
                                under.pose.position + under.pose.orientation * other.feature.point,
                                direction(other, under))};
  else if (const auto near = place_near_start(pair, ring, circle, distance, first, a, b);
           near && off(*near) <= plausible - rounding)
    places = {*near};
  else if (pair.apart.isZero(0))
    places = {minimum_downhill(circle, distance, circle.angle_of(first))};
  const bool is_found = !places.empty() && (other.kind == SmoothSideKind::plane ||
                                            off(places.front()) <= plausible - rounding);
  if (!is_found) places = circle_minima(circle, distance, plausible, width);
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
  if (other.kind != SmoothSideKind::plane)
    found.firmness = std::min(found.firmness, left_of_round(circle, place.angle, first));
  return found;
}

}  // namespace abut::contact
