#pragma once
// The step clock: its bodies go on together in steps of one length, islands of bodies that could
// touch each other each on its own within it. Islands at rest sleep, and cost nothing. Bodies join
// it and leave it; those that somebody else moves are outsiders, which it keeps away from: where
// one could be met within a step, the step is not taken, and the caller lets it join.

#include <atomic>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "clock/step_island.h"
#include "clock/step_neighbours.h"
#include "clock/step_report.h"
#include "clock/stepped_state.h"

namespace abut::clock {

/// A dynamic body that joins, with its state, or leaves, with its state and what it takes along.
struct Passage {
  BodyIndex body = 0;
  body::RigidState state;
  integrate::Balance balance;
};

class StepClock {
 public:
  using Filter = StepNeighbours::Filter;

  StepClock(const model::Model& model, const integrate::Scripts& scripts,
            const base::ThreadPool& pool, Filter may_touch, const std::vector<bool>& broken,
            const std::atomic<bool>* interrupt);
  ~StepClock();

  /// Begins at t, without bodies.
  void begin(double t);
  /// Bodies join where the next step begins, with all that joints and springs connect them with.
  /// Those in exact contact are moved apart by what rounding needs. Joints have these coordinates.
  void take(const std::vector<Passage>& joining, const std::vector<double>& coordinates);
  /// Bodies that nothing was near to in the last step leave, those that joints or springs connect
  /// with others excepted, and those that are to stay.
  std::vector<Passage> release_lone();
  void keep(const std::vector<BodyIndex>& bodies);

  /// How long the next step is, s, if it may go no farther than `limit`.
  double next_length(double limit) const;
  /// Takes one step, no farther than `limit`; or, where outsiders could be met within it, none, and
  /// tells which.
  std::vector<BodyIndex> advance(double limit, const std::vector<Outsider>& outsiders);
  /// Without bodies time goes on as the caller likes.
  void set_time(double t) { state_.time = state_.step_begin = t; }
  /// The last step is to end at t already.
  void cut(double t);

  bool contains(BodyIndex body) const { return state_.contains(body); }
  std::vector<BodyIndex> bodies() const;
  bool empty() const { return state_.bodies.empty(); }
  /// The path of a body over the last step, from `from` on.
  std::vector<motion::BodyPath> paths_of(BodyIndex body, double from) const;
  double time() const { return state_.time; }
  bool has_begun() const { return state_.step_begin < state_.time; }

  /// To be dealt where the next step begins.
  void strike(const impulse::OutsideImpulse& outside) {
    state_.outside_impulses.push_back(outside);
  }
  /// Joints that bore more than they can in the last step.
  std::vector<JointIndex> overloaded() const { return StepReport(state_).overloaded(); }
  /// Of the motion frame of any body, or of the world; velocities only of prescribed ones.
  body::RigidMotion motion_at(BodyIndex body, double t) const { return state_.motion_at(body, t); }
  Vec3 centre_of(BodyIndex body) const { return state_.bodies[state_.slot_of[body]].state.centre; }

  /// Of a time within the last step.
  void take_snapshot(double t, std::vector<BodyState>& bodies,
                     integrate::Snapshot& snapshot) const {
    StepReport(state_).take_snapshot(t, bodies, snapshot);
  }
  /// Only the energies of that.
  Energy energy(double t) const { return StepReport(state_).energy(t); }

  /// The columns and rates of bodies that bend, by body.
  void write_bending(double t, std::vector<flexible::State>& bending) const {
    StepReport(state_).write_bending(t, bending);
  }

  const IslandStatistics& statistics() const { return statistics_; }
  /// The largest error of a whole step that was seen (dimensionless): how far a body was off, as a
  /// part of its radius, and by how many radians.
  double error() const { return error_; }
  narrow::PairStatistics pair_statistics() const;
  double stepped_body_seconds() const { return body_seconds_; }

 private:
  void enlist(std::vector<SteppedBody> bodies);
  /// What a step changes, as it was before.
  struct StepStart {
    std::vector<SteppedBody> bodies;
    std::vector<JointStep> joint_steps;
    std::vector<double> coordinates;
    std::vector<std::pair<TouchingPair*, PairStep>> pairs;
  };
  StepStart start_of_step() const;
  void take_back(const StepStart& start);
  std::vector<StepIsland> move_islands(const std::vector<double>& times);
  std::vector<Pose> places() const;
  std::vector<Pose> places_by_halves(double end, const StepStart& start);
  void note_error(const std::vector<Pose>& halves);
  bool is_interrupted() const;
  void keep_account(const std::vector<StepIsland>& islands);
  void refuse_infinite_motion() const;
  void settle_to_sleep(const std::vector<StepIsland>& islands, double h);

  const base::ThreadPool& pool_;
  const std::atomic<bool>* interrupt_;
  SteppedState state_;
  StepNeighbours neighbours_;
  StepScene scene_;
  IslandStatistics statistics_;
  double body_seconds_ = 0;
  long whole_steps_ = 0;
  double error_ = 0;
};

}  // namespace abut::clock
