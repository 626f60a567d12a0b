#pragma once
// How trees of boxes part what they hold.

#include <algorithm>
#include <cstddef>
#include <span>

namespace abut::geometry {

/// Brings the half of the items first whose coordinates are lower; equal ones by their numbers, so
/// that the halves do not depend on the order before.
template <class Coordinate>
void part_at_median(std::span<int> items, const Coordinate& coordinate) {
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2),
                   items.end(), [&](int a, int b) {
                     const double x = coordinate(a), y = coordinate(b);
                     return x != y ? x < y : a < b;
                   });
}

}  // namespace abut::geometry
