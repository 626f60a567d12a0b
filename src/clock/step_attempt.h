#pragma once
// A step of an island while it is tried.

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "clock/bent_pair.h"
#include "clock/drag_kick.h"
#include "clock/implicit_forces.h"
#include "clock/step_island.h"
#include "flexible/material_frame.h"

namespace abut::clock {

/// Of the kept gap (dimensionless): up to here a contact is closed, and restitution acts.
inline constexpr double closed_fraction = 1.25;

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

  void follow_drift();
  void stop();
  bool is_sheet() const { return surface.body->is_sheet(); }
  /// Its slots in the problem, in their order; `place` is that of the body.
  int slot(int place, int k) const { return k == 0 ? place : first_more + k - 1; }
};

/// One side of a block of rows, as the slots of the problem see it.
struct BlockSide {
  struct Part {
    int slot = 0;
    std::array<body::RowSide, 6> rows;
  };
  struct Node {
    int node = 0;
    std::array<Vec3, 6> rows;
  };
  int place = impulse::immovable;  ///< the body's first slot
  std::vector<Part> parts;         ///< also of what does not yield: supports work through it
  std::vector<Node> nodes;         ///< of a sheet
  std::array<double, 6> given{};   ///< what a body that does not yield moves the rows by, m/s
};

/// Appends a block with its rows, which have what is given as bias; its index.
int append_block(law::StepProblem& problem, law::StepBlock block,
                 const std::array<BlockSide, 2>& sides);

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

/// The motion frame of the carrier of a body that bends, which a joint holds.
Pose carrier_pose(const model::Model& model, const joint::Joint& joint, int side,
                  const flexible::Columns& columns);
/// Sets the velocities of all slots of a body that bends to those without impulses.
void set_free(const AttemptBody& body, int place, law::StepProblem& problem);
/// Where the point that holds a node of a sheet is, for the motion frame of its body.
Vec3 hold_place(const model::Model& model, const model::Bending& bending, const model::Hold& hold,
                const Pose& motion_pose);
/// The material point at x; of a sheet, the node nearest to it.
std::vector<flexible::ColumnWeight> weights_near(const flexible::BendingBody& body,
                                                 const flexible::Columns& columns, const Vec3& x);

/// Kinetic, elastic and in the field of gravity, J.
double bent_energy(const model::Model& model, const flexible::BendingBody& body,
                   const flexible::State& state);
/// What gravity and damping do in a piece of a flight from its beginning to t.
integrate::Balance flight_balance(const model::Model& model, const flexible::BendingBody& body,
                                  const BentPiece& piece, double t);
/// Sets the rigid motion of a body that bends to the one that fits best.
void fit_rigid(const body::Mass& mass, SteppedBody& body);

/// The steady spin over a step in which the angular momentum L stays what it is: that of the
/// middle, omega = I(q)^-1 L with q half a step on (implicit midpoint rule), which keeps the energy
/// of free rotation without drift.
Vec3 middle_spin(const body::Mass& mass, const Quat& attitude, const Vec3& momentum, double h);

/// A body, of the island or not, as a pair sees it.
struct StepIsland::Side {
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
struct StepIsland::Failure {
  std::size_t pair = 0;
  double time = 0;
  BentPair::Approach approach;  ///< of a body that bends
};

struct StepIsland::ContactRows {
  std::size_t pair = 0, contact = 0;
  int block = 0;
  double given = 0;  ///< what bodies that do not yield move the normal row by, m/s; if one bends
};

/// One side of a row: a point of a body that bends, of a rigid one, or of the world.
struct StepIsland::PointSide {
  int place = -1;
  const AttemptBent* bent = nullptr;
  std::vector<flexible::ColumnWeight> weights;
  Vec3 arm = Vec3::Zero();  ///< world axes
  impulse::Twist velocity;  ///< of a body that does not yield
  double sign = 1;

  /// Rows of its velocity along axes.
  BlockSide along(std::span<const Vec3> axes) const;
};

/// A body of a joint, by the frame that the joint's rows are said of.
struct StepIsland::JointSide {
  int place = -1;
  Pose pose;                ///< its motion frame; of a body that bends, that of its carrier
  impulse::Twist velocity;  ///< of a body that does not yield
  const AttemptBent* bent = nullptr;
  std::optional<flexible::MaterialFrame> frame;  ///< of a body that bends

  /// What one side of each row does to it.
  BlockSide of(std::span<const body::ConstraintRow> rows, int side) const;
  /// The generalised force of one side of a row on a body that bends.
  flexible::Columns generalised(const body::RowSide& row) const;
};

struct StepIsland::HoldRows {
  int place = 0;  ///< of the sheet
  int hold = 0;   ///< of those that the sheet has
  int block = 0;
};

struct StepIsland::SpringRows {
  int force = 0;  ///< of the model
  int block = -1;
  std::vector<Vec3> axes;  ///< of its rows
};

struct StepIsland::Attempt {
  using ContactRows = StepIsland::ContactRows;
  using HoldRows = StepIsland::HoldRows;
  using SpringRows = StepIsland::SpringRows;
  struct JointRows {
    JointIndex joint = 0;
    int block = -1;       ///< of the equalities
    int coordinate = -1;  ///< first block of limits and motor, -1 without; then to `end`
    int end = 0;
    std::vector<double> left_open;  ///< what its rows are to be where the step ends
  };

  double t = 0, h = 0;
  std::vector<AttemptBody> bodies;                 ///< by place
  integrate::Balance rates;                        ///< of forces
  std::vector<std::vector<StepContact>> contacts;  ///< by pair
  law::StepProblem problem;
  std::vector<ContactRows> contact_rows;
  std::vector<JointRows> joint_rows;
  std::vector<HoldRows> hold_rows;
  std::vector<SpringRows> spring_rows;
  int first_yielding = 0;  ///< slots from here on are no bodies, but what springs yield by
  double gap_bound = 0;

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
