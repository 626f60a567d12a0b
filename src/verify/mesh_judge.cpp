#include "verify/mesh_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "geometry/exact_predicates.h"
#include "verify/bowl_judge.h"
#include "verify/candidates.h"
#include "verify/closest.h"
#include "verify/curved_judge.h"
#include "verify/rational.h"
#include "verify/ring_judge.h"

namespace abut::verify {
namespace {

using geometry::Box3;

// Recorded positions, quaternions and sizes are each rounded to doubles (dimensionless, relative to
// the sizes involved): see pair_judge.cpp.
constexpr double recorded_mesh_rounding = 4 * 2.220446049250313e-16;

// How far below a triangle a point is taken to be inside, relative to its size (dimensionless).
constexpr double below_surface = 1e-6;

double mesh_allowance(const Solid& a, const BodyState& state_a, const Solid& b,
                      const BodyState& state_b) {
  const double size = a.reach + b.reach + state_a.position.norm() + state_b.position.norm();
  return recorded_mesh_rounding * size + a.flatness + b.flatness;
}

/// A triangle of a solid as a solid; of a point or segment, one that is only that.
Solid triangle_solid(const Solid& whole, const std::array<Vec3, 3>& corners) {
  Solid solid;
  solid.kind = SolidKind::hull;
  solid.shape = whole.shape;
  solid.pose = whole.pose;
  solid.points.assign(corners.begin(), corners.end());
  solid.radius = whole.radius;
  solid.reach = whole.reach;
  solid.box = whole.box;
  return solid;
}

/// With a front and a back, for who asks for faces.
Solid with_faces(Solid triangle) {
  const Vec3 normal = (triangle.points[1] - triangle.points[0])
                          .cross(triangle.points[2] - triangle.points[0])
                          .normalized();
  triangle.faces = {{0, 1, 2}, {2, 1, 0}};
  triangle.normals = {normal, -normal};
  triangle.triangles = {{0, 1, 2}};
  triangle.edges = {{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};
  return triangle;
}

std::array<Vec3, 3> corners_of(const Solid& solid, std::size_t triangle) {
  std::array<Vec3, 3> corners;
  for (std::size_t i = 0; i < 3; ++i)
    corners[i] = solid.points[static_cast<std::size_t>(solid.triangles[triangle][i])];
  return corners;
}

// Just below the middle of a triangle: bodies that touch in a face have its corners on both
// surfaces.
Vec3 inner_point(const Solid& mesh) {
  const std::array<Vec3, 3> c = corners_of(mesh, 0);
  const Vec3 area = (c[1] - c[0]).cross(c[2] - c[0]);
  return (c[0] + c[1] + c[2]) / 3 - below_surface * std::sqrt(area.norm()) * area.normalized();
}

// The core of a ball or capsule is a triangle without area.
std::vector<std::array<Vec3, 3>> pieces_of(const Solid& solid) {
  std::vector<std::array<Vec3, 3>> pieces;
  for (std::size_t t = 0; t < solid.triangles.size(); ++t) pieces.push_back(corners_of(solid, t));
  if (pieces.empty())
    pieces.push_back({solid.points.front(), solid.points.back(), solid.points.back()});
  return pieces;
}

// --- Two triangles
// ---------------------------------------------------------------------------------

TriangleOf<double> in_doubles(const Placed& placed) {
  return {placed.points[0], placed.points[1], placed.points[2]};
}

bool doubles_prove(const PlacedPair& pair) {
  const Direction n = from_triangle_to_triangle(in_doubles(pair.a), in_doubles(pair.b));
  return squared_norm(n) > 0 && gap_along(pair, n) > pair.margin;
}

TriangleOf<Rational> exactly(const Solid& solid, const BodyState& state) {
  const ExactPose body(state.position, state.orientation);
  const ExactPose part(solid.pose.position, solid.pose.orientation);
  TriangleOf<Rational> corners;
  for (std::size_t i = 0; i < 3; ++i) corners[i] = body * (part * exact(solid.points[i]));
  return corners;
}

/// How far the shorter end of a segment is through the inner part of a triangle, m; nothing if it
/// does not pierce it.
std::optional<double> piercing(const ExactPoint& p, const ExactPoint& q,
                               const TriangleOf<Rational>& t) {
  const ExactPoint normal = cross(ExactPoint(t[1] - t[0]), ExactPoint(t[2] - t[0]));
  const Rational area = squared_norm(normal);
  if (area == 0) return std::nullopt;
  const Rational hp = dot(normal, ExactPoint(p - t[0])), hq = dot(normal, ExactPoint(q - t[0]));
  if (!((hp > 0 && hq < 0) || (hp < 0 && hq > 0))) return std::nullopt;
  const Rational where = hp / (hp - hq);
  const ExactPoint through = p + where * ExactPoint(q - p);
  for (std::size_t i = 0; i < 3; ++i) {
    const ExactPoint side = t[(i + 1) % 3] - t[i];
    if (!(dot(cross(side, ExactPoint(through - t[i])), normal) > 0)) return std::nullopt;
  }
  const Rational shorter = std::min(Rational(abs(hp)), Rational(abs(hq)));
  return shorter.get_d() / std::sqrt(area.get_d());
}

/// How deep two triangles thickened by `radius` reach into each other, m; 0: they do not.
double exact_depth_of(const TriangleOf<Rational>& s, const TriangleOf<Rational>& t, double radius) {
  double deepest = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (const auto depth = piercing(s[i], s[(i + 1) % 3], t)) deepest = std::max(deepest, *depth);
    if (const auto depth = piercing(t[i], t[(i + 1) % 3], s)) deepest = std::max(deepest, *depth);
  }
  if (deepest >= 0) return deepest + radius;
  const Rational squared = squared_norm(from_triangle_to_triangle(s, t));
  const Rational r(radius);
  if (squared >= r * r) return 0;
  return radius - std::sqrt(squared.get_d());
}

// --- A mesh against anything
// -----------------------------------------------------------------------

class MeshJudge {
 public:
  MeshJudge(const Solid& mesh, const BodyState& state_mesh, const Solid& other,
            const BodyState& state_other)
      : mesh_(mesh), other_(other), state_mesh_(state_mesh), state_other_(state_other) {}

