#include "loop/contact_event.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/stopwatch.h"
#include "force/slip.h"
#include "impulse/equalities.h"
#include "impulse/impact.h"
#include "impulse/mixed_problem.h"
#include "impulse/rough_impact.h"
#include "integrate/island_report.h"
#include "loop/gaps.h"
#include "loop/implicit_step.h"
#include "loop/lasting.h"

namespace abut::loop {
namespace {

using impulse::Vector;

// Rest gaps that a body falls through in the shortest flight that is told from rest.
constexpr double gap_flights = 10;

// Approach that rounding leaves to contacts that are held, m/s: a complementarity problem of
// nothing else has no answer that rounding does not contradict.
constexpr double no_rate = 1e-12;

// Contacts that jam one after the other at one instant, per contact, before that is a failure.
constexpr int jams_per_contact = 4;

class Settlement {
 public:
  Settlement(const model::Model& model, const integrate::Scripts& scripts,
             const ContactEvent& contact_event)
      : model_(model),
        scripts_(scripts),
        contact_event_(contact_event),
        bodies_(model, scripts, contact_event),
        set_(bodies_.set()),
        system_(bodies_.system()) {}

  Outcome run() {
    if (!set_.empty()) {
      bodies_.observe();
      const Vector on_arrival = bodies_.rates();
      restore_gaps(bodies_);
      rates_before_impulses_ = bodies_.rates();
      rates_by_restoring_ = rates_before_impulses_ - on_arrival;
    }
    const std::vector<Vec3> struck_before = bodies_.velocities_at_outside_impulses();
    const double energy_before = bodies_.kinetic_energy();
    for (const impulse::OutsideImpulse& outside : contact_event_.outside_impulses)
      bodies_.strike(outside);
    if (!set_.empty()) exchange_impulses();
    settle_what_lasts();
    // Rates are against supports and motors that move: what these and the impulses put in is the
    // difference between what the bodies gain and what is lost.
    if (outcome_.collided || !contact_event_.outside_impulses.empty())
      outcome_.work = bodies_.kinetic_energy() - energy_before + outcome_.energy_lost;
    list_outside_works(struck_before);
    if (!set_.empty()) close_up(bodies_, outcome_.lasts, outcome_.active.contacts);
    outcome_.states = bodies_.states();
    return std::move(outcome_);
  }

 private:
  void exchange_impulses() {
    bodies_.observe();
    outcome_.places = bodies_.rows().contacts;
    outcome_.impulses.assign(set_.contact_count(), 0);
    outcome_.friction_impulses.assign(set_.contact_count(), Vec3::Zero());
    outcome_.limit_impulses.assign(set_.limit_count(), 0);
    for (int i = 0; i < set_.contact_count(); ++i) outcome_.approach.push_back(system_[i].row.rate);
    const bool stops = anything_to_stop();
    const impulse::Impact impact{&set_, &system_, rest_speed(), fastest_to_stop() <= least_jolt,
                                 model_.solver.restitution_law};
    impulse::ImpactResult result = stops ? resolved(impact) : impulse::no_impact(impact);
    const std::vector<int> rocking = find_rocking(result);
    if (!stops && rocking.empty()) return;
    if (!rocking.empty()) {
      impulse::ImpactResult limit = impulse::come_to_rest(impact, rocking);
      if (limit.status == lcp::Status::solved &&
          is_slow(result.energy_gained - limit.energy_gained))
        result = std::move(limit);
    }
    take(result, rates_before_impulses_);
  }

