#include "flexible/boundary.h"

#include <algorithm>

namespace abut::flexible {

int Boundary::add_vertex(const Vec3& rest, std::span<const ColumnWeight> weights) {
  rest_.push_back(rest);
  weights_.insert(weights_.end(), weights.begin(), weights.end());
  first_.push_back(weights_.size());
  return vertex_count() - 1;
}

void Boundary::add_triangle(const Triangle& corners, int part) {
  triangles_.push_back(corners);
  parts_.push_back(part);
}

void Boundary::places(const Columns& columns, std::vector<Vec3>& places) const {
  places.resize(rest_.size());
  for (int v = 0; v < vertex_count(); ++v)
    places[static_cast<std::size_t>(v)] = combined(weights(v), columns);
}

std::vector<ColumnWeight> Boundary::weights_within(int triangle, const Vec3& barycentric) const {
  std::vector<ColumnWeight> all;
  const Triangle& corners = triangles_[static_cast<std::size_t>(triangle)];
  for (int i = 0; i < 3; ++i)
    for (const ColumnWeight& w : weights(corners[static_cast<std::size_t>(i)]))
      all.push_back({w.column, barycentric[i] * w.weight});
  std::sort(all.begin(), all.end(),
            [](const ColumnWeight& a, const ColumnWeight& b) { return a.column < b.column; });
  std::vector<ColumnWeight> sum;
  for (const ColumnWeight& w : all) {
    if (!sum.empty() && sum.back().column == w.column) {
      sum.back().weight += w.weight;
    } else {
      sum.push_back(w);
    }
  }
  return sum;
}

}  // namespace abut::flexible
