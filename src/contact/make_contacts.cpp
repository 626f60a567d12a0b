// From the points of a region to contacts that know how to move.

#include <algorithm>
#include <cmath>

#include "contact/contact.h"
#include "contact/smooth_gap.h"
#include "narrow/ring_points.h"
#include "toi/core.h"

namespace abut::contact {
namespace {

using geometry::ConvexPolyhedron;
using narrow::Solid;
using narrow::SolidKind;

// Sine of the angle between edges under which their crossing is no good to measure a gap at
// (dimensionless): its place and normal would lose all but a few digits. The region's own normal
// is taken then.
constexpr double least_edge_sine = 1e-4;

// How far the normal of two edges may be from that of the region (cosine, dimensionless): they
// agree up to the tolerance of the region unless the edges are no better than parallel.
constexpr double least_normal_cosine = 0.999;

Feature core_feature(const Solid& solid, const Feature& named) {
  const bool keeps_name = solid.surface || solid.kind == SolidKind::ring;
  if (named.kind != FeatureKind::smooth || keeps_name) return named;
  if (solid.kind == SolidKind::sphere || named.index > 0)
    return {FeatureKind::vertex, std::max(0, named.index - 1)};
  return {FeatureKind::edge, 0};
}

/// One side of a contact while it is made.
struct Side {
  const model::Body* body;
  const Solid* solid;
  Pose pose;    // of the body frame
  Pose motion;  // the motion frame in the body frame
  Feature feature;
  Feature region_feature;

  Vec3 from_body(const Vec3& x) const {
    return motion.orientation.conjugate() * (x - motion.position);
  }
  Vec3 point(const Vec3& core) const {
    return from_body(solid->position + solid->orientation * core);
  }
  Vec3 direction(const Vec3& core) const {
    return motion.orientation.conjugate() * (solid->orientation * core);
  }
  Vec3 point_from_world(const Vec3& x) const {
    return from_body(pose.orientation.conjugate() * (x - pose.position));
  }
  Vec3 direction_from_world(const Vec3& d) const {
    return motion.orientation.conjugate() * (pose.orientation.conjugate() * d);
  }
  Vec3 direction_to_world(const Vec3& d) const {
    return pose.orientation * (motion.orientation * d);
  }

  const ConvexPolyhedron& core() const { return solid->core; }
  /// Whether the whole of it is curved: it touches with no corner, edge or face of its own.
  bool is_smooth() const { return solid->surface || feature.kind == FeatureKind::smooth; }
  Vec3 vertex(int v) const {
    if (solid->kind == SolidKind::ring)
      return point(solid->on_circle(narrow::angle_of_ring_point(v)));
    return point(core().vertices()[v]);
  }
  Vec3 edge_vector(int e) const {
    return direction(core().vertices()[core().edge_end(e)] -
                     core().vertices()[core().edge_start(e)]);
  }
  CarriedFeature carried_vertex(int v) const { return {vertex(v), Vec3::UnitZ()}; }
  CarriedFeature carried_edge(int e) const {
    return {vertex(core().edge_start(e)), edge_vector(e).normalized()};
  }
  CarriedFeature carried_face(int f) const {
    if (solid->kind == SolidKind::plane) return {point(Vec3::Zero()), direction(solid->normal)};
    const auto& face = core().faces()[f];
    return {vertex(core().half_edges()[face.first].origin), direction(face.normal)};
  }
};

class Maker {
 public:
  Maker(const Side& a, const Side& b, const ContactPoint& point, const ContactRegion& region)
      : sides_{a, b}, point_(point), region_(region), normal_(region.normal) {}

  Contact make() {
    contact_.label = point_.label;
    contact_.rounding_of = {sides_[0].solid->rounding, sides_[1].solid->rounding};
    const FeatureKind a = sides_[0].feature.kind, b = sides_[1].feature.kind;
    if (sides_[0].is_smooth() || sides_[1].is_smooth())
      smooth();
    else if (b == FeatureKind::face)
      point_on_face(0);
    else if (a == FeatureKind::face)
      point_on_face(1);
    else if (a == FeatureKind::edge && b == FeatureKind::edge && edges_cross())
      crossing_edges();
    else if (contact_.rounding() == 0 || (a == FeatureKind::edge && b == FeatureKind::edge))
      point_in_region();
    else if (a == b)
      point_on_point();
    else
      point_on_line(a == FeatureKind::vertex ? 0 : 1);
    return std::move(contact_);
  }

 private:
  void point_on_face(int point_side) {
    const int face_side = 1 - point_side;
    contact_.kind = GapKind::point_plane;
    contact_.point_side = point_side;
    // A ring that lies flat touches with the same points of its surface as long as it does.
    if (sides_[point_side].solid->kind == SolidKind::ring) contact_.rounding_of[point_side] = 0;
    contact_.features[point_side] = touching_point(point_side);
    contact_.features[face_side] = sides_[face_side].carried_face(sides_[face_side].feature.index);
    guard_face(face_side, sides_[face_side].feature.index);
  }

