#pragma once
// An island of bodies that could touch each other within a step, on its way through that step.
//
// The bodies are given velocities by the cone problem (law/step_problem.h), the motion that follows
// is proven free of overlap (clock/near_pair.h), and what cannot be proven becomes a row of the
// problem, or makes the steps of this island shorter. At the shortest step the bodies that cannot
// be proven apart are stopped: standing still is free of overlap, so that every step ends.

#include <atomic>
#include <vector>

#include "clock/bent_pair.h"
#include "clock/near_pair.h"
#include "clock/stepped_body.h"
#include "impulse/outside_impulse.h"
#include "integrate/forces.h"
#include "law/step_problem.h"

namespace abut::clock {

struct AttemptBent;

/// What a joint transmitted in its last step.
struct JointStep {
  double kick = 0;               ///< time over which the impulses acted, s
  std::vector<double> impulses;  ///< by row: equalities, then the coordinate's
};

/// What all islands read; each writes of its own bodies and joints.
struct StepScene {
  const model::Model& model;
  const integrate::Scripts& scripts;
  const std::vector<int>& slot_of;  ///< by body; -1 where it is not dynamic
  std::vector<SteppedBody>& bodies;
  std::vector<double>& coordinates;     ///< of joints, by index: turns are counted
  std::vector<JointStep>& joint_steps;  ///< by joint
  const std::atomic<bool>* interrupt = nullptr;
};

/// What came in at an instant, or steadily from it on.
struct BookEntry {
  double time = 0;  ///< s
  integrate::Balance balance;
  double over = 0;        ///< how long it takes, s
  bool is_first = false;  ///< of bodies that begin: at its time itself nothing has happened yet
  /// Forces work and dissipate all the time, and are booked up to the middle of the step: from
  /// there on with these powers (W), up to where it ends.
  double middle = 0, end = 0;
  double work_rate = 0, loss_rate = 0;

  bool is_past(double t, double begin) const { return time < t || (time == begin && !is_first); }

  integrate::Balance part(double fraction) const {
    return {fraction * balance.dissipated, fraction * balance.rubbed, fraction * balance.work,
            fraction * balance.impulse, fraction * balance.angular_impulse};
  }
};

struct IslandStatistics {
  long steps = 0;
  long sweeps = 0;
  long exact = 0;      ///< problems that the exact solver took over
  long unsolved = 0;   ///< problems left with what the sweeps gave
  long added = 0;      ///< rows added where a proof failed
  long shortened = 0;  ///< steps taken again with half the length
  long forced_stops = 0;
  double struck = 0;  ///< energy that contacts took out along their normals, J
  double gap_bound = std::numeric_limits<double>::infinity();  ///< m
};

class StepIsland {
 public:
  StepIsland(StepScene& scene, std::vector<int> slots, std::vector<NearPair*> pairs,
             std::vector<JointIndex> joints, const std::vector<int>& forces,
             std::vector<BentPair*> bent_pairs = {});

  /// Moves the bodies from one time to another, in steps of at most the difference.
  void advance(double from, double to,
               const std::vector<impulse::OutsideImpulse>& outside_impulses);

  const std::vector<int>& slots() const { return slots_; }
  bool has_pairs() const { return !pairs_.empty() || !bent_pairs_.empty(); }
  const std::vector<BookEntry>& book() const { return book_; }
  const IslandStatistics& statistics() const { return statistics_; }

 private:
  struct Attempt;
  struct Side;
  struct Failure;

  /// How long a step was, and how long the next may be, s.
  struct Taken {
    double time = 0, next = 0;
  };
  Taken take_step(double t, double h);
  bool solve_and_prove(Attempt& attempt);

  // What moves the bodies, and what could be met.
  void predict(Attempt& attempt) const;
  integrate::Wrench outside_impulse_on(const SteppedBody& body) const;
  void collect_contacts(Attempt& attempt) const;
  void shorten(Attempt& attempt, double h) const;
  double first_arrival(Attempt& attempt) const;

  // The cone problem.
  void state_problem(Attempt& attempt) const;
  void add_contact(Attempt& attempt, std::size_t pair, std::size_t contact) const;
  void add_joint(Attempt& attempt, JointIndex index) const;
  double mending_time(const Attempt& attempt) const;
  struct JointSide;
  JointSide joint_side(const Attempt& attempt, const joint::Joint& joint, int side) const;
  void add_coordinate(Attempt& attempt, JointIndex index,
                      const std::array<JointSide, 2>& sides) const;
  bool solve_problem(Attempt& attempt);
  double accuracy_of(const Attempt& attempt) const;
  double sheet_accuracy(const Attempt& attempt) const;
  double enough_for_proof(const Attempt& attempt) const;
  double closing_rate(const Attempt& attempt) const;
  void set_free_velocities(Attempt& attempt) const;
  bool turns_too_far(const Attempt& attempt) const;
  bool gains_energy(const Attempt& attempt) const;
  void let_go(Attempt& attempt) const;
  double turn_middles(Attempt& attempt) const;
  double mend_joints(Attempt& attempt) const;
  void open_gaps(Attempt& attempt);
  std::vector<double> bends_of(const Attempt& attempt, std::size_t pair) const;
  void find_bends(const Attempt& attempt, std::size_t pair, std::array<Pose, 2> after, double most,
                  std::vector<double>& bends) const;

