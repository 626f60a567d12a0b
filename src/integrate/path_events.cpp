#include "integrate/path_events.h"

#include <algorithm>
#include <cmath>

namespace abut::integrate {
namespace {

// Instants of a piece that are looked at. A piece is short enough for its motion to be a polynomial
// of degree 7 to within the tolerance: no function of it turns more often than that.
constexpr int samples = 8;

// A force is zero up to this fraction of the largest force in the cluster (dimensionless): the
// accuracy of the solver of the rows on badly conditioned clusters.
constexpr double force_rounding = 1e-10;

// As a fraction of the rest gap: a contact that rests without force has come nearer below this.
constexpr double nearest_rest = 0.6;

// As a fraction of the contact distance: they must stay below this. A contact may be found at a gap
// up to that distance, and the first step brings it to the rest gap.
constexpr double highest_held = 1.2;

// By how much a contact is kept higher than at the rest gap, m.
double rise_of(const contact::Contact& contact, const model::SolverSettings& solver) {
  return std::max(0.0, contact.kept_gap - model::rest_gap(solver));
}

// A limit is met up to this much, m or rad: the rounding of a coordinate.
constexpr double limit_rounding = 1e-12;

// A joint breaks when its threshold is exceeded by this fraction (dimensionless).
constexpr double break_rounding = 1e-9;

// A motor's force is at its limit, and its speed reached, up to this fraction (dimensionless).
constexpr double motor_rounding = 1e-10;

// Slip has stopped when it has turned back by this fraction of what counts as none
// (dimensionless).
constexpr double stop_fraction = 0.5;

// A guided contact slips fast once it has the speed that the accelerations give it in this time, s:
// then its direction takes about that time to settle, and can be followed. The force that guides
// it, as a fraction of its friction, is the angle by which its direction is wrong: that must not
// make a speed across it of more than guiding_drift, m/s, and be small in any case, rad.
constexpr double free_slip_time = 1e-3;
constexpr double guiding_drift = 1e-10;
constexpr double guiding_angle = 0.01;

// Where forces are not unique and something slides, those followed may be beyond what is allowed by
// this fraction of the largest one (dimensionless) for the rest of a step, if others are allowed.
constexpr double largest_strain = 1e-3;

// Brackets of events are narrowed to this fraction of a piece (dimensionless), in at most so many
// rounds.
constexpr double time_resolution = 1e-15;
constexpr int rounds = 200;

// A quantity that must not fall below zero by more than the tolerance.
struct Signal {
  double value = 0;
  double tolerance = 0;
  PathEvent event;

  bool is_fallen() const { return value < -tolerance; }
  // Zero halfway to the tolerance: where the event is located, so that it is neither too early to
  // be seen as one nor found again at the end of the piece that is cut there.
  double located() const { return value + 0.5 * tolerance; }
};

class Signals {
 public:
  Signals(ClusterSystem& system, const model::Model& model, const Coordinates& coordinates)
      : system_(system), set_(system.constraints()), model_(model), coordinates_(coordinates) {
    const impulse::Vector& forces = system.first_forces().forces;
    largest_force_ = forces.size() > 0 ? forces.cwiseAbs().maxCoeff() : 0;
    for (int i = 0; i < system.body_count(); ++i)
      largest_force_ = std::max(largest_force_, system.mass(i).mass * model.gravity.norm());
    carries_.assign(set_.row_count(), false);
    for (const int row :
         set_.has_friction() ? system.first_forces().carriers : system.first_forces().basis)
      carries_[row] = true;
  }

  double largest_force() const { return largest_force_; }

  /// Whether anything could happen at all: not to joints that only hold.
  bool any() const {
    return set_.first_equality() > 0 || !system_.cluster().motors.empty() ||
           std::any_of(set_.joints().begin(), set_.joints().end(), [&](JointIndex index) {
             const joint::Joint& joint = model_.joints[index];
             return joint.limits || joint.break_force < joint::unbreakable ||
                    joint.break_torque < joint::unbreakable;
           });
  }

