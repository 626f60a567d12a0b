#pragma once
// The geometry of joints as constraint rows.
//
// A row's force acts on the second body as `sides[1]` says and on the first so that force and
// torque balance, whether the joint is closed or not: every row depends only on how the two bodies
// stand to each other, so turning and shifting both changes nothing. The orientations given must
// have unit length.

#include <span>
#include <vector>

#include "body/constraint.h"
#include "joint/joint.h"

namespace abut::joint {

/// Appends the rows that must stay zero: equality_row_count(joint.type) of them, first those of the
/// anchors' offset (m), then those of the directions (rad to first order).
void add_equality_rows(const Joint& joint, const body::RigidMotion& a, const body::RigidMotion& b,
                       std::vector<body::ConstraintRow>& rows);

/// The coordinate that limits and motors act on, of types that have one; its value is 0 where the
/// joint frames coincide. A displacement is measured along the first body's axis. An angle counts
/// the turns of the second body about the axis, seen from the first: the value returned is the one
/// within half a turn of `near`.
body::ConstraintRow coordinate_row(const Joint& joint, const body::RigidMotion& a,
                                   const body::RigidMotion& b, double near);

/// What the joint transmits to the second body, at the anchor on it, in world axes.
struct Reaction {
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< N m
};

/// Of the forces of the equality rows, followed by that of the coordinate row if there is one more.
Reaction reaction(const Joint& joint, const body::RigidMotion& a, const body::RigidMotion& b,
                  std::span<const double> row_forces);

/// How far the second anchor is from where it belongs, m: the other anchor, the line, the plane, or
/// the given distance.
double anchor_gap(const Joint& joint, const body::RigidMotion& a, const body::RigidMotion& b);

/// The anchor on the second body in the world, the place that a joint is said to be at.
Vec3 joint_point(const Joint& joint, const body::RigidMotion& b);

}  // namespace abut::joint
