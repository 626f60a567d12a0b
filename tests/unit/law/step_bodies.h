#pragma once
// Bodies of step problems as the tests of their solvers give them.

#include "law/step_problem.h"

namespace step_testing {

/// A cube of 1 m that does not turn.
inline abut::law::StepBody cube(double mass, const abut::Vec3& velocity) {
  abut::law::StepBody body;
  body.inertia.inverse_mass = 1 / mass;
  body.inertia.inverse_inertia = 6 / mass * abut::Mat3::Identity();
  body.velocity.linear = velocity;
  return body;
}

}  // namespace step_testing
