#include "clock/bent_joints.h"

#include "joint/rows.h"
#include "model/material.h"

namespace abut::clock {
namespace {

using flexible::Columns;

}  // namespace

Pose carrier_pose(const model::Model& model, const joint::Joint& joint, int side,
                  const Columns& columns) {
  return model::carrier(model.bodies[joint.bodies[side]], {columns, {}},
                        model::material_anchor(model, joint, static_cast<std::size_t>(side)))
      .pose;
}

JointSide joint_side(const Attempt& attempt, const joint::Joint& joint, int side) {
  const BodyIndex index = joint.bodies[side];
  const Side rigid = attempt.side_of(index);
  JointSide found;
  found.place = rigid.place;
  found.pose = rigid.pose;
  found.velocity = rigid.velocity;
  if (rigid.place < 0 || !attempt.bodies[rigid.place].bent) return found;
  const model::Body& body = attempt.model().bodies[index];
  found.bent = attempt.bodies[rigid.place].bent.get();
  found.frame.emplace(
      *body.bending->body, attempt.stepped(rigid.place).bent->state.columns,
      model::material_anchor(attempt.model(), joint, static_cast<std::size_t>(side)));
  found.pose = body::central_from_body(body.mass, found.frame->body_frame());
  return found;
}

// Torques of rows are about the origin of the carrier's motion frame.
Columns JointSide::generalised(const body::RowSide& row) const {
  Columns sum = Columns::Zero(3, bent->before.cols());
  const Vec3 arm = frame->place() - pose.position;
  frame->add(row.linear, row.angular - arm.cross(row.linear), sum);
  return sum;
}

BlockSide JointSide::of(std::span<const body::ConstraintRow> rows, int side) const {
  BlockSide found;
  found.place = place;
  if (bent == nullptr) {
    BlockSide::Part part;
    part.slot = place;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      part.rows[i] = rows[i].sides[side];
      if (place < 0) found.given[i] = part.rows[i](velocity.linear, velocity.angular);
    }
    found.parts.push_back(part);
    return found;
  }
  if (bent->is_sheet()) {
    for (const flexible::ColumnWeight& w : frame->weights()) {
      if (!bent->matrix->is_held(w.column))
        found.nodes.push_back({bent->first_node + w.column, {}});
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Vec3 push = w.weight * rows[i].sides[side].linear;
        if (bent->matrix->is_held(w.column))
          found.given[i] += push.dot(bent->held.col(w.column));
        else
          found.nodes.back().rows[i] = push;
      }
    }
    return found;
  }
  Eigen::MatrixXd scaled(6 * bent->matrix->slots(), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Columns force = generalised(rows[i].sides[side]);
    scaled.col(static_cast<Eigen::Index>(i)) = bent->matrix->scaled(force);
    found.given[i] = force.cwiseProduct(bent->held).sum();
  }
  for (int slot = 0; slot < bent->matrix->slots(); ++slot) {
    const auto j = scaled.middleRows<6>(6 * slot);
    if (j.isZero(0)) continue;
    BlockSide::Part& part = found.parts.emplace_back();
    part.slot = bent->slot(place, slot);
    for (std::size_t i = 0; i < rows.size(); ++i)
      part.rows[i] = {j.col(static_cast<Eigen::Index>(i)).head<3>(),
                      j.col(static_cast<Eigen::Index>(i)).tail<3>()};
  }
  return found;
}

Pose joint_pose_after(const Attempt& attempt, const joint::Joint& joint, int side) {
  const BodyIndex body = joint.bodies[side];
  if (body == world) return {};
  const int place = attempt.island.place_of(body);
  if (place < 0 || !attempt.bodies[place].bent)
    return attempt.path_of(body).pose(attempt.t + attempt.h);
  return carrier_pose(
      attempt.model(), joint, side,
      attempt.stepped(place).bent->state.columns + attempt.h * attempt.bodies[place].bent->drift);
}

