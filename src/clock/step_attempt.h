#pragma once
// A step of an island while it is tried.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "clock/bent_pair.h"
#include "clock/drag_kick.h"
#include "clock/implicit_forces.h"
#include "clock/island_account.h"
#include "clock/island_members.h"
#include "law/step_problem.h"

namespace abut::clock {

/// Of the kept gap (dimensionless): up to here a contact is closed, and restitution acts.
inline constexpr double closed_fraction = 1.25;

/// Of the kept gap (dimensionless): what a place that was found late is kept at.
inline constexpr double late_fraction = 0.25;

/// Of a whole step (dimensionless): those of an island get no shorter before bodies are stopped.
inline constexpr double shortest_part = 1.0 / 1024;

/// What a body that bends has more in it. Of its slots in the problem the first is that of the
/// body, the others follow those of all bodies.
struct AttemptBent {
  BentMatrix* matrix = nullptr;
  int first_more = 0;            ///< the second slot
  int first_node = -1;           ///< of a sheet, in the problem
  flexible::Columns before;      ///< rates over the last step
  flexible::Columns held;        ///< rates of columns that are held; 0 elsewhere
  flexible::Columns pushed;      ///< A v+ without impulses of the problem
  flexible::Columns momenta;     ///< the same without what is held
  Eigen::VectorXd free;          ///< u without them, of a solid
  flexible::Columns free_rates;  ///< rates without them
  flexible::Columns moved;       ///< rates that the problem gives
  flexible::Columns drift;       ///< the same with gaps mended
  MovingSurface surface;         ///< moves with the drift
  std::vector<BentPush> pushes;  ///< of forces that are no rows
  double task = 0;               ///< of a sheet: what forces do to its nodes in the kick, m/s

  void follow_drift();
  void stop();
  bool is_sheet() const { return surface.body->is_sheet(); }
  /// Its slots in the problem, in their order; `place` is that of the body.
  int slot(int place, int k) const { return k == 0 ? place : first_more + k - 1; }
};

/// A body in it.
struct AttemptBody {
  double kick = 0;                    ///< from the middle of the last step to that of this, s
  double last_step = 0;               ///< s
  impulse::Inertia inertia;           ///< where the step begins
  impulse::Twist before;              ///< velocities over the last step
  Vec3 force = Vec3::Zero();          ///< of all but contacts and joints, N
  Vec3 torque = Vec3::Zero();         ///< N m
  Vec3 free_velocity = Vec3::Zero();  ///< with these alone
  Vec3 free_momentum = Vec3::Zero();  ///< angular
  Vec3 turning = Vec3::Zero();        ///< by how much the middle of the step turns otherwise, rad/s
  impulse::Twist moved;               ///< velocities that the problem gives
  impulse::Twist drift;               ///< the same with gaps mended: how the body moves
  bool is_stopped = false;
  std::optional<DragKick> drag;  ///< of a rigid body in a medium
  std::shared_ptr<AttemptBent> bent;

  /// What impulses of the problem find.
  const impulse::Inertia& yields() const { return drag ? drag->yields() : inertia; }
  /// What forces give without contacts and joints.
  Vec3 acceleration() const {
    return drag ? drag->acceleration(force) : inertia.inverse_mass * force;
  }
  Vec3 angular_acceleration() const {
    return inertia.inverse_inertia * (drag ? drag->slowed(torque) : torque);
  }

  /// A kick is shorter than half of the step that it begins where the last step was cut before its
  /// middle, as it may be after no time at all: then what contacts give in it, over its length,
  /// says nothing of their forces.
  double told_over(double h) const { return std::max(kick, 0.5 * h); }

  /// Of those just before and just after the instant where the steps meet: forces act for half of
  /// the last step before it and for half of this one after it.
  Vec3 mean_velocity(double h) const {
    return 0.5 * (before.linear + moved.linear) +
           0.25 * (last_step - h) * inertia.inverse_mass * force;
  }
  Vec3 mean_spin(double h) const {
    return 0.5 * (before.angular + spin_of(moved)) +
           0.25 * (last_step - h) * (inertia.inverse_inertia * torque);
  }
  Vec3 spin_of(const impulse::Twist& twist) const { return twist.angular - turning; }
  Vec3 momentum_after() const {
    if (is_stopped) return Vec3::Zero();
    return free_momentum + inertia.inverse_inertia.inverse() *
                               (spin_of(moved) - inertia.inverse_inertia * free_momentum);
  }
};

/// A body, of the island or not, as a pair sees it.
struct Side {
  int place = -1;  ///< in the island; -1: it does not yield
  Pose pose;
  impulse::Twist velocity;
  impulse::Twist drift;

