#pragma once
// Joints and the bodies of their model.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace abut::model {

/// The motion frame of a body in the world at time 0; that of the world is the world's own.
Pose motion_frame_at_start(const Model& model, BodyIndex body);

/// Where the anchors of a joint are in the world at time 0, from the points that were given.
/// A distance joint has two, on the first and on the second body, each by default at the body's
/// position. Every other joint has one, by default at the second body's position. Nothing where the
/// world's position would be needed: it has none.
std::optional<std::array<Vec3, 2>> joint_anchors(const Model& model, const joint::Joint& joint,
                                                 std::span<const Vec3> given);

/// The name of a joint that was given none: its place in the list, as scenes write it.
std::string default_joint_name(std::size_t index);

/// The pairs of bodies that pass through each other from the start, the smaller index first,
/// sorted: those listed under no_collide, and those that a joint connects without `collide`.
std::vector<std::pair<BodyIndex, BodyIndex>> pairs_without_contact(const Model& model);

/// What gaps of the joint compare with, m: the least of its bodies' radii, each with how far the
/// joint is from the middle of that body.
double size_of_joint(const Model& model, const joint::Joint& joint);

/// How far a joint of stepped bodies in these states may come apart within a step and be closed
/// where it ends, m: an anchor at a distance r goes along an arc there, a body that holds it along
/// a chord, and these are up to (h omega)^2 r / 8 apart.
double gap_within_step(const Model& model, const joint::Joint& joint,
                       const std::vector<BodyState>& bodies);

}  // namespace abut::model
