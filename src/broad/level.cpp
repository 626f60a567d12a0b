#include "broad/level.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/interval.h"

namespace abut::broad {
namespace {

// Powers of two and their inverses are normal numbers within this range, with room for the octaves
// that a level spans; boxes larger than the upper end belong to no level.
constexpr int smallest_exponent = -1000;
constexpr int largest_exponent = 1000;

// Widths of neighbouring levels differ by this many octaves. One gives the fewest tests, more give
// fewer levels; measured, see docs/decisions/0010-broad-phase.md.
constexpr int octaves_per_level = 2;

// A box stays in its level until it is this many octaves too small for it, so that a box whose
// size hovers around a power of two does not come and go.
constexpr int octaves_of_patience = octaves_per_level + 1;

// A box may be this many octaves longer in x than the cells are wide. Longer boxes, which would make
// every window along x long, go to a coarser level.
constexpr int octaves_of_length = 2;

// Cells are counted in 32 bits: a box this many widths from the origin needs wider cells.
constexpr int cell_bits = 30;

constexpr std::uint64_t next_row = std::uint64_t{1} << 32;
constexpr std::uint32_t bias = std::uint32_t{1} << 31;  // makes unsigned order that of signed cells

// The smallest e with x <= 2^e.
int exponent_above(double x) {
  if (x <= 0) return smallest_exponent;
  int e = 0;
  const double mantissa = std::frexp(x, &e);
  return mantissa == 0.5 ? e - 1 : e;
}

// An upper bound of the exact difference.
double extent(const Entry& box, int axis) {
  return math::next_up(box.upper[axis] - box.lower[axis]);
}

std::uint64_t cell_key(std::int32_t y, std::int32_t z) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(y) + bias) << 32 |
         (static_cast<std::uint32_t>(z) + bias);
}
std::int32_t cell_y(std::uint64_t key) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(key >> 32) - bias);
}
std::int32_t cell_z(std::uint64_t key) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(key) - bias);
}

// The least exponent of a cell width that suits the box.
int exponent_needed(const Entry& box) {
  const double across = std::max(extent(box, 1), extent(box, 2));
  const double away = std::max(std::abs(box.lower[1]), std::abs(box.lower[2]));
  return std::max({smallest_exponent, exponent_above(across),
                   exponent_above(extent(box, 0)) - octaves_of_length,
                   exponent_above(away) - cell_bits});
}

bool comes_before(const Entry& a, const Entry& b) {
  return a.cell != b.cell ? a.cell < b.cell : a.lower[0] < b.lower[0];
}

}  // namespace

Level::Level(int exponent) : exponent_(exponent), inverse_width_(std::ldexp(1.0, -exponent)) {}

bool Level::is_small_enough(const Entry& box) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(extent(box, axis) < std::ldexp(1.0, largest_exponent))) return false;
  }
  return true;
}

int Level::exponent_for(const Entry& box) {
  const int steps = exponent_needed(box) - smallest_exponent + octaves_per_level - 1;
  return smallest_exponent + steps / octaves_per_level * octaves_per_level;
}

bool Level::keeps(const Entry& box) const {
  if (!is_small_enough(box)) return false;
  const int needed = exponent_needed(box);
  return needed <= exponent_ && needed > exponent_ - octaves_per_level - octaves_of_patience;
}

// The product is exact save where it underflows; floor of a rounded product is still monotone in
// the coordinate, and -0 in place of a tiny negative number merges two cells at the origin that
// are neighbours anyway.
std::uint64_t Level::cell_of(const Entry& box) const {
  return cell_key(static_cast<std::int32_t>(std::floor(box.lower[1] * inverse_width_)),
                  static_cast<std::int32_t>(std::floor(box.lower[2] * inverse_width_)));
}

void Level::settle(std::vector<Entry>& leavers, Statistics& statistics) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry box = entries_[i];
    if (box.id < 0) continue;
    if (!keeps(box) || cell_of(box) != box.cell) {
      leavers.push_back(box);
      continue;
    }
    std::size_t place = kept++;
    while (place > 0 && comes_before(box, entries_[place - 1])) {
      entries_[place] = entries_[place - 1];
      --place;
      ++statistics.swaps;
    }
    if (place != i) entries_[place] = box;
  }
  entries_.resize(kept);
}

void Level::take(std::vector<Entry>& arrivals) {
  if (arrivals.empty()) return;
  for (Entry& box : arrivals) box.cell = cell_of(box);
  std::sort(arrivals.begin(), arrivals.end(), comes_before);
  // From the back, so that every entry moves once.
  std::size_t old = entries_.size();
  std::size_t fresh = arrivals.size();
  entries_.resize(old + fresh);
  for (std::size_t place = old + fresh; fresh > 0;) {
    const bool take_old = old > 0 && comes_before(arrivals[fresh - 1], entries_[old - 1]);
    entries_[--place] = take_old ? entries_[--old] : arrivals[--fresh];
  }
  arrivals.clear();
}

