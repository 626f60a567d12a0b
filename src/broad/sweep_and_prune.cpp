#include "broad/sweep_and_prune.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/limits.h"

namespace abut::broad {
namespace {

// An empty box is kept as NaN, which compares as overlapping nothing, not even the whole space.
void assign(Entry& entry, const geometry::Aabb& box) {
  const bool is_empty = box.is_empty();
  for (int i = 0; i < 3; ++i) {
    entry.lower[i] = std::isnan(box.lower[i]) ? -infinity : box.lower[i];
    entry.upper[i] = std::isnan(box.upper[i]) ? infinity : box.upper[i];
    if (is_empty) entry.lower[i] = entry.upper[i] = std::numeric_limits<double>::quiet_NaN();
  }
}

// One pass of counting sort by the 32 bits from `shift` on, all less than counts.size(): stable.
void counting_sort(const std::vector<PackedPair>& from, std::vector<PackedPair>& to, int shift,
                   std::vector<std::uint32_t>& counts) {
  std::fill(counts.begin(), counts.end(), 0);
  for (const PackedPair pair : from) ++counts[static_cast<std::uint32_t>(pair >> shift)];
  std::uint32_t sum = 0;
  for (std::uint32_t& count : counts) sum += std::exchange(count, sum);
  to.resize(from.size());
  for (const PackedPair pair : from) to[counts[static_cast<std::uint32_t>(pair >> shift)]++] = pair;
}

}  // namespace

BroadPhase::BroadPhase(Filter may_touch) : may_touch_(std::move(may_touch)) {}

bool BroadPhase::contains(BodyIndex id) const {
  const auto index = static_cast<std::size_t>(id);
  return id >= 0 && index < places_.size() && places_[index].home != nullptr;
}

void BroadPhase::insert(BodyIndex id, const geometry::Aabb& box) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= places_.size()) places_.resize(index + 1);
  places_[index] = {&pending_, pending_.size()};
  Entry& entry = pending_.emplace_back();
  entry.id = id;
  assign(entry, box);
  is_current_ = false;
}

void BroadPhase::update(BodyIndex id, const geometry::Aabb& box) {
  const Place& place = places_[static_cast<std::size_t>(id)];
  assign((*place.home)[place.slot], box);
  is_current_ = false;
}

void BroadPhase::remove(BodyIndex id) {
  Place& place = places_[static_cast<std::size_t>(id)];
  (*place.home)[place.slot].id = -1;
  place = {};
  is_current_ = false;
}

const std::vector<Pair>& BroadPhase::find_pairs() {
  if (is_current_) return pairs_;
  statistics_ = {};
  settle();

  found_.clear();
  find_bounded_pairs();
  find_boundless_pairs();

  if (may_touch_) {
    std::erase_if(found_, [this](PackedPair pair) {
      return !may_touch_(static_cast<int>(pair >> 32), static_cast<int>(pair & 0xffffffff));
    });
  }
  sort_pairs();
  is_current_ = true;
  return pairs_;
}

// Brings every box to the level and column where it belongs now.
void BroadPhase::settle() {
  std::erase_if(pending_, [](const Entry& box) { return box.id < 0; });
  std::erase_if(boundless_, [this](const Entry& box) {
    if (box.id >= 0 && Level::is_small_enough(box)) pending_.push_back(box);
    return box.id < 0 || Level::is_small_enough(box);
  });
  for (auto& [exponent, level] : levels_) level.settle(finest_, pending_, statistics_);
  statistics_.relocations = static_cast<long>(pending_.size());
  admit_pending();

  std::erase_if(levels_, [](const auto& level) { return level.second.entries().empty(); });
  note_places(boundless_);
  for (auto& [exponent, level] : levels_) {
    note_places(level.entries());
    level.find_columns();
    statistics_.columns += static_cast<long>(level.column_count());
  }
  statistics_.levels = static_cast<long>(levels_.size());
}

