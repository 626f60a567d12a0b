#pragma once
// Every setting of a run, with unit, default, range and reason.

#include <algorithm>
#include <cmath>

namespace abut::model {

/// Whether time goes from event to event, in steps, or from event to event where that is possible
/// and in steps where it is not.
enum class Clock { automatic, event, step };

/// How impacts at several points of an island are resolved.
enum class ImpactLaw { automatic, newton, sequential, moore_wilhelms, routh };

/// What the coefficient of restitution means in `routh` impacts.
enum class RestitutionLaw { energetic, poisson, newton };

/// Whether contacts are constraints, which bodies never violate, or stiff springs, which they
/// overlap to compress.
enum class ContactModel { constraint, penalty };

/// What is done about pairs of shapes whose contact cannot be computed.
enum class Unsupported { error, ignore };

/// Of the springs of ContactModel::penalty.
struct PenaltySettings {
  /// Of every contact point, N/m; 0: found from the scene (integrate/spring_scale.h). Range
  /// [0, 1e18].
  double stiffness = 0;

  /// How deep the hardest impact to be expected goes, m, where the stiffness is found from the
  /// scene; 0: a thousandth of the radius of the smallest dynamic body. Range [0, 1e6].
  double depth = 0;

  /// Speed, m/s, within which springs tell neither sliding from sticking nor receding from rest:
  /// what sticks or rests creeps more slowly than that. Smaller is truer and stiffer. Range
  /// (0, 1e3].
  double creep = 1e-3;
};

struct SolverSettings {
  Clock clock = Clock::automatic;

  /// Relative local error of the motion: the error made in a step, as a fraction of the
  /// displacement (and of the rotation) in that step. Below the smallest, rounding dominates; above
  /// the largest, the error estimate means nothing.
  static constexpr double smallest_tolerance = 1e-13;
  static constexpr double largest_tolerance = 1e-2;
  double tolerance = 1e-9;

  /// Gap up to which bodies count as touching, m. Range (0, 1].
  double contact_distance = 1e-9;

  /// Approach speed under which impacts are inelastic, m/s. Range [0, 1e3].
  double rest_speed = 1e-3;

  ImpactLaw impact = ImpactLaw::automatic;
  RestitutionLaw restitution_law = RestitutionLaw::energetic;
  ContactModel contact = ContactModel::constraint;
  Unsupported unsupported = Unsupported::error;

  /// Length of a time step for Clock::step, s; the longest otherwise. Range (0, 1e3].
  double step = 1.0 / 240;

  /// Aim for the local error of stepped motion, relative to the extent of the body, unless the
  /// clock is Clock::step: below the usual one, steps are shorter and gaps smaller.
  static constexpr double smallest_step_tolerance = 1e-10;
  static constexpr double usual_step_tolerance = 1e-4;
  static constexpr double largest_step_tolerance = 1;
  double step_tolerance = usual_step_tolerance;

  /// Gap that stepped contacts are kept at, m; 0: a thousandth of the radius of the smaller body.
  /// Range [0, 1].
  double step_gap = 0;
};

/// The gaps of steps, in those of usual ones (dimensionless).
inline double step_fineness(const SolverSettings& solver) {
  if (solver.clock == Clock::step) return 1;
  return std::min(1.0, solver.step_tolerance / SolverSettings::usual_step_tolerance);
}

/// How long steps are, s: what one leaves of its motion goes with the square of its length.
inline double step_length(const SolverSettings& solver) {
  return std::sqrt(step_fineness(solver)) * solver.step;
}

/// Whether bodies may be stepped where events are not worth following, or cannot be.
inline bool may_step(const SolverSettings& solver) {
  return solver.clock == Clock::automatic && solver.contact == ContactModel::constraint;
}

/// Gaps as fractions of the contact distance: small positive ones, at which bodies are disjoint,
/// well within what counts as touching. Contacts that rest are kept at the rest gap. A first touch
/// is located as nearly there as the search can, so that no body needs to be moved. A contact that
/// leaves, or comes back at once, has touched again only well below.
inline constexpr double rest_gap_fraction = 0.2;
inline constexpr double touch_lower_fraction = 0.199, touch_upper_fraction = 0.201;
inline constexpr double leaving_lower_fraction = 0.05, leaving_upper_fraction = 0.1;
inline double rest_gap(const SolverSettings& solver) {
  return rest_gap_fraction * solver.contact_distance;
}

struct RecordSettings {
  double rate = 60;  ///< samples per second; range (0, 1e6]
};

}  // namespace abut::model
