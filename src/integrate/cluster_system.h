#pragma once
// The equations of motion of a cluster, as the integrator sees them:
//
//     c' = v            q' = (0, omega) q / 2        omega = R I^-1 R^T L
//     v' = g + F / m    L' = T
//
// with F and T the sums of forces and of torques about the centre of mass. Angular momentum is a
// state of its own, so that without torque it is constant to the last bit.
//
// Contacts and joints are held by forces that keep their second derivatives at zero, those of the
// rows that carry the forces where the motion began anew (force/active_set.h). What integration
// errors leave of their values and rates is projected away after each step, in the mass metric.
//
// Friction that sticks is held like a joint. Friction that slides makes the force of its contact
// lean, against the slip of the moment. Where something slides, forces that are not unique change
// the motion; where nothing does, only who bears how much.

#include <vector>

#include "force/active_set.h"
#include "force/sharing.h"
#include "force/slip.h"
#include "integrate/contact_springs.h"
#include "integrate/forces.h"
#include "ode/system.h"

namespace abut::integrate {

/// An acceleration is zero up to this fraction of the largest one (dimensionless): the accuracy of
/// the solver of the rows on badly conditioned clusters.
inline constexpr double acceleration_rounding = 1e-9;

class ClusterSystem final : public ode::System {
 public:
  ClusterSystem(const model::Model& model, const Scripts& scripts, Cluster cluster);

  int dimension() const override;
  void derivative(double t, const ode::Vector& y, ode::Vector& rate) override;
  double error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                    double h) const override;
  void project(double t0, const ode::Vector& y0, double t1, ode::Vector& y1) override;
  /// The fastest rate of a held contact that the last projection took away, m/s.
  double rate_removed() const { return rate_removed_; }
  /// No point of a body is faster than this, m/s.
  double fastest(const ode::Vector& y) const;

  /// Says that the motion is smooth from the state y at t until `smooth_until`: at that instant the
  /// limits from before are taken. To be called whenever the state was changed from outside. Finds
  /// the rows that carry the forces of contacts and joints.
  void begin_smooth_motion(double t, const ode::Vector& y, double smooth_until);

  const model::Model& model() const { return *model_; }
  const Cluster& cluster() const { return cluster_; }
  int body_count() const { return static_cast<int>(cluster_.bodies.size()); }
  const body::Mass& mass(int slot) const { return slots_[slot].body->mass; }
  bool keeps_balance() const {
    return !laws_.empty() || !springs_.empty() || !constraints_.empty();
  }

