#pragma once
// The motion of bodies that do not yield to forces: the world, fixed bodies and scripted ones.

#include <memory>
#include <vector>

#include "impulse/constraint_set.h"
#include "model/model.h"
#include "motion/script_motion.h"

namespace abut::integrate {

/// Prescribed motions by body index; null where a body has none.
using Scripts = std::vector<std::shared_ptr<const motion::ScriptMotion>>;

Scripts make_scripts(const model::Model& model);

/// Of the body frame, at time t. The body must not be dynamic; it may be the world.
motion::Kinematics prescribed_kinematics(const model::Model& model, const Scripts& scripts,
                                         BodyIndex body, double t,
                                         motion::Side side = motion::Side::after);

/// The same, as the rows of contacts and joints take it.
impulse::Support prescribed_support(const model::Model& model, const Scripts& scripts,
                                    BodyIndex body, double t,
                                    motion::Side side = motion::Side::after);

}  // namespace abut::integrate
