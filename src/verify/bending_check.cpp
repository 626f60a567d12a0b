#include "verify/bending_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "flexible/bending_body.h"
#include "geometry/box_tree.h"
#include "geometry/distance_point.h"
#include "verify/curved_judge.h"
#include "verify/placement.h"
#include "verify/sound_state.h"

namespace abut::verify {
namespace {

using geometry::Box3;
using geometry::Triangle;

Box3 box_around(const Triangle& triangle) {
  Box3 box;
  for (const Vec3& corner : triangle) box.extend(corner);
  return box;
}

bool share_corner(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](int corner) { return std::find(b.begin(), b.end(), corner) != b.end(); });
}

/// A triangle as a solid without volume, about its middle.
Solid flat_solid(const Triangle& triangle, const Vec3& middle) {
  Solid solid;
  solid.kind = SolidKind::hull;
  solid.shape = "triangle";
  for (const Vec3& corner : triangle) {
    solid.points.push_back(corner - middle);
    solid.reach = std::max(solid.reach, solid.points.back().norm());
  }
  const Vec3 normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
  if (!normal.isZero(0)) solid.normals = {normal.normalized(), -normal.normalized()};
  return solid;
}

/// Whether some point of a triangle, in the frame of a curved solid, is within it: halving towards
/// where the middle of a quarter is deepest. True is a proof, false is none.
bool reaches_into(const Solid& solid, Triangle local) {
  constexpr int halvings = 16;
  for (int k = 0; k < halvings; ++k) {
    const Vec3 m0 = (local[0] + local[1]) / 2, m1 = (local[1] + local[2]) / 2,
               m2 = (local[2] + local[0]) / 2;
    const std::array<Triangle, 4> quarters = {Triangle{local[0], m0, m2},
                                              Triangle{m0, local[1], m1},
                                              Triangle{m2, m1, local[2]}, Triangle{m0, m1, m2}};
    double lowest = infinity;
    for (const Triangle& quarter : quarters) {
      const double level = curved_level(solid, (quarter[0] + quarter[1] + quarter[2]) / 3);
      if (level >= lowest) continue;
      lowest = level;
      local = quarter;
    }
    if (lowest < -placing_error) return true;
  }
  return false;
}

/// Whether a point is within a hull by more than `margin`.
bool is_inside(const Solid& hull, const Vec3& local, double margin) {
  for (std::size_t i = 0; i < hull.faces.size(); ++i)
    if (hull.normals[i].dot(local - hull.points[hull.faces[i].front()]) > -margin) return false;
  return !hull.faces.empty();
}

}  // namespace

BendingCheck::BendingCheck(const model::Model& model)
    : Check("bending"),
      model_(model),
      solids_(model.bodies.size()),
      surfaces_(model.bodies.size()),
      passing_(model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (!model.bodies[i].bends()) solids_[i] = solids_of(model.bodies[i]);
}

Triangle BendingCheck::triangle(std::size_t body, std::size_t index) const {
  const auto& corners = model_.bodies[body].bending->body->boundary.triangles()[index];
  const std::vector<Vec3>& places = surfaces_[body].places;
  return {places[corners[0]], places[corners[1]], places[corners[2]]};
}

void BendingCheck::place(const record::Frame& frame) {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    if (!model_.bodies[i].bends()) continue;
    const flexible::BendingBody& body = *model_.bodies[i].bending->body;
    body.boundary.places(frame.bending[i].columns, surfaces_[i].places);
    surfaces_[i].boxes.clear();
    for (std::size_t k = 0; k < body.boundary.triangles().size(); ++k)
      surfaces_[i].boxes.push_back(box_around(triangle(i, k)));
    if (flexible::inversion(body, frame.bending[i].columns).verdict ==
        flexible::Inversion::inverted)
      fault(frame.time, fmt::format("{} is turned inside out", model_.bodies[i].name));
  }
}

