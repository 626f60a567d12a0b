#pragma once
// Which pairs of bodies pass through each other, and until when.
//
// A pair listed under no_collide does so for ever, a jointed pair without `collide` as long as one
// of its joints lasts. Jointed bodies may well overlap: when the last joint of such a pair breaks,
// the two go on passing through each other until they are seen apart. To push them apart at once
// would make energy out of nothing.

#include <map>
#include <utility>
#include <vector>

#include "model/model.h"

namespace abut::loop {

class Exclusions {
 public:
  using Pair = std::pair<BodyIndex, BodyIndex>;  ///< the smaller index first

  explicit Exclusions(const model::Model& model);

  bool contains(BodyIndex a, BodyIndex b) const { return reasons_.contains({a, b}); }
  /// Whether two bodies, the smaller index first, can touch each other at all.
  bool may_touch(BodyIndex a, BodyIndex b) const;
  void break_joint(const joint::Joint& joint);
  /// The pairs that nothing excludes any more, and that have not been seen apart.
  const std::vector<Pair>& parting() const { return parting_; }
  /// They are apart now.
  void let_touch(const Pair& pair);

 private:
  const model::Model& model_;
  std::map<Pair, int> reasons_;  // how many there are
  std::vector<Pair> parting_;    // without any, sorted
};

}  // namespace abut::loop
