#pragma once
// Islands: the smallest sets of dynamic bodies that can be integrated on their own, because
// nothing but gravity and prescribed motion reaches them from outside.

#include <vector>

#include "force/contact_forces.h"
#include "force/contact_spring.h"
#include "impulse/constraint_set.h"
#include "model/model.h"

namespace abut::integrate {

struct Island {
  std::vector<BodyIndex> bodies;           ///< dynamic, ascending
  std::vector<int> forces;                 ///< indices of the continuous forces on them, ascending
  std::vector<int> impulses;               ///< indices of the impulses on them, ascending
  std::vector<JointIndex> joints;          ///< on them, ascending
  std::vector<contact::Contact> contacts;  ///< that persist
  std::vector<force::ContactSpring> springs;  ///< in place of contacts, where these are springs
  std::vector<impulse::MetLimit> limits;      ///< that are pressed against
  std::vector<impulse::MotorDrive> motors;    ///< of limited force, or arrived at a limit
};

/// The bodies that a force acts on, the world included.
std::vector<BodyIndex> bodies_of(const model::Force& force);

/// What holds bodies together at an instant.
struct ActiveConstraints {
  std::vector<contact::Contact> contacts;
  std::vector<force::ContactSpring> springs;
  std::vector<impulse::MetLimit> limits;
  std::vector<impulse::MotorDrive> motors;
  std::vector<bool> broken;  ///< by joint of the model; empty: none is
};

/// The forces and joints of the model that act on some bodies, ascending: who knows them spares
/// the search among all.
struct Attached {
  std::vector<int> forces;  ///< impulses included
  std::vector<JointIndex> joints;
};

/// Of all bodies.
Attached all_attached(const model::Model& model);

/// The islands of some dynamic bodies (ascending), which no force, joint or active constraint
/// connects with others. Each is in exactly one; islands are ordered by their first body.
/// `attached` is what acts on the bodies, and may list more.
std::vector<Island> find_islands(const model::Model& model, const std::vector<BodyIndex>& bodies,
                                 const ActiveConstraints& active, const Attached& attached);
std::vector<Island> find_islands(const model::Model& model, const std::vector<BodyIndex>& bodies,
                                 const ActiveConstraints& active);

/// Those of all dynamic bodies, before any of them touch.
std::vector<Island> find_islands(const model::Model& model);

}  // namespace abut::integrate
