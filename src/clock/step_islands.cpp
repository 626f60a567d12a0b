#include "clock/step_islands.h"

#include <map>
#include <utility>

#include "base/union_find.h"
#include "integrate/forces.h"

namespace abut::clock {

std::vector<StepIsland> make_islands(StepScene& scene, const SteppedState& state,
                                     const StepNeighbours& neighbours) {
  base::UnionFind groups(state.bodies.size());
  const auto join = [&](BodyIndex a, BodyIndex b) {
    if (a == world || b == world || state.slot_of[a] < 0 || state.slot_of[b] < 0) return;
    groups.join(state.slot_of[a], state.slot_of[b]);
  };
  for (const NearPair* pair : neighbours.near()) join(pair->a(), pair->b());
  for (const BentPair* pair : neighbours.near_bent()) join(pair->a(), pair->b());
  for (const SteppedBody& body : state.bodies)
    if (body.bent)
      for (const model::Hold& hold : body.bent->bending->holds) join(body.index, hold.body);
  for (std::size_t j = 0; j < state.model.joints.size(); ++j)
    if (!state.broken[j]) join(state.model.joints[j].bodies[0], state.model.joints[j].bodies[1]);
  for (const int force : state.all_forces()) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(state.model.forces[force]);
    if (ends.size() == 2) join(ends[0], ends[1]);
  }
  struct Parts {
    std::vector<int> slots;
    std::vector<NearPair*> pairs;
    std::vector<JointIndex> joints;
    std::vector<int> forces;
    std::vector<BentPair*> bent_pairs;
  };
  std::map<int, Parts> parts;  // by the first body
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    if (!state.bodies[i].asleep)
      parts[groups.first_of(static_cast<int>(i))].slots.push_back(static_cast<int>(i));
  const auto part_of = [&](BodyIndex a, BodyIndex b) -> Parts* {
    const BodyIndex yields = a != world && state.slot_of[a] >= 0 ? a : b;
    if (yields == world || state.slot_of[yields] < 0 || state.bodies[state.slot_of[yields]].asleep)
      return nullptr;
    return &parts[groups.first_of(state.slot_of[yields])];
  };
  for (NearPair* pair : neighbours.near())
    if (Parts* part = part_of(pair->a(), pair->b())) part->pairs.push_back(pair);
  for (BentPair* pair : neighbours.near_bent())
    if (Parts* part = part_of(pair->a(), pair->b())) part->bent_pairs.push_back(pair);
  for (std::size_t j = 0; j < state.model.joints.size(); ++j)
    if (!state.broken[j])
      if (Parts* part = part_of(state.model.joints[j].bodies[0], state.model.joints[j].bodies[1]))
        part->joints.push_back(static_cast<JointIndex>(j));
  for (const int force : state.all_forces()) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(state.model.forces[force]);
    if (ends.empty()) continue;
    if (Parts* part = part_of(ends.front(), ends.back())) part->forces.push_back(force);
  }
  std::vector<StepIsland> islands;
  islands.reserve(parts.size());
  for (auto& [first, part] : parts)
    islands.emplace_back(scene, std::move(part.slots), std::move(part.pairs),
                         std::move(part.joints), part.forces, std::move(part.bent_pairs));
  return islands;
}

}  // namespace abut::clock
