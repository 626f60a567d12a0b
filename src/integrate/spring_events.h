#pragma once
// What happens to the springs of an island's contacts within a step: a depth that stops growing or
// shrinking, and bodies that separate.

#include <optional>

#include "integrate/path_events.h"
#include "integrate/spring_phases.h"
#include "ode/dormand_prince_853.h"

namespace abut::integrate {

/// The first change of a spring within the piece, if any.
std::optional<PathEvent> first_spring_event(Equations& equations, const ode::Piece& piece);

/// The earlier of two events; of simultaneous ones the first.
std::optional<PathEvent> earlier(const std::optional<PathEvent>& a,
                                 const std::optional<PathEvent>& b);

/// The smallest gap of any spring from `from` to `to` within the piece, m: where a gap turns round,
/// the turning point is found. Infinite without springs.
double least_gap_of_springs(Equations& equations, const ode::Piece& piece, double from, double to);

}  // namespace abut::integrate
