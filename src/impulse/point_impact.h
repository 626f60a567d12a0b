#pragma once
// An impact at one point of contact: what goes in and what comes out, whatever the law.
//
// Vectors have the normal first, then two tangents. The relative velocity u of the two bodies at
// the point answers an impulse r by
//     u+ = u- + W r,
// W being symmetric and positive semidefinite: J M^-1 J^T of the three rows, with joints and what
// else the bodies are tied to solved for (the "collision matrix"). u_n < 0 is approach, r_n >= 0.
// Energy: the impulse does the work r . (u- + u+) / 2.

#include <vector>

#include "abut/types.h"
#include "lcp/lcp.h"
#include "model/settings.h"

namespace abut::impulse {

struct PointImpact {
  Mat3 matrix = Mat3::Identity();  ///< W, 1/kg
  Vec3 before = Vec3::Zero();      ///< u-, m/s
  double static_friction = 0;      ///< at least dynamic_friction
  double dynamic_friction = 0;
  double restitution = 0;                                        ///< 0 to 1
  model::RestitutionLaw law = model::RestitutionLaw::energetic;  ///< what that is the ratio of
  /// Slip below this speed counts as none, m/s; at least rounding always does.
  double stopped_speed = 0;
};

/// What a contact does in the tangent plane for a part of an impact.
enum class Slip {
  slides,        ///< as it arrived, perhaps turning
  sticks,        ///< slip has stopped, and friction keeps it so
  slides_anew,   ///< slip has stopped, and goes on in another direction: reversal
  slides_freely  ///< without friction
};

struct ImpactPhase {
  Slip slip = Slip::slides;
  bool is_restitution = false;
  double normal_impulse = 0;  ///< spent in this phase, N s
};

struct PointImpactResult {
  /// `no_solution` if the bodies cannot yield: then there is no impulse.
  lcp::Status status = lcp::Status::solved;
  Vec3 impulse = Vec3::Zero();  ///< r, N s
  Vec3 after = Vec3::Zero();    ///< u+
  double compression_work = 0;  ///< of the normal impulse while the bodies approach, J; <= 0
  double restitution_work = 0;  ///< of the normal impulse while they part, J; >= 0
  double energy_lost = 0;       ///< J; >= 0
  double restitution = 0;       ///< that was used
  bool is_limited = false;      ///< it is less than asked for, as energy would have been gained
  std::vector<ImpactPhase> phases;
};

}  // namespace abut::impulse
