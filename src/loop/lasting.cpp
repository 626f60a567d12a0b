#include "loop/lasting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "force/slip.h"
#include "integrate/equations.h"
#include "integrate/path_signals.h"

namespace abut::loop {
namespace {

using impulse::ConstraintSet;

// By how much redundant joints may contradict each other, relative to the accelerations or
// velocities they prescribe (dimensionless): more is a mechanism that cannot move as asked. Of
// velocities, so many times the rates that count as zero are allowed besides.
constexpr double joint_contradiction = 1e-6;
constexpr double contradiction_slack = 1000;

// Slip goes straight on through an implicit step if it ends with a direction within an angle of
// this cosine (dimensionless, 0.1 rad).
constexpr double straight_cosine = 0.995;

[[noreturn]] void fail_joints(const EventBodies& event, const std::vector<JointIndex>& joints) {
  std::string names, bodies;
  for (const JointIndex joint : joints)
    names += (names.empty() ? "" : ", ") + event.model().joints[joint].name;
  for (const BodyIndex body : event.contact_event().bodies)
    bodies += (bodies.empty() ? "" : ", ") + event.model().bodies[body].name;
  throw SimulationError(
      event.contact_event().time,
      fmt::format("the joints {} of {} contradict each other, a limit, or what they touch: no "
                  "motion keeps all of them; remove one, give a type that leaves more freedom, "
                  "or give motors a greatest force",
                  names, bodies));
}

class Decision {
 public:
  Decision(EventBodies& bodies, const integrate::Scripts& scripts,
           const ImplicitStep& implicit_step, Outcome& outcome)
      : bodies_(bodies),
        scripts_(scripts),
        model_(bodies.model()),
        implicit_step_(implicit_step),
        outcome_(outcome) {}

  std::vector<contact::Contact> make(double stopped) {
    outcome_.active = {};
    outcome_.modes.clear();
    outcome_.active.broken = bodies_.contact_event().active.broken;
    outcome_.active.springs = bodies_.contact_event().active.springs;
    for (integrate::Island& island : bodies_.contact_event().islands_of(model_, closed(stopped)))
      decide_in(std::move(island));
    outcome_.lasts.clear();
    for (const contact::Contact& contact : bodies_.contact_event().active.contacts)
      outcome_.lasts.push_back(contact::contains(outcome_.active.contacts, contact));
    return std::move(jammed_);
  }

 private:
  // What does not open by velocity.
  integrate::ActiveConstraints closed(double stopped) {
    integrate::ActiveConstraints closed;
    closed.broken = bodies_.contact_event().active.broken;
    closed.springs = bodies_.contact_event().active.springs;
    const ConstraintSet& set = bodies_.set();
    if (set.empty()) return closed;
    bodies_.observe();
    const impulse::Vector rates = bodies_.rates();
    const double tolerance = bodies_.rate_tolerance();
    const double contradiction = joint_contradiction * stopped + contradiction_slack * tolerance;
    for (int i = set.first_equality(); i < set.first_tangent(); ++i)
      if (std::abs(rates[i]) > contradiction) fail_joints(bodies_, set.joints());
    for (int i = 0; i < set.contact_count(); ++i) {
      if (rates[i] > tolerance) continue;
      closed.contacts.push_back(set.contacts()[i]);
      if (outcome_.collided) closed.contacts.back().force_found = Vec3::Zero();
    }
    for (int i = 0; i < set.limit_count(); ++i)
      if (rates[set.contact_count() + i] <= tolerance) closed.limits.push_back(set.limits()[i]);
    follow_implicit_step(closed.contacts);
    closed.motors = drives(bodies_);
    return closed;
  }

