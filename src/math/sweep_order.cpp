#include "math/sweep_order.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "math/lanes.h"

namespace abut::math {

SweepOrder::SweepOrder(int nodes, const std::vector<std::array<int, 2>>& pairs) : places_(nodes) {
  find_places(pairs);
  before_ = terms_of(pairs, 1);
  after_ = terms_of(pairs, 0);
}

// Each level begins a pack of its own.
void SweepOrder::find_places(const std::vector<std::array<int, 2>>& pairs) {
  std::vector<std::array<int, 2>> ordered = pairs;
  std::sort(ordered.begin(), ordered.end());
  std::vector<int> level(places_.size(), 0), order(places_.size());
  for (const auto& [a, b] : ordered) level[b] = std::max(level[b], level[a] + 1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return level[a] < level[b]; });
  int place = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && level[order[k]] != level[order[k - 1]])
      place = (place + lane_count - 1) / lane_count * lane_count;
    places_[order[k]] = place++;
  }
  packs_ = (place + lane_count - 1) / lane_count;
}

// What acts on the nodes of this side of the pairs.
SweepTerms SweepOrder::terms_of(const std::vector<std::array<int, 2>>& pairs, int side) const {
  std::map<std::array<int, 2>, int> number;  // by pack and first place
  const auto key_of = [&](const std::array<int, 2>& pair) {
    const int place = places_[pair[side]], other = places_[pair[1 - side]];
    return std::array{place / lane_count, other - place % lane_count};
  };
  for (const auto& pair : pairs) number[key_of(pair)] = 0;
  SweepTerms terms;
  terms.first.assign(packs_ + 1, 0);
  for (auto& [key, term] : number) {
    term = terms.count();
    terms.from.push_back(key[1]);
    ++terms.first[key[0] + 1];
  }
  std::partial_sum(terms.first.begin(), terms.first.end(), terms.first.begin());
  for (const auto& pair : pairs)
    terms.place_of_pair.push_back({number[key_of(pair)], places_[pair[side]] % lane_count});
  return terms;
}

}  // namespace abut::math
