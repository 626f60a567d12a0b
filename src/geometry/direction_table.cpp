#include "geometry/direction_table.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace abut::geometry {

DirectionTable::DirectionTable(const Mat3& stretch)
    : transpose_(stretch.transpose()), inverse_transpose_(transpose_.inverse()) {}

std::size_t DirectionTable::cell_of(const Vec3& direction) const {
  const Vec3 d = transpose_ * direction;
  int axis = 0;
  d.cwiseAbs().maxCoeff(&axis);
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  const auto index = [&](double ratio) {
    const double cells = 0.5 * (ratio + 1) * cells_per_edge;
    // Not a number goes to the first cell.
    if (!(cells > 0)) return std::size_t{0};
    return static_cast<std::size_t>(std::min(cells, cells_per_edge - 0.5));
  };
  const double length = std::abs(d[axis]);
  const auto face = 2 * static_cast<std::size_t>(axis) + (d[axis] < 0 ? 1 : 0);
  return (face * cells_per_edge + index(d[first] / length)) * cells_per_edge +
         index(d[second] / length);
}

Vec3 DirectionTable::middle_of(std::size_t cell) const {
  const std::size_t j = cell % cells_per_edge, i = cell / cells_per_edge % cells_per_edge;
  const auto face = static_cast<int>(cell / (cells_per_edge * cells_per_edge));
  const auto coordinate = [](std::size_t k) {
    return (2 * static_cast<double>(k) + 1) / cells_per_edge - 1;
  };
  Vec3 d;
  d[face / 2] = face % 2 == 0 ? 1 : -1;
  d[(face / 2 + 1) % 3] = coordinate(i);
  d[(face / 2 + 2) % 3] = coordinate(j);
  return (inverse_transpose_ * d).normalized();
}

}  // namespace abut::geometry