  Verdict run() {
    const bool is_flat = other_.kind == SolidKind::hull || other_.kind == SolidKind::mesh;
    if (is_flat)
      compare_pieces();
    else
      compare_curved();
    if (verdict_.outcome == Outcome::apart && is_nested()) {
      verdict_.outcome = Outcome::overlapping;
      verdict_.depth = std::min(mesh_.reach, other_.reach);
    }
    return verdict_;
  }

 private:
  // A box of the other solid's part as the mesh sees it, with a margin for rounding.
  Box3 in_mesh(const Box3& box) const {
    const Mat3 to_mesh = rotation(mesh_, state_mesh_).transpose();
    const Mat3 turn = to_mesh * rotation(other_, state_other_);
    const Vec3 shift = to_mesh * (origin(other_, state_other_) - origin(mesh_, state_mesh_));
    const Vec3 centre = turn * box.center() + shift;
    const double size = mesh_.reach + other_.reach + shift.norm();
    const Vec3 half = turn.cwiseAbs() * (0.5 * box.sizes()) + Vec3::Constant(placing_error * size);
    return {centre - half, centre + half};
  }
  static Mat3 rotation(const Solid& solid, const BodyState& state) {
    return (state.orientation.normalized() * solid.pose.orientation.normalized())
        .toRotationMatrix();
  }
  static Vec3 origin(const Solid& solid, const BodyState& state) {
    return state.position + state.orientation.normalized() * solid.pose.position;
  }

  std::vector<int> triangles_near(const Box3& box) const {
    std::vector<int> found;
    mesh_.tree->find_overlapping(in_mesh(box), found);
    return found;
  }

  void compare_pieces() {
    const auto pieces = pieces_of(other_);
    std::vector<std::size_t> near(pieces.size());
    for (std::size_t i = 0; i < near.size(); ++i) near[i] = i;
    // Of another mesh only what is near the box of this one.
    if (other_.kind == SolidKind::mesh) near = other_near();
    for (const std::size_t i : near) {
      Box3 box;
      for (const Vec3& corner : pieces[i]) box.extend(corner);
      box.extend(Vec3(box.min() - Vec3::Constant(other_.radius)));
      box.extend(Vec3(box.max() + Vec3::Constant(other_.radius)));
      const Solid piece = triangle_solid(other_, pieces[i]);
      for (const int t : triangles_near(box)) compare(t, piece);
    }
  }
  std::vector<std::size_t> other_near() const {
    Box3 box;
    for (const Vec3& p : mesh_.points) box.extend(p);
    const MeshJudge turned(other_, state_other_, mesh_, state_mesh_);
    std::vector<std::size_t> near;
    for (const int t : turned.triangles_near(box)) near.push_back(static_cast<std::size_t>(t));
    std::sort(near.begin(), near.end());
    return near;
  }

