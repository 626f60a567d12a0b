#pragma once
// Watches over things in bowls, one for corners and one for solids with a surface of their own.

#include "toi/close_watch.h"

namespace abut::toi {

/// By a watch that answers each question for itself.
template <class Watch>
class LookIntoBowl final : public CloseLook {
 public:
  LookIntoBowl(const Watch& watch, const motion::BodyPath& bowl, const motion::BodyPath& inside,
               double t, const HeldPlaces& held)
      : watch_(watch), bowl_(bowl), inside_(inside), t_(t), held_(held) {}
  FreeInterval free_interval(double limit, double clearance) const override {
    return watch_.free_interval(bowl_, inside_, t_, limit, clearance, held_);
  }
  double lowest_gap() const override { return watch_.lowest_gap(bowl_, inside_, t_, held_); }

 private:
  const Watch& watch_;
  const motion::BodyPath &bowl_, &inside_;
  double t_;
  const HeldPlaces& held_;
};

/// A ball, or a capsule's two, or an ellipsoid, or a ring.
std::unique_ptr<CloseWatch> make_bowl_solid_watch(const CarriedSolid& bowl,
                                                  const CarriedSolid& inside);

}  // namespace abut::toi