  std::vector<Signal> at(double t, const ode::Vector& y) {
    signals_.clear();
    const ClusterSystem::Held held = system_.held(t, system_.side_at(t), y);
    // Without forces the rows would accelerate as `free`; where all is at rest, only that tells
    // what rounding is relative to.
    double largest_acceleration = model_.gravity.norm();
    for (const impulse::Vector* rows : {&held.accelerations, &system_.free_accelerations()})
      if (rows->size() > 0)
        largest_acceleration = std::max(largest_acceleration, rows->cwiseAbs().maxCoeff());
    for (int i = 0; i < set_.motor_count(); ++i) {
      const double most = model_.joints[set_.motors()[i]].motor->max_force;
      add(most - std::abs(held.forces[set_.first_motor() + i]), motor_rounding * most,
          PathEventKind::shift, set_.first_motor() + i);
    }
    add_friction(held);
    for (int i = 0; i < set_.first_motor(); ++i)
      if (carries_[i])
        add(held.forces[i], force_rounding * largest_force_, PathEventKind::release, i);
      else
        add(held.accelerations[i],
            std::max(acceleration_rounding * largest_acceleration,
                     system_.first_forces().rounding[i]),
            PathEventKind::shift, i);
    const double touching = model_.solver.contact_distance;
    const double rest_gap = model::rest_gap(model_.solver);
    for (int i = 0; i < set_.contact_count(); ++i) {
      add(held.margins[i], contact::support_slack * touching, PathEventKind::support, i);
      if (carries_[i]) continue;
      const double gap = held.rows.contacts[i].row.value;
      add(gap - nearest_rest * rest_gap, 0.1 * rest_gap, PathEventKind::shift, i);
      add(touching + rise_of(set_.contacts()[i], model_.solver) - gap, 0.1 * rest_gap,
          PathEventKind::shift, i);
    }
    for (int j = 0; j < static_cast<int>(set_.joints().size()); ++j) add_joint(j, held);
    return signals_;
  }

 private:
  void add(double value, double tolerance, PathEventKind kind, int index, bool is_upper = false) {
    signals_.push_back({value, tolerance, {0, kind, index, is_upper, 0}});
  }

  // Friction must be within its cone, and slip must not turn back.
  void add_friction(const ClusterSystem::Held& held) {
    if (!set_.has_friction()) return;
    for (int i = 0; i < set_.contact_count(); ++i) {
      const force::ContactGrip& grip = system_.grips()[i];
      if (grip.grip == force::Grip::slides)
        add(held.slips[i].velocity.dot(grip.along), stop_fraction * held.slips[i].none,
            PathEventKind::stick, i);
      if (grip.grip == force::Grip::slides && set_.contacts()[i].is_guided) add_guided(i, held);
      if (grip.grip != force::Grip::sticks) continue;
      const contact::Contact& contact = set_.contacts()[i];
      const double most =
          (1 + contact.slack) * contact.friction.static_coefficient * held.forces[i];
      add(most - held.forces.segment<2>(set_.tangent_of(i)).norm(), force_rounding * largest_force_,
          PathEventKind::slip, i);
    }
  }

  // A guided contact is set free where it slips fast, or where more than a little force is needed
  // to keep its direction.
  void add_guided(int i, const ClusterSystem::Held& held) {
    const double fast = free_slip_time * largest_free_acceleration();
    add(fast - held.slips[i].velocity.norm(), 0.5 * fast, PathEventKind::free, i);
    const double speed = held.slips[i].velocity.norm();
    const double angle = guiding_drift / std::max(speed, guiding_drift / guiding_angle);
    const double most =
        angle * set_.contacts()[i].friction.dynamic_coefficient * std::abs(held.forces[i]);
    // While it is as good as at rest, any force may guide it.
    const double guiding = held.slips[i].has_stopped() ? 0 : held.forces[set_.tangent_of(i)];
    add(most - std::abs(guiding), most + force_rounding * largest_force_, PathEventKind::free, i);
  }

  double largest_free_acceleration() const {
    return std::max(model_.gravity.norm(), system_.free_accelerations().cwiseAbs().maxCoeff());
  }

  // At the instant that `held` was found for.
  void add_joint(int j, const ClusterSystem::Held& held) {
    const JointIndex index = set_.joints()[j];
    const joint::Joint& joint = model_.joints[index];
    if (joint.limits) {
      const double coordinate = system_.coordinate(j, coordinates_[j]).value;
      for (const bool is_upper : {false, true}) {
        const impulse::MetLimit limit{index, is_upper};
        if (std::count(set_.limits().begin(), set_.limits().end(), limit) > 0) continue;
        const double bound = (*joint.limits)[is_upper ? 1 : 0];
        add(is_upper ? bound - coordinate : coordinate - bound, limit_rounding,
            PathEventKind::limit, index, is_upper);
      }
    }
    for (const impulse::MotorDrive& motor : system_.cluster().motors) {
      if (motor.joint != index || motor.drive == impulse::Drive::keeps) continue;
      const double sign = motor.drive == impulse::Drive::pushes_forward ? 1 : -1;
      const double rate = system_.coordinate(j, coordinates_[j]).rate;
      add(sign * (joint.motor->speed - rate),
          motor_rounding * (std::abs(joint.motor->speed) + std::abs(rate)), PathEventKind::shift,
          index);
    }
    if (joint.break_force < joint::unbreakable || joint.break_torque < joint::unbreakable) {
      const JointState load = system_.joint_load(j, held.forces);
      if (joint.break_force < joint::unbreakable)
        add(joint.break_force - load.force.norm(), break_rounding * joint.break_force,
            PathEventKind::breaks, index);
      if (joint.break_torque < joint::unbreakable)
        add(joint.break_torque - load.torque.norm(), break_rounding * joint.break_torque,
            PathEventKind::breaks, index);
    }
  }

