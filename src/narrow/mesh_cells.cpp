#include "narrow/mesh_cells.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "narrow/solid_id.h"

namespace abut::narrow {
namespace {

using geometry::Box3;
using geometry::BoxTree;
using geometry::MeshBoundary;

// Roundings of coordinates that are turned into another frame.
constexpr double turned_rounding = 64 * epsilon;

geometry::PolygonMesh polygon_of(const MeshBoundary& boundary, int cell) {
  geometry::PolygonMesh mesh;
  std::vector<int> front, back;
  for (const int v : boundary.corners(cell)) {
    front.push_back(static_cast<int>(mesh.vertices.size()));
    mesh.vertices.push_back(boundary.vertex(v));
  }
  back.assign(front.rbegin(), front.rend());
  mesh.faces = {front, back};
  return mesh;
}

// What a walk is about: boxes of one side in the frame of the other, or a half-space.
class Walk {
 public:
  Walk(const Placed& a, const Placed& b, double& reach,
       const std::function<void(const NearPieces&)>& visit)
      : a_(a), b_(b), reach_(reach), visit_(visit) {
    const Mat3 to_mesh = a.rotation.transpose();
    turn_ = to_mesh * b.rotation;
    shift_ = to_mesh * (b.position - a.position) + mesh_position(a);
    const double size = shift_.norm() + bounded_radius(a) + bounded_radius(b);
    margin_ = turned_rounding * size;
    // Coordinates of a mesh are those of its file; its solid has its centre for origin.
    if (b.solid->kind == SolidKind::mesh) shift_ -= turn_ * mesh_position(b);
  }

  void run() {
    const BoxTree& tree = a_.solid->cells->boundary().tree();
    if (b_.solid->kind == SolidKind::mesh)
      walk(0, 0);
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

  // A lower bound of the distance of what is in a box of the mesh from the other solid.
  double alone_bound(const Box3& box) {
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
    const double distance = std::max(between(box, *other_box_), from_ball) - margin_;
    return distance > 0 ? distance : -infinity;
  }

  Box3 box_of(const Solid& other) const {
    Box3 box(shift_, shift_);
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
  double pair_bound(const Box3& x, const Box3& y) const {
    const double distance = between(x, turned(y));
    return distance > 0 ? distance : -infinity;
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
    for (int i = node.first; i < node.first + node.count; ++i)
      if (!(alone_bound(tree.box_of(tree.item(i))) > reach_)) visit_({tree.item(i), -1});
  }

  void walk(int i, int j) {
    const BoxTree& tree_a = a_.solid->cells->boundary().tree();
    const BoxTree& tree_b = b_.solid->cells->boundary().tree();
    const BoxTree::Node &node_a = tree_a.nodes()[i], &node_b = tree_b.nodes()[j];
    if (node_a.count > 0 && node_b.count > 0) {
      for (int k = node_a.first; k < node_a.first + node_a.count; ++k)
        for (int l = node_b.first; l < node_b.first + node_b.count; ++l) {
          const int cell_a = tree_a.item(k), cell_b = tree_b.item(l);
          if (!(pair_bound(tree_a.box_of(cell_a), tree_b.box_of(cell_b)) > reach_))
            visit_({cell_a, cell_b});
        }
      return;
    }
    // The larger of the two is opened.
    const bool open_a = node_b.count > 0 || (node_a.count == 0 && node_a.box.diagonal().norm() >=
                                                                      node_b.box.diagonal().norm());
    const int first = open_a ? node_a.first : node_b.first;
    double bounds[2];
    for (const int k : {0, 1})
      bounds[k] = open_a ? pair_bound(tree_a.nodes()[first + k].box, node_b.box)
                         : pair_bound(node_a.box, tree_b.nodes()[first + k].box);
    const int nearer = bounds[1] < bounds[0] ? 1 : 0;
    for (const int k : {nearer, 1 - nearer}) {
      if (bounds[k] > reach_) continue;
      if (open_a)
        walk(first + k, j);
      else
        walk(i, first + k);
    }
  }

  const Placed& a_;
  const Placed& b_;
  double& reach_;
  const std::function<void(const NearPieces&)>& visit_;
  Mat3 turn_;  // from the frame of b to that of the mesh a
  Vec3 shift_;
  double margin_ = 0;
  std::optional<Box3> other_box_;
};

}  // namespace

MeshCells::MeshCells(std::shared_ptr<const MeshBoundary> boundary, int part, const Pose& pose)
    : boundary_(std::move(boundary)), part_(part), pose_(pose) {
  pose_.orientation.normalize();
}

Vec3 MeshCells::point_in_mesh(const Vec3& x) const {
  return pose_.orientation.conjugate() * (x - pose_.position);
}

Vec3 MeshCells::direction_in_mesh(const Vec3& d) const {
  return pose_.orientation.conjugate() * d;
}

Vec3 MeshCells::direction_in_body(const Vec3& d) const {
  return pose_.orientation * d;
}

const Solid& MeshCells::solid(int cell) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Solid>& made = made_[cell];
  if (!made) {
    auto solid = std::make_unique<Solid>();
    solid->kind = SolidKind::polyhedron;
    solid->part = cell_id(part_, cell);
    solid->core = geometry::ConvexPolyhedron::from_hull(polygon_of(*boundary_, cell));
    solid->orientation = pose_.orientation;
    solid->position = pose_.position + pose_.orientation * solid->core.centre();
    made = std::move(solid);
  }
  return *made;
}

void for_near_cells(const Placed& a, const Placed& b, double& reach,
                    const std::function<void(const NearPieces&)>& visit) {
  if (a.solid->kind == SolidKind::mesh) {
    Walk(a, b, reach, visit).run();
  } else {
    const std::function<void(const NearPieces&)> turned = [&](const NearPieces& pieces) {
      visit({pieces.b, pieces.a});
    };
    Walk(b, a, reach, turned).run();
  }
}

// The whole is placed by its centre; so are its cells, by theirs.
Placed placed_piece(const Placed& whole, int cell) {
  if (cell < 0) return whole;
  const MeshCells& cells = *whole.solid->cells;
  const Solid& solid = cells.solid(cell);
  const Vec3 from_centre = solid.core.centre() - cells.boundary().centre();
  return {&solid, whole.rotation, whole.position + whole.rotation * from_centre};
}

}  // namespace abut::narrow
