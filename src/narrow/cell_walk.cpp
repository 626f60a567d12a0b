#include "narrow/cell_walk.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "geometry/mesh_boundary.h"
#include "narrow/mesh_cells.h"

namespace abut::narrow {
namespace {

using geometry::Box3;
using geometry::BoxTree;
using geometry::MeshBoundary;

// Roundings of coordinates that are turned into another frame.
constexpr double turned_rounding = 64 * epsilon;

// How high the lowest of some points are along a direction, and where they are when a drift ends.
struct Heights {
  double now = infinity, later = infinity;

  void take(double height, double climb) {
    now = std::min(now, height);
    later = std::min(later, height + climb);
  }
};

// What a walk is about: boxes of one side in the frame of the other, or a half-space. Coordinates
// are those of the file of the mesh a.
class Walk {
 public:
  Walk(const Placed& a, const Placed& b, const Drift& drift, double& reach,
       const std::function<void(const NearPieces&)>& visit)
      : a_(a), b_(b), reach_(reach), visit_(visit) {
    const Mat3 to_mesh = a.rotation.transpose();
    turn_ = to_mesh * b.rotation;
    shift_ = to_mesh * (b.position - a.position) + mesh_position(a);
    const double size = shift_.norm() + bounded_radius(a) + bounded_radius(b);
    margin_ = turned_rounding * size;
    // Coordinates of a mesh are those of its file; its solid has its centre for origin.
    if (b.solid->kind == SolidKind::mesh) shift_ -= turn_ * mesh_position(b);
    const Vec3 origin = a.position - a.rotation * mesh_position(a);
    drift_ = drift;
    for (const int side : {0, 1}) {
      drift_.velocity[side] = to_mesh * (drift.velocity[side] + drift.spin[side].cross(origin));
      drift_.spin[side] = to_mesh * drift.spin[side];
    }
  }

  void run() {
    const BoxTree& tree = a_.solid->cells->boundary().tree();
    if (b_.solid->kind == SolidKind::mesh)
      walk(0, 0, turned(b_.solid->cells->boundary().tree().nodes().front().box));
    else
      walk_alone(tree, 0);
  }

 private:
  static Vec3 mesh_position(const Placed& mesh) { return mesh.solid->cells->boundary().centre(); }
  static double bounded_radius(const Placed& placed) {
    const double radius = placed.solid->bounding_radius();
    return radius < infinity ? radius : 0;
  }

  static double between(const Box3& x, const Box3& y) {
    return std::sqrt(x.squaredExteriorDistance(y));
  }

  // Of boxes that are this far apart now and not too near already, how near what is in them comes;
  // with the side and the box of the smaller one.
  double lowered(double distance, int side, const Box3& box) const {
    return distance > reach_ ? distance - approach(distance, side, box) : distance;
  }
  double approach(double distance, int side, const Box3& box) const {
    if (drift_.duration == 0) return 0;
    return drift_.approach(side, box.center(), 0.5 * box.diagonal().norm(), distance);
  }
  double farthest(int side, const Box3& box) const {
    if (drift_.duration == 0) return reach_;
    return drift_.farthest(side, box.center(), 0.5 * box.diagonal().norm(), reach_);
  }
  static int smaller(const Box3& x, const Box3& y) {
    return x.diagonal().squaredNorm() <= y.diagonal().squaredNorm() ? 0 : 1;
  }

  // A lower bound of the distance of what is in a box of the mesh from the other solid.
  double alone_bound(const Box3& box) {
    const double distance = alone_distance(box);
    return distance > 0 ? lowered(distance, 0, box) : -infinity;
  }
  double alone_distance(const Box3& box) {
    const Solid& other = *b_.solid;
    if (other.kind == SolidKind::bowl) return -infinity;
    if (other.kind == SolidKind::plane) {
      const Vec3 up = turn_ * other.normal;
      const Vec3 half = 0.5 * box.sizes();
      return up.dot(box.center() - shift_) - up.cwiseAbs().dot(half) - margin_;
    }
    if (!other_box_) other_box_ = box_of(other);
    // The ball around a round solid is nearer to it than its box.
    const double from_ball = box.exteriorDistance(shift_) - other.bounding_radius();
    return std::max(between(box, *other_box_), from_ball) - margin_;
  }