  Vec3 arm(const Vec3& carried) const { return pose.orientation * carried; }
  Vec3 velocity_at(const Vec3& carried) const {
    return velocity.linear + velocity.angular.cross(arm(carried));
  }
  Vec3 drift_at(const Vec3& carried) const {
    return drift.linear + drift.angular.cross(arm(carried));
  }
};

/// A pair that was not proven apart, and from when on.
struct Failure {
  std::size_t pair = 0;
  double time = 0;
  BentPair::Approach approach;  ///< of a body that bends
};

struct ContactRows {
  std::size_t pair = 0, contact = 0;
  int block = 0;
  double given = 0;  ///< what bodies that do not yield move the normal row by, m/s; if one bends
};

struct HoldRows {
  int place = 0;  ///< of the sheet
  int hold = 0;   ///< of those that the sheet has
  int block = 0;
};

struct SpringRows {
  int force = 0;  ///< of the model
  int block = -1;
  std::vector<Vec3> axes;  ///< of its rows
};

struct JointRows {
  JointIndex joint = 0;
  int block = -1;       ///< of the equalities
  int coordinate = -1;  ///< first block of limits and motor, -1 without; then to `end`
  int end = 0;
  std::vector<double> left_open;  ///< what its rows are to be where the step ends
};

/// A step of an island from t on, of length h.
struct Attempt {
  Attempt(const IslandMembers& members, IslandAccount& its_account, double begin, double length)
      : island(members), account(its_account), t(begin), h(length) {}

  const IslandMembers& island;
  IslandAccount& account;
  double t = 0, h = 0;
  std::vector<AttemptBody> bodies;                 ///< by place
  integrate::Balance rates;                        ///< of forces
  std::vector<std::vector<StepContact>> contacts;  ///< by pair
  std::vector<bool> looks_past;                    ///< by pair of rigid bodies
  law::StepProblem problem;
  std::vector<ContactRows> contact_rows;
  std::vector<JointRows> joint_rows;
  std::vector<HoldRows> hold_rows;
  std::vector<SpringRows> spring_rows;
  int first_yielding = 0;  ///< slots from here on are no bodies, but what springs yield by
  double gap_bound = 0;

  const model::Model& model() const { return island.model(); }
  SteppedBody& stepped(std::size_t place) const { return island.body(place); }
  Side side_of(BodyIndex body) const;
  motion::BodyPath path_of(BodyIndex body) const;
  /// What earlier steps left open of joints is closed within a whole step, and gaps are opened over
  /// one, however short this one is. Closed faster, joints would give energy; opened faster, a body
  /// that lies flat would be turned down onto its other side, the faster the shorter the step.
  double mending_time() const { return std::max(h, model::step_length(model().solver)); }

  /// Whether bodies would pass what is in their way now.
  bool looks_past_any() const {
    return std::find(looks_past.begin(), looks_past.end(), true) != looks_past.end();
  }
  bool acts_on_bent(const law::StepBlock& block) const {
    return std::any_of(block.slots.begin(), block.slots.end(), [&](int place) {
      return place != impulse::immovable && bodies[place].bent;
    });
  }
  /// Whether no body of it has been stepped before.
  bool is_first() const {
    return std::none_of(bodies.begin(), bodies.end(),
                        [](const AttemptBody& body) { return body.bent || body.last_step != 0; });
  }
  /// Adds what a row of a block does to rigid bodies, by place.
  void push(const law::StepBlock& block, int i, double size, std::vector<Push>& pushes) const {
    for (const int side : {0, 1}) {
      const int place = block.slots[side];
      if (place == impulse::immovable || bodies[place].bent) continue;
      const body::RowSide& row = problem.rows[block.first + i].sides[side];
      pushes[place].add(size * row.linear, size * row.angular);
    }
  }
  /// All impulses of the problem so.
  std::vector<Push> pushes() const {
    std::vector<Push> all(bodies.size());
    for (const law::StepBlock& block : problem.blocks)
      for (int i = 0; i < block.rows; ++i)
        push(block, i, problem.rows[block.first + i].impulse, all);
    return all;
  }
  /// By place: whether an impulse of the problem acts on it.
  std::vector<bool> touched() const {
    std::vector<bool> touched(bodies.size(), false);
    for (const law::StepBlock& block : problem.blocks)
      for (int i = 0; i < block.rows; ++i)
        for (const int place : block.slots)
          if (place != impulse::immovable && problem.rows[block.first + i].impulse != 0)
            touched[place] = true;
    return touched;
  }
};

}  // namespace abut::clock
