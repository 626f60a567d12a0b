#pragma once
// An island of bodies that could touch each other within a step, on its way through that step.
//
// The bodies are given velocities by the cone problem (law/step_problem.h), the motion that follows
// is proven free of overlap (clock/near_pair.h), and what cannot be proven becomes a row of the
// problem, or makes the steps of this island shorter. At the shortest step the bodies that cannot
// be proven apart are stopped: standing still is free of overlap, so that every step ends.

#include <vector>

#include "clock/island_account.h"
#include "clock/island_members.h"

namespace abut::clock {

class StepIsland {
 public:
  StepIsland(StepScene& scene, std::vector<int> slots, std::vector<NearPair*> pairs,
             std::vector<JointIndex> joints, const std::vector<int>& forces,
             std::vector<BentPair*> bent_pairs = {})
      : members_(scene, std::move(slots), std::move(pairs), std::move(joints), forces,
                 std::move(bent_pairs)) {}

  /// Moves the bodies from one time to another, in steps of at most the difference.
  void advance(double from, double to,
               const std::vector<impulse::OutsideImpulse>& outside_impulses);

  const std::vector<int>& slots() const { return members_.slots; }
  bool has_pairs() const { return members_.pair_count() > 0; }
  const std::vector<BookEntry>& book() const { return account_.book; }
  const IslandStatistics& statistics() const { return account_.statistics; }

 private:
  /// How long a step was, and how long the next may be, s.
  struct Taken {
    double time = 0, next = 0;
  };
  double longest_step(double h) const;
  Taken take_step(double t, double h);

  IslandMembers members_;
  IslandAccount account_;
};

}  // namespace abut::clock
