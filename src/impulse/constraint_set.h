#pragma once
// All that constrains the bodies of an island: contacts, joint limits that are met, motors of
// limited force that keep their speed, joints, motors that nothing can stop, and the slip of
// contacts with friction, two rows each. Their rows, at any instant and always in that order, are
// what impulses, forces and projections work on.

#include <span>
#include <vector>

#include "contact/contact.h"
#include "impulse/row_system.h"
#include "joint/rows.h"
#include "model/model.h"

namespace abut::impulse {

/// A body that does not yield, fixed or scripted (or the world), at an instant.
struct Support {
  body::RigidMotion motion;
  Twist acceleration;
};

/// The bodies of an island at an instant, and those around it that do not yield.
struct BodiesNow {
  std::span<const body::RigidMotion> moving;  ///< by slot
  std::span<const Support> supports;          ///< in the order of ConstraintSet::supports()
};

/// A joint coordinate that has met one of its limits.
struct MetLimit {
  JointIndex joint = 0;
  bool is_upper = false;
  bool operator==(const MetLimit&) const = default;
};

/// What a motor does. One of limited force keeps its speed, or pushes as hard as it can; one that
/// nothing can stop has arrived where it has driven its joint to a limit, and holds it there.
enum class Drive { keeps, pushes_forward, pushes_back, arrived };
struct MotorDrive {
  JointIndex joint = 0;
  Drive drive = Drive::keeps;
};
inline bool pushes(const MotorDrive& motor) {
  return motor.drive == Drive::pushes_forward || motor.drive == Drive::pushes_back;
}

/// Whether the joint has a motor without a greatest force.
bool is_unstoppable(const joint::Joint& joint);
/// Whether such a motor drives its joint to that limit.
bool drives_to(const joint::Joint& joint, bool is_upper);

/// The rows of a set at an instant.
struct RowsNow {
  std::vector<SystemRow> rows;
  std::vector<contact::ContactNow> contacts;
};

class ConstraintSet {
 public:
  ConstraintSet() = default;
  /// `bodies` are those of the island, ascending. Motors that push are no constraint and are left
  /// out; unlimited ones are found by themselves, and of these `motors` tells which have arrived.
  ConstraintSet(const model::Model& model, const std::vector<BodyIndex>& bodies,
                std::vector<contact::Contact> contacts, std::vector<MetLimit> limits,
                const std::vector<MotorDrive>& motors, std::vector<JointIndex> joints);

  bool empty() const { return row_count_ == 0; }
  int row_count() const { return row_count_; }
  int contact_count() const { return static_cast<int>(contacts_.size()); }
  int limit_count() const { return static_cast<int>(limits_.size()); }
  /// Motors that keep their speed with a limited force.
  int motor_count() const { return static_cast<int>(motors_.size()); }
  /// Rows before this one are contacts and limits, whose multipliers are not negative; then come
  /// motors.
  int first_motor() const { return contact_count() + limit_count(); }
  int first_equality() const { return first_motor() + motor_count(); }
  /// After the joints: the rows of slip.
  int first_tangent() const { return first_tangent_; }
  bool has_friction() const { return first_tangent_ < row_count_; }
  /// The contact that a row of slip belongs to.
  int contact_of_tangent(int row) const { return rough_[(row - first_tangent_) / 2]; }
  /// Of a contact, the first of its two rows of slip; -1 if it has no friction.
  int tangent_of(int contact) const { return tangent_of_[contact]; }
  /// Least and greatest multipliers of the rows before first_equality().
  Vector lower_bounds() const;
  Vector upper_bounds() const;

  const Vec3& gravity() const { return model_->gravity; }
  const std::vector<contact::Contact>& contacts() const { return contacts_; }
  const std::vector<MetLimit>& limits() const { return limits_; }
  const std::vector<JointIndex>& motors() const { return motors_; }
  const std::vector<JointIndex>& joints() const { return joints_; }
  /// Whether the joint is held at its limit by a motor that nothing can stop.
  bool has_arrived(JointIndex joint) const;
  /// The row of that motor, of the joint at position `i` of joints().
  int row_of_arrival(int i) const;
  const std::vector<BodyIndex>& supports() const { return supports_; }

  /// Lets a corner that sticks on a face stay where it is.
  void anchor(int contact, const BodiesNow& bodies);

  RowsNow evaluate(const BodiesNow& bodies) const;
  /// The same for some of the rows; `contacts` is left empty.
  RowsNow evaluate(const BodiesNow& bodies, std::span<const int> rows) const;
  contact::ContactNow contact_now(int contact, const BodiesNow& bodies) const;

  /// What the joint at position `i` of joints() transmits, for multipliers by row, and a `push`
  /// along its coordinate besides.
  JointState joint_state(int i, const BodiesNow& bodies, const Vector& multipliers,
                         double push = 0) const;
  /// The rows of that joint, with its motor's if nothing can stop it.
  std::vector<body::ConstraintRow> rows_of_joint(int i, const BodiesNow& bodies) const;
  /// The coordinate of that joint, as a row.
  body::ConstraintRow coordinate(int i, const BodiesNow& bodies, double near) const;
  std::array<int, 2> places_of_joint(int i) const { return joint_places_[i]; }

  const body::RigidMotion& motion_of_contact(const BodiesNow& bodies, int contact, int side) const {
    return motion(bodies, contact_places_[contact][side]);
  }
  /// Whether a side of a row is a support, and which.
  static int support_of(int place) { return -1 - place; }
  std::array<int, 2> places_of_row(int row) const { return places_[row]; }
  /// The speed that the row of a motor keeps; zero for all other rows.
  double speed_of_row(int row) const;

 private:
  // A body as constraints refer to it: its slot, or -1 - k for the k-th support.
  using Places = std::array<int, 2>;

  Places find_places(const std::array<BodyIndex, 2>& pair, const std::vector<BodyIndex>& bodies);
  static const body::RigidMotion& motion(const BodiesNow& bodies, int place) {
    return place >= 0 ? bodies.moving[place] : bodies.supports[support_of(place)].motion;
  }
  SystemRow system_row(int row, const body::ConstraintRow& content) const;
  std::array<body::ConstraintRow, 2> tangent_rows(int contact, const contact::ContactNow& now,
                                                  const BodiesNow& bodies) const;
  body::ConstraintRow limit_row(int limit, const BodiesNow& bodies) const;
  body::ConstraintRow motor_row(JointIndex joint, const Places& places,
                                const BodiesNow& bodies) const;
  int joint_of_row(int row) const;

  const model::Model* model_ = nullptr;
  std::vector<contact::Contact> contacts_;
  std::vector<MetLimit> limits_;
  std::vector<JointIndex> motors_;
  std::vector<JointIndex> arrived_;
  std::vector<JointIndex> joints_;
  std::vector<BodyIndex> supports_;
  std::vector<Places> contact_places_, limit_places_, motor_places_, joint_places_;
  std::vector<int> joint_rows_;  // the first row of each joint
  std::vector<Places> places_;   // by row
  std::vector<int> tangent_of_;  // by contact
  std::vector<int> rough_;       // the contacts with friction
  int first_tangent_ = 0;
  int row_count_ = 0;
};

/// Rows at rest or in motion: J a + bias of the supports, which is what a row's second derivative
/// has besides the accelerations of the bodies that yield.
Vector acceleration_bias(const ConstraintSet& set, const RowsNow& rows, const BodiesNow& bodies,
                         std::span<const int> indices);

}  // namespace abut::impulse