  // What was decided for an implicit step holds for slow contacts here, and forces are looked for
  // from its own. Slip that turns back within the implicit step begins.
  void follow_implicit_step(std::vector<contact::Contact>& contacts) {
    if (!implicit_step_.is_found()) return;
    const ConstraintSet& set = bodies_.set();
    for (int i = 0; i < set.contact_count(); ++i) {
      const auto now = std::find_if(
          contacts.begin(), contacts.end(),
          [&](const contact::Contact& one) { return one.is_same_place(set.contacts()[i]); });
      if (now == contacts.end()) continue;
      now->force_found = implicit_step_.forces[i];
      if (!implicit_step_.slow[i]) continue;
      const Vec3& along = implicit_step_.directions[i];
      const force::Slip slip = slip_at(bodies_, i);
      if (along.isZero(0))
        now->hold();
      else if (slip.is_none() || slip.velocity.dot(along) <= 0)
        now->give_way(along);
      else if (!slip.is_still() && slip.velocity.normalized().dot(along) < straight_cosine)
        turning_.push_back(*now);
    }
  }

  void decide_in(integrate::Island island) {
    if (island.contacts.empty() && island.limits.empty() && island.joints.empty()) return;
    const std::vector<BodyIndex> members = island.bodies;
    integrate::Equations equations(model_, scripts_, std::move(island));
    ode::Vector y = equations.applied().state_vector(bodies_.states_of(members));
    equations.begin_smooth_motion(bodies_.contact_event().time, y, infinity);
    const force::ContactForces& found = equations.rows().found();
    const ConstraintSet& set = equations.constraints();
    if (found.status != lcp::Status::solved && found.slides()) return note_jam(set, found);
    outcome_.count(found.status, 1, found.pivots, found.residual);
    if (found.status == lcp::Status::solved && !equations.rows().have_unique_forces())
      ++outcome_.not_unique;
    if (found.joint_residual > joint_contradiction) fail_joints(bodies_, set.joints());
    if (found.accelerations.size() == 0) return;
    for (int i = 0; i < set.motor_count(); ++i)
      note_drive(set.motors()[i], found.forces[set.first_motor() + i]);
    for (const impulse::MotorDrive& motor : equations.island().motors)
      if (motor.drive != impulse::Drive::keeps) outcome_.active.motors.push_back(motor);
    keep_what_lasts(set, found);
    if (found.status == lcp::Status::solved) hold_rates(equations, members, y);
  }

  // What counts as none of the motion of rows that are held is taken out where motion begins. Here
  // it is booked.
  void hold_rates(integrate::Equations& equations, const std::vector<BodyIndex>& members,
                  ode::Vector& y) {
    for (const JointState& impulse :
         equations.holding().hold_rates(bodies_.contact_event().time, y, least_jolt))
      outcome_.joint_impulses.push_back(impulse);
    for (std::size_t i = 0; i < members.size(); ++i)
      bodies_.set_state(members[i], integrate::body_in(y, static_cast<int>(i)));
  }

  void keep_what_lasts(const ConstraintSet& set, const force::ContactForces& found) {
    const double tolerance =
        force::row_accuracy *
        std::max({model_.gravity.norm(), found.accelerations.lpNorm<Eigen::Infinity>(),
                  found.free.lpNorm<Eigen::Infinity>()});
    const double largest_force = found.forces.lpNorm<Eigen::Infinity>();
    for (int i = 0; i < set.first_motor(); ++i) {
      if (found.opens(i, tolerance)) continue;
      if (i >= set.contact_count()) {
        outcome_.active.limits.push_back(set.limits()[i - set.contact_count()]);
        continue;
      }
      const contact::Contact& contact = set.contacts()[i];
      if (is_let_go(contact, found.forces[i], largest_force)) continue;
      outcome_.active.contacts.push_back(contact);
      contact::Contact& kept = outcome_.active.contacts.back();
      if (!found.on_a.empty()) kept.force_found = found.on_a[i];
      outcome_.modes.push_back(found.modes.empty() ? force::ContactMode{} : found.modes[i]);
      const force::ContactMode& mode = outcome_.modes.back();
      if (mode.mode != force::FrictionMode::slides) kept.hold();
      if (mode.begins) kept.give_way(mode.along);
      const bool goes_on = mode.creeps && !contact::contains(turning_, contact);
      const bool is_freed = contact::contains(bodies_.contact_event().verdicts.freed, contact);
      if ((goes_on || mode.is_straight) && !is_freed) kept.slip_on(mode.along);
      note_last_impact(contact, found.free[i]);
    }
  }

