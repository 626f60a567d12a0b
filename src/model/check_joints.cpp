#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "joint/rows.h"
#include "model/check.h"
#include "model/faults.h"
#include "model/material.h"

namespace abut::model {
namespace {

bool refers_to_bodies(const joint::Joint& joint, const Model& model) {
  const int count = static_cast<int>(model.bodies.size());
  return std::all_of(joint.bodies.begin(), joint.bodies.end(),
                     [count](BodyIndex body) { return body >= world && body < count; });
}

void check_ends(const joint::Joint& joint, const Model& model, const std::string& who,
                Faults& faults) {
  const auto moves = [&](BodyIndex body) {
    return body != world && model.bodies[body].is_dynamic();
  };
  require(joint.bodies[0] != joint.bodies[1], faults,
          who + "it connects a body with itself; give two bodies");
  require(moves(joint.bodies[0]) || moves(joint.bodies[1]), faults,
          who + "neither of its bodies can move; one must be dynamic");
}

void check_numbers(const joint::Joint& joint, const std::string& who, Faults& faults) {
  for (const Pose& frame : joint.frames) {
    require(finite(frame.position) && unit_length(frame.orientation), faults,
            who + "a frame is not finite, or its orientation not of unit length");
  }
  require(joint.type != joint::Type::distance || (joint.length > 0 && std::isfinite(joint.length)),
          faults,
          fmt::format("{}its length is {}, but must be positive; use a ball joint where two points "
                      "coincide",
                      who, joint.length));
  require(joint.break_force > 0 && joint.break_torque > 0, faults,
          fmt::format("{}it breaks at {} N and {} N m, but both must be positive", who,
                      joint.break_force, joint.break_torque));
}

void check_coordinate(const joint::Joint& joint, const std::string& who, Faults& faults) {
  if (joint.limits) {
    const auto [least, greatest] = *joint.limits;
    require(joint::has_coordinate(joint.type), faults,
            fmt::format("{}a {} joint has no angle or displacement to limit", who,
                        to_string(joint.type)));
    require(least < greatest, faults,
            fmt::format("{}its limits are {} and {}, but the first must be less", who, least,
                        greatest));
  }
  if (joint.motor) {
    require(joint::has_coordinate(joint.type), faults,
            fmt::format("{}a {} joint has no angle or displacement to drive", who,
                        to_string(joint.type)));
    require(std::isfinite(joint.motor->speed) && joint.motor->max_force > 0, faults,
            fmt::format("{}its motor has the speed {} and the force {}, but the speed must be "
                        "finite and the force positive",
                        who, joint.motor->speed, joint.motor->max_force));
  }
}

/// Placed joints are closed to rounding; what is open by more was put together wrongly. Relative to
/// the distances from which the gap is computed, and rad.
constexpr double closed = 1e-9;

void check_start(const joint::Joint& joint, const Model& model, const std::string& who,
                 Faults& faults) {
  const std::array<body::RigidMotion, 2> start = joint_motions_at_start(model, joint);
  double reach = 0;
  for (std::size_t i = 0; i < 2; ++i)
    reach += start[i].pose.position.norm() + joint.frames[i].position.norm();
  std::vector<body::ConstraintRow> rows;
  joint::add_equality_rows(joint, start[0], start[1], rows);
  bool is_closed = true;
  for (const body::ConstraintRow& row : rows) {
    const bool is_direction = row.sides[1].linear.isZero(0);
    is_closed = is_closed && std::abs(row.value) <= closed * (is_direction ? 1 : reach);
  }
  require(is_closed, faults, who + "it is open at time 0: its two frames do not fit together");
  if (!joint.limits || !joint::has_coordinate(joint.type)) return;
  const auto [least, greatest] = *joint.limits;
  const bool is_angle = joint::coordinate_of(joint.type) == joint::Coordinate::angle;
  const double slack = closed * (is_angle ? 1 : reach);
  const double value = joint::coordinate_row(joint, start[0], start[1], 0).value;
  require(
      least - slack <= value && value <= greatest + slack, faults,
      fmt::format("{}its limits are {} and {}, but it starts at {}", who, least, greatest, value));
}

}  // namespace

Faults faults_of(const joint::Joint& joint, const Model& model) {
  Faults faults;
  const std::string who = fmt::format("joint {}: ", joint.name);
  require(!joint.name.empty(), faults, "a joint has no name");
  if (!refers_to_bodies(joint, model)) {
    faults.push_back(fmt::format("{}it connects the bodies {} and {}, but there are {}", who,
                                 joint.bodies[0], joint.bodies[1], model.bodies.size()));
    return faults;
  }
  check_ends(joint, model, who, faults);
  check_numbers(joint, who, faults);
  check_coordinate(joint, who, faults);
  if (faults.empty()) check_start(joint, model, who, faults);
  return faults;
}

}  // namespace abut::model
