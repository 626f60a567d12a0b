#include "clock/bent_pair.h"

#include <algorithm>

#include "base/limits.h"
#include "narrow/mesh_cells.h"
#include "narrow/solid_id.h"
#include "toi/core.h"

namespace abut::clock {
namespace {

using geometry::Box3;

// A proof halves time at most this often.
constexpr int deepest_halving = 8;

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

// A lower bound of the distance from the beginning of the step up to h, along the direction from
// the middle of the one to that of the other.
double far_bound(const MovingSurface& a, int triangle, const MovingObstacle& obstacle, double h) {
  const Corners start = a.corners(triangle, 0);
  const Vec3 n = (start[0] + start[1] + start[2]) / 3 - obstacle.middle();
  const double length = n.norm();
  return length > 0 ? obstacle.bound(start, a.rates(triangle), n / length, 0, h) : -infinity;
}

// The same between triangles, of which most that are looked at are told by it. Heights of corners
// are told relative to one of them, so that the place in the world does not matter.
double far_bound(const MovingSurface& a, int triangle, const MovingSurface& b, int other,
                 double h) {
  const auto& x = a.body->boundary.triangles()[triangle];
  const auto& y = b.body->boundary.triangles()[other];
  const Vec3& origin = b.places[y[0]];
  const Vec3 n = (a.places[x[0]] + a.places[x[1]] + a.places[x[2]]) -
                 (origin + b.places[y[1]] + b.places[y[2]]);
  double low = infinity, low_end = infinity, high = -infinity, high_end = -infinity;
  for (const int corner : x) {
    const double height = n.dot(a.places[corner] - origin), rate = n.dot(a.velocities[corner]);
    low = std::min(low, height);
    low_end = std::min(low_end, height + h * rate);
  }
  for (const int corner : y) {
    const double height = n.dot(b.places[corner] - origin), rate = n.dot(b.velocities[corner]);
    high = std::max(high, height);
    high_end = std::max(high_end, height + h * rate);
  }
  const double length = n.norm();
  return length > 0 ? std::min(low - high, low_end - high_end) / length : -infinity;
}

}  // namespace

BentPair::BentPair(const model::Model& model, BodyIndex a, BodyIndex b,
                   std::shared_ptr<const narrow::BodyShape> shape_b)
    : TouchingPair(model, a, b),
      model_(model),
      shape_b_(std::move(shape_b)),
      body_a_(model.bodies[a].bending->body.get()),
      thickness_(body_a_->half_thickness),
      tree_a_(body_a_->boundary) {
  if (model.bodies[b].bends()) {
    body_b_ = model.bodies[b].bending->body.get();
    thickness_ += body_b_->half_thickness;
    if (a != b) tree_b_.emplace(body_b_->boundary);
  }
  if (a == b) find_neighbours();
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
void BentPair::find_neighbours() {
  MovingSurface at_rest;
  at_rest.body = body_a_;
  at_rest.places = body_a_->boundary.rest();
  at_rest.velocities.assign(at_rest.places.size(), Vec3::Zero());
  tree_a_.fit(at_rest, 0);
  const double apart = thickness_ + 2 * kept_gap();
  neighbours_.resize(body_a_->boundary.triangles().size());
  std::vector<SurfaceTree::Pair> near;
  tree_a_.find_own_pairs(apart, near);
  for (const auto& [k, other] : near) {
    const auto& x = body_a_->boundary.triangles()[k];
    const auto& y = body_a_->boundary.triangles()[other];
    const bool meet = std::any_of(x.begin(), x.end(), [&](int corner) {
      return std::find(y.begin(), y.end(), corner) != y.end();
    });
    const Corners others = at_rest.corners(other, 0);
    Obstacle obstacle;
    obstacle.corners = others;
    if (meet || gap_between(at_rest.corners(k, 0), obstacle).gap < apart)
      neighbours_[k].push_back(other);
  }
  for (std::vector<int>& mine : neighbours_) std::sort(mine.begin(), mine.end());
  if (body_a_->is_sheet())
    flatness_.emplace(*body_a_, tree_a_.groups(),
                      [this](int k, int other) { return !are_neighbours(k, other); });
}

bool BentPair::are_neighbours(int triangle, int other) const {
  return std::binary_search(neighbours_[triangle].begin(), neighbours_[triangle].end(), other);
}

// Visits what may come nearer to each other in the first h of the step than this margin (m); a
// lower bound of the distance of all else whose boxes do.
double BentPair::for_near(const MovingSurface& a, const OtherSide& b, double t, double h,
                          double margin, const Visit& visit) const {
  const double apart = thickness_ + margin;
  if (b.surface != nullptr) return for_near_triangles(a, *b.surface, h, apart, visit);
  tree_a_.fit(a, h);
  double least = infinity;
  for (std::size_t i = 0; i < shape_b_->solids().size(); ++i) {
    const narrow::Solid& solid = shape_b_->solids()[i];
    if (solid.kind == narrow::SolidKind::mesh) {
      least = std::min(least, for_near_cells(a, b, t, h, apart, static_cast<int>(i), visit));
      continue;
    }
    const MovingObstacle obstacle(solid, model_.bodies[this->b()], *b.path, t);
    near_triangles_.clear();
    if (const auto ground = obstacle.ground())
      tree_a_.find_below(ground->normal, ground->height + apart, near_triangles_);
    else
      tree_a_.find_near(widened(obstacle.swept(0, h), apart), near_triangles_);
    for (const int k : near_triangles_) {
      if (is_held(k)) continue;
      if (const double far = far_bound(a, k, obstacle, h); far > apart)
        least = std::min(least, far);
      else
        visit(k, static_cast<int>(i), obstacle);
    }
  }
  return least;
}

double BentPair::for_near_cells(const MovingSurface& a, const OtherSide& b, double t, double h,
                                double apart, int mesh, const Visit& visit) const {
  const model::Body& body = model_.bodies[this->b()];
  const Pose from = toi::body_pose(body, b.path->pose(t)),
             to = toi::body_pose(body, b.path->pose(t + h));
  // How far the body moves within the step is added to the boxes, as they are where it begins.
  const motion::SpeedBound speed = b.path->speed_bound(t, t + h);
  const bool rests = speed.linear == 0 && speed.angular == 0;
  const double way =
      rests ? 0 : h * speed.at_radius(body.bounding_radius) + (to.position - from.position).norm();
  double least = infinity;
  std::vector<int> near;
  for (int k = 0; k < a.triangles(); ++k) {
    if (is_held(k)) continue;
    near.clear();
    cells_[mesh]->find_overlapping(seen_from(from, widened(a.swept(k, 0, h), apart + way)), near);
    std::sort(near.begin(), near.end());
    for (const int cell : near) {
      const MovingObstacle obstacle(shape_b_->solids()[mesh].cells->solid(cell), body, *b.path, t);
      if (const double far = far_bound(a, k, obstacle, h); far > apart)
        least = std::min(least, far);
      else
        visit(k, narrow::cell_id(mesh, cell), obstacle);
    }
  }
  return least;
}

double BentPair::for_near_triangles(const MovingSurface& a, const MovingSurface& b, double h,
                                    double apart, const Visit& visit) const {
  const bool is_same = this->a() == this->b();
  near_.clear();
  tree_a_.fit(a, h);
  double least = infinity;
  if (is_same) {
    if (flatness_) flatness_->fit(a, h);
    tree_a_.find_own_pairs(apart, near_, flatness_ ? &*flatness_ : nullptr);
    if (flatness_) least = flatness_->least_kept();
  } else {
    tree_b_->fit(b, h);
    tree_a_.find_pairs(*tree_b_, apart, near_);
  }
  for (const auto& [k, other] : near_) {
    if (is_same && are_neighbours(k, other)) continue;
    if (const double far = far_bound(a, k, b, other, h); far > apart)
      least = std::min(least, far);
    else
      visit(k, other, MovingObstacle(b, other));
  }
  return least;
}

BentPair::Proof BentPair::prove(const MovingSurface& a, const OtherSide& b, double t, double h,
                                double leave) const {
  Proof proof;
  proof.gap_bound = infinity;
  const auto prove_one = [&](int triangle, int other, const MovingObstacle& obstacle) {
    double bound = infinity;
    const std::optional<double> time =
        first_approach(a.corners(triangle, 0), a.rates(triangle), obstacle, 0, h, 0, leave, bound);
    if (time) proof.failures.push_back({triangle, other, *time});
    proof.gap_bound = std::min(proof.gap_bound, bound);
  };
  const double others = for_near(a, b, t, h, kept_gap() + leave, prove_one) - thickness_ - leave;
  proof.gap_bound = std::min(proof.gap_bound, others);
  std::sort(proof.failures.begin(), proof.failures.end(), [](const Approach& x, const Approach& y) {
    return std::array{x.triangle, x.other} < std::array{y.triangle, y.other};
  });
  return proof;
}

// A direction that separates where a stretch of time begins, or where it ends, may do so for all of
// it; if not, halves are looked at, and in the end the last time at which the two are apart is
// told.
std::optional<double> BentPair::first_approach(const Corners& start, const Corners& rates,
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
  const auto first = first_approach(start, rates, obstacle, from, middle, depth + 1, leave, bound);
  if (first) return first;
  return first_approach(start, rates, obstacle, middle, to, depth + 1, leave, bound);
}

}  // namespace abut::clock
