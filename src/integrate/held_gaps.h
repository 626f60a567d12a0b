#pragma once
// Whether contacts that are held keep their gaps throughout a step.

#include <map>
#include <utility>
#include <vector>

#include "integrate/equations.h"
#include "ode/dormand_prince_853.h"

namespace abut::integrate {

/// The gap of contacts that carry forces stays above this fraction of the rest gap (dimensionless),
/// in every step that is taken.
inline constexpr double lowest_held_fraction = 0.3;

/// Bodies that are not proven apart, and from when on, s.
using UnprovenPairs = std::map<std::pair<BodyIndex, BodyIndex>, double>;

/// Two bodies that are not proven apart from a time on.
struct UnprovenPair {
  std::pair<BodyIndex, BodyIndex> bodies;
  double from = 0;  ///< s
};

struct HeldGaps {
  /// The contacts that carry forces keep their gaps well above zero, and small enough to count as
  /// touching.
  bool are_kept = true;
  /// The contacts for which that is known at some instants only (contact/gap_proof.h).
  std::vector<UnprovenPair> unproven;
};

/// Of pairs that are known not to be proven before the step begins no proof is looked for.
HeldGaps held_gaps(Equations& equations, const ode::Piece& piece, const UnprovenPairs& known);

}  // namespace abut::integrate
