#pragma once
// Contacts whose forces are given, for a moment: what friction does within it has been decided for
// all contacts at once (loop/moment.h), and is not asked again before it is over.

#include <vector>

#include "integrate/placed_contact.h"

namespace abut::integrate {

class GivenForces {
 public:
  /// Of the contacts of a cluster with a moment; none of others.
  GivenForces(const model::Model& model, const Scripts& scripts, const Cluster& cluster);

  bool empty() const { return contacts_.empty(); }
  /// Whether one of them acts on the body in the slot.
  bool act_on(int slot) const;

  /// Adds what the forces do: to the wrenches, by slot, and to the rates of the balance. The bodies
  /// are those of the cluster, by slot.
  void add(double t, motion::Side side, const std::vector<MovingBody>& bodies,
           std::vector<Wrench>& wrenches, Balance& rates) const;
  void report(double t, motion::Side side, const std::vector<MovingBody>& bodies,
              std::vector<ContactState>& contacts) const;

 private:
  struct Given {
    contact::Contact contact;  // its force_found is the force on its first body
    PlacedContact placed;
  };

  const model::Model* model_;
  const Scripts* scripts_;
  std::vector<Given> contacts_;
};

}  // namespace abut::integrate
