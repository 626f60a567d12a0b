#pragma once
// The step clock: its bodies go on together in steps of one length, islands of bodies that could
// touch each other each on its own within it. Islands at rest sleep, and cost nothing. Bodies join
// it and leave it; those that somebody else moves are outsiders, which it keeps away from: where
// one could be met within a step, the step is not taken, and the caller lets it join.

#include <map>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "broad/sweep_and_prune.h"
#include "clock/implicit_forces.h"
#include "clock/step_island.h"
#include "integrate/island_path.h"
#include "joint/rows.h"
#include "law/step_problem.h"
#include "motion/swept_box.h"

namespace abut::clock {

/// A dynamic body that somebody else moves.
struct Outsider {
  BodyIndex body = 0;
  Pose pose;         ///< of its central frame, where the step begins
  double reach = 0;  ///< how far a point of it may get within a step, m
};

/// A dynamic body that joins, with its state, or leaves, with its state and what it takes along.
struct Passage {
  BodyIndex body = 0;
  body::RigidState state;
  integrate::Balance balance;
};

class StepClock {
 public:
  /// Says which pairs of bodies, the smaller index first, touch each other at all.
  using Filter = std::function<bool(BodyIndex, BodyIndex)>;

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
  void set_time(double t) { time_ = step_begin_ = t; }
  /// The last step is to end at t already.
  void cut(double t);

  bool contains(BodyIndex body) const { return body != world && slot_of_[body] >= 0; }
  std::vector<BodyIndex> bodies() const;
  bool empty() const { return bodies_.empty(); }
  /// The path of a body over the last step, from `from` on.
  std::vector<motion::BodyPath> paths_of(BodyIndex body, double from) const;
  double time() const { return time_; }
  bool has_begun() const { return step_begin_ < time_; }

  /// To be dealt where the next step begins.
  void strike(const impulse::OutsideImpulse& outside) { outside_impulses_.push_back(outside); }
  /// Joints that bore more than they can in the last step.
  std::vector<JointIndex> overloaded() const;
  /// Of the motion frame of any body, or of the world; velocities only of prescribed ones.
  body::RigidMotion motion_at(BodyIndex body, double t) const;
  Vec3 centre_of(BodyIndex body) const { return bodies_[slot_of_[body]].state.centre; }

  /// Of a time within the last step.
  void take_snapshot(double t, std::vector<BodyState>& bodies, integrate::Snapshot& snapshot) const;
  /// Only the energies of that.
  Energy energy(double t) const;

  /// The columns and rates of bodies that bend, by body.
  void write_bending(double t, std::vector<flexible::State>& bending) const;

  const IslandStatistics& statistics() const { return statistics_; }
  /// The largest error of a whole step that was seen (dimensionless): how far a body was off, as a
  /// part of its radius, and by how many radians.
  double error() const { return error_; }
  narrow::PairStatistics pair_statistics() const;
  double stepped_body_seconds() const { return body_seconds_; }

 private:
  void enlist(std::vector<SteppedBody> bodies);
  void open_start_gaps(const std::vector<bool>& joins);
  void add_start_row(const broad::Pair& found, const StepContact& contact, double wanted,
                     law::StepProblem& mend) const;
  bool is_mine(JointIndex joint) const;
  std::vector<bool> connected() const;
  std::vector<integrate::MovingBody> moving_now() const;
  std::vector<integrate::MovingBody> moving_as_told(const std::vector<BodyState>& told) const;
  std::vector<integrate::Wrench> forces_now() const;
  double reach_of(const SteppedBody& body, double h) const;
  void place_boxes(double h, const std::vector<Outsider>& outsiders);
  bool wake_met(double h);
  std::vector<BodyIndex> met(const std::vector<Outsider>& outsiders);
  void find_near_pairs();
  std::vector<StepIsland> make_islands();
  double way_of(const SteppedBody& body) const;
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
  bool could_have_met_others(const StepStart& start);
  bool stays_apart(const broad::Pair& pair, const StepStart& start);
  geometry::Aabb box_at(BodyIndex body, const Pose& pose) const;
  bool is_interrupted() const;
  void keep_account(const std::vector<StepIsland>& islands);
  void refuse_infinite_motion() const;
  void settle_to_sleep(const std::vector<StepIsland>& islands, double h);
  // Bodies that bend (clock/bent_clock.cpp).
  void begin_bent(SteppedBody& body);
  void open_bent_start_gaps();
  bool bends(const broad::Pair& pair) const;
  void find_near_bent_pairs(const std::vector<broad::Pair>& found);
  BentPair& bent_pair_of(const broad::Pair& pair);
  geometry::Aabb bent_box(const SteppedBody& body) const;
  double bent_way(const SteppedBody& body) const;
  double fastest_point(const SteppedBody& body) const;
  void write_bent(const SteppedBody& body, double t, BodyState& state) const;
  void book_bent(const SteppedBody& body, double t, integrate::Snapshot& snapshot) const;
  flexible::State bent_state(const SteppedBody& body, double t) const;
  Vec3 bent_place(const SteppedBody& body, flexible::Weights weights, double t) const;
  Vec3 contact_place(BodyIndex body, const Vec3& arm,
                     const std::vector<flexible::ColumnWeight>& weights, double t) const;
  void report_holds(double t, integrate::Snapshot& snapshot) const;
  void report_contacts_of(const TouchingPair& pair, double t, integrate::Snapshot& snapshot) const;

