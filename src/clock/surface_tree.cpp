#include "clock/surface_tree.h"

#include <algorithm>
#include <numeric>

#include "geometry/median_split.h"

namespace abut::clock {
namespace {

constexpr int leaf_size = 4;

Eigen::Array4d quad(const Vec3& x) {
  return {x[0], x[1], x[2], 0};
}

}  // namespace

SurfaceTree::SurfaceTree(const flexible::Boundary& boundary)
    : order_(boundary.triangles().size()), boxes_(boundary.triangles().size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (order_.empty()) return;
  std::vector<Vec3> middles;
  for (const auto& [a, b, c] : boundary.triangles())
    middles.push_back((boundary.rest(a) + boundary.rest(b) + boundary.rest(c)) / 3);
  nodes_.emplace_back();
  split(0, 0, static_cast<int>(order_.size()), middles);
}

// Halves by the middle along the longest side.
void SurfaceTree::split(int node, int first, int count, const std::vector<Vec3>& middles) {
  nodes_[node].first = first;
  nodes_[node].count = count;
  if (count <= leaf_size) return;
  geometry::Box3 box;
  for (int i = first; i < first + count; ++i) box.extend(middles[order_[i]]);
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  const int half = count / 2;
  geometry::part_at_median(std::span(order_).subspan(first, count),
                           [&](int i) { return middles[i][axis]; });
  const int children = static_cast<int>(nodes_.size());
  nodes_[node].first = children;
  nodes_[node].count = 0;
  nodes_.emplace_back();
  nodes_.emplace_back();
  split(children, first, half, middles);
  split(children + 1, first + half, count - half, middles);
}

// Children come after their parents.
void SurfaceTree::fit(const MovingSurface& surface, double h) {
  ways_.resize(surface.places.size());
  for (std::size_t v = 0; v < ways_.size(); ++v) {
    const Eigen::Array4d begin = quad(surface.places[v]);
    const Eigen::Array4d end = begin + h * quad(surface.velocities[v]);
    ways_[v] = {begin.min(end), begin.max(end)};
  }
  const auto& triangles = surface.body->boundary.triangles();
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    boxes_[k] = ways_[triangles[k][0]];
    boxes_[k].extend(ways_[triangles[k][1]]);
    boxes_[k].extend(ways_[triangles[k][2]]);
  }
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    if (node->count == 0) {
      node->box = nodes_[node->first].box;
      node->box.extend(nodes_[node->first + 1].box);
      continue;
    }
    node->box = boxes_[order_[node->first]];
    for (int i = node->first + 1; i < node->first + node->count; ++i)
      node->box.extend(boxes_[order_[i]]);
  }
}

void SurfaceTree::find_pairs(const SurfaceTree& other, double margin,
                             std::vector<Pair>& found) const {
  if (!nodes_.empty() && !other.nodes_.empty())
    find_between(*this, 0, other, 0, margin, nullptr, found);
}

template <class IsNear>
void SurfaceTree::find_if(int node, const IsNear& is_near, std::vector<int>& found) const {
  const Node& here = nodes_[node];
  if (!is_near(here.box)) return;
  if (here.count == 0) {
    find_if(here.first, is_near, found);
    find_if(here.first + 1, is_near, found);
    return;
  }
  for (int i = here.first; i < here.first + here.count; ++i)
    if (is_near(boxes_[order_[i]])) found.push_back(order_[i]);
}

void SurfaceTree::find_near(const geometry::Box3& around, std::vector<int>& found) const {
  const Box box = {quad(around.min()), quad(around.max())};
  if (!nodes_.empty())
    find_if(
        0, [&](const Box& other) { return box.is_near(other, 0); }, found);
}

void SurfaceTree::find_below(const Vec3& n, double height, std::vector<int>& found) const {
  const Eigen::Array4d up = quad(n);
  const auto is_low = [&](const Box& box) {
    return (up * box.low).min(up * box.high).sum() <= height;
  };
  if (!nodes_.empty()) find_if(0, is_low, found);
}

// Children come after their parents.
std::vector<std::vector<int>> SurfaceTree::groups() const {
  std::vector<std::vector<int>> groups(nodes_.size());
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = nodes_[i];
    groups[i].assign(order_.begin() + node.first, order_.begin() + node.first + node.count);
    if (node.count > 0) continue;
    for (const int child : {node.first, node.first + 1})
      groups[i].insert(groups[i].end(), groups[child].begin(), groups[child].end());
  }
  return groups;
}

void SurfaceTree::find_own_pairs(double margin, std::vector<Pair>& found,
                                 const SheetFlatness* flatness) const {
  if (nodes_.empty()) return;
  const std::size_t first = found.size();
  find_within(0, margin, flatness, found);
  for (std::size_t i = first; i < found.size(); ++i)
    if (found[i][0] > found[i][1]) std::swap(found[i][0], found[i][1]);
}

void SurfaceTree::find_within(int node, double margin, const SheetFlatness* flatness,
                              std::vector<Pair>& found) const {
  const Node& here = nodes_[node];
  if (flatness != nullptr && flatness->keeps_apart(node, node, margin)) return;
  if (here.count == 0) {
    find_within(here.first, margin, flatness, found);
    find_within(here.first + 1, margin, flatness, found);
    return find_between(*this, here.first, *this, here.first + 1, margin, flatness, found);
  }
  for (int i = here.first; i < here.first + here.count; ++i)
    for (int j = i + 1; j < here.first + here.count; ++j)
      if (boxes_[order_[i]].is_near(boxes_[order_[j]], margin))
        found.push_back({order_[i], order_[j]});
}

void SurfaceTree::find_between(const SurfaceTree& a, int i, const SurfaceTree& b, int j,
                               double margin, const SheetFlatness* flatness,
                               std::vector<Pair>& found) {
  const Node &x = a.nodes_[i], &y = b.nodes_[j];
  if (!x.box.is_near(y.box, margin)) return;
  if (flatness != nullptr && flatness->keeps_apart(i, j, margin)) return;
  if (x.count > 0 && y.count > 0) {
    for (int k = x.first; k < x.first + x.count; ++k) {
      const Box& mine = a.boxes_[a.order_[k]];
      if (!mine.is_near(y.box, margin)) continue;
      for (int l = y.first; l < y.first + y.count; ++l)
        if (mine.is_near(b.boxes_[b.order_[l]], margin))
          found.push_back({a.order_[k], b.order_[l]});
    }
    return;
  }
  // The larger one is divided.
  const auto size = [](const Box& box) { return (box.high - box.low).matrix().squaredNorm(); };
  if (y.count > 0 || (x.count == 0 && size(x.box) >= size(y.box))) {
    find_between(a, x.first, b, j, margin, flatness, found);
    find_between(a, x.first + 1, b, j, margin, flatness, found);
  } else {
    find_between(a, i, b, y.first, margin, flatness, found);
    find_between(a, i, b, y.first + 1, margin, flatness, found);
  }
}

}  // namespace abut::clock