  // The proof.
  std::vector<Failure> unproven(Attempt& attempt);
  void add_late_contacts(Attempt& attempt, const Failure& failure);
  void stop_unproven(Attempt& attempt);
  void accept(Attempt& attempt);
  void keep_contacts(const Attempt& attempt, std::vector<Push>& pushes);
  static void push(const Attempt& attempt, const std::array<Side, 2>& sides,
                   const StepContact& contact, const Vec3& force, std::vector<Push>& pushes);
  void keep_joints(const Attempt& attempt, std::vector<Push>& pushes);
  static void push(const Attempt& attempt, const std::array<Side, 2>& sides,
                   const law::StepBlock& block, int row, double force, bool drives,
                   std::vector<Push>& pushes);
  void keep_springs(const Attempt& attempt, std::vector<Push>& pushes) const;
  void book_step(const Attempt& attempt);
  void book_rows(const Attempt& attempt, integrate::Balance& book);
  void book_drag(const Attempt& attempt, integrate::Balance& book) const;

  // Bodies that bend.
  void predict_bent(Attempt& attempt, int place) const;
  void find_free_rates(const Attempt& attempt, const flexible::Columns& expected,
                       AttemptBent& bent) const;
  void read_bent(Attempt& attempt, int place, const law::StepProblem& problem) const;
  void collect_bent_contacts(Attempt& attempt) const;
  Vec3 drift_between(const Attempt& attempt, const BentPair& pair,
                     const StepContact& contact) const;
  OtherSide other_side(const Attempt& attempt, BodyIndex body) const;
  struct PointSide;
  PointSide point_side(const Attempt& attempt, BodyIndex body, const Vec3& arm,
                       const std::vector<flexible::ColumnWeight>& weights, double sign) const;
  int append_point_block(Attempt& attempt, const law::StepBlock& block,
                         const std::array<Vec3, 3>& axes,
                         const std::array<PointSide, 2>& sides) const;
  void add_bent_contact(Attempt& attempt, std::size_t pair, std::size_t contact) const;
  struct SpringSide;
  SpringSide spring_side(const Attempt& attempt, const model::Anchor& anchor, double sign) const;
  void add_pushes_on(Attempt& attempt, int place) const;
  void add_springs(Attempt& attempt) const;
  void book_springs(const Attempt& attempt, integrate::Balance& book) const;
  void take_out_springs(const Attempt& attempt, BodyIndex body, flexible::Columns& given) const;
  void take_out_joints(const Attempt& attempt, BodyIndex body, flexible::Columns& given) const;
  flexible::Columns drive_on(const Attempt& attempt, BodyIndex body) const;
  void book_pushes(const AttemptBent& bent, integrate::Balance& book) const;
  Pose joint_pose_after(const Attempt& attempt, const joint::Joint& joint, int side) const;
  void book_bent_joints(const Attempt& attempt, integrate::Balance& book) const;
  void add_holds(Attempt& attempt, int place) const;
  void prove_bent(Attempt& attempt, std::vector<Failure>& failures) const;
  void add_late_bent_contacts(Attempt& attempt, const Failure& failure);
  bool is_inside_out(const Attempt& attempt) const;
  bool may_fly(double h) const;
  bool take_flight(double t, double h);
  std::vector<BentPiece> chords_of(const std::vector<std::shared_ptr<const BentFlight>>& flights,
                                   double allowed, double& leave) const;
  std::vector<BentPiece> free_chords(const std::vector<std::shared_ptr<const BentFlight>>& flights);
  bool is_free(const BentPiece& chord, double leave);
  void accept_bent(Attempt& attempt, int place, bool touched);
  void book_bent(const Attempt& attempt, int place, integrate::Balance& book) const;
  void book_holds(const Attempt& attempt, int place, integrate::Balance& book) const;
  void book_bent_rows(const Attempt& attempt, integrate::Balance& book) const;
  struct ContactRows;
  struct HoldRows;
  Vec3 impulse_of(const Attempt& attempt, const ContactRows& mine) const;
  Vec3 impulse_of(const Attempt& attempt, const HoldRows& mine) const;
  struct SpringRows;
  Vec3 impulse_of(const Attempt& attempt, const SpringRows& mine) const;

  std::size_t pair_count() const { return pairs_.size() + bent_pairs_.size(); }
  TouchingPair& touching(std::size_t pair) const {
    if (pair < pairs_.size()) return *pairs_[pair];
    return *bent_pairs_[pair - pairs_.size()];
  }
  Side side_of(const Attempt& attempt, BodyIndex body) const;
  double longest_step(double h) const;
  motion::BodyPath path_of(const Attempt& attempt, BodyIndex body) const;
  Pose prescribed_pose(BodyIndex body, double t) const;
  int place_of(BodyIndex body) const;

  StepScene& scene_;
  std::vector<int> slots_;  // of the scene's bodies, ascending
  std::vector<NearPair*> pairs_;
  std::vector<BentPair*> bent_pairs_;  // numbered after the others
  std::vector<JointIndex> joints_;
  std::vector<int> implicit_forces_;  // of the model; the island has the others
  integrate::Island island_;
  integrate::ForceLaws laws_;
  std::vector<impulse::OutsideImpulse> outside_impulses_;  // to be dealt in the next step
  std::vector<BookEntry> book_;
  IslandStatistics statistics_;
  double shortest_ = 0;
};

}  // namespace abut::clock
