// The rows of a step's problem: contacts, joints, limits and motors of an island.

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/step_attempt.h"
#include "impulse/constraint_set.h"

namespace abut::clock {
namespace {

// Of the kept gap (dimensionless). A gap that is too small grows by the first in a whole step,
// slowly enough not to be seen; a place that was found late is kept at the second. Less than the
// third, in a whole step, is not worth mending.
constexpr double regained_fraction = 0.2;
constexpr double late_fraction = 0.25;
constexpr double mended_fraction = 0.02;

// The cosine of the angle up to which normals are of one side (dimensionless).
constexpr double same_way = 0.9;

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

// Those that belong to the velocities as they are.
void set_node_momenta(law::StepProblem& problem) {
  problem.node_momenta.resize(problem.node_velocities.size());
  for (const law::StepSheet& sheet : problem.sheets) {
    const math::NodeMatrix& matrix = *sheet.matrix;
    math::NodeVector x(matrix.nodes()), y(matrix.nodes());
    for (int i = 0; i < matrix.nodes(); ++i) {
      x[i] = math::quad(problem.node_velocities[sheet.first + i]);
      y[i] = matrix.diagonal(i) * x[i];
    }
    matrix.add_coupling(x.data(), y.data());
    for (int i = 0; i < matrix.nodes(); ++i) problem.node_momenta[sheet.first + i] = y[i].head<3>();
  }
}

// The gap that a contact is to have where its time ends, if what is missing is mended in this time.
double target_of(const StepContact& contact, double mending) {
  const double most = (contact.found_late ? late_fraction : 1) * contact.kept;
  const double regained = contact.within / mending * regained_fraction * contact.kept;
  return std::min(most, std::max(contact.gap, 0.0) + regained);
}

}  // namespace

void StepIsland::state_problem(Attempt& attempt) const {
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
  for (const JointIndex joint : joints_) add_joint(attempt, joint);
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    for (std::size_t c = 0; c < attempt.contacts[p].size(); ++c) add_contact(attempt, p, c);
  for (std::size_t i = 0; i < attempt.bodies.size(); ++i)
    if (attempt.bodies[i].bent) add_holds(attempt, static_cast<int>(i));
  for (std::size_t p = pairs_.size(); p < pair_count(); ++p)
    for (std::size_t c = 0; c < attempt.contacts[p].size(); ++c) add_bent_contact(attempt, p, c);
}

// Contacts that approach faster than counts as rest and are closed, or close before the step ends,
// bounce: with the velocities u- where the last step ends and u+ where this one begins, u+ = -e u-.
// Those of the problem are half a step away from that instant, in which forces change them by
// h a / 2. All others may come down to the kept gap within the step.
void StepIsland::add_contact(Attempt& attempt, std::size_t p, std::size_t c) const {
  const NearPair& pair = *pairs_[p];
  StepContact& contact = attempt.contacts[p][c];
  const std::array<Side, 2> sides = {side_of(attempt, pair.a()), side_of(attempt, pair.b())};
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
      const bool strikes = closes && before < -scene_.model.solver.rest_speed;
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

// What earlier steps left open of joints is closed within a whole step, and gaps are opened over
// one, however short this one is. Closed faster, joints would give energy; opened faster, a body
// that lies flat would be turned down onto its other side, the faster the shorter the step.
double StepIsland::mending_time(const Attempt& attempt) const {
  return std::max(attempt.h, model::step_length(scene_.model.solver));
}

void StepIsland::add_joint(Attempt& attempt, JointIndex index) const {
  const joint::Joint& joint = scene_.model.joints[index];
  const std::array<JointSide, 2> sides = {joint_side(attempt, joint, 0),
                                          joint_side(attempt, joint, 1)};
  std::vector<body::ConstraintRow> rows;
  joint::add_equality_rows(joint, {sides[0].pose}, {sides[1].pose}, rows);
  Attempt::JointRows mine;
  mine.joint = index;
  StepBlock block;
  block.kind = StepBlock::Kind::equality;
  block.rows = static_cast<int>(rows.size());
  mine.block = append_block(attempt.problem, block, {sides[0].of(rows, 0), sides[1].of(rows, 1)});
  const std::vector<double>& before = scene_.joint_steps[index].impulses;
  const int first = attempt.problem.blocks[mine.block].first;
  const double mending = mending_time(attempt);
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

// Limits are reached within the step or not; a motor gives the coordinate its speed as far as its
// force allows. One that nothing else can stop goes as far as the limit that it drives to.
void StepIsland::add_coordinate(Attempt& attempt, JointIndex index,
                                const std::array<JointSide, 2>& sides) const {
  const joint::Joint& joint = scene_.model.joints[index];
  const body::ConstraintRow coordinate =
      joint::coordinate_row(joint, {sides[0].pose}, {sides[1].pose}, scene_.coordinates[index]);
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
      add(sign, room / (room > 0 ? attempt.h : mending_time(attempt)), 0, infinity);
    }
  if (!joint.motor) return;
  double speed = joint.motor->speed;
  if (joint.limits && unstoppable)
    speed = std::clamp(speed, ((*joint.limits)[0] - coordinate.value) / attempt.h,
                       ((*joint.limits)[1] - coordinate.value) / attempt.h);
  add(1, -speed, -kick * joint.motor->max_force, kick * joint.motor->max_force);
}

// Joints are closed where the step ends: what the motion just found leaves open is asked for once
// more. The largest rate that is still missing, m/s.
double StepIsland::mend_joints(Attempt& attempt) const {
  double largest = 0;
  for (const Attempt::JointRows& mine : attempt.joint_rows) {
    const joint::Joint& joint = scene_.model.joints[mine.joint];
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

// Rows are linear, and bodies turn: by how much gaps end otherwise than their rows say, m, by pair
// and contact. Bodies that hold each other on several sides cannot be set apart; their rows stay as
// they are.
std::vector<double> StepIsland::bends_of(const Attempt& attempt, std::size_t p) const {
  const NearPair& pair = *pairs_[p];
  const std::vector<StepContact>& contacts = attempt.contacts[p];
  std::vector<double> bends(contacts.size(), 0);
  if (contacts.empty()) return bends;
  const Side a = side_of(attempt, pair.a()), b = side_of(attempt, pair.b());
  const double h = attempt.h;
  const double spin_a = a.velocity.angular.norm(), spin_b = b.velocity.angular.norm();
  const auto motion = [&](const StepContact& contact) -> Vec3 {
    return a.velocity_at(contact.arms[0]) - b.velocity_at(contact.arms[1]);
  };
  const Vec3& apart = contacts.front().normal;
  double most = 0;
  for (const StepContact& contact : contacts) {
    most = std::max(most, h * h *
                              (std::max(spin_a, spin_b) * motion(contact).norm() +
                               0.5 * spin_a * spin_a * contact.arms[0].norm() +
                               0.5 * spin_b * spin_b * contact.arms[1].norm()));
    if (contact.normal.dot(apart) < same_way) return bends;
  }
  if (most <= mended_fraction * h / mending_time(attempt) * pair.kept_gap()) return bends;
  const double end = attempt.t + h;
  const std::array<Pose, 2> before = {a.pose, b.pose};
  const std::array<Pose, 2> after = {path_of(attempt, pair.a()).pose(end),
                                     path_of(attempt, pair.b()).pose(end)};
  std::size_t told = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (const auto gap = pair.gap_after(contacts[c], before, after)) {
      bends[c] = *gap - (contacts[c].gap + h * contacts[c].normal.dot(motion(contacts[c])));
      ++told;
    }
  if (told < contacts.size()) find_bends(attempt, p, after, most, bends);
  return bends;
}

// Where features do not tell it, the places where the step ends are looked for, with the bodies
// apart by as much as they can differ, lest they overlap there.
void StepIsland::find_bends(const Attempt& attempt, std::size_t p, std::array<Pose, 2> after,
                            double most, std::vector<double>& bends) const {
  NearPair& pair = *pairs_[p];
  const std::vector<StepContact>& contacts = attempt.contacts[p];
  const Side a = side_of(attempt, pair.a()), b = side_of(attempt, pair.b());
  const Vec3& apart = contacts.front().normal;
  after[0].position += most * apart;
  const double reach = 2 * most + closed_fraction * pair.kept_gap();
  const std::vector<StepContact> ends = pair.contacts_found(after[0], after[1], reach);
  for (std::size_t c = 0; c < contacts.size(); ++c)
    for (const StepContact& there : ends)
      if (there.label == contacts[c].label)
        bends[c] = there.gap - most * apart.dot(there.normal) -
                   (contacts[c].gap +
                    attempt.h * contacts[c].normal.dot(a.velocity_at(contacts[c].arms[0]) -
                                                       b.velocity_at(contacts[c].arms[1])));
}

// Where gaps would end below what they are to be, the bodies are moved apart by the least shift in
// the mass metric, which is no part of their momentum: no energy comes of it.
void StepIsland::open_gaps(Attempt& attempt) {
  law::StepProblem mend;
  const double mending = mending_time(attempt);
  const double least = mended_fraction * attempt.h / mending;
  double tolerance = infinity, worst = 0;
  mend.bodies = attempt.problem.bodies;
  mend.more_slots = attempt.problem.more_slots;
  mend.more_sides = attempt.problem.more_sides;
  mend.block_nodes = attempt.problem.block_nodes;
  mend.node_sides = attempt.problem.node_sides;
  mend.sheets = attempt.problem.sheets;
  mend.node_velocities = attempt.problem.node_velocities;
  for (std::size_t i = 0; i < attempt.bodies.size(); ++i)
    mend.bodies[i].velocity = attempt.bodies[i].moved;
  std::vector<std::vector<double>> bends;
  for (std::size_t p = 0; p < pairs_.size(); ++p) bends.push_back(bends_of(attempt, p));
  for (const Attempt::ContactRows& mine : attempt.contact_rows) {
    const StepContact& contact = attempt.contacts[mine.pair][mine.contact];
    const double kept = contact.kept;
    const StepBlock& from = attempt.problem.blocks[mine.block];
    StepRow row = attempt.problem.rows[from.first];
    row.impulse = 0;
    row.bias = (contact.gap - target_of(contact, mending)) / contact.within + mine.given;
    if (mine.pair < pairs_.size()) {
      if (!contact.found_late) row.bias += bends[mine.pair][mine.contact] / contact.within;
      const Side a = side_of(attempt, pairs_[mine.pair]->a());
      const Side b = side_of(attempt, pairs_[mine.pair]->b());
      for (const Side* side : {&a, &b})
        if (side->place < 0)
          row.bias += row.sides[side == &a ? 0 : 1](side->velocity.linear, side->velocity.angular);
    }
    StepBlock block = from;
    block.kind = StepBlock::Kind::bounded;
    block.rows = 1;
    block.lower = 0;
    block.upper = infinity;
    mend.begin_block(block);
    mend.rows.push_back(row);
    const double missing = -mend.motion(mend.blocks.back(), mend.blocks.back().first);
    worst = std::max(worst, missing * contact.within / kept);
    tolerance = std::min(tolerance, least * kept / contact.within);
  }
  if (worst <= least) return;
  set_node_momenta(mend);
  std::vector<int> equalities;
  for (const Attempt::JointRows& mine : attempt.joint_rows) equalities.push_back(mine.block);
  for (const Attempt::HoldRows& mine : attempt.hold_rows) equalities.push_back(mine.block);
  for (const int equality : equalities) {
    StepBlock block = attempt.problem.blocks[equality];
    const int first = block.first;
    mend.begin_block(block);
    for (int i = 0; i < block.rows; ++i) {
      StepRow row = attempt.problem.rows[first + i];
      row.impulse = row.bias = 0;
      mend.rows.push_back(row);
      mend.rows.back().bias = -mend.motion(mend.blocks.back(), mend.blocks.back().first + i);
    }
  }
  statistics_.sweeps += law::solve(mend, tolerance, tolerance).sweeps;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    attempt.bodies[i].drift = mend.bodies[i].velocity;
    if (attempt.bodies[i].bent) read_bent(attempt, static_cast<int>(i), mend);
  }
}

}  // namespace abut::clock
