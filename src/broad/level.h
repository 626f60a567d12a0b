#pragma once
// The boxes of one size class, in columns along x.
//
// A level has a square grid of cells over y and z, as wide as a power of two w. Its boxes are at
// most w wide in y and z. A box belongs to the cell that holds its lower corner, so two boxes of
// the level overlap only if their cells are equal or neighbours:
//     a.lower <= b.lower <= a.upper <= a.lower + w   =>   0 <= cell(b) - cell(a) <= 1
// in y and in z. The boxes of a cell form a *column*, sorted by their lower x; columns are sorted
// by cell, y first. All this is one array, whose order hardly changes from step to step: settle()
// repairs it by insertion, and only boxes that left their cell are sorted anew and merged.

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

  /// The exponent of the level a box should enter. Precondition: is_small_enough(box).
  static int exponent_for(const Entry& box);
  /// False for boxes so large, infinite ones included, that no level takes them.
  static bool is_small_enough(const Entry& box);

  std::vector<Entry>& entries() { return entries_; }
  const std::vector<Entry>& entries() const { return entries_; }

  /// Takes out removed boxes, and into `leavers` those that left their cell or their size class;
  /// restores the order of the rest.
  void settle(std::vector<Entry>& leavers, Statistics& statistics);
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
    int begin = 0;         // in entries_; it ends where the next column begins
    double longest_x = 0;  // upper bound of upper.x - lower.x
  };
  /// Entries [begin, end) of one column.
  struct Range {
    const Entry* begin;
    const Entry* end;
    double longest_x;
  };

  bool keeps(const Entry& box) const;
  std::uint64_t cell_of(const Entry& box) const;
  Range range(std::size_t column) const;
  static void sweep(Range a, Range b, std::vector<PackedPair>& pairs, Statistics& statistics);
  static void sweep(Range a, std::vector<PackedPair>& pairs, Statistics& statistics);

  int exponent_;
  double inverse_width_;
  std::vector<Entry> entries_;
  std::vector<Column> columns_;  // the last one is a sentinel
};

inline PackedPair packed(int a, int b) {
  const auto low = static_cast<std::uint64_t>(a < b ? a : b);
  const auto high = static_cast<std::uint64_t>(a < b ? b : a);
  return low << 32 | high;
}

}  // namespace abut::broad
