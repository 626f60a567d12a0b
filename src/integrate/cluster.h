#pragma once
// Clusters: the smallest sets of dynamic bodies that can be integrated on their own, because
// nothing but gravity and prescribed motion reaches them from outside.

#include <vector>

#include "force/contact_forces.h"
#include "force/contact_spring.h"
#include "impulse/constraint_set.h"
#include "model/model.h"

namespace abut::integrate {

struct Cluster {
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
struct Bonds {
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

/// The clusters of some dynamic bodies (ascending), which no force, joint or bond connects with
/// others. Each is in exactly one; clusters are ordered by their first body. `attached` is what
/// acts on the bodies, and may list more.
std::vector<Cluster> find_clusters(const model::Model& model, const std::vector<BodyIndex>& bodies,
                                   const Bonds& bonds, const Attached& attached);
std::vector<Cluster> find_clusters(const model::Model& model, const std::vector<BodyIndex>& bodies,
                                   const Bonds& bonds);

/// Those of all dynamic bodies, before any of them touch.
std::vector<Cluster> find_clusters(const model::Model& model);

}  // namespace abut::integrate
