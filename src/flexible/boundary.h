#pragma once
// The surface of a body that bends, as contact sees it: triangles whose corners are fixed
// combinations of columns. A point within a triangle moves with constant weights of its corners.

#include <array>
#include <span>
#include <vector>

#include "flexible/columns.h"

namespace abut::flexible {

class Boundary {
 public:
  using Triangle = std::array<int, 3>;

  /// Adds a vertex at the material point `rest`.
  int add_vertex(const Vec3& rest, std::span<const ColumnWeight> weights);
  /// Counter-clockwise from outside; `part` of the body that it belongs to.
  void add_triangle(const Triangle& corners, int part);

  int vertex_count() const { return static_cast<int>(rest_.size()); }
  Weights weights(int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return std::span(weights_).subspan(first_[v], first_[v + 1] - first_[v]);
  }
  const Vec3& rest(int vertex) const { return rest_[static_cast<std::size_t>(vertex)]; }
  const std::vector<Vec3>& rest() const { return rest_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  int part(int triangle) const { return parts_[static_cast<std::size_t>(triangle)]; }

  /// Where all vertices are; with rates, their velocities.
  void places(const Columns& columns, std::vector<Vec3>& places) const;
  /// The weights on columns of the point with these weights of the triangle's corners; sorted by
  /// column, equal ones added.
  std::vector<ColumnWeight> weights_within(int triangle, const Vec3& barycentric) const;

 private:
  std::vector<Vec3> rest_;
  std::vector<std::size_t> first_ = {0};
  std::vector<ColumnWeight> weights_;
  std::vector<Triangle> triangles_;
  std::vector<int> parts_;
};

}  // namespace abut::flexible
