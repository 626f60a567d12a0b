#include "clock/bent_pair.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/limits.h"
#include "narrow/mesh_cells.h"
#include "narrow/solid_id.h"
#include "toi/core.h"

namespace abut::clock {
namespace {

using geometry::Box3;
using geometry::Feature;
using geometry::FeatureKind;

// A proof halves time at most this often.
constexpr int deepest_halving = 8;

// Of the kept gap (dimensionless): within an edge or a triangle, what is nearer than its corners by
// no more than this is the same place.
constexpr double nearer_within = 0.1;

// Of the distance of corners (dimensionless): a weight that is nothing.
constexpr double no_weight = 1e-9;

Box3 widened(const Box3& box, double margin) {
  return {box.min() - Vec3::Constant(margin), box.max() + Vec3::Constant(margin)};
}

Box3 box_of(const narrow::Solid& solid) {
  Box3 box;
  for (const Vec3& vertex : solid.core.vertices())
    box.extend(Vec3(solid.position + solid.orientation * vertex));
  return box;
}

// The box around a box that is seen from a pose.
Box3 seen_from(const Pose& pose, const Box3& box) {
  Box3 seen;
  for (int i = 0; i < 8; ++i)
    seen.extend(Vec3(pose.orientation.conjugate() *
                     (box.corner(static_cast<Box3::CornerType>(i)) - pose.position)));
  return seen;
}

// Which corner, edge or whole of a triangle a point with these weights is on.
Feature feature_of(const flexible::Boundary& boundary, int triangle,
                   const std::array<double, 3>& weights) {
  int count = 0, in = 0, out = 0;
  for (int i = 0; i < 3; ++i)
    if (weights[i] > no_weight) {
      ++count;
      in = i;
    } else {
      out = i;
    }
  if (count == 1) return {FeatureKind::vertex, boundary.triangles()[triangle][in]};
  if (count == 2) return {FeatureKind::edge, 3 * triangle + out};
  return {FeatureKind::face, triangle};
}

// The same for an edge whichever of its triangles tells it.
std::array<int, 3> name_of(const flexible::Boundary& boundary, const Feature& feature) {
  if (feature.kind == FeatureKind::vertex) return {feature.index, -1, -1};
  if (feature.kind == FeatureKind::face) return {feature.index, -2, -2};
  const auto& corners = boundary.triangles()[feature.index / 3];
  const int out = feature.index % 3;
  const auto [a, b] = std::minmax(corners[(out + 1) % 3], corners[(out + 2) % 3]);
  return {a, b, -1};
}

Vec3 combined(const Corners& corners, const std::array<double, 3>& weights) {
  return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

}  // namespace

BentPair::BentPair(const model::Model& model, BodyIndex a, BodyIndex b,
                   std::shared_ptr<const narrow::BodyShape> shape_b)
    : TouchingPair(model, a, b),
      model_(model),
      shape_b_(std::move(shape_b)),
      body_a_(model.bodies[a].bending->body.get()),
      thickness_(body_a_->half_thickness) {
  if (model.bodies[b].bends()) {
    body_b_ = model.bodies[b].bending->body.get();
    thickness_ += body_b_->half_thickness;
  }
  std::vector<bool> corners(body_a_->boundary.vertex_count(), false);
  for (const model::Hold& hold : model.bodies[a].bending->holds)
    if (hold.body == b) corners[hold.column] = true;
  if (std::find(corners.begin(), corners.end(), true) != corners.end())
    for (const auto& triangle : body_a_->boundary.triangles())
      held_.push_back(corners[triangle[0]] || corners[triangle[1]] || corners[triangle[2]]);
  if (!shape_b_) return;
  for (const narrow::Solid& solid : shape_b_->solids()) {
    cells_.emplace_back();
    if (solid.kind != narrow::SolidKind::mesh) continue;
    std::vector<Box3> boxes;
    for (int cell = 0; cell < solid.cells->boundary().cell_count(); ++cell)
      boxes.push_back(box_of(solid.cells->solid(cell)));
    cells_.back() = std::make_unique<geometry::BoxTree>(std::move(boxes));
  }
}

bool BentPair::supports(const narrow::BodyShape& shape) {
  return std::all_of(shape.solids().begin(), shape.solids().end(), [](const narrow::Solid& solid) {
    return solid.is_convex() || solid.kind == narrow::SolidKind::mesh;
  });
}

// Triangles of one body that share a corner touch each other, and those that are as near at rest as
// contact is cannot keep farther apart.
bool BentPair::are_neighbours(int triangle, int other) const {
  const auto& x = body_a_->boundary.triangles()[triangle];
  const auto& y = body_a_->boundary.triangles()[other];
  for (const int corner : x)
    if (std::find(y.begin(), y.end(), corner) != y.end()) return true;
  Corners at_rest, others;
  for (int i = 0; i < 3; ++i) {
    at_rest[i] = body_a_->boundary.rest(x[i]);
    others[i] = body_a_->boundary.rest(y[i]);
  }
  Obstacle obstacle;
  obstacle.corners = others;
  return gap_between(at_rest, obstacle).gap < thickness_ + 2 * kept_gap();
}

void BentPair::for_near(const MovingSurface& a, const OtherSide& b, double t, double h,
                        double margin, const Visit& visit) const {
  const double apart = thickness_ + margin;
  if (b.surface != nullptr) return for_near_triangles(a, *b.surface, h, apart, visit);
  for (std::size_t i = 0; i < shape_b_->solids().size(); ++i) {
    const narrow::Solid& solid = shape_b_->solids()[i];
    if (solid.kind == narrow::SolidKind::mesh) {
      for_near_cells(a, b, t, h, apart, static_cast<int>(i), visit);
      continue;
    }
    const MovingObstacle obstacle(solid, model_.bodies[this->b()], *b.path, t);
    const Box3 around = widened(obstacle.swept(0, h), apart);
    for (int k = 0; k < a.triangles(); ++k)
      if (!is_held(k) && around.intersects(a.swept(k, 0, h)))
        visit(k, static_cast<int>(i), obstacle);
  }
}

void BentPair::for_near_cells(const MovingSurface& a, const OtherSide& b, double t, double h,
                              double margin, int mesh, const Visit& visit) const {
  const model::Body& body = model_.bodies[this->b()];
  const Pose from = toi::body_pose(body, b.path->pose(t)),
             to = toi::body_pose(body, b.path->pose(t + h));
  const MovingObstacle whole(shape_b_->solids()[mesh], body, *b.path, t);
  // How far the body moves within the step is added to the boxes, as they are where it begins.
  const motion::SpeedBound speed = b.path->speed_bound(t, t + h);
  const bool rests = speed.linear == 0 && speed.angular == 0;
  const double way =
      rests ? 0 : h * speed.at_radius(body.bounding_radius) + (to.position - from.position).norm();
  std::vector<int> near;
  for (int k = 0; k < a.triangles(); ++k) {
    if (is_held(k)) continue;
    near.clear();
    cells_[mesh]->find_overlapping(seen_from(from, widened(a.swept(k, 0, h), margin + way)), near);
    std::sort(near.begin(), near.end());
    for (const int cell : near)
      visit(k, narrow::cell_id(mesh, cell),
            MovingObstacle(shape_b_->solids()[mesh].cells->solid(cell), body, *b.path, t));
  }
}

void BentPair::for_near_triangles(const MovingSurface& a, const MovingSurface& b, double h,
                                  double margin, const Visit& visit) const {
  const bool is_same = this->a() == this->b();
  std::vector<Box3> boxes;
  boxes.reserve(b.triangles());
  for (int k = 0; k < b.triangles(); ++k) boxes.push_back(b.swept(k, 0, h));
  const geometry::BoxTree tree(std::move(boxes));
  std::vector<int> near;
  for (int k = 0; k < a.triangles(); ++k) {
    near.clear();
    tree.find_overlapping(widened(a.swept(k, 0, h), margin), near);
    std::sort(near.begin(), near.end());
    for (const int other : near) {
      if (is_same && (other <= k || are_neighbours(k, other))) continue;
      visit(k, other, MovingObstacle(b, other));
    }
  }
}

std::vector<StepContact> BentPair::contacts(const MovingSurface& a, const OtherSide& b, double t,
                                            double reach, double kick) const {
  std::vector<StepContact> found;
  for_near(a, b, t, 0, reach, [&](int triangle, int other, const MovingObstacle& obstacle) {
    add_contacts(a, b, t, 0, reach, triangle, other, obstacle, found);
  });
  // Neighbours tell the same corners and edges.
  std::set<std::array<int, 7>> known;
  std::erase_if(found, [&](const StepContact& contact) {
    const std::array<int, 3> of_a = name_of(body_a_->boundary, contact.label.a);
    const std::array<int, 3> of_b =
        body_b_ != nullptr ? name_of(body_b_->boundary, contact.label.b) : std::array{0, 0, 0};
    return !known
                .insert(
                    {of_a[0], of_a[1], of_a[2], contact.label.part_b, of_b[0], of_b[1], of_b[2]})
                .second;
  });
  remember(found, kick);
  return found;
}

// The nearest place of a triangle, and its corners, at a time s after the step's beginning.
void BentPair::add_contacts(const MovingSurface& a, const OtherSide& b, double t, double s,
                            double reach, int triangle, int other, const MovingObstacle& obstacle,
                            std::vector<StepContact>& found) const {
  Corners memory;
  const Corners corners = a.corners(triangle, s);
  const Obstacle here = obstacle.at(s, memory);
  const CornerGap nearest = gap_between(corners, here);
  if (nearest.gap - thickness_ > reach) return;
  double least = infinity;
  for (int i = 0; i < 3; ++i) {
    CornerGap gap = gap_between(std::span(corners).subspan(i, 1), here);
    gap.weights = {};
    gap.weights[i] = 1;
    least = std::min(least, gap.gap);
    if (gap.gap - thickness_ <= reach)
      found.push_back(contact_of(a, b, t, s, triangle, other, gap));
  }
  if (b.surface != nullptr) {
    Obstacle own;
    own.corners = corners;
    for (int i = 0; i < 3; ++i) {
      const CornerGap gap = gap_between(std::span(memory).subspan(i, 1), own);
      least = std::min(least, gap.gap);
      if (gap.gap - thickness_ > reach) continue;
      CornerGap swapped;
      swapped.gap = gap.gap;
      swapped.normal = -gap.normal;
      swapped.weights = gap.on_obstacle;
      swapped.on_obstacle[i] = 1;
      found.push_back(contact_of(a, b, t, s, triangle, other, swapped));
    }
  }
  if (nearest.gap < least - nearer_within * kept_gap())
    found.push_back(contact_of(a, b, t, s, triangle, other, nearest));
}

StepContact BentPair::contact_of(const MovingSurface& a, const OtherSide& b, double t, double s,
                                 int triangle, int other, const CornerGap& gap) const {
  StepContact contact;
  contact.normal = gap.normal;
  contact.gap = gap.gap - thickness_;
  const Vec3 weights(gap.weights[0], gap.weights[1], gap.weights[2]);
  contact.weights[0] = body_a_->boundary.weights_within(triangle, weights);
  contact.label.part_a = body_a_->boundary.part(triangle);
  contact.label.a = feature_of(body_a_->boundary, triangle, gap.weights);
  if (b.surface != nullptr) {
    const Vec3 others(gap.on_obstacle[0], gap.on_obstacle[1], gap.on_obstacle[2]);
    contact.weights[1] = body_b_->boundary.weights_within(other, others);
    contact.label.part_b = body_b_->boundary.part(other);
    contact.label.b = feature_of(body_b_->boundary, other, gap.on_obstacle);
  } else {
    // Both sides act at one place, so that angular momentum is kept.
    const Vec3 at = combined(a.corners(triangle, s), gap.weights);
    const Pose pose = b.path->pose(t + s);
    contact.arms[1] = pose.orientation.conjugate() * (at - pose.position);
    contact.label.part_b = other;
    contact.label.b = {FeatureKind::face, 0};
  }
  contact.kept = kept_gap();
  contact.law = model::contact_law(model_, this->a(), contact.label.part_a, this->b(),
                                   narrow::part_of(contact.label.part_b));
  return contact;
}

BentPair::Proof BentPair::prove(const MovingSurface& a, const OtherSide& b, double t, double h,
                                double leave) const {
  Proof proof;
  proof.gap_bound = infinity;
  const double margin = kept_gap() + leave;
  for_near(a, b, t, h, margin, [&](int triangle, int other, const MovingObstacle& obstacle) {
    double bound = infinity;
    const std::optional<double> time =
        first_meeting(a.corners(triangle, 0), a.rates(triangle), obstacle, 0, h, 0, leave, bound);
    if (time) proof.failures.push_back({triangle, other, *time});
    proof.gap_bound = std::min(proof.gap_bound, bound);
  });
  return proof;
}

// A direction that separates where a stretch of time begins, or where it ends, may do so for all of
// it; if not, halves are looked at, and in the end the last time at which the two are apart is
// told.
std::optional<double> BentPair::first_meeting(const Corners& start, const Corners& rates,
                                              const MovingObstacle& obstacle, double from,
                                              double to, int depth, double leave,
                                              double& bound) const {
  const double least = thickness_ + proven_lower * kept_gap() + leave;
  Corners memory;
  for (const double s : {from, to}) {
    const CornerGap gap = gap_between(moved(start, rates, s), obstacle.at(s, memory));
    if (!(gap.gap >= least)) {
      if (s == from) return from;
      break;
    }
    const double proven = obstacle.bound(start, rates, gap.normal, from, to);
    if (!(proven >= least)) continue;
    bound = std::min(bound, proven - thickness_ - leave);
    return std::nullopt;
  }
  if (depth == deepest_halving) return from;
  const double middle = 0.5 * (from + to);
  const auto first = first_meeting(start, rates, obstacle, from, middle, depth + 1, leave, bound);
  if (first) return first;
  return first_meeting(start, rates, obstacle, middle, to, depth + 1, leave, bound);
}

std::vector<StepContact> BentPair::contacts_at(const MovingSurface& a, const OtherSide& b, double t,
                                               const Meeting& meeting) const {
  const MovingObstacle obstacle =
      b.surface != nullptr
          ? MovingObstacle(*b.surface, meeting.other)
          : MovingObstacle(shape_b_->solid(meeting.other), model_.bodies[this->b()], *b.path, t);
  Corners memory;
  const CornerGap nearest =
      gap_between(a.corners(meeting.triangle, meeting.time), obstacle.at(meeting.time, memory));
  std::vector<StepContact> found;
  const double reach = std::max(2 * kept_gap(), 2 * (nearest.gap - thickness_));
  add_contacts(a, b, t, meeting.time, reach, meeting.triangle, meeting.other, obstacle, found);
  return found;
}

}  // namespace abut::clock