void BendingCheck::frame(const record::Frame& frame) {
  if (frame.bending.size() != model_.bodies.size() ||
      !std::all_of(frame.bodies.begin(), frame.bodies.end(), is_sound))
    return could_not_check("bodies that bend in a frame that does not hold them");
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (model_.bodies[i].bends() &&
        (frame.bending[i].columns.cols() != model_.bodies[i].bending->body->columns() ||
         !frame.bending[i].columns.allFinite() || !frame.bending[i].rates.allFinite()))
      return fault(frame.time,
                   fmt::format("the columns of {} are not sound", model_.bodies[i].name));
  passing_.frame(frame);
  place(frame);
  ++frames_;
  for (std::size_t a = 0; a < model_.bodies.size(); ++a) {
    if (!model_.bodies[a].bends()) continue;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      if (a != b && passing_.contains(std::min(a, b), std::max(a, b))) continue;
      if (model_.bodies[b].bends()) {
        if (a <= b) compare_surfaces(a, b, frame.time);
        continue;
      }
      for (const Solid& solid : solids_[b]) compare_solid(a, b, solid, frame.bodies[b], frame.time);
    }
  }
}

/// Triangles of two boundaries, or of one that have no corner in common.
void BendingCheck::compare_surfaces(std::size_t a, std::size_t b, double time) {
  const auto& corners_a = model_.bodies[a].bending->body->boundary.triangles();
  const auto& corners_b = model_.bodies[b].bending->body->boundary.triangles();
  const geometry::BoxTree tree(surfaces_[b].boxes);
  std::vector<int> near;
  for (std::size_t i = 0; i < corners_a.size(); ++i) {
    near.clear();
    tree.find_overlapping(surfaces_[a].boxes[i], near);
    for (const int k : near) {
      const auto other = static_cast<std::size_t>(k);
      if (a == b && (other <= i || share_corner(corners_a[i], corners_b[other]))) continue;
      ++compared_;
      if (geometry::triangles_meet(triangle(a, i), triangle(b, other)))
        return note_overlap(a, b, time);
    }
  }
}

/// By triangle of a: whether b holds a corner of it, so that it may lie against b or reach into it.
/// Empty if b holds none.
std::vector<bool> BendingCheck::attached(std::size_t a, std::size_t b) const {
  const model::Bending& bending = *model_.bodies[a].bending;
  std::vector<bool> all, corners(surfaces_[a].places.size(), false);
  for (const model::Hold& hold : bending.holds)
    if (hold.body != world && static_cast<std::size_t>(hold.body) == b)
      corners[static_cast<std::size_t>(hold.column)] = true;
  if (std::find(corners.begin(), corners.end(), true) == corners.end()) return all;
  for (const auto& triangle : bending.body->boundary.triangles())
    all.push_back(std::any_of(triangle.begin(), triangle.end(),
                              [&](int i) { return corners[static_cast<std::size_t>(i)]; }));
  return all;
}

/// The corners of all other triangles.
std::vector<Vec3> BendingCheck::places_off(std::size_t a, const std::vector<bool>& attached) const {
  if (attached.empty()) return surfaces_[a].places;
  const auto& triangles = model_.bodies[a].bending->body->boundary.triangles();
  std::vector<bool> is_off(surfaces_[a].places.size(), false);
  for (std::size_t k = 0; k < triangles.size(); ++k)
    if (!attached[k])
      for (const int i : triangles[k]) is_off[static_cast<std::size_t>(i)] = true;
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < is_off.size(); ++i)
    if (is_off[i]) places.push_back(surfaces_[a].places[i]);
  return places;
}