  Box3 box_of(const Solid& other) const {
    if (other.kind == SolidKind::ring) {
      const double r = other.circle + other.rounding;
      return {shift_ - Vec3::Constant(r), shift_ + Vec3::Constant(r)};
    }
    Vec3 low, high;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 along = turn_.row(axis).transpose();
      high[axis] = shift_[axis] + height(other, along) + other.rounding;
      low[axis] = shift_[axis] - height(other, -along) - other.rounding;
    }
    return {low, high};
  }
  static double height(const Solid& solid, const Vec3& along) {
    if (solid.surface) return solid.surface->height(along);
    return along.dot(solid.core.vertices()[solid.core.support(along)]);
  }

  // A box of the second mesh in the frame of the first.
  Box3 turned(const Box3& box) const {
    const Vec3 centre = turn_ * box.center() + shift_;
    const Vec3 half = turn_.cwiseAbs() * (0.5 * box.sizes()) + Vec3::Constant(margin_);
    return {centre - half, centre + half};
  }
  // `y` is turned.
  double pair_bound(const Box3& x, const Box3& y) const {
    const double distance = between(x, y);
    if (!(distance > 0)) return -infinity;
    const int side = smaller(x, y);
    return lowered(distance, side, side == 0 ? x : y);
  }

  Heights heights(const std::vector<Vec3>& corners, int side, const Vec3& n) const {
    const double climb = drift_.duration * n.dot(drift_.velocity[side]);
    const Vec3 turning = drift_.duration * n.cross(drift_.spin[side]);  // n . (omega x d)
    Heights lowest;
    for (const Vec3& x : corners) lowest.take(n.dot(x), climb + turning.dot(x));
    return lowest;
  }
  // How far apart a plane of this normal keeps two cells for the time of the drift. Heights are
  // linear in time, so the lowest of one side less the highest of the other is concave, and least
  // at an end (toi/free_interval.h).
  double bound_along(const Vec3& n) const {
    const Heights above = heights(corners_[0], 0, n), below = heights(corners_[1], 1, -n);
    return std::min(above.now + below.now, above.later + below.later);
  }
  // Planes along either cell and across the line of their middles.
  double cell_bound(const MeshBoundary& a, int cell_a, const MeshBoundary& b, int cell_b) {
    for (const int side : {0, 1}) corners_[side].clear();
    Vec3 middles[2] = {Vec3::Zero(), Vec3::Zero()};
    for (const int v : a.corners(cell_a)) corners_[0].push_back(a.vertex(v));
    for (const int v : b.corners(cell_b)) corners_[1].push_back(turn_ * b.vertex(v) + shift_);
    for (const int side : {0, 1}) {
      for (const Vec3& x : corners_[side]) middles[side] += x;
      middles[side] /= static_cast<double>(corners_[side].size());
    }
    const Vec3 across = middles[0] - middles[1];
    const double length = across.norm();
    if (length == 0) return -infinity;
    double best = -infinity;
    for (const Vec3& n :
         {a.normal(cell_a), Vec3(turn_ * b.normal(cell_b)), Vec3(across / length)}) {
      const double along = bound_along(n.dot(across) < 0 ? Vec3(-n) : n);
      best = std::max(best, along - margin_ - drift_.stray);
      if (best > reach_) break;
    }
    return best > 0 ? best : -infinity;
  }

