#include "loop/meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/diagnostics.h"
#include "impulse/impact.h"
#include "impulse/mixed_problem.h"
#include "math/rotation.h"

namespace abut::loop {
namespace {

using impulse::ConstraintSet;
using impulse::RowSystem;
using impulse::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Newton steps that restore gaps: they are off by a contact distance at most.
constexpr int gap_rounds = 3;

// By how much contacts may contradict each other that are all to be at the rest gap, relative to
// what they lack (dimensionless): rounding of positions far from the origin.
constexpr double gap_contradiction = 1e-2;

// Rest gaps that a body falls through in the shortest flight that is told from rest.
constexpr double gap_flights = 10;

// Rates that count as zero: relative to the fastest body of the meeting (dimensionless), and at
// least this, m/s. Solving the rows leaves no more.
constexpr double rate_rounding = 1e-11;
constexpr double least_rate = 1e-13;

// Accelerations that count as zero, relative to the largest of the meeting (dimensionless).
constexpr double acceleration_rounding = 1e-9;

// By how much redundant joints may contradict each other, relative to the accelerations they
// or velocities they prescribe (dimensionless): more is a mechanism that cannot move as asked. Of
// velocities, so many times the rates that count as zero are allowed besides.
constexpr double joint_contradiction = 1e-6;
constexpr double contradiction_slack = 1000;

// Rates (m/s or rad/s) from which the impulses that stop them are told of.
constexpr double least_jolt = 1e-9;

// A force that has fallen to zero is still there up to this fraction of the largest one
// (dimensionless): twice what an event of this kind is located to (integrate/path_events.cpp).
constexpr double release_rounding = 1e-10;

// A motor's speed is reached, and its force at its limit, up to this fraction (dimensionless).
constexpr double motor_rounding = 1e-9;

class Settlement {
 public:
  Settlement(const model::Model& model, const integrate::Scripts& scripts, const Meeting& meeting)
      : model_(model),
        scripts_(scripts),
        meeting_(meeting),
        states_(meeting.states),
        set_(model, meeting.bodies, meeting.bonds.contacts, meeting.bonds.limits, {},
             meeting.joints) {
    observe_supports();
  }

  Outcome run() {
    if (!set_.empty()) restore_gaps();
    const std::vector<Vec3> struck_before = velocities_at_blows();
    const double energy_before = kinetic_energy();
    if (!set_.empty()) {
      observe();
      rates_before_blows_ = rates();
    }
    for (const Blow& blow : meeting_.blows) strike(blow);
    if (!set_.empty()) exchange_impulses();
    // Rates are against supports and motors that move: what these and the blows put in is the
    // difference between what the bodies gain and what is lost.
    if (outcome_.collided || !meeting_.blows.empty())
      outcome_.work = kinetic_energy() - energy_before + outcome_.energy_lost;
    list_blow_works(struck_before);
    decide_what_lasts();
    if (!set_.empty()) close_up();
    outcome_.states = states_;
    return std::move(outcome_);
  }

 private:
  const body::Mass& mass(std::size_t slot) const {
    return model_.bodies[meeting_.bodies[slot]].mass;
  }

  void observe_supports() {
    for (const BodyIndex body : set_.supports()) {
      impulse::Support support;
      if (body != world) {
        motion::Kinematics k;
        k.pose = model_.bodies[body].pose;
        if (scripts_[body]) k = scripts_[body]->kinematics(meeting_.time, motion::Side::after);
        support = {{k.pose, k.velocity, k.angular_velocity},
                   {k.acceleration, k.angular_acceleration}};
      }
      supports_.push_back(support);
    }
  }

  // The rows as the bodies are now, and the matrix they make.
  void observe() {
    motions_.clear();
    std::vector<impulse::Inertia> inertias;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const body::RigidState& s = states_[i];
      motions_.push_back({{s.centre, s.attitude},
                          s.velocity,
                          body::angular_velocity(mass(i), s.attitude, s.angular_momentum)});
      inertias.push_back(impulse::Inertia::of(mass(i), s.attitude));
    }
    rows_ = set_.evaluate({motions_, supports_});
    system_ = RowSystem(rows_.rows, inertias);
  }

