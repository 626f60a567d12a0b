#pragma once
// The bodies, pairs, joints and forces that an island of the step clock has in a step.

#include <atomic>
#include <vector>

#include "clock/bent_pair.h"
#include "clock/near_pair.h"
#include "clock/stepped_body.h"
#include "impulse/outside_impulse.h"
#include "integrate/forces.h"

namespace abut::clock {

/// What a joint transmitted in its last step.
struct JointStep {
  double kick = 0;               ///< time over which the impulses acted, s
  std::vector<double> impulses;  ///< by row: equalities, then the coordinate's
};

/// What all islands read; each writes of its own bodies and joints.
struct StepScene {
  const model::Model& model;
  const integrate::Scripts& scripts;
  const std::vector<int>& slot_of;  ///< by body; -1 where it is not dynamic
  std::vector<SteppedBody>& bodies;
  std::vector<double>& coordinates;     ///< of joints, by index: turns are counted
  std::vector<JointStep>& joint_steps;  ///< by joint
  const std::atomic<bool>* interrupt = nullptr;
};

/// Who an island is made of and what acts on it: nothing of it changes while a step is tried.
struct IslandMembers {
  IslandMembers(StepScene& all, std::vector<int> its_slots, std::vector<NearPair*> its_pairs,
                std::vector<JointIndex> its_joints, const std::vector<int>& forces,
                std::vector<BentPair*> its_bent_pairs);

  StepScene& scene;
  std::vector<int> slots;  ///< of the scene's bodies, ascending
  std::vector<NearPair*> pairs;
  std::vector<BentPair*> bent_pairs;  ///< numbered after the others
  std::vector<JointIndex> joints;
  std::vector<int> implicit_forces;  ///< of the model; `explicit_forces` has the others
  integrate::Island explicit_forces;
  integrate::ForceLaws laws;
  std::vector<impulse::OutsideImpulse> outside_impulses;  ///< to be dealt in the next step
  double shortest = 0;                                    ///< step, s

  const model::Model& model() const { return scene.model; }
  /// The body at a place of the island.
  SteppedBody& body(std::size_t place) const { return scene.bodies[slots[place]]; }
  /// The place of a body; -1 if it is not of the island.
  int place_of(BodyIndex body) const;
  /// Of a body that is not of the island.
  Pose prescribed_pose(BodyIndex body, double t) const;
  motion::BodyPath prescribed_path(BodyIndex body, double from, double to) const;
  /// The impulses from outside on a body, and their moment about its centre of mass.
  integrate::Wrench outside_impulse_on(const SteppedBody& body) const;

  std::size_t pair_count() const { return pairs.size() + bent_pairs.size(); }
  TouchingPair& touching(std::size_t pair) const {
    if (pair < pairs.size()) return *pairs[pair];
    return *bent_pairs[pair - pairs.size()];
  }
};

}  // namespace abut::clock
