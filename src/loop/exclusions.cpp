#include "loop/exclusions.h"

#include <algorithm>

namespace abut::loop {
namespace {

bool excludes(const joint::Joint& joint) {
  return !joint.collide && joint.bodies[0] != world && joint.bodies[1] != world;
}

}  // namespace

Exclusions::Exclusions(const model::Model& model) : model_(model) {
  for (const auto& [a, b] : model.no_collide) ++reasons_[std::minmax(a, b)];
  for (const joint::Joint& joint : model.joints)
    if (excludes(joint)) ++reasons_[std::minmax(joint.bodies[0], joint.bodies[1])];
}

bool Exclusions::may_touch(BodyIndex a, BodyIndex b) const {
  return (model_.bodies[a].is_dynamic() || model_.bodies[b].is_dynamic()) && !contains(a, b);
}

void Exclusions::break_joint(const joint::Joint& joint) {
  if (!excludes(joint)) return;
  const Pair pair = std::minmax(joint.bodies[0], joint.bodies[1]);
  if (--reasons_.at(pair) > 0) return;
  parting_.insert(std::lower_bound(parting_.begin(), parting_.end(), pair), pair);
}

void Exclusions::let_touch(const Pair& pair) {
  std::erase(parting_, pair);
  reasons_.erase(pair);
}

}  // namespace abut::loop