  const impulse::ConstraintSet& constraints() const { return constraints_; }
  const ContactSprings& springs() const { return springs_; }
  /// One spring at an instant, or all of them.
  ContactSprings::Now spring(int i, double t, const ode::Vector& y);
  std::vector<ContactSprings::Now> springs_now(double t, const ode::Vector& y);
  /// The phase of a spring ends at t: it takes up the one that can last, with others whose phase
  /// ends at the same time.
  void turn_spring(int i, double t, const ode::Vector& y);
  /// As found where the motion began.
  const force::ContactForces& first_forces() const { return first_forces_; }
  bool has_unique_forces() const;
  /// Takes a row out of those that are held, if it had no force where the motion began.
  bool let_go(int row);
  /// What friction does, by contact; where contacts slide, along what direction at the last
  /// instant that follow_slip() was told of.
  const std::vector<force::ContactGrip>& grips() const { return grips_; }
  bool slides() const { return slides_; }
  /// Takes from the state what rows that are held here have of rates: meetings leave them what
  /// counts as none, and the end of the first step would tell it from rest. What the joints
  /// transmit for that, as impulses, if any rate is larger than `least` (m/s or rad/s).
  std::vector<JointState> hold_rates(double t, ode::Vector& y, double least);
  /// To be called at the beginning of each step.
  void follow_slip(double t, const ode::Vector& y);
  /// What the accelerations of the rows would be there without forces of contacts and joints.
  const impulse::Vector& free_accelerations() const { return first_forces_.free; }
  /// The rows of contacts, limits and joints at an instant, and the forces that hold them: of the
  /// rows that carry any, zero of the others.
  struct Held {
    impulse::RowsNow rows;
    impulse::Vector forces;
    impulse::Vector accelerations;
    std::vector<double> margins;     ///< by contact: how far it is within its features, m
    std::vector<force::Slip> slips;  ///< by contact; zero without friction
  };
  Held held(double t, motion::Side side, const ode::Vector& y);
  /// Of `held` what one contact has without any forces: its slip, and how far it is within its
  /// features.
  force::Slip slip_at(double t, const ode::Vector& y, int contact);
  double margin_at(double t, const ode::Vector& y, int contact);
  /// Looks for other forces that hold all that is held, where those followed so far are not allowed
  /// any more; false if there are none. Where nothing slides the motion stays the same, otherwise
  /// it must be integrated anew.
  /// From `from` on, the others count; before, what was followed then.
  bool share_anew(double t, const ode::Vector& y, double from);
  /// The first contact whose slip is too slow for its direction to be followed, under gravity or
  /// under the load that it bears, and that is not guided; -1: none.
  int creeping_contact(double t, const ode::Vector& y);
  /// Up to which speed, m/s, friction under gravity or under a load, N, would stop the slip of a
  /// contact within no time, for the instant evaluated last.
  double stopping_speed(int contact, double force) const;
  /// The contacts that no force keeps closed at an instant, and that open; and those that no
  /// friction keeps from slipping, with the directions in which they begin to.
  struct Changes {
    std::vector<int> opening;
    std::vector<std::pair<int, Vec3>> slipping;
    bool only_shares = false;  ///< other forces hold all that is held
  };
  Changes changes(double t, const ode::Vector& y);
  /// What is reported of the contacts and joints: forces of least norm where they are not unique.
  void report(double t, motion::Side side, const ode::Vector& y,
              std::vector<ContactState>& contacts, std::vector<JointState>& joints);
  /// Puts the bodies where they are at t, for what follows.
  void place_bodies(double t, const ode::Vector& y) { evaluate_free_forces(t, side_at(t), y); }
  /// The coordinate of a joint of the cluster, as a row, for the instant evaluated last.
  body::ConstraintRow coordinate(int joint, double near) const {
    return constraints_.coordinate(joint, bodies_now(), near);
  }
  /// What a joint bears, for the instant evaluated last.
  JointState joint_load(int joint, const impulse::Vector& forces) const {
    return constraints_.joint_state(joint, bodies_now(), forces, push_at(joint));
  }
  /// How independent the rows that carry forces are (impulse::RowSolver::independence).
  double independence(double t, const ode::Vector& y);
  /// Whether other rows than those chosen where the motion began would carry the forces far better
  /// by now.
  bool prefers_other_rows(double t, const ode::Vector& y);
  /// Whether the joints are closed and move as they must.
  bool joints_hold(double t, const ode::Vector& y);
  /// Whether rows of joints that the others implied where the motion began, such as some of a
  /// closed loop of hinges, are not implied any more.
  bool implied_rows_awake(double t, const ode::Vector& y);
  /// Whether nothing moves, and nothing will while the motion is smooth.
  bool is_at_rest(double t, const ode::Vector& y);
  /// Takes out what is left of motion in the state of a cluster at rest, and in its rate.
  void stop(ode::Vector& y, ode::Vector& rate) const;
  /// Some contacts where the state is y.
  std::vector<contact::ContactNow> contacts_at(double t, const ode::Vector& y,
                                               const std::vector<int>& contacts);
  /// The motion frame of a body that does not yield.
  Pose support_pose(BodyIndex body, double t) const;
  /// What prescribes the motion of a body, or of the world; null: nothing.
  const motion::ScriptMotion* script(BodyIndex body) const {
    return body == world ? nullptr : (*scripts_)[static_cast<std::size_t>(body)].get();
  }
  /// Where limits are taken at t: before the end of smooth motion, or from before at its end.
  motion::Side side_at(double t) const;

  /// The vector of the given states, by slot, with an empty balance.
  ode::Vector state_vector(const std::vector<body::RigidState>& states) const;

  /// The running balance in y; zero where none is kept.
  Balance balance(const ode::Vector& y) const;
  /// Kinetic, potential and elastic energy; the book's other columns stay zero.
  Energy energy(double t, motion::Side side, const ode::Vector& y);
  /// Writes what is recorded of the cluster's bodies to their places in `bodies` (model order).
  void write_states(double t, motion::Side side, const ode::Vector& y,
                    std::vector<BodyState>& bodies);
  Momentum momentum(const ode::Vector& y) const;

 private:
  struct Slot {
    const model::Body* body = nullptr;
    bool torque_free = false;
    double rotational_energy = 0;  // of a torque-free body, constant while the motion is smooth
  };

  // What was followed up to a time, where something slides: reports may ask for it later.
  struct EarlierShare {
    double until = 0;
    impulse::Vector reference;
    std::vector<int> carriers, guides;
  };

