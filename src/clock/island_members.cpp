#include "clock/island_members.h"

#include <algorithm>
#include <utility>

#include "clock/implicit_forces.h"
#include "integrate/prescribed.h"

namespace abut::clock {

IslandMembers::IslandMembers(StepScene& all, std::vector<int> its_slots,
                             std::vector<NearPair*> its_pairs, std::vector<JointIndex> its_joints,
                             const std::vector<int>& forces, std::vector<BentPair*> its_bent_pairs)
    : scene(all),
      slots(std::move(its_slots)),
      pairs(std::move(its_pairs)),
      bent_pairs(std::move(its_bent_pairs)),
      joints(std::move(its_joints)),
      explicit_forces([&] {
        integrate::Island island;
        for (const int slot : slots) island.bodies.push_back(all.bodies[slot].index);
        for (const int force : forces)
          (is_implicit(all.model, all.model.forces[force]) ? implicit_forces : island.forces)
              .push_back(force);
        return island;
      }()),
      laws(all.model, all.scripts, explicit_forces) {}

int IslandMembers::place_of(BodyIndex body) const {
  if (body == world || scene.slot_of[body] < 0) return -1;
  const auto at = std::lower_bound(slots.begin(), slots.end(), scene.slot_of[body]);
  return at != slots.end() && *at == scene.slot_of[body] ? static_cast<int>(at - slots.begin())
                                                         : -1;
}

Pose IslandMembers::prescribed_pose(BodyIndex body, double t) const {
  return integrate::prescribed_kinematics(model(), scene.scripts, body, t).pose;
}

motion::BodyPath IslandMembers::prescribed_path(BodyIndex body, double from, double to) const {
  if (scene.scripts[body]) return motion::BodyPath::scripted(from, to, scene.scripts[body]);
  return motion::BodyPath::resting(from, to, model().bodies[body].pose);
}

integrate::Wrench IslandMembers::outside_impulse_on(const SteppedBody& body) const {
  integrate::Wrench sum;
  for (const impulse::OutsideImpulse& outside : outside_impulses) {
    if (outside.body != body.index) continue;
    sum.force += outside.impulse;
    sum.torque += (outside.at - body.state.centre).cross(outside.impulse);
  }
  return sum;
}

}  // namespace abut::clock
