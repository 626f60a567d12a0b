#include "impulse/constraint_set.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace abut::impulse {

bool is_unstoppable(const joint::Joint& joint) {
  return joint.motor && joint.motor->max_force == std::numeric_limits<double>::infinity();
}

bool drives_to(const joint::Joint& joint, bool is_upper) {
  return is_unstoppable(joint) && (is_upper ? joint.motor->speed > 0 : joint.motor->speed < 0);
}

ConstraintSet::ConstraintSet(const model::Model& model, const std::vector<BodyIndex>& bodies,
                             std::vector<contact::Contact> contacts, std::vector<MetLimit> limits,
                             const std::vector<MotorDrive>& motors, std::vector<JointIndex> joints)
    : model_(&model),
      contacts_(std::move(contacts)),
      limits_(std::move(limits)),
      joints_(std::move(joints)) {
  for (const contact::Contact& contact : contacts_) {
    contact_places_.push_back(find_places(contact.bodies, bodies));
    places_.push_back(contact_places_.back());
  }
  for (const MetLimit& limit : limits_) {
    limit_places_.push_back(find_places(model.joints[limit.joint].bodies, bodies));
    places_.push_back(limit_places_.back());
  }
  for (const MotorDrive& motor : motors) {
    if (motor.drive == Drive::arrived) arrived_.push_back(motor.joint);
    if (motor.drive != Drive::keeps) continue;
    motors_.push_back(motor.joint);
    motor_places_.push_back(find_places(model.joints[motor.joint].bodies, bodies));
    places_.push_back(motor_places_.back());
  }
  for (const JointIndex joint : joints_) {
    joint_places_.push_back(find_places(model.joints[joint].bodies, bodies));
    joint_rows_.push_back(static_cast<int>(places_.size()));
    const int rows = joint::equality_row_count(model.joints[joint].type) +
                     (is_unstoppable(model.joints[joint]) ? 1 : 0);
    places_.insert(places_.end(), rows, joint_places_.back());
  }
  first_tangent_ = static_cast<int>(places_.size());
  for (int i = 0; i < contact_count(); ++i) {
    const bool rough = contacts_[i].has_friction();
    tangent_of_.push_back(rough ? static_cast<int>(places_.size()) : -1);
    if (!rough) continue;
    rough_.push_back(i);
    places_.insert(places_.end(), 2, contact_places_[i]);
  }
  row_count_ = static_cast<int>(places_.size());
}

ConstraintSet::Places ConstraintSet::find_places(const std::array<BodyIndex, 2>& pair,
                                                 const std::vector<BodyIndex>& bodies) {
  Places places{};
  for (int side = 0; side < 2; ++side) {
    const auto slot = std::lower_bound(bodies.begin(), bodies.end(), pair[side]);
    if (slot != bodies.end() && *slot == pair[side]) {
      places[side] = static_cast<int>(slot - bodies.begin());
      continue;
    }
    auto support = std::find(supports_.begin(), supports_.end(), pair[side]);
    if (support == supports_.end()) support = supports_.insert(supports_.end(), pair[side]);
    places[side] = -1 - static_cast<int>(support - supports_.begin());
  }
  return places;
}

SystemRow ConstraintSet::system_row(int row, const body::ConstraintRow& content) const {
  const Places& places = places_[row];
  return {{std::max(places[0], immovable), std::max(places[1], immovable)}, content};
}

contact::ContactNow ConstraintSet::contact_now(int contact, const BodiesNow& bodies) const {
  return contact::evaluate(contacts_[contact], motion_of_contact(bodies, contact, 0),
                           motion_of_contact(bodies, contact, 1));
}

void ConstraintSet::anchor(int contact, const BodiesNow& bodies) {
  contact::Contact& one = contacts_[contact];
  const body::RigidMotion& face = motion_of_contact(bodies, contact, 1 - one.point_side);
  const Vec3 corner = contact_now(contact, bodies).points[one.point_side];
  one.anchor = face.pose.orientation.conjugate() * (corner - face.pose.position);
}

std::array<body::ConstraintRow, 2> ConstraintSet::tangent_rows(int contact,
                                                               const contact::ContactNow& now,
                                                               const BodiesNow& bodies) const {
  return contact::tangent_rows(contacts_[contact], now, motion_of_contact(bodies, contact, 0),
                               motion_of_contact(bodies, contact, 1));
}

