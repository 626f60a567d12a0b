#pragma once
// A body that bends and that nothing touches, followed in place of a step.

#include "clock/island_account.h"
#include "clock/island_members.h"

namespace abut::clock {

/// Follows a body that nothing touches from t to t + h: whether that can be done.
bool take_flight(const IslandMembers& island, IslandAccount& account, double t, double h);

/// What gravity and damping do in a piece of a flight from its beginning to t.
integrate::Balance flight_balance(const model::Model& model, const flexible::BendingBody& body,
                                  const BentPiece& piece, double t);

}  // namespace abut::clock
