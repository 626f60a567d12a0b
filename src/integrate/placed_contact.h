#pragma once
// A contact whose force is known, between bodies of an island or one of them and what does not
// yield: where its ends are, and what its force does.

#include <array>
#include <vector>

#include "abut/types.h"
#include "integrate/forces.h"

namespace abut::integrate {

class PlacedContact {
 public:
  PlacedContact(const contact::Contact& contact, const Island& island);

  /// Whether one of its ends is the body in the slot.
  bool is_on(int slot) const { return slots_[0] == slot || slots_[1] == slot; }
  bool yields(int end) const { return slots_[end] != not_dynamic; }
  int slot(int end) const { return slots_[end]; }

  /// The motions of its ends at an instant. The bodies are those of the island, by slot.
  std::array<body::RigidMotion, 2> motions(const model::Model& model, const Scripts& scripts,
                                           double t, motion::Side side,
                                           const std::vector<MovingBody>& bodies) const;

  /// Adds what a force on the first body does, and the opposite one on the second, at a place: to
  /// the wrenches, by slot, and to the rates of the balance. Of what both do on all bodies together
  /// those that do not yield get their part back as work done by them.
  void push(const Vec3& on_first, const Vec3& place,
            const std::array<body::RigidMotion, 2>& motions, std::vector<Wrench>& wrenches,
            Balance& rates) const;

 private:
  static constexpr int not_dynamic = -1;

  std::array<BodyIndex, 2> bodies_;
  std::array<int, 2> slots_ = {not_dynamic, not_dynamic};
};

/// The velocity of the first body against the second at a place.
Vec3 relative_velocity(const std::array<body::RigidMotion, 2>& motions, const Vec3& place);

}  // namespace abut::integrate
