#pragma once
// Which boxes overlap: sweep and prune that re-uses the order of the last step.
//
// Boxes are kept by size class (level.h) in columns along x, sorted. While things move little, a
// search costs time proportional to the number of boxes and of pairs, whatever their sizes: a box
// is compared with boxes of its own size nearby and with larger ones. The few that are larger than
// any class, infinite ones above all, are compared with every box.

#include <compare>
#include <functional>
#include <map>
#include <vector>

#include "abut/types.h"
#include "broad/entry.h"
#include "broad/level.h"
#include "geometry/aabb.h"

namespace abut::broad {

/// Two bodies, a < b.
struct Pair {
  BodyIndex a = 0;
  BodyIndex b = 0;
  auto operator<=>(const Pair&) const = default;
};

class BroadPhase {
 public:
  /// Says whether two bodies, the first index smaller, are to be reported at all.
  using Filter = std::function<bool(BodyIndex, BodyIndex)>;

  explicit BroadPhase(Filter may_touch = {});
  BroadPhase(const BroadPhase&) = delete;  // places point into the object
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Bodies are numbered from 0, densely: memory is proportional to the largest id. An empty box
  /// overlaps nothing; a NaN makes its side infinite, so that nothing is missed.
  /// Precondition: `id` is not present.
  void insert(BodyIndex id, const geometry::Aabb& box);
  /// Precondition for both: `id` is present.
  void update(BodyIndex id, const geometry::Aabb& box);
  void remove(BodyIndex id);
  bool contains(BodyIndex id) const;

  /// Exactly the pairs of overlapping boxes that pass the filter, sorted. Valid until the next
  /// call of a non-const member.
  const std::vector<Pair>& find_pairs();

  /// Of the last find_pairs().
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Place {
    std::vector<Entry>* home = nullptr;  // null: not present
    std::size_t slot = 0;
  };

  void settle();
  void admit_pending();
  void note_places(std::vector<Entry>& home);
  void find_bounded_pairs();
  void find_boundless_pairs();
  void choose_finest(const Level& level, long tests);
  void sort_pairs();

  Filter may_touch_;
  std::vector<Place> places_;     // by id
  std::map<int, Level> levels_;   // by exponent: fine to coarse
  int finest_ = Level::smallest;  // exponent below which there are no levels
  std::vector<Entry> boundless_;  // larger than any level takes
  std::vector<Entry> pending_;    // inserted since the last search, or between levels
  std::vector<PackedPair> found_;
  std::vector<PackedPair> scratch_;
  std::vector<std::uint32_t> counts_;
  std::vector<Pair> pairs_;
  Statistics statistics_;
  bool is_current_ = true;  // pairs_ holds for the boxes as they are
};

}  // namespace abut::broad