// The limit as a gap that must not close.
body::ConstraintRow ConstraintSet::limit_row(int limit, const BodiesNow& bodies) const {
  const joint::Joint& joint = model_->joints[limits_[limit].joint];
  const bool is_upper = limits_[limit].is_upper;
  const double bound = (*joint.limits)[is_upper ? 1 : 0];
  const Places& places = limit_places_[limit];
  body::ConstraintRow row =
      joint::coordinate_row(joint, motion(bodies, places[0]), motion(bodies, places[1]), bound);
  row.value -= bound;
  if (!is_upper) return row;
  for (body::RowSide& side : row.sides) side = {-side.linear, -side.angular};
  row.value = -row.value;
  row.rate = -row.rate;
  row.bias = -row.bias;
  return row;
}

bool ConstraintSet::has_arrived(JointIndex joint) const {
  return std::find(arrived_.begin(), arrived_.end(), joint) != arrived_.end();
}

int ConstraintSet::row_of_arrival(int i) const {
  return joint_rows_[i] + joint::equality_row_count(model_->joints[joints_[i]].type);
}

// A motor knows no position: what it keeps is the speed. One that has arrived keeps the limit.
body::ConstraintRow ConstraintSet::motor_row(JointIndex joint, const Places& places,
                                             const BodiesNow& bodies) const {
  const joint::Joint& of = model_->joints[joint];
  const bool arrived = has_arrived(joint);
  const double bound = arrived ? (*of.limits)[of.motor->speed > 0 ? 1 : 0] : 0;
  body::ConstraintRow row =
      joint::coordinate_row(of, motion(bodies, places[0]), motion(bodies, places[1]), bound);
  row.value = arrived ? row.value - bound : 0;
  if (!arrived) row.rate -= of.motor->speed;
  return row;
}

std::vector<body::ConstraintRow> ConstraintSet::rows_of_joint(int joint,
                                                              const BodiesNow& bodies) const {
  const Places& places = joint_places_[joint];
  std::vector<body::ConstraintRow> rows;
  rows.reserve(joint::equality_row_count(model_->joints[joints_[joint]].type) + 1);
  joint::add_equality_rows(model_->joints[joints_[joint]], motion(bodies, places[0]),
                           motion(bodies, places[1]), rows);
  if (is_unstoppable(model_->joints[joints_[joint]]))
    rows.push_back(motor_row(joints_[joint], places, bodies));
  return rows;
}

// Of a row of a joint, or of a motor that nothing can stop: its place in joints().
int ConstraintSet::joint_of_row(int row) const {
  return static_cast<int>(std::upper_bound(joint_rows_.begin(), joint_rows_.end(), row) -
                          joint_rows_.begin() - 1);
}

double ConstraintSet::speed_of_row(int row) const {
  if (row < first_motor() || row >= first_tangent_) return 0;
  if (row < first_equality()) return model_->joints[motors_[row - first_motor()]].motor->speed;
  const int joint = joint_of_row(row);
  const joint::Joint& of = model_->joints[joints_[joint]];
  const bool drives = row - joint_rows_[joint] == joint::equality_row_count(of.type);
  return drives && !has_arrived(joints_[joint]) ? of.motor->speed : 0;
}

Vector ConstraintSet::lower_bounds() const {
  Vector bounds = Vector::Zero(first_equality());
  for (int i = 0; i < motor_count(); ++i)
    bounds[first_motor() + i] = -model_->joints[motors_[i]].motor->max_force;
  return bounds;
}

Vector ConstraintSet::upper_bounds() const {
  Vector bounds = Vector::Constant(first_equality(), std::numeric_limits<double>::infinity());
  for (int i = 0; i < motor_count(); ++i)
    bounds[first_motor() + i] = model_->joints[motors_[i]].motor->max_force;
  return bounds;
}

RowsNow ConstraintSet::evaluate(const BodiesNow& bodies) const {
  RowsNow now;
  now.rows.reserve(row_count_);
  int index = 0;
  for (int i = 0; i < contact_count(); ++i) {
    now.contacts.push_back(contact_now(i, bodies));
    now.rows.push_back(system_row(index++, now.contacts.back().row));
  }
  for (int i = 0; i < limit_count(); ++i)
    now.rows.push_back(system_row(index++, limit_row(i, bodies)));
  for (int i = 0; i < motor_count(); ++i)
    now.rows.push_back(system_row(index++, motor_row(motors_[i], motor_places_[i], bodies)));
  for (int i = 0; i < static_cast<int>(joints_.size()); ++i)
    for (const body::ConstraintRow& row : rows_of_joint(i, bodies))
      now.rows.push_back(system_row(index++, row));
  for (const int contact : rough_)
    for (const body::ConstraintRow& row : tangent_rows(contact, now.contacts[contact], bodies))
      now.rows.push_back(system_row(index++, row));
  return now;
}

