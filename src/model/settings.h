#pragma once
// Every setting of a run, with unit, default, range and reason.

namespace abut::model {

enum class Clock { event, step };

/// How impacts at several points of a cluster are resolved.
enum class ImpactLaw { automatic, newton, sequential, moore_wilhelms, routh };

/// What the coefficient of restitution means in `routh` impacts.
enum class RestitutionLaw { energetic, poisson, newton };

enum class ContactModel { constraint, penalty };

struct SolverSettings {
  Clock clock = Clock::event;

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

  /// Length of a time step for Clock::step, s. Range (0, 1e3].
  double step = 1.0 / 240;
};

/// A first touch is located at a gap in this band, and contacts that rest are kept at rest_gap, all
/// as fractions of the contact distance: small positive gaps, at which the bodies are disjoint,
/// well within what counts as touching. A contact that leaves begins above the band, so leaving is
/// no touch.
inline constexpr double touch_gap_lower = 0.05;
inline constexpr double touch_gap_upper = 0.1;
inline constexpr double rest_gap_fraction = 0.2;
inline double rest_gap(const SolverSettings& solver) {
  return rest_gap_fraction * solver.contact_distance;
}

struct RecordSettings {
  double rate = 60;  ///< samples per second; range (0, 1e6]
};

}  // namespace abut::model