  NearPair& pair_of(const broad::Pair& pair);
  std::unique_ptr<NearPair> make_pair(const broad::Pair& pair);
  std::shared_ptr<const narrow::BodyShape> shape_of(BodyIndex body);
  const StepPiece* piece_at(const SteppedBody& body, double t) const;
  void write_body(const SteppedBody& body, double t, BodyState& state) const;
  void report_contacts(double t, integrate::Snapshot& snapshot) const;
  void report_joints(double t, integrate::Snapshot& snapshot) const;
  integrate::MovingBody moving(const SteppedBody& body, const BodyState& state) const;
  joint::Reaction reaction_of(JointIndex index, double t) const;
  /// Of a force at a place, and a torque, on a body.
  using Push = std::function<void(BodyIndex, const Vec3&, const Vec3&, const Vec3&)>;
  void push_bent(double t, const std::vector<BodyState>& bodies,
                 const integrate::Snapshot& snapshot, const Push& push) const;
  std::vector<int> all_forces() const;
  SpringEnds spring_ends(const model::Spring& spring, double t) const;
  Energy bent_force_energy(double t) const;
  body::RigidMotion joint_motion_at(const joint::Joint& joint, int side, double t) const;
  void keep_books(double t, const std::vector<integrate::MovingBody>& moving,
                  integrate::Snapshot& snapshot) const;
  void find_accelerations(double t, const std::vector<integrate::MovingBody>& moving,
                          const integrate::Snapshot& snapshot,
                          std::vector<BodyState>& bodies) const;

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  const base::ThreadPool& pool_;
  Filter may_touch_;
  const std::vector<bool>& broken_;  // by joint, whoever broke it
  const std::atomic<bool>* interrupt_;

  std::vector<SteppedBody> bodies_;  // in the order of the model
  std::vector<int> slot_of_;         // by body; -1: prescribed, or an outsider
  std::vector<double> reaches_;      // by body: how far it may get within the step, m
  std::vector<double> widened_;      // by body: by what factor, since it got farther
  std::vector<double> coordinates_;
  std::vector<JointStep> joint_steps_;
  StepScene scene_;
  std::vector<motion::Outline> outlines_;
  std::vector<std::shared_ptr<const narrow::BodyShape>> shapes_;
  broad::BroadPhase broad_;
  std::map<broad::Pair, std::unique_ptr<NearPair>> pairs_;
  std::vector<NearPair*> near_;  // that could meet within the step
  std::map<broad::Pair, std::unique_ptr<BentPair>> bent_pairs_;
  std::vector<BentPair*> near_bent_;
  integrate::Island island_;          // of all its bodies
  std::vector<int> implicit_forces_;  // of the model; the island has the others
  double bent_start_ = 0;             // energy of the latter where they began, J
  std::unique_ptr<integrate::ForceLaws> laws_;

  double time_ = 0, step_begin_ = 0;
  std::vector<impulse::OutsideImpulse> outside_impulses_;
  integrate::Balance carried_;   // up to the step
  std::vector<BookEntry> book_;  // of the step
  IslandStatistics statistics_;
  double body_seconds_ = 0;
  int naps_ = 0;
  long whole_steps_ = 0;
  double error_ = 0;
};

}  // namespace abut::clock
