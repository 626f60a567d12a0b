#pragma once
// A body that bends while nothing touches it: its equations of motion,
//     m r'' = -dW/dr - D r' + m g,
// integrated with order 8 and dense output, as rigid bodies on paths are. What steps lose of
// vibrations and of spin is lost only while something is near.

#include <memory>
#include <vector>

#include "flexible/bending_body.h"
#include "ode/dormand_prince_853.h"

namespace abut::clock {

/// One step of the integration. Its state is the columns, their rates, and what damping has taken
/// since the flight began (J).
struct BentFlight {
  ode::Piece piece;
  int columns = 0;

  flexible::State at(double t) const;
  double dissipated(double t) const;
  /// Bounds how fast any vertex of the boundary changes its velocity, m/s^2.
  double most_acceleration(const flexible::Boundary& boundary) const;
};

/// From a state at t to t + h. `step`: the length of step to begin with, and to go on with later;
/// 0 if none is known. Empty if the motion cannot be followed.
std::vector<std::shared_ptr<const BentFlight>> fly(const flexible::BendingBody& body,
                                                   const flexible::State& start,
                                                   const Vec3& gravity, double tolerance, double t,
                                                   double h, double& step);

}  // namespace abut::clock
