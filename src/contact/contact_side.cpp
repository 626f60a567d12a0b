#include "contact/contact_side.h"

#include <algorithm>

#include "contact/flat_patch.h"
#include "contact/span.h"
#include "narrow/ring_points.h"

namespace abut::contact {
namespace {

using geometry::ConvexSurface;
using narrow::SolidKind;

// How far the crossing of a rim with a border may move along the rim's tangent before it is looked
// at anew, as a fraction of the rim's radius (dimensionless): the tangent is then off the rim by
// half its square, 2e-4 of the radius, within the plane of contact.
constexpr double tangent_fraction = 0.02;

// By which the height of a line's end above its middle is multiplied to be a margin
// (dimensionless): the event at half of support_slack, 6 contact distances, is then where the
// middle is lower by a tenth of one, half of the gap at which contacts rest.
constexpr double sag_weight = 60;

}  // namespace

Element ContactSide::element() const {
  switch (feature.kind) {
    case FeatureKind::face:
      return Element::plane;
    case FeatureKind::vertex:
    case FeatureKind::rim_place:
      return Element::point;
    case FeatureKind::edge:
      return has_rims() && !is_rim_crossing(feature) ? Element::curved : Element::line;
    case FeatureKind::smooth:
      break;
  }
  return has_rims() ? Element::lines : Element::curved;
}

Vec3 ContactSide::vertex(int v) const {
  if (solid->kind == SolidKind::ring)
    return point(solid->on_circle(narrow::angle_of_ring_point(v)));
  return point(core().vertices()[v]);
}

Vec3 ContactSide::edge_vector(int e) const {
  return direction(core().vertices()[core().edge_end(e)] - core().vertices()[core().edge_start(e)]);
}

Vec3 ContactSide::nearest_on_rim(int atom) const {
  const Vec3 axis = direction(Vec3::UnitZ());
  Vec3 out = place - rim_centre(atom);
  out -= axis * axis.dot(out);
  return rim_centre(atom) + rim_radius(atom) * out.normalized();
}

CarriedFeature ContactSide::carried_point() const {
  if (feature.kind == FeatureKind::rim_place)
    return {nearest_on_rim(feature.index / geometry::places_per_rim), Vec3::UnitZ()};
  if (has_rims()) return {rim_centre(feature.index), Vec3::UnitZ()};  // an apex
  return {vertex(feature.index), Vec3::UnitZ()};
}

CarriedFeature ContactSide::carried_edge(int edge) const {
  return {vertex(core().edge_start(edge)), edge_vector(edge).normalized()};
}

CarriedFeature ContactSide::carried_line() const {
  if (!has_rims()) return carried_edge(feature.index);
  const Vec3 at = nearest_on_rim(atom_of_rim(feature));
  return {at, direction(Vec3::UnitZ()).cross(at - rim_centre(atom_of_rim(feature))).normalized()};
}

Vec3 ContactSide::straight_line(const Vec3& normal) const {
  if (element() == Element::line) return carried_line().direction;
  const Vec3 axis = direction(solid->surface->lines().front().normals.axis);
  return (axis - normal * normal.dot(axis)).normalized();
}

CarriedFeature ContactSide::carried_plane(const Feature& face) const {
  if (solid->kind == SolidKind::plane) return {point(Vec3::Zero()), direction(solid->normal)};
  if (has_rims()) {
    const ConvexSurface::Disc& disc = solid->surface->discs()[face.index];
    return {rim_centre(disc.atom), direction(disc.normal)};
  }
  const auto& polygon = core().faces()[face.index];
  return {vertex(core().half_edges()[polygon.first].origin), direction(polygon.normal)};
}

SmoothSide ContactSide::smooth_side() const {
  SmoothSide made;
  made.rounding = solid->rounding;
  switch (element()) {
    case Element::curved:
      made.surface = {solid->surface,
                      (motion.orientation.conjugate() * solid->orientation).toRotationMatrix(),
                      point(Vec3::Zero())};
      made.atom = has_rims() ? feature.index : 0;
      made.circle = solid->circle;
      if (solid->kind == SolidKind::bowl) made.kind = SmoothSideKind::bowl;
      if (solid->kind == SolidKind::ring) made.kind = SmoothSideKind::ring;
      break;
    case Element::plane:
      made.kind = SmoothSideKind::plane;
      made.feature = carried_plane(feature);
      break;
    case Element::line:
      made.kind = SmoothSideKind::line;
      made.feature = carried_line();
      break;
    case Element::lines: {
      // A cylinder is its axis, rounded; a cone the lines through its apex.
      const ConvexSurface::Lines& lines = solid->surface->lines().front();
      made.kind = SmoothSideKind::line;
      made.level = lines.normals.level;
      made.feature = {rim_centre(lines.to), direction(lines.normals.axis)};
      made.rounding = rim_radius(lines.to);
      break;
    }
    case Element::point:
      made.kind = SmoothSideKind::point;
      made.feature = carried_point();
      break;
  }
  return made;
}

SmoothSide ContactSide::smooth_rim() const {
  SmoothSide made;
  made.kind = SmoothSideKind::ring;
  made.circle = rim_radius(feature.index);
  made.surface = {nullptr, (motion.orientation.conjugate() * solid->orientation).toRotationMatrix(),
                  rim_centre(feature.index)};
  return made;
}

RimArc ContactSide::carried_arc(int atom) const {
  RimArc arc;
  arc.atom = atom;
  arc.centre = rim_centre(atom);
  arc.x = rim_radius(atom) * direction(Vec3::UnitX());
  arc.y = rim_radius(atom) * direction(Vec3::UnitY());
  return arc;
}

RimArc ContactSide::carried_circle(const Vec3& on_surface) const {
  RimArc arc;
  arc.atom = RimArc::ring_atom;
  arc.centre = point(Vec3::Zero()) + on_surface - vertex(feature.index);
  arc.x = solid->circle * direction(Vec3::UnitX());
  arc.y = solid->circle * direction(Vec3::UnitY());
  return arc;
}

// The sides of the face, seen from above it.
void ContactSide::guard_plane(int side, const Feature& face, std::vector<Guard>& guards) const {
  if (solid->kind == SolidKind::plane) return;
  if (has_rims()) {
    const int atom = solid->surface->discs()[face.index].atom;
    guards.push_back(
        {side, direction(Vec3::UnitZ()), rim_radius(atom), GuardKind::round, rim_centre(atom)});
    return;
  }
  const auto& half_edges = core().half_edges();
  const Vec3 normal = direction(core().faces()[face.index].normal);
  const int first = core().faces()[face.index].first;
  int h = first;
  do {
    const Vec3 start = vertex(half_edges[h].origin);
    const Vec3 end = vertex(half_edges[half_edges[h].next].origin);
    const Vec3 inward = normal.cross(end - start).normalized();
    guards.push_back({side, inward, inward.dot(start)});
    h = half_edges[h].next;
  } while (h != first);
}

void ContactSide::guard_line_ends(int side, double other_depth, std::vector<Guard>& guards) const {
  const auto between = [&](const Vec3& along, const Vec3& from, const Vec3& to, double shift) {
    guards.push_back({side, along, along.dot(from) + shift});
    guards.push_back({side, -along, -along.dot(to) - shift});
  };
  if (element() == Element::lines) {
    // Along the axis. The other side's core point is its depth outward of the surface, which a cone
    // turns towards its apex.
    const ConvexSurface::Lines& lines = solid->surface->lines().front();
    Vec3 along = direction(lines.normals.axis), from = rim_centre(lines.from),
         to = rim_centre(lines.to);
    if (along.dot(to - from) < 0) std::swap(from, to);
    between(along, from, to, other_depth * lines.normals.level);
  } else if (has_rims()) {
    const CarriedFeature tangent = carried_line();
    const Vec3 half = tangent_fraction * rim_radius(atom_of_rim(feature)) * tangent.direction;
    between(tangent.direction, tangent.point - half, tangent.point + half, 0);
  } else {
    between(edge_vector(feature.index).normalized(), vertex(core().edge_start(feature.index)),
            vertex(core().edge_end(feature.index)), 0);
  }
}

// Beyond these the point is nearer to one of the faces at the edge.
void ContactSide::guard_wedge(int side, std::vector<Guard>& guards) const {
  if (has_rims()) return;
  const int edge = feature.index;
  for (int h = 2 * edge; h < 2 * edge + 2; ++h) {
    const auto& half_edge = core().half_edges()[h];
    if (half_edge.face < 0) continue;
    const Vec3 along = edge_vector(edge) * (h == 2 * edge ? 1 : -1);
    const Vec3 into_face = direction(core().faces()[half_edge.face].normal).cross(along);
    const Vec3 inward = -into_face.normalized();
    guards.push_back({side, inward, inward.dot(vertex(half_edge.origin))});
  }
}

// Beyond these the point is nearer to one of the edges at the vertex. An apex is left where the
// normal is that of a line on the cone. An edge that all but goes with a straight line of the other
// side may be lower in its middle as soon as it leads down: see guard_rim.
void ContactSide::guard_point(int side, const std::vector<Vec3>& lines,
                              std::vector<Guard>& guards) const {
  if (feature.kind == FeatureKind::rim_place) return;
  if (solid->kind == SolidKind::ring) return;  // the circle is nowhere nearer
  if (has_rims()) return guard_rim(side, !lines.empty(), guards);
  const Vec3 at = vertex(feature.index);
  for (const int neighbour : core().neighbours(feature.index)) {
    const Vec3 edge = at - vertex(neighbour), inward = edge.normalized();
    if (std::any_of(lines.begin(), lines.end(),
                    [&](const Vec3& line) { return inward.cross(line).norm() <= least_edge_sine; }))
      guards.push_back({side, sag_weight / 4 * edge, 0, GuardKind::normal});
    else
      guards.push_back({side, inward, inward.dot(at)});
  }
}

// Over the chord that the line has in common with the disc.
void ContactSide::guard_slant(int side, const Vec3& line, double lift,
                              std::vector<Guard>& guards) const {
  const int atom = atom_of_rim(feature);
  const double half = std::abs(line.dot(nearest_on_rim(atom) - rim_centre(atom)));
  guards.push_back({side, 2 * half * direction(Vec3::UnitZ()), lift, GuardKind::slant});
}

// A rim or apex has the normals on its side of those of the lines. Along a straight line that all
// but goes with its own, the gap has next to no curvature: as soon as the line leads down from the
// rim by a slope, it may be lower in its middle by a quarter of that times its length.
void ContactSide::guard_rim(int side, bool on_line, std::vector<Guard>& guards) const {
  const ConvexSurface::Lines& lines = solid->surface->lines().front();
  const double towards =
      lines.normals.axis.dot(solid->surface->atoms()[feature.index].centre()) > 0 ? 1 : -1;
  const double length = (rim_centre(lines.to) - rim_centre(lines.from)).norm();
  const double scale =
      towards * (on_line ? sag_weight * length / 4 : solid->surface->inner_radius());
  guards.push_back({side, scale * direction(lines.normals.axis), scale * lines.normals.level,
                    GuardKind::normal});
}

void ContactSide::guard_flat_end(int side, std::vector<Guard>& guards) const {
  if (solid->surface->disc_of(feature.index) < 0) return;  // an apex
  guards.push_back({side, direction(Vec3::UnitZ()), rim_radius(feature.index), GuardKind::beyond,
                    rim_centre(feature.index)});
}

}  // namespace abut::contact