/// Half-spaces and balls by distance, polyhedra by triangles that meet and corners that are inside.
void BendingCheck::compare_solid(std::size_t a, std::size_t b, const Solid& solid,
                                 const BodyState& state, double time) {
  const Quat turn = state.orientation.normalized() * solid.pose.orientation.normalized();
  const Vec3 origin = state.position + state.orientation.normalized() * solid.pose.position;
  const std::vector<bool> held = attached(a, b);
  const auto is_held = [&](std::size_t i) { return !held.empty() && held[i]; };
  const std::vector<Vec3> places = places_off(a, held);
  double size = origin.norm() + solid.reach;
  for (const Vec3& place : places) size = std::max(size, place.norm());
  const double margin = placing_error * size;
  compared_ += static_cast<long>(surfaces_[a].boxes.size());
  const auto local = [&](const Vec3& x) -> Vec3 { return turn.conjugate() * (x - origin); };
  if (solid.kind == SolidKind::half_space) {
    for (const Vec3& place : places)
      if (solid.normal.dot(local(place)) - solid.offset < -margin) return note_overlap(a, b, time);
    return;
  }
  if (solid.kind == SolidKind::hull && solid.points.size() == 1) {
    const Vec3 centre = origin + turn * solid.points.front();
    for (std::size_t i = 0; i < surfaces_[a].boxes.size(); ++i)
      if (!is_held(i) && geometry::distance_point_triangle(centre, triangle(a, i)).distance <
                             solid.radius - margin)
        return note_overlap(a, b, time);
    return;
  }
  if (solid.kind == SolidKind::curved) return compare_curved(a, b, solid, state, time);
  const bool is_polyhedron = (solid.kind == SolidKind::hull || solid.kind == SolidKind::mesh) &&
                             solid.radius == 0 && !solid.triangles.empty();
  if (!is_polyhedron)
    return could_not_check(fmt::format("overlap of a body that bends and a {}", solid.shape));
  const geometry::BoxTree tree(surfaces_[a].boxes);
  std::vector<int> near;
  for (const auto& corners : solid.triangles) {
    Triangle other;
    for (int i = 0; i < 3; ++i) other[i] = origin + turn * solid.points[corners[i]];
    near.clear();
    tree.find_overlapping(box_around(other), near);
    for (const int i : near)
      if (!is_held(static_cast<std::size_t>(i)) &&
          geometry::triangles_meet(triangle(a, static_cast<std::size_t>(i)), other))
        return note_overlap(a, b, time);
  }
  if (solid.kind == SolidKind::hull)
    for (const Vec3& place : places)
      if (is_inside(solid, local(place), margin + solid.flatness)) return note_overlap(a, b, time);
}

/// Triangles near a solid of revolution, an ellipsoid and the like: a plane between them is sought.
void BendingCheck::compare_curved(std::size_t a, std::size_t b, const Solid& solid,
                                  const BodyState& state, double time) {
  const Quat turn = state.orientation.normalized() * solid.pose.orientation.normalized();
  const Vec3 origin = state.position + state.orientation.normalized() * solid.pose.position;
  const Vec3 far = Vec3::Constant(solid.reach);
  const Box3 around(state.position - far, state.position + far);
  const std::vector<bool> held = attached(a, b);
  for (std::size_t i = 0; i < surfaces_[a].boxes.size(); ++i) {
    if ((!held.empty() && held[i]) || !surfaces_[a].boxes[i].intersects(around)) continue;
    const Triangle corners = triangle(a, i);
    BodyState middle;
    middle.position = (corners[0] + corners[1] + corners[2]) / 3;
    Hint hint;
    const Verdict verdict =
        judge_curved(flat_solid(corners, middle.position), middle, solid, state, hint);
    if (verdict.outcome == Outcome::apart || verdict.outcome == Outcome::within_rounding) continue;
    Triangle local;
    for (int k = 0; k < 3; ++k) local[k] = turn.conjugate() * (corners[k] - origin);
    if (verdict.outcome == Outcome::overlapping || reaches_into(solid, local))
      return note_overlap(a, b, time);
    could_not_check(fmt::format("overlap of a body that bends and a {}", solid.shape));
  }
}

void BendingCheck::note_overlap(std::size_t a, std::size_t b, double time) {
  fault(time, a == b
                  ? fmt::format("{} passes through itself", model_.bodies[a].name)
                  : fmt::format("{} and {} overlap", model_.bodies[a].name, model_.bodies[b].name));
}

std::string BendingCheck::measured() const {
  return fmt::format(
      "{} triangles and pairs of them in {} frames, thickness not counted; motion between frames "
      "is "
      "not judged",
      compared_, frames_);
}

}  // namespace abut::verify