RowsNow ConstraintSet::evaluate(const BodiesNow& bodies, std::span<const int> rows) const {
  RowsNow now;
  now.rows.reserve(rows.size());
  // A contact's row and its rows of slip come of one look at its place, which is what costs.
  std::vector<std::optional<contact::ContactNow>> seen(contact_count());
  const auto look_at = [&](int contact) -> const contact::ContactNow& {
    if (!seen[contact]) seen[contact] = contact_now(contact, bodies);
    return *seen[contact];
  };
  std::vector<body::ConstraintRow> of_joint;
  int evaluated = -1;  // the joint whose rows are in of_joint
  for (const int row : rows) {
    if (row < contact_count()) {
      now.rows.push_back(system_row(row, look_at(row).row));
    } else if (row < first_motor()) {
      now.rows.push_back(system_row(row, limit_row(row - contact_count(), bodies)));
    } else if (row < first_equality()) {
      const int motor = row - first_motor();
      now.rows.push_back(system_row(row, motor_row(motors_[motor], motor_places_[motor], bodies)));
    } else if (row >= first_tangent_) {
      const int contact = contact_of_tangent(row);
      const auto pair = tangent_rows(contact, look_at(contact), bodies);
      now.rows.push_back(system_row(row, pair[(row - first_tangent_) % 2]));
    } else {
      const int joint = joint_of_row(row);
      if (joint != evaluated) of_joint = rows_of_joint(joint, bodies);
      evaluated = joint;
      now.rows.push_back(system_row(row, of_joint[row - joint_rows_[joint]]));
    }
  }
  return now;
}

JointState ConstraintSet::joint_state(int i, const BodiesNow& bodies, const Vector& multipliers,
                                      double push) const {
  const joint::Joint& joint = model_->joints[joints_[i]];
  const body::RigidMotion& a = motion(bodies, joint_places_[i][0]);
  const body::RigidMotion& b = motion(bodies, joint_places_[i][1]);
  const int count = joint::equality_row_count(joint.type);
  std::vector<double> forces(multipliers.data() + joint_rows_[i],
                             multipliers.data() + joint_rows_[i] + count);
  double along_coordinate = push;
  if (is_unstoppable(joint)) along_coordinate += multipliers[joint_rows_[i] + count];
  for (int l = 0; l < limit_count(); ++l)
    if (limits_[l].joint == joints_[i])
      along_coordinate += (limits_[l].is_upper ? -1 : 1) * multipliers[contact_count() + l];
  for (int m = 0; m < motor_count(); ++m)
    if (motors_[m] == joints_[i]) along_coordinate += multipliers[first_motor() + m];
  if (along_coordinate != 0) forces.push_back(along_coordinate);
  const joint::Reaction reaction = joint::reaction(joint, a, b, forces);
  JointState state;
  state.joint = joints_[i];
  state.force = reaction.force;
  state.torque = reaction.torque;
  state.gap = joint::anchor_gap(joint, a, b);
  return state;
}

body::ConstraintRow ConstraintSet::coordinate(int i, const BodiesNow& bodies, double near) const {
  return joint::coordinate_row(model_->joints[joints_[i]], motion(bodies, joint_places_[i][0]),
                               motion(bodies, joint_places_[i][1]), near);
}

Vector acceleration_bias(const ConstraintSet& set, const RowsNow& rows, const BodiesNow& bodies,
                         std::span<const int> indices) {
  Vector bias(rows.rows.size());
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const int row = indices.empty() ? static_cast<int>(i) : indices[i];
    bias[i] = rows.rows[i].row.bias;
    const std::array<int, 2> places = set.places_of_row(row);
    for (int side = 0; side < 2; ++side) {
      if (places[side] >= 0) continue;
      const Twist& acceleration =
          bodies.supports[ConstraintSet::support_of(places[side])].acceleration;
      bias[i] += rows.rows[i].row.sides[side](acceleration.linear, acceleration.angular);
    }
  }
  return bias;
}

}  // namespace abut::impulse
