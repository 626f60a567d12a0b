#pragma once
// What the steps of an island leave for the clock: what was counted, and the books.

#include <vector>

#include "base/limits.h"
#include "integrate/forces.h"

namespace abut::clock {

/// What came in at an instant, or steadily from it on.
struct BookEntry {
  double time = 0;  ///< s
  integrate::Balance balance;
  double over = 0;        ///< how long it takes, s
  bool is_first = false;  ///< of bodies that begin: at its time itself nothing has happened yet
  /// Forces work and dissipate all the time, and are booked up to the middle of the step: from
  /// there on with these powers (W), up to where it ends.
  double middle = 0, end = 0;
  double work_rate = 0, loss_rate = 0;

  bool is_past(double t, double begin) const { return time < t || (time == begin && !is_first); }

  integrate::Balance part(double fraction) const {
    return {fraction * balance.dissipated, fraction * balance.rubbed, fraction * balance.work,
            fraction * balance.impulse, fraction * balance.angular_impulse};
  }
};

struct IslandStatistics {
  long steps = 0;
  long sweeps = 0;
  long exact = 0;      ///< problems that the exact solver took over
  long unsolved = 0;   ///< problems left with what the sweeps gave
  long added = 0;      ///< rows added where a proof failed
  long shortened = 0;  ///< steps taken again with half the length
  long forced_stops = 0;
  double struck = 0;            ///< energy that contacts took out along their normals, J
  double gap_bound = infinity;  ///< m
};

struct IslandAccount {
  IslandStatistics statistics;
  std::vector<BookEntry> book;
};

}  // namespace abut::clock
