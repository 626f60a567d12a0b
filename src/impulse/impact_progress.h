#pragma once
// Where an impact at a point stands as its normal impulse grows, with the books of its energy.
//
// Stronge's law (1990): the bodies approach until the normal impulse has done the work C < 0, and
// part until it has given back e^2 of it, R = -e^2 C. Where slip turns into a direction in which
// the contact jams, they may approach again in between; C then grows once more.

#include <algorithm>
#include <cmath>
#include <vector>

#include "impulse/point_impact.h"
#include "impulse/slip_flow.h"

namespace abut::impulse {

struct ImpactProgress {
  double restitution = 0;  ///< e
  // Velocity.
  double normal_speed = 0;  ///< u_n, m/s
  double slip_speed = 0;    ///< v, m/s
  Vec2 direction = Vec2::UnitX();
  // Impulse so far, principal tangents.
  double normal_impulse = 0;
  Vec2 tangential_impulse = Vec2::Zero();
  // Work so far.
  double compression_work = 0;
  double restitution_work = 0;
  double friction_work = 0;  ///< >= 0: what friction has taken

  bool parts = false;  ///< whether in restitution
  bool is_over = false;
  std::vector<ImpactPhase> phases;

  /// The work that restitution has still to give.
  double work_due() const {
    return -restitution * restitution * compression_work - restitution_work;
  }

  /// Spends normal impulse dp that does `work`, in a way of slipping.
  void spend(Slip slip, double dp, double work) {
    normal_impulse += dp;
    (parts ? restitution_work : compression_work) += work;
    if (phases.empty() || phases.back().slip != slip || phases.back().is_restitution != parts)
      phases.push_back({slip, parts, 0});
    phases.back().normal_impulse += dp;
  }

  /// The bodies have stopped approaching.
  void begin_restitution() {
    normal_speed = 0;
    parts = true;
    is_over = !(work_due() > 0);
  }
  /// They have stopped parting, because the contact jams, and approach again.
  void resume_compression() {
    normal_speed = 0;
    parts = false;
  }
  /// Restitution has given what it owes.
  void finish() {
    restitution_work = -restitution * restitution * compression_work;
    is_over = true;
  }
};

}  // namespace abut::impulse