  void note_jam(const ConstraintSet& set, const force::ContactForces& found) {
    for (int i = 0; i < set.contact_count(); ++i)
      if (found.modes[i].mode == force::FrictionMode::slides) jammed_.push_back(set.contacts()[i]);
  }

  // A contact whose force has just fallen to zero leaves, though its gap does not accelerate yet.
  bool is_let_go(const contact::Contact& contact, double force, double largest_force) const {
    return force <= integrate::force_rounding * largest_force &&
           contact::contains(bodies_.contact_event().verdicts.released, contact);
  }

  // A motor that would need more than it has pushes instead.
  void note_drive(JointIndex joint, double force) {
    const double most = model_.joints[joint].motor->max_force;
    const bool enough = std::abs(force) < (1 - force::row_accuracy) * most;
    outcome_.active.motors.push_back({joint, enough      ? impulse::Drive::keeps
                                             : force > 0 ? impulse::Drive::pushes_forward
                                                         : impulse::Drive::pushes_back});
  }

  // Of impacts at approach speed u with restitution e against the acceleration a, the next ones
  // follow after 2 e u / a, 2 e^2 u / a, ..., which adds up to 2 e u / (a (1 - e)).
  void note_last_impact(const contact::Contact& contact, double free_acceleration) {
    const double e = contact.restitution;
    const ConstraintSet& set = bodies_.set();
    for (int i = 0; i < set.contact_count(); ++i) {
      if (!set.contacts()[i].is_same_place(contact)) continue;
      const double speed = -outcome_.approach[i];
      if (!(outcome_.impulses[i] > 0 && e > 0 && e < 1 && free_acceleration < 0)) return;
      if (speed <= bodies_.rate_tolerance()) return;
      outcome_.last_impacts.push_back(
          {contact, bodies_.contact_event().time - 2 * e * speed / (free_acceleration * (1 - e))});
    }
  }

  EventBodies& bodies_;
  const integrate::Scripts& scripts_;
  const model::Model& model_;
  const ImplicitStep& implicit_step_;
  Outcome& outcome_;
  std::vector<contact::Contact> jammed_;
  std::vector<contact::Contact> turning_;  // slip elsewhere when the implicit step ends
};

}  // namespace

std::vector<impulse::MotorDrive> drives(const EventBodies& bodies) {
  std::vector<impulse::MotorDrive> drives;
  const ConstraintSet& set = bodies.set();
  for (int i = 0; i < static_cast<int>(set.joints().size()); ++i) {
    const joint::Joint& joint = bodies.model().joints[set.joints()[i]];
    if (set.has_arrived(set.joints()[i]))
      drives.push_back({set.joints()[i], impulse::Drive::arrived});
    if (!joint.motor || impulse::is_unstoppable(joint)) continue;
    const double lag = joint.motor->speed - set.coordinate(i, bodies.now(), 0).rate;
    const double tolerance = force::row_accuracy * (std::abs(joint.motor->speed) + std::abs(lag));
    drives.push_back({set.joints()[i], std::abs(lag) <= tolerance ? impulse::Drive::keeps
                                       : lag > 0                  ? impulse::Drive::pushes_forward
                                                                  : impulse::Drive::pushes_back});
  }
  return drives;
}

std::vector<contact::Contact> decide_what_lasts(EventBodies& bodies,
                                                const integrate::Scripts& scripts, double stopped,
                                                const ImplicitStep& implicit_step,
                                                Outcome& outcome) {
  return Decision(bodies, scripts, implicit_step, outcome).make(stopped);
}

}  // namespace abut::loop