  // Books the impulses of an impact, and lets them act. Rates before are those before the impulses:
  // what these would have done to bodies without joints and contacts never was there, and is not
  // lost.
  void take(const impulse::ImpactResult& result, const Vector& rates_before) {
    outcome_.count(result.status, result.solves, result.pivots, result.residual);
    for (int i = 0; i < set_.contact_count(); ++i) {
      outcome_.impulses[i] += std::max(0.0, result.impulses[i]);
      if (set_.tangent_of(i) < 0) continue;
      for (int row = set_.tangent_of(i); row < set_.tangent_of(i) + 2; ++row)
        outcome_.friction_impulses[i] += result.impulses[row] * system_[row].row.sides[0].linear;
    }
    for (int i = 0; i < set_.limit_count(); ++i)
      outcome_.limit_impulses[i] += result.impulses[set_.contact_count() + i];
    for (std::size_t i = 0; i < set_.joints().size(); ++i)
      if (set_.has_arrived(set_.joints()[i]))
        outcome_.arrivals.emplace_back(
            set_.joints()[i], std::abs(result.impulses[set_.row_of_arrival(static_cast<int>(i))]));
    outcome_.limited.insert(outcome_.limited.end(), result.limited.begin(), result.limited.end());
    outcome_.collided = true;
    largest_rate_stopped_ = fastest_to_stop();
    outcome_.jolts = outcome_.jolts || largest_rate_stopped_ > least_jolt;
    // What opens may be stopped too, where bodies come to rest.
    list_joint_impulses(result.impulses, system_.along(result.jumps).lpNorm<Eigen::Infinity>());
    const Vector rates_after = bodies_.rates() + system_.along(system_.response(result.impulses));
    bodies_.apply(result.impulses);
    outcome_.energy_lost -= energy_given(result.impulses, rates_before, rates_after);
  }

  // An impulse changes energy by its product with the mean of the rates before and after.
  static double energy_given(const Vector& impulses, const Vector& before, const Vector& after) {
    return 0.5 * impulses.dot(before + after);
  }

  // Those that do not open by velocity.
  std::vector<bool> closed_contacts() {
    bodies_.observe();
    std::vector<bool> closed;
    closed.reserve(set_.contact_count());
    for (int i = 0; i < set_.contact_count(); ++i)
      closed.push_back(system_[i].row.rate <= bodies_.rate_tolerance());
    return closed;
  }

  // Looks an implicit step ahead where something is too slow to be told from what stands still.
  void look_ahead() {
    implicit_step_ = {};
    const std::vector<bool> closed = closed_contacts();
    const std::vector<bool> slow = slow_contacts(bodies_, closed);
    if (!anything_in_doubt(slow)) return;
    implicit_step_ = implicit_step(bodies_, closed, slow, free_accelerations());
    if (implicit_step_.is_found()) stop_what_stops();
  }

  bool anything_in_doubt(const std::vector<bool>& slow) const {
    for (int i = 0; i < set_.contact_count(); ++i)
      if (slow[i] && !slip_at(bodies_, i).is_none()) return true;
    return false;
  }

  // Takes out slip that stops within the implicit step, with as little change to all else as
  // contacts that stay closed, and joints, allow.
  void stop_what_stops() {
    std::vector<int> held = implicit_step_.pressed;
    for (const int row : impulse::row_range(set_.first_equality(), set_.first_tangent()))
      held.push_back(row);
    for (const int i : implicit_step_.sticking)
      if (implicit_step_.slow[i])
        held.insert(held.end(), {set_.tangent_of(i), set_.tangent_of(i) + 1});
    if (held.empty()) return;
    std::sort(held.begin(), held.end());
    const Vector before = bodies_.rates();
    Vector impulses = Vector::Zero(before.size());
    impulse::Equalities(system_, held).complete(before, impulses);
    list_joint_impulses(impulses, impulse::gathered(before, held).lpNorm<Eigen::Infinity>());
    const Vector after = before + system_.along(system_.response(impulses));
    outcome_.energy_lost -= energy_given(impulses, before, after);
    bodies_.apply(impulses);
  }

  // Of all rows, if no contact presses.
  Vector free_accelerations() { return accelerations_after(Vector::Zero(system_.size()), {}); }

  // Where friction jams a contact, so that no forces keep it from closing, an impulse stops what
  // slips there, without a collision (Baraff 1993, section 7).
  void settle_what_lasts() {
    const base::Stopwatch watch(outcome_.force_seconds);
    if (set_.has_friction()) look_ahead();
    const int tries = jams_per_contact * set_.contact_count();
    for (int i = 0; i <= tries; ++i) {
      const double energy = bodies_.kinetic_energy();
      const auto jammed =
          decide_what_lasts(bodies_, scripts_, largest_rate_stopped_, implicit_step_, outcome_);
      outcome_.energy_lost += energy - bodies_.kinetic_energy();
      if (jammed.empty()) return;
      if (!unjam(jammed)) break;
      look_ahead();
    }
    outcome_.status = lcp::Status::no_solution;
  }

