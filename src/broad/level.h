#pragma once
// The boxes of one size class, in columns along x.
//
// A level has a square grid of cells over y and z, as wide as a power of two w. Its boxes are at
// most w wide in y and z. A box belongs to the cell that holds its lower corner, so two boxes of
// the level overlap only if their cells are equal or neighbours:
//     a.lower <= b.lower <= a.upper <= a.lower + w   =>   0 <= cell(b) - cell(a) <= 1
// in y and in z. If the cells differ by one in y, say, the box of the lower cell reaches into the
// next one; the boxes that do are listed apart, which spares most comparisons. The boxes of a cell
// form a *column*, sorted by their lower x; columns are sorted by cell, y first. All this is one
// array, whose order hardly changes from step to step: settle() repairs it by insertion, and only
// boxes that left their cell are sorted anew and merged.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "broad/entry.h"

namespace abut::broad {

/// Two ids, the smaller one in the upper half: ordered like the pairs themselves.
using PackedPair = std::uint64_t;

class Level {
 public:
  /// `exponent` is the binary logarithm of the cells' width.
  explicit Level(int exponent);

  /// The exponents of levels are `smallest`, `smallest + step`, ..., `largest`. These powers of two
  /// and their inverses are normal numbers.
  static constexpr int smallest = -1000;
  static constexpr int largest = 1000;
  static constexpr int step = 2;

  /// The exponent of the level a box should enter where none is finer than `finest`.
  /// Precondition: is_small_enough(box).
  static int exponent_for(const Entry& box, int finest);
  /// False for boxes so large, infinite ones included, that no level takes them.
  static bool is_small_enough(const Entry& box);

  std::vector<Entry>& entries() { return entries_; }
  const std::vector<Entry>& entries() const { return entries_; }

  /// Takes out removed boxes, and into `leavers` those that left their cell or their size class, or
  /// moved far within their column; restores the order of the rest. No level is to be finer than
  /// `finest`.
  void settle(int finest, std::vector<Entry>& leavers, Statistics& statistics);
  /// Merges boxes that exponent_for() sent here; empties `arrivals`.
  void take(std::vector<Entry>& arrivals);
  /// To be called when the entries are complete, before pairs are asked for.
  void find_columns();
  std::size_t column_count() const { return columns_.size() - 1; }

  /// Appends the overlapping pairs within the level.
  void find_pairs(std::vector<PackedPair>& pairs, Statistics& statistics) const;
  /// Appends the overlapping pairs of one box of this level and one of a coarser level.
  void find_pairs_with(const Level& coarser, std::vector<PackedPair>& pairs,
                       Statistics& statistics) const;

 private:
  struct Column {
    std::uint64_t cell = 0;
    double longest_x = 0;                  // upper bound of upper.x - lower.x
    std::array<std::uint32_t, 4> begin{};  // in lists_; it ends where the next column begins
  };
  /// Boxes of one column in their order.
  struct Range {
    const Entry* const* begin;
    const Entry* const* end;
    double longest_x;
  };

  bool keeps(const Entry& box, int finest) const;
  std::uint64_t cell_of(const Entry& box) const;
  Range range(std::size_t column, unsigned reach) const;
  void sweep_neighbour(const Level& other, std::size_t here, std::size_t there, int dy, int dz,
                       std::vector<PackedPair>& pairs, Statistics& statistics) const;

  int exponent_;
  double width_;
  double inverse_width_;
  std::vector<Entry> entries_;
  std::vector<Column> columns_;  // the last one is a sentinel
  // By reach: all boxes of the level, those that reach into the next cell in y, in z, in both.
  std::array<std::vector<const Entry*>, 4> lists_;
};

inline PackedPair packed(int a, int b) {
  const auto low = static_cast<std::uint64_t>(a < b ? a : b);
  const auto high = static_cast<std::uint64_t>(a < b ? b : a);
  return low << 32 | high;
}

}  // namespace abut::broad
