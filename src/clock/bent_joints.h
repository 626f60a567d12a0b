#pragma once
// Joints of bodies that bend. A joint holds the frame of a material point
// (flexible/material_frame.h) as it holds a rigid body: its rows are those of a rigid body that
// moves as that frame does, and act on the columns through it.

#include <optional>
#include <span>

#include "clock/block_side.h"
#include "clock/step_attempt.h"
#include "flexible/material_frame.h"

namespace abut::clock {

/// A body of a joint, by the frame that the joint's rows are said of.
struct JointSide {
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

JointSide joint_side(const Attempt& attempt, const joint::Joint& joint, int side);

/// Where the motion frame of a body of a joint is at the end of the step.
Pose joint_pose_after(const Attempt& attempt, const joint::Joint& joint, int side);

/// Of all impulses on a body that bends, those that are not of joints.
void take_out_joints(const Attempt& attempt, BodyIndex body, flexible::Columns& given);

/// What motors give to the columns of a body that bends.
flexible::Columns drive_on(const Attempt& attempt, BodyIndex body);

/// What joints of bodies that bend do to rigid ones and to the world. All that a body that bends
/// loses is booked as lost: what supports and motors give it is work as well.
void book_bent_joints(const Attempt& attempt, integrate::Balance& book);

/// The motion frame of the carrier of a body that bends, which a joint holds.
Pose carrier_pose(const model::Model& model, const joint::Joint& joint, int side,
                  const flexible::Columns& columns);

}  // namespace abut::clock