  bool unjam(const std::vector<contact::Contact>& jammed) {
    bodies_.observe();
    const impulse::Impact impact{&set_, &system_, rest_speed()};
    for (int i = 0; i < set_.contact_count(); ++i) {
      if (!contact::contains(jammed, set_.contacts()[i])) continue;
      const impulse::ImpactResult result = impulse::unjam(impact, i);
      if (!changes_motion(result)) continue;
      outcome_.jams.resize(set_.contact_count(), false);
      outcome_.jams[i] = true;
      take(result, bodies_.rates());
      return true;
    }
    return false;
  }

  // Whether impulses do more than rounding.
  bool changes_motion(const impulse::ImpactResult& result) const {
    return system_.along(result.jumps).lpNorm<Eigen::Infinity>() > bodies_.rate_tolerance();
  }

  void list_outside_works(const std::vector<Vec3>& before) {
    const std::vector<Vec3> after = bodies_.velocities_at_outside_impulses();
    for (std::size_t i = 0; i < after.size(); ++i)
      outcome_.outside_works.push_back(
          0.5 * contact_event_.outside_impulses[i].impulse.dot(before[i] + after[i]));
  }

  impulse::ImpactResult resolved(const impulse::Impact& impact) const {
    switch (model_.solver.impact) {
      case model::ImpactLaw::sequential:
        return impulse::sequential(impact);
      case model::ImpactLaw::newton:
        return impulse::newton(impact);
      case model::ImpactLaw::moore_wilhelms:
        return impulse::point_by_point(impact, impulse::moore_wilhelms);
      case model::ImpactLaw::routh:
        return impulse::point_by_point(impact, impulse::routh);
      case model::ImpactLaw::automatic:
        break;
    }
    return impulse::pass_on(impact);
  }

  // Under this approach speed impacts are inelastic: what the user says, and at least the speed
  // that gravity gives over a few rest gaps, below which a flight cannot be told from rest.
  double rest_speed() const { return std::max(model_.solver.rest_speed, fall_speed()); }
  double fall_speed() const {
    return std::sqrt(2 * gap_flights * model::rest_gap(model_.solver) * model_.gravity.norm());
  }

  // If all that approaches is slow, and contacts and limits that did not open before would open
  // slowly too and be pressed shut again, the bodies rock to and fro between these ever faster. In
  // the limit all of them are closed. So are those that open so slowly that they would not rise by
  // a rest gap: a ball that slides over an edge is found there a little late. By row.
  std::vector<int> find_rocking(const impulse::ImpactResult& result) {
    const Vector jump = system_.along(result.jumps);
    const double slow = rest_speed(), none = bodies_.rate_tolerance();
    std::vector<int> closed, opening;
    for (int i = 0; i < set_.first_motor(); ++i) {
      const double before = speed_of(i, system_[i].row.rate);
      if (before < -slow) return {};
      const double after = before + speed_of(i, jump[i]);
      if (after > slow) continue;
      (after > none ? opening : closed).push_back(i);
    }
    if (opening.empty()) return {};
    const Vector acceleration = accelerations_after(result.impulses, closed);
    std::erase_if(opening, [&](int i) {
      const double before = system_[i].row.rate;
      const bool begins_here = speed_of(i, before - rates_by_restoring_[i]) <= none;
      return !falls_back(speed_of(i, before + jump[i]), speed_of(i, acceleration[i]), begins_here);
    });
    if (opening.empty()) return {};
    closed.insert(closed.end(), opening.begin(), opening.end());
    std::sort(closed.begin(), closed.end());
    return closed;
  }

  // Whether what bodies lose by coming to rest is no more than they have at rest speed. Between
  // contacts that are nearly parallel, as of a ball and the edges of two flush tiles, rates are
  // slow however fast the bodies slip past them: these are wedged if both contacts close, and do
  // not rock.
  bool is_slow(double energy) const {
    double mass = 0;
    for (const BodyIndex body : contact_event_.bodies) mass += model_.bodies[body].mass.mass;
    return energy <= 0.5 * mass * rest_speed() * rest_speed();
  }

  // The rate of a row as a speed, m/s: where a joint turns, of the farthest that a body reaches.
  double speed_of(int row, double rate) const {
    const impulse::SystemRow& on = system_[row];
    if (!on.row.sides[0].linear.isZero(0) || !on.row.sides[1].linear.isZero(0)) return rate;
    double reach = 0;
    for (const int slot : on.slots)
      if (slot != impulse::immovable)
        reach = std::max(reach, model_.bodies[contact_event_.bodies[slot]].bounding_radius);
    return reach * rate;
  }

