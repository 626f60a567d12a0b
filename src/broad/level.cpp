#include "broad/level.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/interval.h"

namespace abut::broad {
namespace {

// A box stays in its level until it is this many octaves too small for it, so that a box whose
// size hovers around a power of two does not come and go.
constexpr int octaves_of_patience = Level::step + 1;

// A box may be this many octaves longer in x than the cells are wide. Longer boxes, which would
// make every window along x long, go to a coarser level.
constexpr int octaves_of_length = 2;

// A box that has to move more places than this is sorted with the newcomers instead: insertion
// would take quadratic time where everything has changed its order.
constexpr std::size_t farthest_shift = 32;

// Cells are counted in 32 bits: a box this many widths from the origin needs wider cells.
constexpr int cell_bits = 30;

// Bits of a list's number: which of the next cells its boxes reach into.
constexpr unsigned in_y = 1;
constexpr unsigned in_z = 2;

constexpr std::uint64_t next_row = std::uint64_t{1} << 32;
constexpr std::uint32_t bias = std::uint32_t{1} << 31;  // makes unsigned order that of signed cells

// The smallest e with x < 2^e. For a rounded difference x this holds of the exact one as well:
// rounding is monotone and 2^e a double, so an exact difference of 2^e or more cannot round below.
int exponent_above(double x) {
  if (x <= 0) return Level::smallest;
  int e = 0;
  std::frexp(x, &e);
  return e;
}

double extent(const Entry& box, int axis) {
  return box.upper[axis] - box.lower[axis];
}

// What has to be less than the cells' width.
double width_needed(const Entry& box) {
  constexpr double length_share = 1.0 / (1 << octaves_of_length);
  constexpr double distance_share = 1.0 / (1 << cell_bits);
  const double across = std::max(extent(box, 1), extent(box, 2));
  const double away = std::max(std::abs(box.lower[1]), std::abs(box.lower[2]));
  return std::max({across, length_share * extent(box, 0), distance_share * away});
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

bool comes_before(const Entry& a, const Entry& b) {
  return a.cell != b.cell ? a.cell < b.cell : a.lower[0] < b.lower[0];
}

// Pairs within one column.
void sweep(const Entry* begin, const Entry* end, std::vector<PackedPair>& pairs,
           Statistics& statistics) {
  for (const Entry* box = begin; box != end; ++box) {
    const Entry* other = box + 1;
    for (; other != end && other->lower[0] <= box->upper[0]; ++other) {
      if (overlap(*box, *other)) pairs.push_back(packed(box->id, other->id));
    }
    statistics.tests += other - box - 1;
  }
}

// Pairs of one box of a and one of b, two lists sorted by lower x, neither empty. Of b, a box can
// overlap only those with
//     box.lower - longest_b <= other.lower <= box.upper,
// and the lower end of this window moves forward with the boxes of a. The difference is rounded to
// nearest, which is monotone: other.lower >= box.lower - longest_b, exactly, implies the same for
// the rounded right-hand side since other.lower is itself a double.
void sweep(const Entry* const* a, const Entry* const* a_end, const Entry* const* b,
           const Entry* const* b_end, double longest_b, std::vector<PackedPair>& pairs,
           Statistics& statistics) {
  const auto precedes = [](const Entry* box, double x) { return box->lower[0] < x; };
  b = std::lower_bound(b, b_end, (*a)->lower[0] - longest_b, precedes);
  for (; a != a_end && b != b_end; ++a) {
    const Entry& box = **a;
    const double from = box.lower[0] - longest_b;
    while (b != b_end && (*b)->lower[0] < from) ++b;
    const Entry* const* other = b;
    for (; other != b_end && (*other)->lower[0] <= box.upper[0]; ++other) {
      if (overlap(box, **other)) pairs.push_back(packed(box.id, (*other)->id));
    }
    statistics.tests += other - b;
  }
}

}  // namespace

Level::Level(int exponent)
    : exponent_(exponent),
      width_(std::ldexp(1.0, exponent)),
      inverse_width_(std::ldexp(1.0, -exponent)) {}

bool Level::is_small_enough(const Entry& box) {
  static const double limit = std::ldexp(1.0, largest);
  return extent(box, 0) < limit && extent(box, 1) < limit && extent(box, 2) < limit;
}

int Level::exponent_for(const Entry& box, int finest) {
  const int needed = std::max(finest, exponent_above(width_needed(box)));
  return smallest + (needed - smallest + step - 1) / step * step;
}

bool Level::keeps(const Entry& box, int finest) const {
  constexpr double smallest_share = 1.0 / (1 << (step + octaves_of_patience));
  const double needed = width_needed(box);
  return needed < width_ && exponent_ >= finest &&
         (needed >= smallest_share * width_ || exponent_ == finest);
}

// The product is exact save where it underflows; floor of a rounded product is still monotone in
// the coordinate, and -0 in place of a tiny negative number merges two cells at the origin that
// are neighbours anyway.
std::uint64_t Level::cell_of(const Entry& box) const {
  return cell_key(static_cast<std::int32_t>(std::floor(box.lower[1] * inverse_width_)),
                  static_cast<std::int32_t>(std::floor(box.lower[2] * inverse_width_)));
}

void Level::settle(int finest, std::vector<Entry>& leavers, Statistics& statistics) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry box = entries_[i];
    if (box.id < 0) continue;
    const bool is_far =
        kept >= farthest_shift && comes_before(box, entries_[kept - farthest_shift]);
    if (is_far || !keeps(box, finest) || cell_of(box) != box.cell) {
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
  for (auto& list : lists_) list.resize(entries_.size());
  std::array<std::uint32_t, 4> size{};
  double next_y = 0, next_z = 0;  // where the next cells begin, in widths
  for (const Entry& box : entries_) {
    if (columns_.empty() || columns_.back().cell != box.cell) {
      columns_.push_back({box.cell, 0, size});
      next_y = cell_y(box.cell) + 1.0;
      next_z = cell_z(box.cell) + 1.0;
    }
    Column& column = columns_.back();
    column.longest_x = std::max(column.longest_x, math::next_up(extent(box, 0)));
    // Compared after the same rounded product that gives the cells, of which floor is monotone.
    const bool reaches_y = box.upper[1] * inverse_width_ >= next_y;
    const bool reaches_z = box.upper[2] * inverse_width_ >= next_z;
    for (unsigned reach = 0; reach < 4; ++reach) lists_[reach][size[reach]] = &box;
    size[0] += 1;
    size[in_y] += reaches_y;
    size[in_z] += reaches_z;
    size[in_y | in_z] += reaches_y && reaches_z;
  }
  columns_.push_back({std::numeric_limits<std::uint64_t>::max(), 0, size});
}

Level::Range Level::range(std::size_t column, unsigned reach) const {
  return {lists_[reach].data() + columns_[column].begin[reach],
          lists_[reach].data() + columns_[column + 1].begin[reach], columns_[column].longest_x};
}

// The column `there` of `other` is dy, dz cells on, each of -1, 0, 1, in terms of the wider cells.
void Level::sweep_neighbour(const Level& other, std::size_t here, std::size_t there, int dy, int dz,
                            std::vector<PackedPair>& pairs, Statistics& statistics) const {
  const Range a = range(here, (dy > 0 ? in_y : 0) | (dz > 0 ? in_z : 0));
  const Range b = other.range(there, (dy < 0 ? in_y : 0) | (dz < 0 ? in_z : 0));
  if (a.begin == a.end || b.begin == b.end) return;
  sweep(a.begin, a.end, b.begin, b.end, b.longest_x, pairs, statistics);
}

// Each column with itself, with the next one of its row, and with the three neighbours in the next
// row, which a second finger finds as both move forward.
void Level::find_pairs(std::vector<PackedPair>& pairs, Statistics& statistics) const {
  std::size_t finger = 0;
  for (std::size_t c = 0; c + 1 < columns_.size(); ++c) {
    const std::uint64_t cell = columns_[c].cell;
    const Range here = range(c, 0);
    sweep(*here.begin, *here.begin + (here.end - here.begin), pairs, statistics);
    if (columns_[c + 1].cell == cell + 1) sweep_neighbour(*this, c, c + 1, 0, 1, pairs, statistics);
    while (columns_[finger].cell < cell + next_row - 1) ++finger;
    for (std::size_t n = finger; columns_[n].cell <= cell + next_row + 1; ++n) {
      const int dz = cell_z(columns_[n].cell) - cell_z(cell);
      sweep_neighbour(*this, c, n, 1, dz, pairs, statistics);
    }
  }
}

// With W = 2^k w the coarser width, a box whose lower corner is in the fine cell f has it in the
// coarse cell F = floor(f / 2^k), and its upper corner at most one fine cell on. A coarse box that
// overlaps it has its lower corner at most W below the one and not above the other: in the coarse
// cells from F - 1, if it reaches into the next, to floor((f + 1) / 2^k), which is F, or F + 1 if
// the fine box reaches there.
void Level::find_pairs_with(const Level& coarser, std::vector<PackedPair>& pairs,
                            Statistics& statistics) const {
  const int k = std::min(coarser.exponent_ - exponent_, 31);
  const auto& others = coarser.columns_;
  for (std::size_t c = 0; c + 1 < columns_.size(); ++c) {
    const std::int32_t y = cell_y(columns_[c].cell);
    const std::int32_t z = cell_z(columns_[c].cell);
    for (std::int32_t row = (y >> k) - 1; row <= (y + 1) >> k; ++row) {
      const std::uint64_t last = cell_key(row, (z + 1) >> k);
      auto other = std::partition_point(others.begin(), others.end(),
                                        [first = cell_key(row, (z >> k) - 1)](
                                            const Column& column) { return column.cell < first; });
      for (; other->cell <= last; ++other) {
        sweep_neighbour(coarser, c, static_cast<std::size_t>(other - others.begin()),
                        row - (y >> k), cell_z(other->cell) - (z >> k), pairs, statistics);
      }
    }
  }
}

}  // namespace abut::broad
