#pragma once
// What the step clock knows of the bodies that it moves: where they are, what acts on them and what
// they did in the step that was taken last. Whoever reports or looks for neighbours reads it.

#include <map>
#include <memory>
#include <vector>

#include "broad/sweep_and_prune.h"
#include "clock/island_account.h"
#include "clock/island_members.h"

namespace abut::clock {

struct SteppedState {
  SteppedState(const model::Model& of, const integrate::Scripts& its_scripts,
               const std::vector<bool>& its_broken)
      : model(of),
        scripts(its_scripts),
        broken(its_broken),
        slot_of(of.bodies.size(), -1),
        coordinates(of.joints.size(), 0),
        joint_steps(of.joints.size()) {}

  const model::Model& model;
  const integrate::Scripts& scripts;
  const std::vector<bool>& broken;  ///< by joint, whoever broke it

  std::vector<SteppedBody> bodies;  ///< in the order of the model
  std::vector<int> slot_of;         ///< by body; -1: prescribed, or an outsider
  std::vector<double> coordinates;  ///< of joints
  std::vector<JointStep> joint_steps;
  std::map<broad::Pair, std::unique_ptr<NearPair>> pairs;
  std::map<broad::Pair, std::unique_ptr<BentPair>> bent_pairs;
  integrate::Island explicit_forces;  ///< all its bodies, and forces of the model
  std::vector<int> implicit_forces;   ///< the others
  std::unique_ptr<integrate::ForceLaws> laws;
  std::vector<impulse::OutsideImpulse> outside_impulses;  ///< of the next step
  int naps = 0;                                           ///< islands that ever fell asleep

  double time = 0, step_begin = 0;  ///< of the last step
  integrate::Balance carried;       ///< up to it
  std::vector<BookEntry> book;      ///< of it
  double bent_start = 0;            ///< energy of implicit forces where they began, J

  bool contains(BodyIndex body) const { return body != world && slot_of[body] >= 0; }
  bool bends(const broad::Pair& pair) const {
    return model.bodies[pair.a].bends() || model.bodies[pair.b].bends();
  }
  /// Whether a joint holds one of its bodies.
  bool is_mine(JointIndex joint) const;
  std::vector<int> all_forces() const;
  /// By slot: whether joints, or springs to other bodies, act on it.
  std::vector<bool> connected() const;
  std::vector<integrate::MovingBody> moving_now() const;
  /// What acts on the bodies where the last step ends, weight included, but for contacts and
  /// joints.
  std::vector<integrate::Wrench> forces_now() const;
  /// Of the motion frame of any body, or of the world; velocities only of prescribed ones.
  body::RigidMotion motion_at(BodyIndex body, double t) const;
};

/// The piece of its last step that a body is on at t.
const StepPiece* piece_at(const SteppedBody& body, double t);

}  // namespace abut::clock
