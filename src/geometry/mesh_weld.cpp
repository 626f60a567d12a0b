#include "geometry/mesh_weld.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "base/union_find.h"

namespace abut::geometry {
namespace {

bool lexicographically_less(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

std::vector<int> counting_up(std::size_t count) {
  std::vector<int> indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

using Cell = std::array<std::int64_t, 3>;

struct CellEntry {
  Cell cell;
  int point;
};

bool cell_less(const CellEntry& a, const CellEntry& b) {
  return a.cell != b.cell ? a.cell < b.cell : a.point < b.point;
}

// A grid of cells as wide as the welding distance: near points lie in the same or in neighbouring
// cells. Cells are found by binary search in a sorted list, which no choice of points can slow
// down as it could a hash table.
std::vector<CellEntry> cells_of(const std::vector<Vec3>& points, double width) {
  Vec3 low = points.front();
  for (const Vec3& p : points) low = low.cwiseMin(p);
  std::vector<CellEntry> cells;
  cells.reserve(points.size());
  // Beyond this many cells doubles no longer tell neighbours apart; such points are far from all
  // others or equal to them.
  constexpr double most_cells = 9e15;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Cell cell;
    for (int axis = 0; axis < 3; ++axis) {
      const double steps = std::floor((points[i][axis] - low[axis]) / width);
      cell[axis] = static_cast<std::int64_t>(std::min(steps, most_cells));
    }
    cells.push_back({cell, static_cast<int>(i)});
  }
  std::sort(cells.begin(), cells.end(), cell_less);
  return cells;
}

class ClusterFinder {
 public:
  ClusterFinder(const std::vector<Vec3>& points, double distance)
      : points_(points),
        distance_(distance),
        cells_(cells_of(points, distance)),
        clusters_(points.size()) {}

  std::vector<int> run() {
    for (std::size_t i = 0; i < cells_.size(); ++i) join_with_neighbours(i);
    std::vector<int> first(points_.size());
    for (int i = 0; i < static_cast<int>(first.size()); ++i) first[i] = clusters_.first_of(i);
    return first;
  }

 private:
  void join_with_neighbours(std::size_t entry) {
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        const Cell& own = cells_[entry].cell;
        join_with_run(cells_[entry].point, {own[0] + dx, own[1] + dy, own[2] - 1});
      }
    }
  }

  // Joins a point with those in the three cells that start at `start` and go up the last axis.
  void join_with_run(int point, const Cell& start) {
    auto it = std::lower_bound(cells_.begin(), cells_.end(), CellEntry{start, -1}, cell_less);
    for (; it != cells_.end() && it->cell[0] == start[0] && it->cell[1] == start[1] &&
           it->cell[2] <= start[2] + 2;
         ++it) {
      if (it->point >= point) continue;
      const double apart = (points_[point] - points_[it->point]).norm();
      if (apart < distance_) clusters_.join(point, it->point);
    }
  }

  const std::vector<Vec3>& points_;
  double distance_;
  std::vector<CellEntry> cells_;
  base::UnionFind clusters_;
};

}  // namespace

std::vector<int> first_equal_points(const std::vector<Vec3>& points) {
  const auto at = [&](int i) -> const Vec3& { return points[i]; };
  std::vector<int> order = counting_up(points.size());
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    if (lexicographically_less(at(a), at(b))) return true;
    return !lexicographically_less(at(b), at(a)) && a < b;
  });
  std::vector<int> first(points.size());
  int representative = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || at(order[k]) != at(representative)) representative = order[k];
    first[order[k]] = representative;
  }
  return first;
}

std::vector<int> first_near_points(const std::vector<Vec3>& points, double distance) {
  // Equal points first: many of them in one cell would cost the square of their number.
  std::vector<int> first = first_equal_points(points);
  if (points.empty() || !(distance > 0)) return first;
  std::vector<int> distinct;
  std::vector<Vec3> distinct_points;
  std::vector<int> position(points.size(), -1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (first[i] != static_cast<int>(i)) continue;
    position[i] = static_cast<int>(distinct.size());
    distinct.push_back(static_cast<int>(i));
    distinct_points.push_back(points[i]);
  }
  const std::vector<int> cluster = ClusterFinder(distinct_points, distance).run();
  for (int& index : first) {
    const int place = position[index];
    index = distinct[cluster[static_cast<std::size_t>(place)]];
  }
  return first;
}

PolygonMesh with_representatives(const PolygonMesh& mesh, const std::vector<int>& representative) {
  std::vector<int> new_index(mesh.vertices.size(), -1);
  for (const std::vector<int>& face : mesh.faces) {
    for (const int corner : face) {
      new_index[representative[static_cast<std::size_t>(corner)]] = 0;
    }
  }
  PolygonMesh result;
  for (std::size_t i = 0; i < new_index.size(); ++i) {
    if (new_index[i] < 0) continue;
    new_index[i] = static_cast<int>(result.vertices.size());
    result.vertices.push_back(mesh.vertices[i]);
  }
  result.faces = mesh.faces;
  for (std::vector<int>& face : result.faces) {
    for (int& corner : face) {
      corner = new_index[representative[static_cast<std::size_t>(corner)]];
    }
  }
  return result;
}

PolygonMesh without_spare_vertices(const PolygonMesh& mesh) {
  return with_representatives(mesh, first_equal_points(mesh.vertices));
}

}  // namespace abut::geometry
