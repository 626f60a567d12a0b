#pragma once
// The points of a body that joints and forces act at.

#include <array>

#include "body/constraint.h"
#include "model/model.h"

namespace abut::model {

/// The material point that is at x at time 0, in coordinates of the body frame; of a sheet, of the
/// point of it nearest to that.
Vec3 material_point_at_start(const Body& body, const Vec3& x);

/// The motion frame of a rigid body that moves as the surroundings of the material point p do: of
/// a body that bends, in that state.
body::RigidMotion carrier(const Body& body, const flexible::State& state, const Vec3& p);

/// The motion frame of a body at time 0, as a joint or force with its anchor at x has it.
Pose motion_frame_at_start(const Model& model, BodyIndex body, const Vec3& x);

/// The material point that a joint holds of one of its bodies.
Vec3 material_anchor(const Model& model, const joint::Joint& joint, std::size_t side);

/// The motion frames that the rows of a joint are said of, at time 0.
std::array<body::RigidMotion, 2> joint_motions_at_start(const Model& model,
                                                        const joint::Joint& joint);

}  // namespace abut::model