void BroadPhase::admit_pending() {
  std::map<int, std::vector<Entry>> arrivals;
  for (const Entry& box : pending_) {
    if (Level::is_small_enough(box)) {
      arrivals[Level::exponent_for(box, finest_)].push_back(box);
    } else {
      boundless_.push_back(box);
    }
  }
  pending_.clear();
  for (auto& [exponent, boxes] : arrivals) {
    levels_.try_emplace(exponent, exponent).first->second.take(boxes);
  }
}

void BroadPhase::note_places(std::vector<Entry>& home) {
  for (std::size_t slot = 0; slot < home.size(); ++slot) {
    places_[static_cast<std::size_t>(home[slot].id)] = {&home, slot};
  }
  statistics_.boxes += static_cast<long>(home.size());
}

void BroadPhase::find_bounded_pairs() {
  for (auto level = levels_.begin(); level != levels_.end(); ++level) {
    level->second.find_pairs(found_, statistics_);
    for (auto coarser = std::next(level); coarser != levels_.end(); ++coarser) {
      level->second.find_pairs_with(coarser->second, found_, statistics_);
    }
    if (level == levels_.begin()) choose_finest(level->second, statistics_.tests);
  }
}

// Where small boxes are sparse, their columns hold few of them and visiting columns costs more than
// comparing boxes. Then the finest level is given up for the next, whose cells have q = 4^step
// times the area: it has at least a q-th of the columns, and about q times the tests. The way back
// is taken once the opposite would save more than half, a margin that keeps the choice from
// swinging. The choice takes effect with the next search; the pairs do not depend on it.
void BroadPhase::choose_finest(const Level& level, long tests) {
  constexpr double tests_per_column = 20;  // as long as visiting a column takes, measured
  constexpr double columns_to_mind = 16;   // fewer cost nothing worth saving
  constexpr double q = 1 << (2 * Level::step);
  const auto columns = static_cast<double>(level.column_count());
  const auto boxes = static_cast<double>(level.entries().size());
  const auto compared = static_cast<double>(tests);
  const auto visits = static_cast<double>(levels_.size());  // of each column: once per level
  const int exponent = levels_.begin()->first;
  if (columns >= columns_to_mind && q * compared < tests_per_column * visits * columns) {
    finest_ = std::min(exponent + Level::step, Level::largest);
  } else if (compared > 2 * tests_per_column * visits * std::min(q * columns, boxes)) {
    finest_ = std::max(std::min(finest_, exponent) - Level::step, Level::smallest);
  }
}

void BroadPhase::find_boundless_pairs() {
  const auto compare = [this](const Entry& box, const Entry& other) {
    if (overlap(box, other)) found_.push_back(packed(box.id, other.id));
  };
  for (std::size_t i = 0; i < boundless_.size(); ++i) {
    for (std::size_t j = i + 1; j < boundless_.size(); ++j) compare(boundless_[i], boundless_[j]);
    for (const auto& [exponent, level] : levels_) {
      for (const Entry& other : level.entries()) compare(boundless_[i], other);
    }
    statistics_.tests += statistics_.boxes - static_cast<long>(i) - 1;
  }
}

// Counting costs time proportional to the ids, comparing costs n log n: the former pays for itself
// unless pairs are rare.
void BroadPhase::sort_pairs() {
  constexpr std::size_t ids_per_pair = 16;
  if (found_.size() * ids_per_pair < places_.size()) {
    std::sort(found_.begin(), found_.end());
  } else {
    counts_.resize(places_.size());
    counting_sort(found_, scratch_, 0, counts_);
    counting_sort(scratch_, found_, 32, counts_);
  }
  pairs_.clear();
  pairs_.reserve(found_.size());
  for (const PackedPair pair : found_) {
    pairs_.push_back({static_cast<int>(pair >> 32), static_cast<int>(pair & 0xffffffff)});
  }
  statistics_.pairs = static_cast<long>(pairs_.size());
}

}  // namespace abut::broad