  // Corners on corners and edges, and parallel edges: the region knows the normal, which a face
  // carries if there is one.
  void point_in_region() {
    const int face_side = carrier_in_region();
    const int point_side = 1 - face_side;
    const Side& side = sides_[face_side];
    contact_.kind = GapKind::point_plane;
    contact_.point_side = point_side;
    contact_.features[point_side] = touching_point(point_side);
    if (side.region_feature.kind == FeatureKind::face) {
      contact_.features[face_side] = side.carried_face(side.region_feature.index);
      guard_face(face_side, side.region_feature.index);
    } else {
      const Vec3 outward = face_side == 1 ? normal_ : Vec3(-normal_);
      contact_.features[face_side] = {side.point_from_world(surface_point(face_side)),
                                      side.direction_from_world(outward)};
    }
  }

  // A corner stays the point that touches wherever it slides, the place on an edge does not: so the
  // other side of a corner carries the plane if it has a face there, else whichever side has one.
  int carrier_in_region() const {
    const auto has_face = [&](int side) {
      return sides_[side].region_feature.kind == FeatureKind::face;
    };
    const auto is_corner = [&](int side) {
      return sides_[side].feature.kind == FeatureKind::vertex;
    };
    for (const int side : {1, 0})
      if (has_face(side) && is_corner(1 - side)) return side;
    return has_face(1) || !has_face(0) ? 1 : 0;
  }

  bool edges_cross() const {
    const Vec3 ea = world_edge(0), eb = world_edge(1);
    const Vec3 cross = ea.cross(eb);
    const double sine = cross.norm();
    return sine > least_edge_sine && std::abs(cross.dot(normal_)) > least_normal_cosine * sine;
  }
  Vec3 world_edge(int side) const {
    const Side& s = sides_[side];
    return s.direction_to_world(s.edge_vector(s.feature.index)).normalized();
  }
  void crossing_edges() {
    contact_.kind = GapKind::edge_edge;
    contact_.edge_sign = world_edge(0).cross(world_edge(1)).dot(normal_) > 0 ? 1 : -1;
    for (int side = 0; side < 2; ++side) {
      contact_.features[side] = sides_[side].carried_edge(sides_[side].feature.index);
      guard_ends(side, sides_[side].feature.index);
    }
  }

  void point_on_point() {
    contact_.kind = GapKind::point_point;
    for (int side = 0; side < 2; ++side) {
      contact_.features[side] = sides_[side].carried_vertex(sides_[side].feature.index);
      guard_vertex(side, sides_[side].feature.index);
    }
  }

  void point_on_line(int point_side) {
    const int line_side = 1 - point_side;
    contact_.kind = GapKind::point_line;
    contact_.point_side = point_side;
    contact_.features[point_side] =
        sides_[point_side].carried_vertex(sides_[point_side].feature.index);
    contact_.features[line_side] = sides_[line_side].carried_edge(sides_[line_side].feature.index);
    guard_vertex(point_side, sides_[point_side].feature.index);
    guard_ends(line_side, sides_[line_side].feature.index);
    guard_wedge(line_side, sides_[line_side].feature.index);
  }

  // At least one side is curved; the other may be anything.
  void smooth() {
    contact_.kind = GapKind::smooth;
    auto pair = std::make_shared<SmoothPair>();
    for (int side = 0; side < 2; ++side) {
      const Side& s = sides_[side];
      SmoothSide& made = pair->sides[side];
      made.rounding = s.solid->rounding;
      if (s.is_smooth()) {
        made.surface = {
            s.solid->surface,
            (s.motion.orientation.conjugate() * s.solid->orientation).toRotationMatrix(),
            s.point(Vec3::Zero())};
        made.circle = s.solid->circle;
        if (s.solid->kind == SolidKind::bowl)
          made.kind = SmoothSideKind::bowl;
        else if (s.solid->kind == SolidKind::ring)
          made.kind = SmoothSideKind::ring;
        else
          contact_.rounding_of[side] = s.solid->surface->inner_radius();
      } else if (sides_[1 - side].solid->kind == SolidKind::bowl) {
        // A corner stays the place that touches a concave wall, wherever it goes.
        made.kind = SmoothSideKind::point;
        made.feature = s.carried_vertex(s.feature.index);
      } else if (s.feature.kind == FeatureKind::face) {
        made.kind = SmoothSideKind::plane;
        made.feature = s.carried_face(s.feature.index);
        guard_face(side, s.feature.index);
      } else if (s.feature.kind == FeatureKind::edge) {
        made.kind = SmoothSideKind::line;
        made.feature = s.carried_edge(s.feature.index);
        guard_ends(side, s.feature.index);
        guard_wedge(side, s.feature.index);
      } else {
        made.kind = SmoothSideKind::point;
        made.feature = s.carried_vertex(s.feature.index);
        guard_vertex(side, s.feature.index);
      }
    }
    const bool bowl_first = sides_[0].solid->kind == SolidKind::bowl;
    const bool bowl_second = sides_[1].solid->kind == SolidKind::bowl;
    contact_.point_side = (sides_[0].is_smooth() && !bowl_first) || bowl_second ? 0 : 1;
    pair->start = sides_[1].direction_from_world(normal_);
    pair->apart = sides_[1].direction_from_world(region_.apart);
    pair->tolerance = region_.tolerance;
    pair->depth = contact_.rounding_of;
    contact_.smooth = std::move(pair);
  }

