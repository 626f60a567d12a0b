#include "verify/passing_pairs.h"

#include <algorithm>

namespace abut::verify {
namespace {

PassingPairs::Pair pair_of(BodyIndex a, BodyIndex b) {
  return std::minmax(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
}

}  // namespace

PassingPairs::PassingPairs(const model::Model& model) : model_(model) {
  for (const auto& [a, b] : model.no_collide) for_ever_.insert(pair_of(a, b));
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const auto& [a, b] = model.joints[i].bodies;
    if (model.joints[i].collide || a == world || b == world) continue;
    jointed_[pair_of(a, b)].joints.push_back(static_cast<JointIndex>(i));
  }
}

// What is found apart is judged from then on only if that is at a sample, or where the joint
// breaks: in between the simulation need not have looked.
void PassingPairs::frame(const record::Frame& frame) {
  std::set<JointIndex> listed;
  for (const JointState& state : frame.joints)
    if (!state.is_impulse) listed.insert(state.joint);
  to_be_seen_apart_.clear();
  const auto is_told = [&](std::size_t body) {
    return frame.tells_of(static_cast<BodyIndex>(body)) && model_.bodies[body].is_dynamic();
  };
  for (auto& [pair, jointed] : jointed_) {
    if (!is_told(pair.first) && !is_told(pair.second)) continue;
    if (std::any_of(jointed.joints.begin(), jointed.joints.end(),
                    [&](JointIndex joint) { return listed.contains(joint); }))
      continue;
    if (!jointed.is_parting || frame.kind == record::FrameKind::sample)
      to_be_seen_apart_.push_back(pair);
    jointed.is_parting = true;
  }
}

bool PassingPairs::contains(std::size_t a, std::size_t b) const {
  const Pair pair = std::minmax(a, b);
  return for_ever_.contains(pair) || jointed_.contains(pair);
}

void PassingPairs::note_apart(const Pair& pair) {
  jointed_.erase(pair);
}

}  // namespace abut::verify