  ClusterSystem& system_;
  const impulse::ConstraintSet& set_;
  const model::Model& model_;
  const Coordinates& coordinates_;
  double largest_force_ = 0;
  std::vector<bool> carries_;
  std::vector<Signal> signals_;
};

// Where signal k, open at `from` and fallen at `to`, passes: by the Illinois variant of regula
// falsi.
template <class At>
double located(const At& at, std::size_t k, double from, double to, double resolution) {
  double open = at(from)[k].located(), fallen = at(to)[k].located();
  if (!(open > 0)) return from;
  for (int i = 0; i < rounds && to - from > resolution; ++i) {
    double t = from + (to - from) * open / (open - fallen);
    if (!(t > from && t < to)) t = 0.5 * (from + to);
    if (!(t > from && t < to)) break;
    const double value = at(t)[k].located();
    if (value == 0) return t;
    if (value > 0) {
      from = t;
      open = value;
      fallen *= 0.5;
    } else {
      to = t;
      fallen = value;
      open *= 0.5;
    }
  }
  return to;
}

double sample_time(const ode::Piece& piece, int i) {
  return i == samples ? piece.end : piece.begin + (piece.end - piece.begin) * i / samples;
}

// The search for the first event of a piece.
class EventSearch {
 public:
  EventSearch(ClusterSystem& system, const ode::Piece& piece, const model::Model& model,
              const Coordinates& coordinates, double begun)
      : system_(system), piece_(piece), signals_(system, model, coordinates), begun_(begun) {}

  bool strained() const { return strained_; }

  std::optional<PathEvent> first() {
    if (!signals_.any()) return std::nullopt;
    for (int i = 1; i <= samples; ++i)
      if (std::optional<PathEvent> event = first_between(i)) return event;
    return std::nullopt;
  }

 private:
  std::vector<Signal> at(double t) {
    piece_.evaluate(t, y_);
    return signals_.at(t, y_);
  }
  double resolution() const { return time_resolution * (piece_.end - piece_.begin); }

  // With friction, forces at the end of what is allowed may give way to others.
  bool is_end_of_force(const PathEvent& event) const {
    return system_.constraints().has_friction() &&
           integrate::is_end_of_force(event, system_.constraints());
  }
  // Where nothing slides they may do so at any time.
  bool may_be_shared(const PathEvent& event) const {
    return !system_.slides() && is_end_of_force(event);
  }

  // Where something slides: whether others are allowed now, so that those followed may be a little
  // beyond what is, until the step is done.
  bool is_strained(const std::vector<Signal>& signals, double now) {
    if (!system_.slides()) return false;
    bool any = false;
    for (const Signal& signal : signals) {
      if (!signal.is_fallen() || !is_end_of_force(signal.event)) continue;
      if (signal.value < -largest_strain * signals_.largest_force()) return false;
      any = true;
    }
    if (!any) return false;
    piece_.evaluate(now, y_);
    return system_.changes(now, y_).only_shares;
  }
  bool share_anew(double t) {
    piece_.evaluate(t, y_);
    return system_.share_anew(t, y_, piece_.begin);
  }

  std::optional<PathEvent> first_between(int i) {
    const double before = sample_time(piece_, i - 1), now = sample_time(piece_, i);
    std::vector<Signal> signals = at(now);
    bool shared = true;
    if (std::any_of(signals.begin(), signals.end(), [&](const Signal& signal) {
          return signal.is_fallen() && may_be_shared(signal.event);
        })) {
      shared = share_anew(now);
      if (shared) signals = at(now);
    }
    const bool strained = is_strained(signals, now);
    strained_ = strained_ || strained;
    std::optional<PathEvent> first;
    for (std::size_t k = 0; k < signals.size(); ++k) {
      if (!signals[k].is_fallen()) continue;
      PathEvent event = signals[k].event;
      if (strained && is_end_of_force(event)) continue;
      if (may_be_shared(event)) {
        if (shared) continue;
        event.time = end_of_sharing(before, now);
        shared = true;  // the end for one is the end for all
      } else {
        const auto values = [this](double t) { return at(t); };
        event.time = located(values, k, before, now, resolution());
      }
      if (!first || event.time < first->time) first = event;
    }
    // Where a force passes zero no gap accelerates yet: who leaves or slips shows a little later.
    if (!first) return first;
    first->seen = now;
    first->is_at_once = first->time - begun_ <= no_time;
    if (first->kind == PathEventKind::release || first->kind == PathEventKind::slip)
      note_changes(*first);
    return first;
  }