  // The core point that touches: a vertex, or the place of the contact on an edge.
  CarriedFeature touching_point(int side) const {
    const Side& s = sides_[side];
    const bool is_corner =
        s.feature.kind == FeatureKind::vertex && s.solid->kind != SolidKind::ring;
    if (is_corner) return s.carried_vertex(s.feature.index);
    const Vec3 outward = side == 0 ? Vec3(-normal_) : normal_;
    return {s.point_from_world(surface_point(side) - contact_.rounding_of[side] * outward),
            Vec3::UnitZ()};
  }
  Vec3 surface_point(int side) const {
    return point_.position + (side == 0 ? 0.5 : -0.5) * point_.gap * normal_;
  }

  void guard(int side, const Vec3& inward, const Vec3& at) {
    contact_.guards.push_back({side, inward, inward.dot(at)});
  }
  // The sides of the face, seen from above it.
  void guard_face(int side, int face) {
    const Side& s = sides_[side];
    if (s.solid->kind == SolidKind::plane) return;
    const auto& half_edges = s.core().half_edges();
    const Vec3 normal = s.direction(s.core().faces()[face].normal);
    const int first = s.core().faces()[face].first;
    int h = first;
    do {
      const Vec3 start = s.vertex(half_edges[h].origin);
      const Vec3 end = s.vertex(half_edges[half_edges[h].next].origin);
      guard(side, normal.cross(end - start).normalized(), start);
      h = half_edges[h].next;
    } while (h != first);
  }
  void guard_ends(int side, int edge) {
    const Side& s = sides_[side];
    const Vec3 along = s.edge_vector(edge).normalized();
    guard(side, along, s.vertex(s.core().edge_start(edge)));
    guard(side, -along, s.vertex(s.core().edge_end(edge)));
  }
  // Beyond these the point is nearer to one of the faces at the edge.
  void guard_wedge(int side, int edge) {
    const Side& s = sides_[side];
    for (int h = 2 * edge; h < 2 * edge + 2; ++h) {
      const auto& half_edge = s.core().half_edges()[h];
      if (half_edge.face < 0) continue;
      const Vec3 along = s.edge_vector(edge) * (h == 2 * edge ? 1 : -1);
      const Vec3 into_face = s.direction(s.core().faces()[half_edge.face].normal).cross(along);
      guard(side, -into_face.normalized(), s.vertex(half_edge.origin));
    }
  }
  // Beyond these the point is nearer to one of the edges at the vertex.
  void guard_vertex(int side, int vertex) {
    const Side& s = sides_[side];
    if (s.solid->kind == SolidKind::ring) return;  // the circle is nowhere nearer
    const Vec3 at = s.vertex(vertex);
    for (const int neighbour : s.core().neighbours(vertex))
      guard(side, (at - s.vertex(neighbour)).normalized(), at);
  }

  Side sides_[2];
  const ContactPoint& point_;
  const ContactRegion& region_;
  Vec3 normal_;
  Contact contact_;
};

}  // namespace

std::vector<Contact> contacts_of(const ContactRegion& region, const model::Body& a,
                                 const narrow::BodyShape& shape_a, const Pose& pose_a,
                                 const model::Body& b, const narrow::BodyShape& shape_b,
                                 const Pose& pose_b) {
  std::vector<Contact> contacts;
  for (const ContactPoint& point : region.points) {
    const Solid& solid_a = shape_a.solids()[point.label.part_a];
    const Solid& solid_b = shape_b.solids()[point.label.part_b];
    const Side side_a{&a,
                      &solid_a,
                      pose_a,
                      toi::motion_frame(a),
                      core_feature(solid_a, point.label.a),
                      core_feature(solid_a, region.label.a)};
    const Side side_b{&b,
                      &solid_b,
                      pose_b,
                      toi::motion_frame(b),
                      core_feature(solid_b, point.label.b),
                      core_feature(solid_b, region.label.b)};
    contacts.push_back(Maker(side_a, side_b, point, region).make());
  }
  return contacts;
}

}  // namespace abut::contact
