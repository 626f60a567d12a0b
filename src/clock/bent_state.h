#pragma once
// A body that bends, as the step clock moves it: its columns move steadily over a step, and so do
// all its material points. While nothing touches it, it flies instead (bent_flight.h); then a piece
// is a chord of the flight.

#include <memory>
#include <vector>

#include "clock/bent_flight.h"
#include "clock/bent_matrix.h"
#include "model/bending.h"

namespace abut::clock {

/// One step of it.
struct BentPiece {
  double begin = 0, end = 0;
  flexible::Columns start;         ///< where columns are at `begin`
  flexible::Columns drift;         ///< how they move
  flexible::Columns rates;         ///< of the momentum; those of the motion but for mended gaps
  flexible::Columns acceleration;  ///< how rates change about the middle, steadily
  flexible::Columns driven;        ///< what motors push columns with, steadily, N
  std::shared_ptr<const BentFlight> flight = nullptr;

  flexible::State at(double t) const {
    if (flight) return flight->at(t);
    return {start + (t - begin) * drift, rates + since_middle(t) * acceleration};
  }
  double since_middle(double t) const { return t - 0.5 * (begin + end); }
  /// What motors do from the middle on, as the rates that it tells of change, J. Not of a flight.
  double drive_work(double t) const {
    const double s = since_middle(t);
    return s * driven.cwiseProduct(rates + 0.5 * s * acceleration).sum();
  }
};

struct BentState {
  const model::Bending* bending = nullptr;
  flexible::State state;               ///< where the last piece ends, with its rates
  flexible::Columns last_change;       ///< of the rates, per time, in the last kick
  flexible::Columns last_drive;        ///< of motors, on their average over the last kick, N
  flexible::Columns free_change;       ///< the same without contacts and joints, of a sheet
  flexible::Columns owed;              ///< momenta that the last step has left to the next, N s
  std::vector<BentPiece> pieces;       ///< of the step that is being taken
  std::shared_ptr<BentMatrix> matrix;  ///< memory, for whoever takes the next step
  double fastest_vibration = 0;        ///< rad/s
  double flight_step = 0;              ///< that a flight goes on with, s; 0: not known
  bool touched = false;                ///< something acted on it in the last step
  flexible::State end;                 ///< what the last piece tells of where it ends
  std::vector<Vec3> hold_impulses;     ///< on nodes that are held, of the last kick, N s
  double hold_kick = 0;                ///< time over which they acted, s

  const flexible::BendingBody& body() const { return *bending->body; }
};

}  // namespace abut::clock
