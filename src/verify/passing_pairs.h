#pragma once
// Pairs of bodies that may overlap: those listed under no_collide, jointed ones without `collide`
// as long as the record lists one of their joints, and after that until they have been seen apart.

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/model.h"
#include "record/frame.h"

namespace abut::verify {

class PassingPairs {
 public:
  using Pair = std::pair<std::size_t, std::size_t>;  ///< the smaller index first

  /// The model must outlive this.
  explicit PassingPairs(const model::Model& model);

  /// Looks which joints there are in the next frame.
  void frame(const record::Frame& frame);
  bool contains(std::size_t a, std::size_t b) const;
  /// Pairs that have no joint any more. If this frame shows one apart, it must stay so.
  const std::vector<Pair>& to_be_seen_apart() const { return to_be_seen_apart_; }
  void note_apart(const Pair& pair);

 private:
  struct Jointed {
    std::vector<JointIndex> joints;
    bool is_parting = false;  ///< none of them is left
  };

  const model::Model& model_;
  std::set<Pair> for_ever_;
  std::map<Pair, Jointed> jointed_;
  std::vector<Pair> to_be_seen_apart_;
};

}  // namespace abut::verify
