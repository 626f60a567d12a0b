#pragma once
// What is recorded of an island at an instant.

#include <vector>

#include "integrate/equations.h"

namespace abut::integrate {

/// Writes what is recorded of the island's bodies to their places in `bodies` (model order).
void write_states(Equations& equations, double t, motion::Side side, const ode::Vector& y,
                  std::vector<BodyState>& bodies);
/// Adds the contacts and joints, with forces of least norm where they are not unique.
void report(Equations& equations, double t, motion::Side side, const ode::Vector& y,
            std::vector<ContactState>& contacts, std::vector<JointState>& joints);
/// Kinetic, potential and elastic energy; the book's other columns stay zero.
Energy energy_at(Equations& equations, double t, motion::Side side, const ode::Vector& y);
Momentum momentum_of(Equations& equations, const ode::Vector& y);
/// What a joint of the island bears, for the instant evaluated last.
JointState joint_load(const Equations& equations, int joint, const impulse::Vector& forces);

}  // namespace abut::integrate