  void walk_alone(const BoxTree& tree, int index) {
    const BoxTree::Node& node = tree.nodes()[index];
    if (node.count == 0) {
      const double bounds[2] = {alone_bound(tree.nodes()[node.first].box),
                                alone_bound(tree.nodes()[node.first + 1].box)};
      const int nearer = bounds[1] < bounds[0] ? 1 : 0;
      for (const int i : {nearer, 1 - nearer})
        if (!(bounds[i] > reach_)) walk_alone(tree, node.first + i);
      return;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const Box3& box = tree.box_of(tree.item(i));
      const double distance = alone_distance(box);
      const double bound = distance > 0 ? distance - approach(distance, 0, box) : -infinity;
      if (!(bound > reach_)) visit_({tree.item(i), -1, bound, farthest(0, box)});
    }
  }

  void visit_leaves(const BoxTree::Node& node_a, const BoxTree::Node& node_b) {
    const MeshBoundary& a = a_.solid->cells->boundary();
    const MeshBoundary& b = b_.solid->cells->boundary();
    for (int l = node_b.first; l < node_b.first + node_b.count; ++l) {
      const int cell_b = b.tree().item(l);
      const Box3 box_b = turned(b.tree().box_of(cell_b));
      for (int k = node_a.first; k < node_a.first + node_a.count; ++k) {
        const int cell_a = a.tree().item(k);
        const Box3& box_a = a.tree().box_of(cell_a);
        if (pair_bound(box_a, box_b) > reach_) continue;
        const double bound = cell_bound(a, cell_a, b, cell_b);
        if (bound > reach_) continue;
        const int side = smaller(box_a, box_b);
        visit_({cell_a, cell_b, bound, farthest(side, side == 0 ? box_a : box_b)});
      }
    }
  }

  void walk(int i, int j, const Box3& box_b) {
    const BoxTree& tree_a = a_.solid->cells->boundary().tree();
    const BoxTree& tree_b = b_.solid->cells->boundary().tree();
    const BoxTree::Node &node_a = tree_a.nodes()[i], &node_b = tree_b.nodes()[j];
    if (node_a.count > 0 && node_b.count > 0) return visit_leaves(node_a, node_b);
    // The larger of the two is opened.
    const bool open_a = node_b.count > 0 || (node_a.count == 0 && node_a.box.diagonal().norm() >=
                                                                      node_b.box.diagonal().norm());
    const int first = open_a ? node_a.first : node_b.first;
    Box3 boxes_b[2] = {box_b, box_b};
    double bounds[2];
    for (const int k : {0, 1}) {
      if (!open_a) boxes_b[k] = turned(tree_b.nodes()[first + k].box);
      bounds[k] = pair_bound(open_a ? tree_a.nodes()[first + k].box : node_a.box, boxes_b[k]);
    }
    const int nearer = bounds[1] < bounds[0] ? 1 : 0;
    for (const int k : {nearer, 1 - nearer}) {
      if (bounds[k] > reach_) continue;
      if (open_a)
        walk(first + k, j, box_b);
      else
        walk(i, first + k, boxes_b[k]);
    }
  }

  const Placed& a_;
  const Placed& b_;
  double& reach_;
  const std::function<void(const NearPieces&)>& visit_;
  Mat3 turn_;  // from the frame of b to that of the mesh a
  Vec3 shift_;
  Drift drift_;  // in that of the mesh a
  double margin_ = 0;
  std::optional<Box3> other_box_;
  std::array<std::vector<Vec3>, 2> corners_;  // of two cells
};

}  // namespace

void for_near_cells(const Placed& a, const Placed& b, const Drift& drift, double& reach,
                    const std::function<void(const NearPieces&)>& visit) {
  if (a.solid->kind == SolidKind::mesh) {
    Walk(a, b, drift, reach, visit).run();
  } else {
    const std::function<void(const NearPieces&)> turned = [&](const NearPieces& pieces) {
      visit({pieces.b, pieces.a, pieces.bound, pieces.farthest});
    };
    Walk(b, a, drift.swapped(), reach, turned).run();
  }
}

}  // namespace abut::narrow