  // Moves bodies as little as possible, in the mass metric, so that no gap is below the rest gap
  // and joints are closed.
  void restore_gaps() {
    const double rest_gap = model::rest_gap(model_.solver);
    for (int round = 0; round < gap_rounds; ++round) {
      observe();
      Vector missing(system_.size());
      for (int i = 0; i < system_.size(); ++i)
        missing[i] = system_[i].row.value - (i < set_.contact_count() ? rest_gap : 0);
      std::vector<int> too_near;
      for (int i = 0; i < set_.contact_count(); ++i)
        if (missing[i] < 0) too_near.push_back(i);
      const int bounded = set_.first_equality();
      if (bounded > 0 && missing.head(bounded).minCoeff() >= 0 && bounded == set_.row_count())
        break;
      shift(restoring_shifts(missing, too_near));
    }
  }

  // Contacts that are too near come to the rest gap all alike, so that what lies flat stays flat:
  // the least a body can do to clear its supports would be to tilt, and then it slides. Where they
  // contradict each other, or lie so near to each other that a body would have to turn for it, they
  // only have to clear it.
  Vector restoring_shifts(const Vector& missing, const std::vector<int>& too_near) const {
    const impulse::MixedSolution alike = impulse::solve(gap_problem(missing, too_near));
    if (alike.status == lcp::Status::solved && alike.equality_residual <= gap_contradiction &&
        turning_distance(alike.z) <= model::rest_gap(model_.solver))
      return alike.z;
    return impulse::solve(gap_problem(missing, {})).z;
  }

  // Contacts that last are found at any gap that counts as touching, and the motion that begins
  // here keeps them at the rest gap. They are brought there while those that do not last are still
  // watched: none of these may come nearer than the rest gap, or than it is.
  void close_up() {
    const double rest_gap = model::rest_gap(model_.solver);
    std::vector<int> lasting;
    for (int i = 0; i < set_.contact_count(); ++i)
      if (outcome_.lasts[i]) lasting.push_back(i);
    for (int round = 0; round < gap_rounds && !lasting.empty(); ++round) {
      observe();
      Vector missing = Vector::Zero(system_.size());
      double farthest = 0;
      for (int i = 0; i < system_.size(); ++i) {
        missing[i] = system_[i].row.value;
        if (i >= set_.contact_count()) continue;
        missing[i] -= outcome_.lasts[i] ? rest_gap : std::min(rest_gap, system_[i].row.value);
        if (outcome_.lasts[i]) farthest = std::max(farthest, std::abs(missing[i]));
      }
      if (farthest <= gap_contradiction * rest_gap) return;
      const impulse::MixedSolution found = impulse::solve(gap_problem(missing, lasting));
      if (found.status != lcp::Status::solved || found.equality_residual > gap_contradiction)
        return;
      shift(found.z);
    }
  }

  // How far these multipliers move a point of a body by turning it, m.
  double turning_distance(const Vector& multipliers) const {
    double farthest = 0;
    const std::vector<impulse::Twist> shifts = system_.response(multipliers);
    for (std::size_t i = 0; i < shifts.size(); ++i)
      farthest = std::max(
          farthest, shifts[i].angular.norm() * model_.bodies[meeting_.bodies[i]].bounding_radius);
    return farthest;
  }

  impulse::MixedProblem gap_problem(const Vector& missing, const std::vector<int>& equal) const {
    impulse::MixedProblem problem;
    problem.system = &system_;
    problem.b = missing;
    problem.equalities = equal;
    for (int i = 0; i < set_.first_equality(); ++i)
      if (!std::binary_search(equal.begin(), equal.end(), i)) problem.unilaterals.push_back(i);
    for (int i = set_.first_equality(); i < set_.row_count(); ++i) problem.equalities.push_back(i);
    const auto count = static_cast<Eigen::Index>(problem.unilaterals.size());
    problem.lower = Vector::Zero(count);
    problem.upper = Vector::Constant(count, infinity);
    return problem;
  }

