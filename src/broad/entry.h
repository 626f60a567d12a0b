#pragma once
// One box as the broad phase keeps it.

#include <cstdint>

#include "geometry/aabb.h"

namespace abut::broad {

/// Fills one cache line: a comparison of two boxes touches two lines and nothing else.
struct alignas(64) Entry {
  double lower[3];
  double upper[3];
  std::uint64_t cell;  ///< of the level's grid over y and z (level.h)
  int id;              ///< negative once the box has been removed
};

/// Closed boxes: a shared face counts. Bitwise, because the outcome of each comparison is hardly
/// predictable and all six are cheaper than one wrong guess.
inline bool overlap(const Entry& a, const Entry& b) {
  return static_cast<bool>(
      static_cast<int>(a.lower[0] <= b.upper[0]) & static_cast<int>(b.lower[0] <= a.upper[0]) &
      static_cast<int>(a.lower[1] <= b.upper[1]) & static_cast<int>(b.lower[1] <= a.upper[1]) &
      static_cast<int>(a.lower[2] <= b.upper[2]) & static_cast<int>(b.lower[2] <= a.upper[2]));
}

/// Work done by the last search, for tests, benchmarks and the summary.
struct Statistics {
  long boxes = 0;
  long levels = 0;       ///< size classes in use
  long columns = 0;      ///< cells in use, over all levels
  long swaps = 0;        ///< exchanges of neighbours while restoring the order along x
  long relocations = 0;  ///< boxes that came to another column, new ones included
  long tests = 0;        ///< pairs of boxes compared
  long pairs = 0;        ///< found, after the filter
};

}  // namespace abut::broad