  void compare(int triangle, const Solid& piece) {
    const Solid own = triangle_solid(mesh_, corners_of(mesh_, static_cast<std::size_t>(triangle)));
    if (doubles_prove(PlacedPair(own, state_mesh_, piece, state_other_))) return;
    verdict_.needed_exact = true;
    note(exact_depth_of(exactly(own, state_mesh_), exactly(piece, state_other_), piece.radius));
  }
  void note(double depth) {
    if (depth == 0) return;
    verdict_.depth = std::max(verdict_.depth, depth);
    const double allowed = mesh_allowance(mesh_, state_mesh_, other_, state_other_);
    verdict_.outcome = verdict_.depth <= allowed ? Outcome::within_rounding : Outcome::overlapping;
  }

  void compare_curved() {
    const Box3 box = part_box();
    for (const int t : triangles_near(box)) {
      const Solid own =
          with_faces(triangle_solid(mesh_, corners_of(mesh_, static_cast<std::size_t>(t))));
      Hint hint;
      const Verdict one = other_.kind == SolidKind::ring
                              ? judge_ring(other_, state_other_, own, state_mesh_, hint)
                              : judge_curved(own, state_mesh_, other_, state_other_, hint);
      verdict_.needed_exact = verdict_.needed_exact || one.needed_exact;
      verdict_.depth = std::max(verdict_.depth, one.depth);
      if (rank(one.outcome) > rank(verdict_.outcome)) verdict_.outcome = one.outcome;
    }
  }
  static int rank(Outcome outcome) {
    switch (outcome) {
      case Outcome::apart:
        return 0;
      case Outcome::within_rounding:
        return 1;
      case Outcome::unknown:
        return 2;
      case Outcome::overlapping:
        break;
    }
    return 3;
  }
  // The solid's box is in the body frame; the ball around it is in the part's, too.
  Box3 part_box() const {
    const Vec3 middle = 0.5 * (other_.box.lower + other_.box.upper);
    const double radius = 0.5 * (other_.box.upper - other_.box.lower).norm();
    const Vec3 in_part =
        other_.pose.orientation.normalized().conjugate() * (middle - other_.pose.position);
    return {in_part - Vec3::Constant(radius), in_part + Vec3::Constant(radius)};
  }

  // Surfaces that do not meet: one point of each tells whether one is within the other.
  bool is_nested() const {
    const Mat3 to_mesh = rotation(mesh_, state_mesh_).transpose();
    const Mat3 turn = to_mesh * rotation(other_, state_other_);
    const Vec3 shift = to_mesh * (origin(other_, state_other_) - origin(mesh_, state_mesh_));
    for (const Vec3& p : points_inside_other())
      if (is_inside(mesh_, turn * p + shift)) return true;
    if (other_.kind != SolidKind::mesh) return holds_mesh(turn, shift);
    return is_inside(other_, turn.transpose() * (inner_point(mesh_) - shift));
  }
  std::vector<Vec3> points_inside_other() const {
    if (other_.kind == SolidKind::ring) return {Vec3(other_.radii.x(), 0, 0)};
    if (other_.kind == SolidKind::curved) {
      const bool is_user = other_.curved == CurvedKind::user;
      return {is_user ? other_.samples.front().point : Vec3(Vec3::Zero())};
    }
    if (other_.kind == SolidKind::mesh) return {inner_point(other_)};
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : other_.points) middle += p / static_cast<double>(other_.points.size());
    return {middle};
  }
  // Whether a corner of the mesh is within a convex solid: a point has no triangle to be compared
  // with, but is one.
  bool holds_mesh(const Mat3& turn, const Vec3& shift) const {
    const Vec3 p = turn.transpose() * (inner_point(mesh_) - shift);
    if (other_.kind == SolidKind::ring) {
      const double across = std::hypot(p.x(), p.y()) - other_.radii.x();
      return std::hypot(across, p.z()) < other_.radius;
    }
    if (other_.kind == SolidKind::hull && other_.triangles.empty()) {
      const SegmentOf<double> core = {triple(other_.points.front()), triple(other_.points.back())};
      const Direction to_core = from_point_to_segment(triple(p), core);
      return squared_norm(to_core) < other_.radius * other_.radius;
    }
    if (other_.kind == SolidKind::hull) return is_in_core(p) || is_in_rounding(p);
    Hint hint;
    const Vec3 own = inner_point(mesh_);
    const Solid point = triangle_solid(mesh_, {own, own, own});
    return judge_curved(point, state_mesh_, other_, state_other_, hint).outcome ==
           Outcome::overlapping;
  }

