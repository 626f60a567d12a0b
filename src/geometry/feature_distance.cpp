#include "geometry/feature_distance.h"

#include <algorithm>
#include <cmath>

namespace abut::geometry {
namespace {

/// A point counts as within an edge or face if it misses it by less than this part of
/// rounding_scale() (dimensionless). The distance is then off by no more; without the allowance,
/// rounding could leave a point in neither of two neighbouring features.
constexpr double within_tolerance = 1e-13;
/// Edges at a smaller angle (rad) are treated as parallel: a vertex and an edge are then as near,
/// up to this times the edges' length, squared. Their cross product has 1e-6 left of its digits.
constexpr double parallel_angle = 1e-10;

FeatureDistance vertex_vertex(const Vec3& p, const Vec3& q) {
  FeatureDistance result;
  result.a = p;
  result.b = q;
  result.distance = (p - q).norm();
  result.valid = result.distance > 0;
  if (result.valid) result.normal = (p - q) / result.distance;
  return result;
}

struct PolyhedronEdge {
  Vec3 start;
  Vec3 direction;  ///< unit
  double length;

  bool contains(double along, double slack) const {
    return along >= -slack && along <= length + slack;
  }
  Vec3 at(double along) const { return start + std::clamp(along, 0.0, length) * direction; }
};

PolyhedronEdge polyhedron_edge(const ConvexPolyhedron& p, int edge) {
  const Vec3& start = p.vertices()[p.edge_start(edge)];
  const Vec3 d = p.vertices()[p.edge_end(edge)] - start;
  const double length = d.norm();
  return {start, d / length, length};
}

/// The normal is made perpendicular to the edge a second time: of a short p - b rounding has left
/// a part along the edge, which the length of the edge would multiply.
FeatureDistance vertex_edge(const Vec3& p, const PolyhedronEdge& edge, double slack) {
  FeatureDistance result;
  const Vec3 from_start = p - edge.start;
  const double along = from_start.dot(edge.direction);
  result.a = p;
  result.b = edge.at(along);
  Vec3 n = from_start - along * edge.direction;
  n -= n.dot(edge.direction) * edge.direction;
  const double length = n.norm();
  result.valid = length > 0 && edge.contains(along, slack);
  if (!(length > 0)) return result;
  result.normal = n / length;
  result.normal -= result.normal.dot(edge.direction) * edge.direction;
  result.normal.normalize();
  result.distance = result.normal.dot(from_start);
  return result;
}

/// The normal points to the side of A's centre, which lies above any plane that separates.
FeatureDistance edge_edge(const PolyhedronEdge& e, const PolyhedronEdge& f, const Vec3& centre_of_a,
                          double slack) {
  FeatureDistance result;
  const Vec3 cross = e.direction.cross(f.direction);
  const double sine = cross.norm();
  if (!(sine > parallel_angle)) return result;
  // Perpendicular to e a second time: at small angles the cross product has lost digits.
  Vec3 n = cross / sine;
  n -= n.dot(e.direction) * e.direction;
  n.normalize();
  if (n.dot(centre_of_a) < 0) n = -n;
  result.normal = n;

  // Along both edges to the nearest points: d + s e - t f is a multiple of n.
  const Vec3 d = e.start - f.start;
  const double squared_sine = sine * sine;
  const double s = f.direction.cross(cross).dot(d) / -squared_sine;
  const double t = e.direction.cross(cross).dot(d) / -squared_sine;
  result.distance = n.dot(d);
  result.a = e.at(s);
  result.b = f.at(t);
  // The parameters of nearly parallel edges are uncertain, and matter as little.
  const double allowance = slack / sine;
  result.valid = e.contains(s, allowance) && f.contains(t, allowance);
  return result;
}

FeatureDistance vertex_face(const Vec3& p, const ConvexPolyhedron& b, int face_index,
                            double slack) {
  const ConvexPolyhedron::Face& face = b.faces()[face_index];
  FeatureDistance result;
  result.normal = face.normal;
  result.distance = face.normal.dot(p) - face.offset;
  result.a = p;
  result.b = p - result.distance * face.normal;
  result.valid = true;
  int h = face.first;
  do {
    const Vec3& corner = b.vertices()[b.half_edges()[h].origin];
    const int next = b.half_edges()[h].next;
    const Vec3 side = b.vertices()[b.half_edges()[next].origin] - corner;
    const double inwards = face.normal.cross(side).dot(result.b - corner);
    if (inwards < 0 && inwards * inwards > slack * slack * side.squaredNorm()) {
      result.valid = false;
      return result;
    }
    h = next;
  } while (h != face.first);
  return result;
}

int dimension(Feature feature) {
  return static_cast<int>(feature.kind);
}

}  // namespace

FeatureDistance feature_distance(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                 const RelativePose& a_in_b, Feature feature_a, Feature feature_b) {
  if (dimension(feature_a) > dimension(feature_b)) {
    FeatureDistance result = feature_distance(b, a, a_in_b.inverse(), feature_b, feature_a);
    const Vec3 point_a = a_in_b * result.b;
    result.b = a_in_b * result.a;
    result.a = point_a;
    result.normal = -(a_in_b.rotation * result.normal);
    return result;
  }
  const double slack = within_tolerance * rounding_scale(a, b, a_in_b);
  if (feature_a.kind == FeatureKind::vertex) {
    const Vec3 p = a_in_b * a.vertices()[feature_a.index];
    if (feature_b.kind == FeatureKind::vertex) {
      return vertex_vertex(p, b.vertices()[feature_b.index]);
    }
    if (feature_b.kind == FeatureKind::edge) {
      return vertex_edge(p, polyhedron_edge(b, feature_b.index), slack);
    }
    return vertex_face(p, b, feature_b.index, slack);
  }
  if (feature_a.kind != FeatureKind::edge || feature_b.kind != FeatureKind::edge) return {};
  PolyhedronEdge edge = polyhedron_edge(a, feature_a.index);
  edge.start = a_in_b * edge.start;
  edge.direction = a_in_b.rotation * edge.direction;
  return edge_edge(edge, polyhedron_edge(b, feature_b.index), a_in_b.translation, slack);
}

double gap_along(const ConvexPolyhedron& a, const ConvexPolyhedron& b, const RelativePose& a_in_b,
                 const Vec3& n, SupportHints& hints) {
  hints.a = a.support(-(a_in_b.rotation.transpose() * n), hints.a);
  hints.b = b.support(n, hints.b);
  return n.dot(a_in_b * a.vertices()[hints.a] - b.vertices()[hints.b]);
}

int vertex_of(const ConvexPolyhedron& polyhedron, Feature feature) {
  switch (feature.kind) {
    case FeatureKind::edge:
      return polyhedron.edge_start(feature.index);
    case FeatureKind::face:
      return polyhedron.half_edges()[polyhedron.faces()[feature.index].first].origin;
    default:
      return feature.index;
  }
}

}  // namespace abut::geometry
