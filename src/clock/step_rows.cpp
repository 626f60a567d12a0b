#include "clock/step_rows.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/bent_joints.h"
#include "clock/bent_rows.h"
#include "clock/implicit_springs.h"
#include "impulse/constraint_set.h"

namespace abut::clock {
namespace {

using law::StepBlock;
using law::StepRow;

body::RowSide along(const Vec3& direction, const Vec3& arm) {
  return {direction, arm.cross(direction)};
}

body::ConstraintRow opposite(body::ConstraintRow row) {
  for (body::RowSide& side : row.sides) side = {-side.linear, -side.angular};
  return row;
}

void add_sheet(AttemptBent& bent, law::StepProblem& problem) {
  bent.first_node = static_cast<int>(problem.node_velocities.size());
  problem.sheets.push_back(
      {bent.first_node, bent.surface.body->mass.total(), &bent.matrix->nodes()});
  const std::size_t nodes = problem.node_velocities.size() + bent.matrix->nodes().nodes();
  problem.node_velocities.resize(nodes, Vec3::Zero());
  problem.node_momenta.resize(nodes, Vec3::Zero());
}

// Contacts that approach faster than counts as rest and are closed, or close before the step ends,
// bounce: with the velocities u- where the last step ends and u+ where this one begins, u+ = -e u-.
// Those of the problem are half a step away from that instant, in which forces change them by
// h a / 2. All others may come down to the kept gap within the step.
void add_contact(Attempt& attempt, std::size_t p, std::size_t c) {
  const NearPair& pair = *attempt.island.pairs[p];
  StepContact& contact = attempt.contacts[p][c];
  const std::array<Side, 2> sides = {attempt.side_of(pair.a()), attempt.side_of(pair.b())};
  const Vec3& n = contact.normal;
  const Vec3 first = n.unitOrthogonal();
  const std::array<Vec3, 3> axes = {n, first, n.cross(first)};

  StepBlock block;
  block.slots = {sides[0].place, sides[1].place};
  const double friction = contact.slides ? contact.law.friction.dynamic_coefficient
                                         : contact.law.friction.static_coefficient;
  block.kind = friction > 0 ? StepBlock::Kind::contact : StepBlock::Kind::bounded;
  block.rows = friction > 0 ? 3 : 1;
  block.friction = friction;
  block.upper = infinity;
  attempt.contact_rows.push_back({p, c, static_cast<int>(attempt.problem.blocks.size()), 0});
  attempt.problem.begin_block(block);

  double before = 0, ahead = 0;  // rates of the gap where the steps meet, and what forces add
  for (int i = 0; i < block.rows; ++i) {
    StepRow row;
    row.sides = {along(axes[i], sides[0].arm(contact.arms[0])),
                 along(-axes[i], sides[1].arm(contact.arms[1]))};
    row.impulse = axes[i].dot(contact.impulse);
    for (const int side : {0, 1}) {
      const int place = sides[side].place;
      if (place < 0) {
        row.bias += row.sides[side](sides[side].velocity.linear, sides[side].velocity.angular);
        if (i == 0) before += row.bias;
        continue;
      }
      if (i > 0) continue;
      const AttemptBody& body = attempt.bodies[place];
      const Vec3 a = body.acceleration();
      const Vec3 alpha = body.angular_acceleration();
      before += row.sides[side](body.before.linear + 0.5 * body.last_step * a,
                                body.before.angular + 0.5 * body.last_step * alpha);
      ahead += 0.5 * attempt.h * row.sides[side](a, alpha);
    }
    if (i == 0) {
      const double kept = contact.kept;
      const double e = contact.law.restitution;
      const bool closes = contact.gap <= closed_fraction * kept || contact.bounces_at < attempt.h;
      const bool strikes = closes && before < -attempt.model().solver.rest_speed;
      if (contact.found_late)
        // No more than that it stops: a speed asked for within a short time would be energy.
        row.bias += std::max(0.0, contact.gap - late_fraction * kept) / contact.within;
      else if (strikes && e > 0)
        row.bias -= std::max(0.0, -e * before + ahead);
      else if (contact.gap > kept)
        row.bias += (contact.gap - kept) / attempt.h;
      row.impulse = std::max(row.impulse, 0.0);
    }
    attempt.problem.rows.push_back(row);
  }
}

// Limits are reached within the step or not; a motor gives the coordinate its speed as far as its
// force allows. One that nothing else can stop goes as far as the limit that it drives to.
void add_coordinate(Attempt& attempt, JointIndex index, const std::array<JointSide, 2>& sides) {
  const joint::Joint& joint = attempt.model().joints[index];
  const body::ConstraintRow coordinate = joint::coordinate_row(
      joint, {sides[0].pose}, {sides[1].pose}, attempt.island.scene.coordinates[index]);
  double kick = 0;
  for (const JointSide& side : sides)
    if (side.place >= 0) kick = attempt.bodies[side.place].kick;
  StepBlock block;
  const auto add = [&](double sign, double bias, double lower, double upper) {
    block.lower = lower;
    block.upper = upper;
    const std::array rows = {sign > 0 ? coordinate : opposite(coordinate)};
    append_block(attempt.problem, block, {sides[0].of(rows, 0), sides[1].of(rows, 1)});
    attempt.problem.rows.back().bias += bias;
  };
  const bool unstoppable = impulse::is_unstoppable(joint);
  if (joint.limits && !unstoppable)
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      const double room = sign * (coordinate.value - (*joint.limits)[side]);
      add(sign, room / (room > 0 ? attempt.h : attempt.mending_time()), 0, infinity);
    }
  if (!joint.motor) return;
  double speed = joint.motor->speed;
  if (joint.limits && unstoppable)
    speed = std::clamp(speed, ((*joint.limits)[0] - coordinate.value) / attempt.h,
                       ((*joint.limits)[1] - coordinate.value) / attempt.h);
  add(1, -speed, -kick * joint.motor->max_force, kick * joint.motor->max_force);
}

void add_joint(Attempt& attempt, JointIndex index) {
  const joint::Joint& joint = attempt.model().joints[index];
  const std::array<JointSide, 2> sides = {joint_side(attempt, joint, 0),
                                          joint_side(attempt, joint, 1)};
  std::vector<body::ConstraintRow> rows;
  joint::add_equality_rows(joint, {sides[0].pose}, {sides[1].pose}, rows);
  JointRows mine;
  mine.joint = index;
  StepBlock block;
  block.kind = StepBlock::Kind::equality;
  block.rows = static_cast<int>(rows.size());
  mine.block = append_block(attempt.problem, block, {sides[0].of(rows, 0), sides[1].of(rows, 1)});
  const std::vector<double>& before = attempt.island.scene.joint_steps[index].impulses;
  const int first = attempt.problem.blocks[mine.block].first;
  const double mending = attempt.mending_time();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    StepRow& row = attempt.problem.rows[first + static_cast<int>(i)];
    row.bias += rows[i].value / mending;
    mine.left_open.push_back((1 - attempt.h / mending) * rows[i].value);
    if (i < before.size()) row.impulse = before[i];
  }
  mine.coordinate = static_cast<int>(attempt.problem.blocks.size());
  if (joint.limits || joint.motor) add_coordinate(attempt, index, sides);
  mine.end = static_cast<int>(attempt.problem.blocks.size());
  attempt.joint_rows.push_back(mine);
}

}  // namespace