  bool may_rest() const;
  void restore_energy(const Slot& slot, body::RigidState& state) const;
  void list_rows();
  /// Two rows of slip of a contact at the instant evaluated last, and the slip.
  std::pair<impulse::RowsNow, force::Slip> slip_now(int contact) const;
  double margin_of(int contact, const contact::ContactNow& now) const;
  double kept_gap(int contact) const {
    return std::max(rest_gap_, constraints_.contacts()[contact].kept_gap);
  }
  /// The slip of a contact, counted from what was left of it where it began.
  force::Slip slip_from_rest(int contact, const impulse::SystemRow* tangents) const;
  double largest_acceleration(const force::ContactForces& found) const;
  bool holds_all(const force::ContactForces& found) const;
  void keep_sticking(int contact, const force::ContactForces& found);
  void add_friction(int contact, const impulse::RowsNow& rows, const impulse::Vector& forces,
                    ContactState& state) const;
  void swap_share(EarlierShare& share);
  /// Puts what was followed at t in place of what is followed now, for as long as it lives.
  class ShareAt;
  /// How rows that are held accelerate in spite of forces, by row; empty where these hold them.
  impulse::Vector left_to_hold(const impulse::RowsNow& rows, const impulse::Vector& forces) const;
  impulse::Vector forces_to_report(double t, const ode::Vector& y, const impulse::RowsNow& rows);
  impulse::Vector frictionless_forces_to_report(double t, motion::Side side, const ode::Vector& y,
                                                const impulse::RowsNow& rows);
  void release_springs(const std::vector<int>& deepest, double t, const ode::Vector& y);
  void observe(const ode::Vector& y);
  void observe_supports(double t, motion::Side side);
  impulse::BodiesNow bodies_now() const { return {motions_, supports_}; }
  /// The forces of laws and gravity, and the accelerations they would cause alone.
  void evaluate_free_forces(double t, motion::Side side, const ode::Vector& y);
  /// All forces.
  void evaluate_forces(double t, motion::Side side, const ode::Vector& y);
  void add_constraint_forces();
  void add_forces_of_sliding_cluster();
  void add_force(int row, const impulse::SystemRow& content, double force);
  /// Rows (ascending; empty: all) with the lean of contacts that slide.
  impulse::RowsNow leaning_rows(const std::vector<int>& rows) const;
  /// With friction, at the instant evaluated last: the system of the active rows, given their
  /// content, and the forces by active row.
  struct Shared {
    impulse::RowSystem system;
    impulse::Vector forces;
  };
  Shared shared_forces(impulse::RowsNow active_rows);
  /// The same from all rows, the forces by row.
  Shared shared_forces_of(const impulse::RowsNow& rows);
  void push(const impulse::MotorDrive& motor);
  double force_of(const impulse::MotorDrive& motor) const;
  double push_at(int joint) const;
  void add_row_force(const std::array<body::RowSide, 2>& sides, const std::array<int, 2>& places,
                     double force);
  double power_of_row(int row, const impulse::SystemRow& content, double force) const;
  static impulse::Vector solve_rows(impulse::RowSolver& solver, const impulse::RowSystem& system,
                                    const impulse::Vector& target);
  static impulse::Vector least_change(impulse::RowSolver& solver, const impulse::RowSystem& system,
                                      const impulse::Vector& missing);
  void project_positions(double t1, ode::Vector& y1);
  /// The rates that are taken out, and the impulses that do it, by row of the basis.
  struct Halted {
    impulse::Vector rates, impulses;
  };
  Halted project_velocities(double t1, ode::Vector& y1);
  std::vector<JointState> joint_impulses(const Halted& halted, double least) const;
  /// The rows that are held, with the lean of contacts that slide.
  std::vector<impulse::SystemRow> held_rows(double t, const ode::Vector& y);
  void carry_places_over(double t0, const ode::Vector& y0, double t1, ode::Vector& y1);
  void take_impulses(const impulse::RowSystem& pushes, const impulse::Vector& impulses,
                     ode::Vector& y);
  double rate_removed_ = 0;

  const model::Model* model_;
  const Scripts* scripts_;
  Vec3 gravity_;
  double tolerance_;
  Cluster cluster_;
  ForceLaws laws_;
  ContactSprings springs_;
  impulse::ConstraintSet constraints_;
  std::vector<int> every_row_;
  double rest_gap_;  // that contacts are kept at if they can be, m
  std::vector<Slot> slots_;
  double smooth_until_ = 0;
  force::ContactForces first_forces_;
  std::vector<int> basis_;                 // rows of the constraints that carry forces
  std::vector<int> implied_;               // rows of joints that carry none
  std::vector<int> placed_;                // of the basis, the rows that know positions
  std::vector<force::ContactGrip> grips_;  // by contact
  bool touches_curved_ = false;
  bool slides_ = false;
  bool continues_slip_ = false;   // beyond where it stops, within a step that is being tried
  std::vector<int> active_;       // with friction: all rows that forces need
  force::Carrying carrying_;      // their places among the active ones
  force::AllowedForces allowed_;  // of the active rows
  force::Sharing sharing_;
  impulse::Vector reference_;  // forces that those followed stay near to, where not unique
  std::vector<EarlierShare> earlier_shares_;  // in the order of time
  impulse::RowSolver solver_, placing_solver_;

  // Scratch of the last evaluation.
  std::vector<MovingBody> moving_;
  std::vector<Wrench> wrenches_;
  std::vector<double> loads_;  // sizes of the forces in wrenches_, N
  Balance rates_;
  std::vector<body::RigidMotion> motions_;
  std::vector<impulse::Support> supports_;
  std::vector<impulse::Inertia> inertias_;
  std::vector<impulse::Twist> free_;
  impulse::Vector basis_forces_;
};

}  // namespace abut::integrate
