#pragma once
// The certificate of a run.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "abut/export.h"
#include "abut/types.h"

namespace abut {

enum class RunStatus : std::uint8_t {
  running,
  complete,
  suspect,  ///< ran to its end, but a promise of its settings was not kept
  interrupted,
  failed,
};
inline constexpr RunStatus all_run_statuses[] = {RunStatus::running, RunStatus::complete,
                                                 RunStatus::suspect, RunStatus::interrupted,
                                                 RunStatus::failed};

/// The name of a status in files.
ABUT_API std::string_view to_string(RunStatus status);

/// The wall time of a run by what it was spent on, s. Threads that work at once count once.
struct PhaseCosts {
  double detection = 0;      ///< which bodies may meet: boxes swept over the paths
  double contact_times = 0;  ///< when pairs of them first touch, or the proof that they do not
  double impulses = 0;       ///< where bodies touch, and the impulses of impacts
  double forces = 0;         ///< which contacts last, and the forces there
  double integration = 0;    ///< paths of bodies between events, forces on the way included
  double recording = 0;      ///< frames, books, and writing them
};

/// A time over which a body was moved by cone steps.
struct SteppedSpan {
  BodyIndex body = world;
  std::string name;         ///< of the body
  double from = 0, to = 0;  ///< simulated s
  std::string why;          ///< the event clock gave it up
};

/// What a run did and how far it can be trusted. Quantities that do not apply are NaN here and null
/// in JSON.
struct Summary {
  RunStatus status = RunStatus::running;
  std::string message;  ///< why the run is not complete; empty otherwise
  double duration = 0;  ///< simulated s
  double wall_seconds = 0;
  PhaseCosts costs;
  long steps = 0;
  long rejected_steps = 0;
  long events = 0;
  long impacts = 0;
  long contacts_max = 0;
  double min_gap = std::numeric_limits<double>::quiet_NaN();          ///< m, over continuous time
  double max_penetration = std::numeric_limits<double>::quiet_NaN();  ///< m
  /// Pairs of bodies that rested against each other or slid, and whose gaps were looked at
  /// meanwhile at nine instants of every step only: min_gap is no proven bound of theirs.
  long pairs_unproven = 0;
  long unresolved = 0;        ///< meetings of shapes whose contact cannot be told yet
  long limits_met = 0;        ///< searches of detection that ended at their limit of work
  double energy_initial = 0;  ///< mechanical, J
  double energy_final = 0;
  double dissipated_by_impacts = 0;
  double dissipated_by_friction = 0;
  double dissipated_by_damping = 0;
  double work = 0;               ///< done by scripts, torques and impulses, J
  double energy_scale = 0;       ///< what energy_error is relative to, J
  double energy_error = 0;       ///< largest relative imbalance of the energy book
  double momentum_error = 0;     ///< largest relative imbalance of linear and angular momentum
  double position_rounding = 0;  ///< m, where the farthest body from the origin was
  long cache_hits = 0;
  long cache_misses = 0;
  long lcp_solves = 0;
  long lcp_pivots = 0;
  double lcp_residual_max = 0;
  long forces_not_unique = 0;   ///< of lcp_solves: those of least norm were taken
  long jams = 0;                ///< impulses without a collision, where no forces were possible
  double stepped_fraction = 0;  ///< of body-seconds, moved by cone steps
  /// Simulated s from which on bodies were stepped; NaN if never.
  double stepped_from = std::numeric_limits<double>::quiet_NaN();
  /// When which bodies were, in the order of their beginnings; empty where all were from then on.
  std::vector<SteppedSpan> stepped;
  long cone_steps = 0;        ///< of islands
  double step_error_max = 0;  ///< largest estimate of the local error of a step, relative
  long forced_stops = 0;      ///< bodies stopped because no motion of theirs could be proven free
  std::string state_hash;     ///< 16 hexadecimal digits over every recorded state
};

}  // namespace abut