  void shift(const Vector& multipliers) {
    const std::vector<impulse::Twist> shifts = system_.response(multipliers);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i].centre += shifts[i].linear;
      states_[i].attitude =
          (math::rotation_exp(shifts[i].angular) * states_[i].attitude).normalized();
    }
  }

  double rate_tolerance() const {
    double fastest = 0;
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      const double radius = model_.bodies[meeting_.bodies[i]].bounding_radius;
      fastest = std::max(
          fastest, motions_[i].velocity.norm() + radius * motions_[i].angular_velocity.norm());
    }
    return std::max(least_rate, rate_rounding * fastest);
  }

  void exchange_impulses() {
    observe();
    outcome_.places = rows_.contacts;
    outcome_.impulses.assign(set_.contact_count(), 0);
    outcome_.limit_impulses.assign(set_.limit_count(), 0);
    for (int i = 0; i < set_.contact_count(); ++i)
      outcome_.approach.push_back(rows_.rows[i].row.rate);
    const impulse::Impact impact{&set_, &system_, rest_speed()};
    const bool stops = anything_to_stop();
    impulse::ImpactResult result = stops ? resolved(impact) : impulse::no_impact(impact);
    const std::vector<int> rocking = rocking_contacts(result);
    if (!stops && rocking.empty()) return;
    if (!rocking.empty()) result = impulse::come_to_rest(impact, rocking);
    count(result.status, result.solves, result.pivots, result.residual);
    for (int i = 0; i < set_.contact_count(); ++i)
      outcome_.impulses[i] = std::max(0.0, result.impulses[i]);
    for (int i = 0; i < set_.limit_count(); ++i)
      outcome_.limit_impulses[i] = result.impulses[set_.contact_count() + i];
    outcome_.collided = true;
    list_joint_impulses(result.impulses);
    const Vector rates_after = rates() + system_.along(system_.response(result.impulses));
    apply(result.impulses);
    // An impulse changes energy by its product with the mean of the rates before and after. Before
    // means before the blows: what these would have done to bodies without joints and contacts
    // never was there, and is not lost.
    outcome_.energy_lost = -0.5 * result.impulses.dot(rates_before_blows_ + rates_after);
  }

  Vector rates() const {
    Vector rates(system_.size());
    for (int i = 0; i < system_.size(); ++i) rates[i] = system_[i].row.rate;
    return rates;
  }

  void strike(const Blow& blow) {
    const std::size_t slot = slot_of(blow.body);
    states_[slot].velocity += blow.impulse / mass(slot).mass;
    states_[slot].angular_momentum += (blow.at - states_[slot].centre).cross(blow.impulse);
  }

  std::vector<Vec3> velocities_at_blows() const {
    std::vector<Vec3> velocities;
    for (const Blow& blow : meeting_.blows) {
      const std::size_t slot = slot_of(blow.body);
      const body::RigidState& s = states_[slot];
      velocities.push_back(s.velocity +
                           body::angular_velocity(mass(slot), s.attitude, s.angular_momentum)
                               .cross(blow.at - s.centre));
    }
    return velocities;
  }

  void list_blow_works(const std::vector<Vec3>& before) {
    const std::vector<Vec3> after = velocities_at_blows();
    for (std::size_t i = 0; i < after.size(); ++i)
      outcome_.blow_works.push_back(0.5 * meeting_.blows[i].impulse.dot(before[i] + after[i]));
  }

  impulse::ImpactResult resolved(const impulse::Impact& impact) const {
    const bool one_by_one = model_.solver.impact == model::ImpactLaw::sequential;
    return one_by_one ? impulse::sequential(impact) : impulse::newton(impact);
  }

  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < states_.size(); ++i)
      sum += body::kinetic_energy(mass(i), states_[i]);
    return sum;
  }

  // Under this approach speed impacts are inelastic: what the user says, and at least the speed
  // that gravity gives over a few rest gaps, below which a flight cannot be told from rest.
  double rest_speed() const {
    const double fall =
        std::sqrt(2 * gap_flights * model::rest_gap(model_.solver) * model_.gravity.norm());
    return std::max(model_.solver.rest_speed, fall);
  }

  // If all that approaches is slow, and contacts that did not open before would open slowly too and
  // be pressed shut again, the bodies rock to and fro between these contacts ever faster. In the
  // limit all of them are closed. So are those that open so slowly that they would not rise by a
  // rest gap: a ball that slides over an edge is found there a little late.
  std::vector<int> rocking_contacts(const impulse::ImpactResult& result) {
    const Vector jump = system_.along(result.jumps);
    const double slow = rest_speed(), none = rate_tolerance();
    std::vector<int> closed, opening;
    for (int i = 0; i < set_.contact_count(); ++i) {
      const double before = rows_.rows[i].row.rate;
      if (before < -slow) return {};
      if (before + jump[i] > slow) continue;
      (before + jump[i] > none ? opening : closed).push_back(i);
    }
    if (opening.empty()) return {};
    const Vector acceleration = accelerations_after(result.impulses, closed);
    std::erase_if(opening, [&](int i) {
      const double before = rows_.rows[i].row.rate;
      return !falls_back(before + jump[i], acceleration[i], before <= none);
    });
    if (opening.empty()) return {};
    closed.insert(closed.end(), opening.begin(), opening.end());
    std::sort(closed.begin(), closed.end());
    return closed;
  }

  // Whether a gap that opens at this rate closes again after a flight that cannot be told from
  // rest: one that an impact began may be as high as one at rest speed against gravity.
  bool falls_back(double rate, double acceleration, bool begins_here) const {
    const double slow = rest_speed(), gravity = model_.gravity.norm();
    if (!(acceleration < 0)) return false;
    if (rate * rate <= -2 * acceleration * model::rest_gap(model_.solver)) return true;
    return begins_here && rate * rate * gravity <= -acceleration * slow * slow;
  }

  // The accelerations of all gaps if these impulses act and only the given contacts can press.
  Vector accelerations_after(const Vector& impulses, const std::vector<int>& pressing) {
    const std::vector<body::RigidState> before = states_;
    apply(impulses);
    observe();
    integrate::Bonds bonds;
    bonds.broken = meeting_.bonds.broken;
    bonds.motors = drives();
    for (const int i : pressing) bonds.contacts.push_back(set_.contacts()[i]);
    std::vector<impulse::Twist> twists(states_.size());
    for (integrate::Cluster& cluster : meeting_.clusters_of(model_, bonds)) {
      const std::vector<BodyIndex> bodies = cluster.bodies;
      integrate::ClusterSystem system(model_, scripts_, std::move(cluster));
      const ode::Vector y = system.state_vector(states_of(bodies));
      system.begin_smooth_motion(meeting_.time, y, infinity);
      std::vector<BodyState> recorded(model_.bodies.size());
      system.write_states(meeting_.time, motion::Side::after, y, recorded);
      for (const BodyIndex body : bodies)
        twists[slot_of(body)] = {recorded[body].acceleration, recorded[body].angular_acceleration};
    }
    Vector accelerations =
        impulse::acceleration_bias(set_, rows_, {motions_, supports_}, {}) + system_.along(twists);
    states_ = before;
    observe();
    return accelerations;
  }

  std::vector<body::RigidState> states_of(const std::vector<BodyIndex>& bodies) const {
    std::vector<body::RigidState> states;
    states.reserve(bodies.size());
    for (const BodyIndex body : bodies) states.push_back(states_[slot_of(body)]);
    return states;
  }

  // Anything approaches, or a joint does not move as it must.
  bool anything_to_stop() const {
    for (int i = 0; i < system_.size(); ++i) {
      const double rate = system_[i].row.rate;
      if (i < set_.first_equality() ? rate < 0 : rate != 0) return true;
    }
    return false;
  }

  // Impulses that only take out what rounding left are not worth telling of.
  void list_joint_impulses(const Vector& impulses) {
    double fastest = 0;
    for (int i = 0; i < system_.size(); ++i) {
      const double rate = system_[i].row.rate;
      fastest = std::max(fastest, i < set_.first_equality() ? -rate : std::abs(rate));
    }
    largest_rate_stopped_ = fastest;
    if (fastest <= least_jolt) return;
    for (int i = 0; i < static_cast<int>(set_.joints().size()); ++i) {
      JointState state = set_.joint_state(i, {motions_, supports_}, impulses);
      state.is_impulse = true;
      if (state.force.norm() > 0 || state.torque.norm() > 0)
        outcome_.joint_impulses.push_back(state);
    }
  }

  void apply(const Vector& impulses) {
    for (int i = 0; i < system_.size(); ++i)
      for (int side = 0; side < 2; ++side) {
        const int slot = system_[i].slots[side];
        if (slot == impulse::immovable) continue;
        const body::RowSide& on = system_[i].row.sides[side];
        states_[slot].velocity += impulses[i] / mass(slot).mass * on.linear;
        states_[slot].angular_momentum += impulses[i] * on.angular;
      }
  }

  void count(lcp::Status status, long solves, long pivots, double residual) {
    if (status != lcp::Status::solved) outcome_.status = status;
    outcome_.solves += solves;
    outcome_.pivots += pivots;
    outcome_.residual = std::max(outcome_.residual, residual);
  }

  // Contacts and limits that do not open, by velocity and then by acceleration.
  void decide_what_lasts() {
    outcome_.lasts.assign(meeting_.bonds.contacts.size(), false);
    outcome_.bonds.broken = meeting_.bonds.broken;
    integrate::Bonds closed;
    closed.broken = meeting_.bonds.broken;
    std::vector<int> contacts, limits;  // of the meeting, by place in `closed`
    if (!set_.empty()) {
      observe();
      const double tolerance = rate_tolerance();
      const double contradiction =
          joint_contradiction * largest_rate_stopped_ + contradiction_slack * tolerance;
      for (int i = set_.first_equality(); i < set_.row_count(); ++i)
        if (std::abs(rows_.rows[i].row.rate) > contradiction) fail_joints(set_.joints());
      for (int i = 0; i < set_.contact_count(); ++i)
        if (rows_.rows[i].row.rate <= tolerance) contacts.push_back(i);
      for (int i = 0; i < set_.limit_count(); ++i)
        if (rows_.rows[set_.contact_count() + i].row.rate <= tolerance) limits.push_back(i);
    }
    closed.motors = drives();
    for (const int i : contacts) closed.contacts.push_back(set_.contacts()[i]);
    for (const int i : limits) closed.limits.push_back(set_.limits()[i]);
    for (integrate::Cluster& cluster : meeting_.clusters_of(model_, closed))
      decide_in(std::move(cluster));
    mark_lasting();
  }

  void decide_in(integrate::Cluster cluster) {
    if (cluster.contacts.empty() && cluster.limits.empty() && cluster.joints.empty()) return;
    const std::vector<body::RigidState> states = states_of(cluster.bodies);
    integrate::ClusterSystem system(model_, scripts_, std::move(cluster));
    system.begin_smooth_motion(meeting_.time, system.state_vector(states), infinity);
    const force::ContactForces& found = system.first_forces();
    count(found.status, 1, found.pivots, found.residual);
    if (found.joint_residual > joint_contradiction) fail_joints(system.constraints().joints());
    const ConstraintSet& set = system.constraints();
    if (found.accelerations.size() == 0) return;
    const double tolerance =
        acceleration_rounding *
        std::max({model_.gravity.norm(), found.accelerations.cwiseAbs().maxCoeff(),
                  found.free.cwiseAbs().maxCoeff()});
    for (int i = 0; i < set.motor_count(); ++i)
      note_drive(set.motors()[i], found.forces[set.first_motor() + i]);
    for (const impulse::MotorDrive& motor : system.cluster().motors)
      if (motor.drive != impulse::Drive::keeps) outcome_.bonds.motors.push_back(motor);
    const double largest_force = found.forces.cwiseAbs().maxCoeff();
    for (int i = 0; i < set.first_motor(); ++i) {
      if (found.opens(i, tolerance)) continue;
      if (i < set.contact_count() && is_let_go(set.contacts()[i], found.forces[i], largest_force))
        continue;
      if (i < set.contact_count()) {
        outcome_.bonds.contacts.push_back(set.contacts()[i]);
        note_last_impact(set.contacts()[i], system.free_accelerations()[i]);
      } else {
        outcome_.bonds.limits.push_back(set.limits()[i - set.contact_count()]);
      }
    }
  }

  // A contact whose force has just fallen to zero leaves, though its gap does not accelerate yet.
  bool is_let_go(const contact::Contact& contact, double force, double largest_force) const {
    return force <= release_rounding * largest_force &&
           std::any_of(meeting_.released.begin(), meeting_.released.end(),
                       [&](const contact::Contact& one) { return one.is_same_place(contact); });
  }

  // What the motors of limited force try: to keep the speed where it is reached, else to reach it.
  std::vector<impulse::MotorDrive> drives() const {
    std::vector<impulse::MotorDrive> drives;
    for (int i = 0; i < static_cast<int>(set_.joints().size()); ++i) {
      const joint::Joint& joint = model_.joints[set_.joints()[i]];
      if (!joint.motor || joint.motor->max_force == infinity) continue;
      const double lag = joint.motor->speed - set_.coordinate(i, {motions_, supports_}, 0).rate;
      const double tolerance = motor_rounding * (std::abs(joint.motor->speed) + std::abs(lag));
      drives.push_back({set_.joints()[i], std::abs(lag) <= tolerance ? impulse::Drive::keeps
                                          : lag > 0 ? impulse::Drive::pushes_forward
                                                    : impulse::Drive::pushes_back});
    }
    return drives;
  }
  // A motor that would need more than it has pushes instead.
  void note_drive(JointIndex joint, double force) {
    const double most = model_.joints[joint].motor->max_force;
    const bool enough = std::abs(force) < (1 - motor_rounding) * most;
    outcome_.bonds.motors.push_back({joint, enough      ? impulse::Drive::keeps
                                            : force > 0 ? impulse::Drive::pushes_forward
                                                        : impulse::Drive::pushes_back});
  }

  // Of impacts at approach speed u with restitution e against the acceleration a, the next ones
  // follow after 2 e u / a, 2 e^2 u / a, ..., which adds up to 2 e u / (a (1 - e)).
  void note_last_impact(const contact::Contact& contact, double free_acceleration) {
    const double e = contact.restitution;
    for (int i = 0; i < set_.contact_count(); ++i) {
      if (!set_.contacts()[i].is_same_place(contact)) continue;
      const double speed = -outcome_.approach[i];
      if (!(outcome_.impulses[i] > 0 && e > 0 && e < 1 && free_acceleration < 0)) return;
      if (speed <= rate_tolerance()) return;
      outcome_.last_impacts.push_back(
          {contact, meeting_.time - 2 * e * speed / (free_acceleration * (1 - e))});
    }
  }

  void mark_lasting() {
    for (std::size_t i = 0; i < meeting_.bonds.contacts.size(); ++i)
      outcome_.lasts[i] =
          std::any_of(outcome_.bonds.contacts.begin(), outcome_.bonds.contacts.end(),
                      [&](const contact::Contact& contact) {
                        return contact.is_same_place(meeting_.bonds.contacts[i]);
                      });
  }

  int slot_of(BodyIndex body) const {
    return static_cast<int>(std::lower_bound(meeting_.bodies.begin(), meeting_.bodies.end(), body) -
                            meeting_.bodies.begin());
  }

  [[noreturn]] void fail_joints(const std::vector<JointIndex>& joints) const {
    std::string names, bodies;
    for (const JointIndex joint : joints)
      names += (names.empty() ? "" : ", ") + model_.joints[joint].name;
    for (const BodyIndex body : meeting_.bodies)
      bodies += (bodies.empty() ? "" : ", ") + model_.bodies[body].name;
    throw SimulationError(
        meeting_.time,
        fmt::format("the joints {} of {} contradict each other, a limit, or what they touch: no "
                    "motion keeps all of them; remove one, give a type that leaves more freedom, "
                    "or give motors a greatest force",
                    names, bodies));
  }

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  const Meeting& meeting_;
  std::vector<body::RigidState> states_;
  ConstraintSet set_;
  std::vector<impulse::Support> supports_;
  std::vector<body::RigidMotion> motions_;
  impulse::RowsNow rows_;
  RowSystem system_;
  Vector rates_before_blows_;
  double largest_rate_stopped_ = 0;
  Outcome outcome_;
};

}  // namespace

std::vector<integrate::Cluster> Meeting::clusters_of(const model::Model& model,
                                                     const integrate::Bonds& held) const {
  return attached ? integrate::find_clusters(model, bodies, held, *attached)
                  : integrate::find_clusters(model, bodies, held);
}

Outcome settle(const model::Model& model, const integrate::Scripts& scripts,
               const Meeting& meeting) {
  return Settlement(model, scripts, meeting).run();
}

}  // namespace abut::loop