void state_problem(Attempt& attempt) {
  attempt.problem = {};
  attempt.contact_rows.clear();
  attempt.joint_rows.clear();
  attempt.hold_rows.clear();
  attempt.spring_rows.clear();
  for (const AttemptBody& body : attempt.bodies)
    attempt.problem.bodies.push_back({body.yields(), body.moved});
  for (AttemptBody& body : attempt.bodies) {
    if (!body.bent) continue;
    body.bent->first_more = static_cast<int>(attempt.problem.bodies.size());
    attempt.problem.bodies.resize(attempt.problem.bodies.size() + body.bent->matrix->slots() - 1,
                                  {body.inertia, {}});
    if (body.bent->is_sheet()) add_sheet(*body.bent, attempt.problem);
  }
  add_springs(attempt);
  for (const JointIndex joint : attempt.island.joints) add_joint(attempt, joint);
  for (std::size_t p = 0; p < attempt.island.pairs.size(); ++p)
    for (std::size_t c = 0; c < attempt.contacts[p].size(); ++c) add_contact(attempt, p, c);
  for (std::size_t i = 0; i < attempt.bodies.size(); ++i)
    if (attempt.bodies[i].bent) add_holds(attempt, static_cast<int>(i));
  for (std::size_t p = attempt.island.pairs.size(); p < attempt.island.pair_count(); ++p)
    for (std::size_t c = 0; c < attempt.contacts[p].size(); ++c) add_bent_contact(attempt, p, c);
}

double mend_joints(Attempt& attempt) {
  double largest = 0;
  for (const JointRows& mine : attempt.joint_rows) {
    const joint::Joint& joint = attempt.model().joints[mine.joint];
    std::vector<body::ConstraintRow> rows;
    joint::add_equality_rows(joint, {joint_pose_after(attempt, joint, 0)},
                             {joint_pose_after(attempt, joint, 1)}, rows);
    const int first = attempt.problem.blocks[mine.block].first;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double missing = (rows[i].value - mine.left_open[i]) / attempt.h;
      attempt.problem.rows[first + static_cast<int>(i)].bias += missing;
      largest = std::max(largest, std::abs(missing));
    }
  }
  return largest;
}

}  // namespace abut::clock