  // Whether a gap that opens at this rate closes again after a flight that cannot be told from
  // rest: one that an impact began may be as high as one at rest speed against gravity.
  bool falls_back(double rate, double acceleration, bool begins_here) const {
    const double slow = rest_speed(), gravity = model_.gravity.norm();
    if (!(acceleration < 0)) return false;
    if (rate * rate <= -2 * acceleration * model::rest_gap(model_.solver)) return true;
    return begins_here && rate * rate * gravity <= -acceleration * slow * slow;
  }

  // The accelerations of all gaps if these impulses act and only the given contacts and limits can
  // press.
  Vector accelerations_after(const Vector& impulses, const std::vector<int>& pressing) {
    const std::vector<body::RigidState> before = bodies_.states();
    bodies_.apply(impulses);
    bodies_.observe();
    integrate::ActiveConstraints active;
    active.broken = contact_event_.active.broken;
    active.springs = contact_event_.active.springs;
    active.motors = drives(bodies_);
    for (const int i : pressing)
      if (i < set_.contact_count())
        active.contacts.push_back(set_.contacts()[i]);
      else
        active.limits.push_back(set_.limits()[i - set_.contact_count()]);
    std::vector<impulse::Twist> twists(before.size());
    for (integrate::Island& island : contact_event_.islands_of(model_, active)) {
      const std::vector<BodyIndex> bodies = island.bodies;
      integrate::Equations equations(model_, scripts_, std::move(island));
      const ode::Vector y = equations.applied().state_vector(bodies_.states_of(bodies));
      equations.begin_smooth_motion(contact_event_.time, y, infinity);
      std::vector<BodyState> recorded(model_.bodies.size());
      integrate::write_states(equations, contact_event_.time, motion::Side::after, y, recorded);
      for (const BodyIndex body : bodies)
        twists[bodies_.slot_of(body)] = {recorded[body].acceleration,
                                         recorded[body].angular_acceleration};
    }
    Vector accelerations =
        impulse::acceleration_bias(set_, bodies_.rows(), bodies_.now(), {}) + system_.along(twists);
    bodies_.restore(before);
    bodies_.observe();
    return accelerations;
  }

  // Anything approaches, or a joint does not move as it must.
  bool anything_to_stop() const {
    for (int i = 0; i < set_.first_tangent(); ++i) {
      const double rate = system_[i].row.rate;
      if (i < set_.first_equality() ? rate < -no_rate : rate != 0) return true;
    }
    return false;
  }

  double fastest_to_stop() const {
    double fastest = 0;
    for (int i = 0; i < set_.first_tangent(); ++i) {
      const double rate = system_[i].row.rate;
      fastest = std::max(fastest, i < set_.first_equality() ? -rate : std::abs(rate));
    }
    return fastest;
  }

  // Impulses that only take out what rounding left are not worth telling of.
  void list_joint_impulses(const Vector& impulses, double fastest) {
    if (fastest <= least_jolt) return;
    for (int i = 0; i < static_cast<int>(set_.joints().size()); ++i) {
      JointState state = set_.joint_state(i, bodies_.now(), impulses);
      state.is_impulse = true;
      if (state.force.norm() > 0 || state.torque.norm() > 0)
        outcome_.joint_impulses.push_back(state);
    }
  }

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  const ContactEvent& contact_event_;
  EventBodies bodies_;
  const impulse::ConstraintSet& set_;
  const impulse::RowSystem& system_;  // of the bodies as observed last
  ImplicitStep implicit_step_;        // that was looked ahead, if any was
  Vector rates_before_impulses_;
  Vector rates_by_restoring_;  // what turning bodies to restore gaps adds to the rates
  double largest_rate_stopped_ = 0;
  Outcome outcome_;
};

}  // namespace

std::vector<integrate::Island> ContactEvent::islands_of(
    const model::Model& model, const integrate::ActiveConstraints& held) const {
  return attached ? integrate::find_islands(model, bodies, held, *attached)
                  : integrate::find_islands(model, bodies, held);
}

void Outcome::count(lcp::Status found, long more_solves, long more_pivots, double worst) {
  if (found != lcp::Status::solved) status = found;
  solves += more_solves;
  pivots += more_pivots;
  residual = std::max(residual, worst);
}

Outcome settle(const model::Model& model, const integrate::Scripts& scripts,
               const ContactEvent& contact_event) {
  return Settlement(model, scripts, contact_event).run();
}

}  // namespace abut::loop