  void note_changes(PathEvent& event) {
    piece_.evaluate(event.seen, y_);
    event.changes = system_.changes(event.seen, y_);
    if (event.kind == PathEventKind::slip && event.changes.slipping.empty() &&
        (event.is_at_once || !event.changes.only_shares))
      event.changes.slipping.emplace_back(event.index, direction_of_slip(event.index, event.seen));
    if (!event.is_at_once && any_guide_waits(event.seen)) event.changes.slipping.clear();
  }

  // Whether a contact that was to begin to slip has not got anywhere. Its guided force may be all
  // that others cannot bear: who slips is then asked again, without it.
  bool any_guide_waits(double t) {
    std::vector<int> guided;
    for (int i = 0; i < static_cast<int>(system_.grips().size()); ++i)
      if (system_.constraints().contacts()[i].is_guided &&
          system_.grips()[i].grip == force::Grip::slides)
        guided.push_back(i);
    if (guided.empty()) return false;
    piece_.evaluate(t, y_);
    const ClusterSystem::Held held = system_.held(t, system_.side_at(t), y_);
    return std::any_of(guided.begin(), guided.end(),
                       [&](int i) { return held.slips[i].has_stopped(); });
  }

  // A contact that cannot stick any more slips against its friction, though it accelerates too
  // little yet for this to be told.
  Vec3 direction_of_slip(int contact, double t) {
    piece_.evaluate(t, y_);
    const ClusterSystem::Held held = system_.held(t, system_.side_at(t), y_);
    const int tangent = system_.constraints().tangent_of(contact);
    Vec3 friction = Vec3::Zero();
    for (const int k : {tangent, tangent + 1})
      friction += held.forces[k] * held.rows.rows[k].row.sides[0].linear;
    return -friction.normalized();
  }

  // The instant after which no forces hold all that is held, by bisection.
  double end_of_sharing(double from, double to) {
    if (!share_anew(from)) return from;
    while (to - from > resolution()) {
      const double middle = 0.5 * (from + to);
      if (!(middle > from && middle < to)) break;
      (share_anew(middle) ? from : to) = middle;
    }
    return to;
  }

  ClusterSystem& system_;
  const ode::Piece& piece_;
  Signals signals_;
  double begun_;
  ode::Vector y_;
  bool strained_ = false;
};

}  // namespace

bool is_end_of_force(const PathEvent& event, const impulse::ConstraintSet& set) {
  return event.kind == PathEventKind::slip ||
         (event.kind == PathEventKind::release && event.index < set.contact_count());
}

Watched first_event(ClusterSystem& system, const ode::Piece& piece, const model::Model& model,
                    const Coordinates& coordinates, double begun) {
  if (system.constraints().empty()) return {};
  EventSearch search(system, piece, model, coordinates, begun);
  std::optional<PathEvent> first = search.first();
  return {std::move(first), search.strained()};
}

Coordinates followed(ClusterSystem& system, double t, const ode::Vector& y,
                     const model::Model& model, const Coordinates& near) {
  Coordinates now = near;
  system.place_bodies(t, y);
  for (std::size_t j = 0; j < now.size(); ++j)
    if (joint::has_coordinate(model.joints[system.constraints().joints()[j]].type))
      now[j] = system.coordinate(static_cast<int>(j), near[j]).value;
  return now;
}

bool keeps_gaps(ClusterSystem& system, const ode::Piece& piece,
                const model::SolverSettings& solver) {
  const double lowest = lowest_held_fraction * model::rest_gap(solver);
  const double highest = highest_held * solver.contact_distance;
  const impulse::ConstraintSet& set = system.constraints();
  std::vector<int> held;
  for (const int row : system.first_forces().basis)
    if (row < set.contact_count()) held.push_back(row);
  if (held.empty()) return true;
  ode::Vector y;
  for (int i = 0; i <= samples; ++i) {
    piece.evaluate(sample_time(piece, i), y);
    const std::vector<double> gaps = system.gaps(sample_time(piece, i), y, held);
    for (std::size_t k = 0; k < held.size(); ++k)
      if (!(gaps[k] > lowest && gaps[k] < highest + rise_of(set.contacts()[held[k]], solver)))
        return false;
  }
  return true;
}

}  // namespace abut::integrate
