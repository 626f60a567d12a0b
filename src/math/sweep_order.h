#pragma once
// The order in which a sweep goes over nodes that act on each other, eight at a time.
//
// A sweep that solves for one node after the other has to wait for those that act on it: nodes of
// level 0 for none, those of the next for such of the levels before. Nodes of one level are solved
// for at once, in packs of eight, and have their places one after the other. What acts on a pack
// are terms: eight places from some place on, each with a block for its node of the pack. Of a
// grid of nodes the neighbours in one direction follow each other as the nodes of the pack do, and
// are one term; of other nets a term may have a block or two, and the rest of it is zero.

#include <array>
#include <span>
#include <vector>

namespace abut::math {

/// Where a block is in a list of terms.
struct LanePlace {
  int term = 0, lane = 0;
};

/// Terms by pack.
struct SweepTerms {
  std::vector<int> first;  ///< by pack, and the end
  std::vector<int> from;   ///< by term: the first of its eight places
  std::vector<LanePlace> place_of_pair;

  int count() const { return static_cast<int>(from.size()); }
};

class SweepOrder {
 public:
  /// `pairs` of nodes that act on each other: first < second.
  SweepOrder(int nodes, const std::vector<std::array<int, 2>>& pairs);

  int packs() const { return packs_; }
  /// By node.
  std::span<const int> places() const { return places_; }
  /// What acts on a pack of those that come before it, and after it.
  const SweepTerms& before() const { return before_; }
  const SweepTerms& after() const { return after_; }

 private:
  void find_places(const std::vector<std::array<int, 2>>& pairs);
  SweepTerms terms_of(const std::vector<std::array<int, 2>>& pairs, int side) const;

  int packs_ = 0;
  std::vector<int> places_;
  SweepTerms before_, after_;
};

}  // namespace abut::math
