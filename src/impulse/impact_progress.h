#pragma once
// Where an impact at a point stands as its normal impulse grows, with the books of its energy.
//
// The bodies approach until the normal impulse P has done the work C < 0, and then part until what
// the law of restitution asks for is reached:
//     energetic (Stronge 1990)   the normal impulse has given back e^2 of the work, R = -e^2 C
//     Poisson                    the normal impulse has grown by e of that of approach, e P
//     Newton                     the bodies part e times as fast as they approached
// Where slip turns into a direction in which the contact jams, they may approach again in between;
// C and P then grow once more.

#include <algorithm>
#include <cmath>
#include <vector>

#include "impulse/point_impact.h"
#include "impulse/slip_flow.h"

namespace abut::impulse {

struct ImpactProgress {
  model::RestitutionLaw law = model::RestitutionLaw::energetic;
  double restitution = 0;  ///< e
  double approach = 0;     ///< -u_n before, m/s
  // Velocity.
  double normal_speed = 0;  ///< u_n, m/s
  double slip_speed = 0;    ///< v, m/s
  Vec2 direction = Vec2::UnitX();
  // Impulse so far, principal tangents.
  double normal_impulse = 0;
  double compression_impulse = 0;  ///< of the normal one the part while the bodies approach
  Vec2 tangential_impulse = Vec2::Zero();
  // Work so far.
  double compression_work = 0;
  double restitution_work = 0;
  double friction_work = 0;  ///< >= 0: what friction has taken

  bool parts = false;  ///< whether in restitution
  bool is_over = false;
  std::vector<ImpactPhase> phases;

  /// What restitution has still to give: work, normal impulse or normal speed, as the law says.
  double due() const {
    switch (law) {
      case model::RestitutionLaw::poisson:
        return restitution * compression_impulse - (normal_impulse - compression_impulse);
      case model::RestitutionLaw::newton:
        return restitution * approach - normal_speed;
      case model::RestitutionLaw::energetic:
        break;
    }
    return -restitution * restitution * compression_work - restitution_work;
  }

  /// Spends normal impulse dp that does `work`, in a way of slipping.
  void spend(Slip slip, double dp, double work) {
    normal_impulse += dp;
    if (!parts) compression_impulse += dp;
    (parts ? restitution_work : compression_work) += work;
    if (phases.empty() || phases.back().slip != slip || phases.back().is_restitution != parts)
      phases.push_back({slip, parts, 0});
    phases.back().normal_impulse += dp;
  }

  /// The bodies have stopped approaching.
  void begin_restitution() {
    normal_speed = 0;
    parts = true;
    is_over = !(due() > 0);
  }
  /// They have stopped parting, because the contact jams, and approach again.
  void resume_compression() {
    normal_speed = 0;
    parts = false;
  }
  /// Restitution has given what it owes.
  void finish() {
    if (law == model::RestitutionLaw::energetic)
      restitution_work = -restitution * restitution * compression_work;
    is_over = true;
  }
};

}  // namespace abut::impulse
