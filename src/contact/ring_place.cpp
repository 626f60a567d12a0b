// The place of contact of a ring with anything.

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/smooth_place.h"
#include "geometry/cavity.h"
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
      if (is_rim(side)) {
        const PlacedAtom rim = placed(side, body);
        const geometry::PlacedCircle circle{rim.rotation * rim.atom->centre() + rim.position,
                                            rim.rotation, rim.atom->outer_radius()};
        return [circle](const Vec3& p) { return geometry::from_circle(p, circle); };
      }
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

// The distance varies from side to side by about twice its second derivative, which is nowhere
// negative. Events are located half a slack below zero and seen a whole slack below it, so that is
// where the two bounds are taken to.
double firmness_of(const geometry::CirclePlace& place, double tolerance) {
  const double varies = 2 * place.stiffness / tolerance;
  const double falls = 0.5 * support_slack * (varies - lost_circle) / (lost_circle - seen_as_lost);
  return (falls - 0.5 * support_slack) * tolerance;
}

}  // namespace

geometry::PlacedCircle circle_of(const SmoothSide& side, const RigidMotion& body) {
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
  if (pair.apart.isZero(0)) {
    const RigidMotion& body = ring == 0 ? a : b;
    const Vec3 first = body.pose.position + body.pose.orientation * pair.places[ring];
    places = {minimum_downhill(circle, distance, circle.angle_of(first))};
  }
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