void Level::find_columns() {
  columns_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& box = entries_[i];
    if (columns_.empty() || columns_.back().cell != box.cell) {
      columns_.push_back({box.cell, static_cast<int>(i), 0});
    }
    Column& column = columns_.back();
    column.longest_x = std::max(column.longest_x, extent(box, 0));
  }
  columns_.push_back(
      {std::numeric_limits<std::uint64_t>::max(), static_cast<int>(entries_.size()), 0});
}

Level::Range Level::range(std::size_t column) const {
  return {entries_.data() + columns_[column].begin, entries_.data() + columns_[column + 1].begin,
          columns_[column].longest_x};
}

void Level::sweep(Range a, std::vector<PackedPair>& pairs, Statistics& statistics) {
  for (const Entry* box = a.begin; box != a.end; ++box) {
    const Entry* other = box + 1;
    for (; other != a.end && other->lower[0] <= box->upper[0]; ++other) {
      if (overlap(*box, *other)) pairs.push_back(packed(box->id, other->id));
    }
    statistics.tests += other - box - 1;
  }
}

// Of the column b, a box can overlap only those with
//     box.lower - longest <= other.lower <= box.upper,
// and the lower end of this window moves forward with the boxes of a. The difference is rounded to
// nearest, which is monotone: other.lower >= box.lower - longest, exactly, implies the same for
// the rounded right-hand side since other.lower is itself a double.
void Level::sweep(Range a, Range b, std::vector<PackedPair>& pairs, Statistics& statistics) {
  const Entry* first =
      std::partition_point(b.begin, b.end, [x = a.begin->lower[0] - b.longest_x](const Entry& e) {
        return e.lower[0] < x;
      });
  for (const Entry* box = a.begin; box != a.end && first != b.end; ++box) {
    const double from = box->lower[0] - b.longest_x;
    while (first != b.end && first->lower[0] < from) ++first;
    const Entry* other = first;
    for (; other != b.end && other->lower[0] <= box->upper[0]; ++other) {
      if (overlap(*box, *other)) pairs.push_back(packed(box->id, other->id));
    }
    statistics.tests += other - first;
  }
}

// Each column with itself, with the next one of its row, and with the three neighbours in the next
// row, which a second finger finds as both move forward.
void Level::find_pairs(std::vector<PackedPair>& pairs, Statistics& statistics) const {
  std::size_t finger = 0;
  for (std::size_t c = 0; c + 1 < columns_.size(); ++c) {
    const Range here = range(c);
    const std::uint64_t cell = columns_[c].cell;
    sweep(here, pairs, statistics);
    if (columns_[c + 1].cell == cell + 1) sweep(here, range(c + 1), pairs, statistics);
    while (columns_[finger].cell < cell + next_row - 1) ++finger;
    for (std::size_t n = finger; columns_[n].cell <= cell + next_row + 1; ++n) {
      sweep(here, range(n), pairs, statistics);
    }
  }
}

// With W = 2^k w the coarser width, a box whose lower corner is in the fine cell f has it in the
// coarse cell floor(f / 2^k), and its upper corner at most one fine cell on. A coarse box that
// overlaps it has its lower corner at most W below the one and not above the other: in the coarse
// cells from floor(f / 2^k) - 1 to floor((f + 1) / 2^k).
void Level::find_pairs_with(const Level& coarser, std::vector<PackedPair>& pairs,
                            Statistics& statistics) const {
  const int k = std::min(coarser.exponent_ - exponent_, 31);
  const auto& others = coarser.columns_;
  for (std::size_t c = 0; c + 1 < columns_.size(); ++c) {
    const Range here = range(c);
    const std::int32_t y = cell_y(columns_[c].cell);
    const std::int32_t z = cell_z(columns_[c].cell);
    for (std::int32_t row = (y >> k) - 1; row <= (y + 1) >> k; ++row) {
      const std::uint64_t last = cell_key(row, (z + 1) >> k);
      auto other = std::partition_point(
          others.begin(), others.end(),
          [first = cell_key(row, (z >> k) - 1)](const Column& column) { return column.cell < first; });
      for (; other->cell <= last; ++other) {
        sweep(here, coarser.range(static_cast<std::size_t>(other - others.begin())), pairs,
              statistics);
      }
    }
  }
}

}  // namespace abut::broad