void take_out_joints(const Attempt& attempt, BodyIndex body, Columns& given) {
  for (const JointRows& mine : attempt.joint_rows) {
    const joint::Joint& joint = attempt.model().joints[mine.joint];
    for (const int k : {0, 1}) {
      if (joint.bodies[k] != body) continue;
      const std::array<JointSide, 2> sides = {joint_side(attempt, joint, 0),
                                              joint_side(attempt, joint, 1)};
      std::vector<body::ConstraintRow> rows;
      joint::add_equality_rows(joint, {sides[0].pose}, {sides[1].pose}, rows);
      const int first = attempt.problem.blocks[mine.block].first;
      for (std::size_t i = 0; i < rows.size(); ++i)
        given -= attempt.problem.rows[first + static_cast<int>(i)].impulse *
                 sides[k].generalised(rows[i].sides[k]);
    }
  }
}

Columns drive_on(const Attempt& attempt, BodyIndex body) {
  Columns drive =
      Columns::Zero(3, attempt.bodies[attempt.island.place_of(body)].bent->moved.cols());
  for (const JointRows& mine : attempt.joint_rows) {
    const joint::Joint& joint = attempt.model().joints[mine.joint];
    if (!joint.motor) continue;
    for (const int k : {0, 1}) {
      if (joint.bodies[k] != body) continue;
      const std::array<JointSide, 2> sides = {joint_side(attempt, joint, 0),
                                              joint_side(attempt, joint, 1)};
      const body::ConstraintRow row = joint::coordinate_row(
          joint, {sides[0].pose}, {sides[1].pose}, attempt.island.scene.coordinates[mine.joint]);
      const int motor = attempt.problem.blocks[mine.end - 1].first;
      drive += attempt.problem.rows[motor].impulse * sides[k].generalised(row.sides[k]);
    }
  }
  return drive;
}

void book_bent_joints(const Attempt& attempt, integrate::Balance& book) {
  for (const JointRows& mine : attempt.joint_rows) {
    if (!attempt.acts_on_bent(attempt.problem.blocks[mine.block])) continue;
    const joint::Joint& joint = attempt.model().joints[mine.joint];
    const std::array<JointSide, 2> sides = {joint_side(attempt, joint, 0),
                                            joint_side(attempt, joint, 1)};
    std::vector<body::ConstraintRow> rows;
    joint::add_equality_rows(joint, {sides[0].pose}, {sides[1].pose}, rows);
    if (mine.coordinate != mine.end)
      rows.push_back(joint::coordinate_row(joint, {sides[0].pose}, {sides[1].pose},
                                           attempt.island.scene.coordinates[mine.joint]));
    const auto impulse_of_row = [&](int block, int i) {
      return attempt.problem.rows[attempt.problem.blocks[block].first + i].impulse;
    };
    const auto add = [&](const body::ConstraintRow& row, double impulse, bool drives) {
      double rate = 0;  // of the row, on its average about the instant
      for (const int k : {0, 1}) {
        const JointSide& side = sides[k];
        if (side.bent != nullptr) {
          rate += 0.5 * side.generalised(row.sides[k])
                            .cwiseProduct(side.bent->before + side.bent->moved)
                            .sum();
        } else if (side.place >= 0) {
          const AttemptBody& now = attempt.bodies[side.place];
          if (now.is_stopped) continue;
          const double power = row.sides[k](now.mean_velocity(attempt.h), now.mean_spin(attempt.h));
          book.dissipated -= impulse * power;
          rate += power;
        } else {
          const double carried = row.sides[k](side.velocity.linear, side.velocity.angular);
          book.work -= impulse * carried;
          book.dissipated -= impulse * carried;
          rate += carried;
          const JointSide& other = sides[1 - k];
          const body::RowSide& push = row.sides[1 - k];
          book.impulse += impulse * push.linear;
          book.angular_impulse += impulse * (other.pose.position.cross(push.linear) + push.angular);
        }
      }
      if (!drives) return;
      book.work += impulse * rate;
      book.dissipated += impulse * rate;
    };
    for (int i = 0; i < attempt.problem.blocks[mine.block].rows; ++i)
      add(rows[i], impulse_of_row(mine.block, i), false);
    for (int k = mine.coordinate; k < mine.end; ++k) {
      const bool is_upper = joint.limits && k == mine.coordinate + 1;
      add(rows.back(), (is_upper ? -1 : 1) * impulse_of_row(k, 0),
          joint.motor && k == mine.end - 1);
    }
  }
}

}  // namespace abut::clock