  bool is_in_core(const Vec3& p) const {
    for (std::size_t f = 0; f < other_.faces.size(); ++f) {
      const Vec3& corner = other_.points[static_cast<std::size_t>(other_.faces[f].front())];
      if (other_.normals[f].dot(p - corner) > 0) return false;
    }
    return true;
  }
  bool is_in_rounding(const Vec3& p) const {
    for (std::size_t t = 0; t < other_.triangles.size(); ++t) {
      const auto c = corners_of(other_, t);
      const TriangleOf<double> triangle = {triple(c[0]), triple(c[1]), triple(c[2])};
      if (squared_norm(from_point_to_triangle(triple(p), triangle)) < other_.radius * other_.radius)
        return true;
    }
    return false;
  }

  const Solid& mesh_;
  const Solid& other_;
  const BodyState& state_mesh_;
  const BodyState& state_other_;
  Verdict verdict_{Outcome::apart, 0, false};
};

/// Of a line from the point along an axis; nothing if it meets an edge.
std::optional<bool> is_inside_along(const Solid& mesh, const Vec3& point, int axis) {
  Box3 line(point, point);
  Vec3 end = point;
  for (const Vec3& p : mesh.points) end[axis] = std::max(end[axis], p[axis]);
  line.extend(end);
  std::vector<int> near;
  mesh.tree->find_overlapping(line, near);
  const auto across = [&](const Vec3& v) {
    return geometry::Vec2(v[(axis + 1) % 3], v[(axis + 2) % 3]);
  };
  bool inside = false;
  for (const int t : near) {
    const auto c = corners_of(mesh, static_cast<std::size_t>(t));
    int turns[3];
    for (int i = 0; i < 3; ++i)
      turns[i] = geometry::orientation_2d(across(c[i]), across(c[(i + 1) % 3]), across(point));
    const int low = *std::min_element(turns, turns + 3), high = *std::max_element(turns, turns + 3);
    if (low < 0 && high > 0) continue;
    if (low == 0 || high == 0) return std::nullopt;
    // Above the triangle or below it, with its corners in the sense in which the line sees them.
    const int side = geometry::orientation_3d(c[0], c[1], c[2], point);
    if (side == 0) return std::nullopt;
    if (side == (high > 0 ? -1 : 1)) inside = !inside;
  }
  return inside;
}

}  // namespace

bool is_mesh_pair(const Solid& mesh, const Solid& other) {
  return mesh.kind == SolidKind::mesh && other.kind != SolidKind::unknown;
}

Verdict judge_mesh(const Solid& mesh, const BodyState& state_mesh, const Solid& other,
                   const BodyState& state_other) {
  const bool holds_hull = other.kind == SolidKind::half_space || other.kind == SolidKind::bowl ||
                          other.kind == SolidKind::cavity;
  if (!holds_hull) return MeshJudge(mesh, state_mesh, other, state_other).run();
  // What is above a plane or in a convex cavity is so with its hull.
  Solid hull = mesh;
  hull.kind = SolidKind::hull;
  Hint hint;
  return judge(hull, state_mesh, other, state_other, hint);
}

bool is_inside(const Solid& mesh, const Vec3& point) {
  for (int axis = 0; axis < 3; ++axis)
    if (const auto inside = is_inside_along(mesh, point, axis)) return *inside;
  // All of them meet an edge: the surface seen from a point inside is all around it.
  double angle = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = corners_of(mesh, t);
    const Vec3 a = c[0] - point, b = c[1] - point, d = c[2] - point;
    const double la = a.norm(), lb = b.norm(), ld = d.norm();
    angle += 2 * std::atan2(a.dot(b.cross(d)),
                            la * lb * ld + a.dot(b) * ld + b.dot(d) * la + d.dot(a) * lb);
  }
  return angle > 2 * M_PI;
}

}  // namespace abut::verify
