#include "contact/smooth_place.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "geometry/cavity.h"
#include "geometry/rim_crossing.h"
#include "geometry/rim_line.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using geometry::PlacedAtom;

// Contacts never overlap by more than this times the reach of the coordinates (dimensionless):
// what seems to is another stationary normal.
constexpr double deepest_plausible = 1e-6;

// Both ends of a chord count as touching if they are so near, times the reach of the coordinates
// (dimensionless): far more than contacts stray.
constexpr double chord_slack = 1e-7;

// The normals n from b to a that a line allows: the outward normal of a is -n.
geometry::NormalCircle normals(const SmoothPair& pair, int side, const RigidMotion& body) {
  return {direction(pair.sides[side], body), (side == 0 ? -1 : 1) * pair.sides[side].level};
}

// Of two normals that lines which cross may have, the one nearer to `start`. Parallel lines have
// none of their own.
geometry::Extremum crossing_from(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                 const RigidMotion& a, const RigidMotion& b, const Vec3& start) {
  std::array<Vec3, 2> found;
  if (crossings(normals(pair, 0, a), normals(pair, 1, b), found) == 0)
    return extremal_normal_on(atoms, normals(pair, 1, b), start);
  return extremum_at(atoms, found[0].dot(start) >= found[1].dot(start) ? found[0] : found[1]);
}

// Of the two ends of a chord, the one this contact is about: the one that touches, and while both
// do, the one that lies farther along `outward`. Which is nearer changes when the line passes
// through the plane of the disc, and is no matter of a contact at one end.
geometry::Extremum place_on_chord(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                  const std::vector<geometry::Extremum>& places,
                                  const Vec3& outward) {
  const double rounding = pair.sides[0].rounding + pair.sides[1].rounding;
  const double closed = chord_slack * atoms.scale();
  const auto off = [&](const geometry::Extremum& e) { return std::abs(e.gap - rounding); };
  return *std::min_element(places.begin(), places.end(),
                           [&](const geometry::Extremum& x, const geometry::Extremum& y) {
                             if (outward.isZero(0) || std::max(off(x), off(y)) > closed)
                               return off(x) < off(y);
                             return outward.dot(x.a) > outward.dot(y.a);
                           });
}

geometry::Extremum extremum_from(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                 const RigidMotion& a, const RigidMotion& b, const Vec3& start) {
  if (is_line(pair.sides[0]) && is_line(pair.sides[1]))
    return crossing_from(pair, atoms, a, b, start);
  if (pair.sides[1].kind == SmoothSideKind::plane)
    return extremum_at(atoms, direction(pair.sides[1], b));
  if (pair.sides[0].kind == SmoothSideKind::plane)
    return extremum_at(atoms, -direction(pair.sides[0], a));
  for (const int side : {0, 1}) {
    const SmoothSide& other = pair.sides[1 - side];
    if (!is_rim(pair.sides[side]) || !is_line(other) || other.level != 0) continue;
    const Vec3 line = direction(other, side == 0 ? b : a);
    // The axis of a cylinder is a radius away, wherever that has turned to since the start.
    const Vec3 towards = other.rounding > 0 ? Vec3(Vec3::Zero()) : start;
    const std::vector<geometry::Extremum> places = rim_on_line(atoms, side, line, towards);
    if (!places.empty()) return place_on_chord(pair, atoms, places, pair.chord_end * line);
  }
  if (is_line(pair.sides[1])) return extremal_normal_on(atoms, normals(pair, 1, b), start);
  if (is_line(pair.sides[0])) return extremal_normal_on(atoms, normals(pair, 0, a), start);
  geometry::Extremum found = extremal_normal(atoms, start);
  if (!is_rim(pair.sides[0]) || !is_rim(pair.sides[1])) return found;
  return rims_crossing(atoms, found).value_or(found);
}

// The wall is on side `bowl`. The place is found from `start` alone if that leads to a gap that a
// contact can have; otherwise from all around.
geometry::Extremum extremum_in_bowl(const SmoothPair& pair, const geometry::AtomPair& atoms,
                                    int bowl, const RigidMotion& b, const Vec3& start) {
  const geometry::CavityPair cavity{bowl == 0 ? atoms.a : atoms.b, bowl == 0 ? atoms.b : atoms.a};
  const double rounding = pair.sides[1 - bowl].rounding;
  const double plausible = plausible_gap * cavity.scale();
  geometry::CavityPlace place = come_down(cavity, bowl == 0 ? start : Vec3(-start));
  if (std::abs(place.clearance - rounding) > plausible) {
    const Vec3 apart = b.pose.orientation * pair.apart;
    double farthest = -std::numeric_limits<double>::infinity();
    for (const geometry::CavityPlace& one : cavity_minima(cavity)) {
      const bool closed = one.clearance - rounding <= plausible;
      // The nearest one comes first.
      if (std::isfinite(farthest) && !(closed && apart.dot(one.wall) > farthest)) continue;
      place = one;
      farthest = apart.dot(one.wall);
    }
  }
  geometry::Extremum found;
  found.normal = bowl == 0 ? place.normal : Vec3(-place.normal);
  found.gap = place.clearance;
  found.a = bowl == 0 ? place.wall : place.inside;
  found.b = bowl == 0 ? place.inside : place.wall;
  return found;
}

}  // namespace

PlacedAtom placed(const SmoothSide& side, const RigidMotion& body) {
  const Mat3 rotation = body.pose.orientation.toRotationMatrix();
  if (side.surface)
    return {&side.surface.surface->atoms()[side.atom], rotation * side.surface.rotation,
            rotation * side.surface.position + body.pose.position};
  return {&geometry::SupportAtom::origin(), rotation,
          rotation * side.feature.point + body.pose.position};
}

SmoothPlace smooth_place(const SmoothPair& pair, const RigidMotion& near_a,
                         const RigidMotion& near_b) {
  const geometry::AtomPair atoms{placed(pair.sides[0], near_a), placed(pair.sides[1], near_b)};
  const Vec3 start = near_b.pose.orientation * pair.start;
  for (const int side : {0, 1})
    if (pair.sides[side].kind == SmoothSideKind::ring)
      return place_of_ring(pair, side, near_a, near_b);
  for (const int side : {0, 1})
    if (pair.sides[side].kind == SmoothSideKind::bowl)
      return {extremum_in_bowl(pair, atoms, side, near_b, start)};
  geometry::Extremum found = extremum_from(pair, atoms, near_a, near_b, start);
  // A contact that has gone round to the other side of a body since its start may find a normal
  // along which the bodies overlap: then the line between them is a better start.
  const double rounding = pair.sides[0].rounding + pair.sides[1].rounding;
  if (found.gap - rounding < -deepest_plausible * atoms.scale()) {
    const Vec3 between = atoms.a.position - atoms.b.position;
    const bool one_line = is_line(pair.sides[0]) != is_line(pair.sides[1]);
    const Vec3 again =
        one_line || between.isZero() ? Vec3(Vec3::Zero()) : Vec3(between.normalized());
    const geometry::Extremum other =
        extremum_from(pair, atoms, near_a, near_b, one_line || !again.isZero() ? again : start);
    if (other.gap > found.gap) found = other;
  }
  return {found};
}

}  // namespace abut::contact
