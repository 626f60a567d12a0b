#pragma once
// What happens to bodies at an instant at which their motion is not smooth: gaps are restored,
// impulses are exchanged, and it is decided which contacts and limits hold on.

#include <optional>
#include <vector>

#include "impulse/impact.h"
#include "impulse/outside_impulse.h"
#include "loop/verdicts.h"

namespace abut::loop {

/// Some dynamic bodies that nothing but supports connects with others, at an instant.
struct ContactEvent {
  double time = 0;
  std::vector<BodyIndex> bodies;         ///< ascending
  std::vector<body::RigidState> states;  ///< by body of the contact event
  integrate::ActiveConstraints active;   ///< everything that touches, whether it lasts or not
  std::vector<JointIndex> joints;        ///< of the bodies, without broken ones, ascending
  /// What acts on the bodies; without it everything in the model is looked at.
  std::optional<integrate::Attached> attached;
  Verdicts verdicts;                                      ///< on contacts, here
  std::vector<impulse::OutsideImpulse> outside_impulses;  ///< on them

  /// The islands that the bodies make if this holds them together.
  std::vector<integrate::Island> islands_of(const model::Model& model,
                                            const integrate::ActiveConstraints& held) const;
};

/// Rates (m/s or rad/s) from which the impulses that stop them are told of, and bring friction:
/// below, they only take out what rounding and location of the event left.
inline constexpr double least_jolt = 1e-9;

/// A contact at which an impact came to rest though it has restitution: the last of a sequence of
/// impacts that would go on for ever, with its limit.
struct LastImpact {
  contact::Contact contact;
  double limit_time = 0;
};

struct Outcome {
  std::vector<body::RigidState> states;   ///< after
  integrate::ActiveConstraints active;    ///< what lasts
  std::vector<force::ContactMode> modes;  ///< by contact that lasts
  std::vector<bool> lasts;                ///< by contact of the contact event

  bool collided = false;
  bool jolts = false;                   ///< it stopped rates whose impulses are told of
  std::vector<double> impulses;         ///< by contact of the contact event, N s
  std::vector<Vec3> friction_impulses;  ///< by contact, on its first body, N s
  std::vector<impulse::LimitedRestitution> limited;  ///< by contact of the contact event
  std::vector<bool> jams;              ///< by contact: struck without a collision; or empty
  std::vector<double> limit_impulses;  ///< by limit
  /// Of motors that nothing but their joint's limit stops, with the impulse that did.
  std::vector<std::pair<JointIndex, double>> arrivals;
  std::vector<double> approach;             ///< by contact: rate of the gap before, m/s
  std::vector<contact::ContactNow> places;  ///< by contact of the contact event
  std::vector<JointState> joint_impulses;   ///< of joints that transmitted any
  double energy_lost = 0;                   ///< J
  double work = 0;                    ///< done by impulses, and supports and motors that move, J
  std::vector<double> outside_works;  ///< by impulse of the contact event, J
  std::vector<LastImpact> last_impacts;

  double force_seconds = 0;  ///< of wall time, spent on what lasts and its forces

  lcp::Status status = lcp::Status::solved;
  long solves = 0;
  long pivots = 0;
  long not_unique = 0;  ///< of the solves: with forces that are not unique
  double residual = 0;

  void count(lcp::Status found, long more_solves, long more_pivots, double worst);
};

Outcome settle(const model::Model& model, const integrate::Scripts& scripts,
               const ContactEvent& contact_event);

}  // namespace abut::loop
