#include "model/check.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/overloaded.h"
#include "model/faults.h"

namespace abut::model {
namespace {

bool is_unbounded(const Body& body) {
  for (const shape::Part& part : body.parts)
    if (shape::is_unbounded(part.geometry)) return true;
  return false;
}

void check_references(const Model& model, const Force& force, Faults& faults) {
  const int count = static_cast<int>(model.bodies.size());
  const auto check = [&](BodyIndex body, bool must_be_dynamic) {
    if (body < world || body >= count)
      faults.push_back(fmt::format("a force names body {}, but there are {}", body, count));
    else if (must_be_dynamic && (body == world || !model.bodies[body].is_dynamic()))
      faults.push_back(
          fmt::format("a force acts on {}, which does not yield to forces",
                      body == world ? std::string("the world") : model.bodies[body].name));
  };
  std::visit(base::Overloaded{[&](const Spring& spring) {
                                check(spring.ends[0].body, false);
                                check(spring.ends[1].body, false);
                              },
                              [&](const Drag& drag) { check(drag.body, true); },
                              [&](const ConstantForce& constant) { check(constant.at.body, true); },
                              [&](const Impulse& impulse) { check(impulse.body, true); }},
             force);
}

}  // namespace

Faults faults_of(const Body& body) {
  Faults faults;
  const std::string who = fmt::format("body {}: ", body.name);
  require(!body.name.empty(), faults, "a body has no name");
  require(body.name != "world", faults, "a body is named world, which is reserved");
  require(!body.parts.empty() || body.bends(), faults, who + "it has no shape");
  require(finite(body.pose.position) && unit_length(body.pose.orientation), faults,
          who + "its pose is not finite, or its orientation not of unit length");
  require(finite(body.velocity) && finite(body.angular_velocity), faults,
          who + "its velocity is not finite");
  if (body.is_dynamic()) {
    if (is_unbounded(body)) {
      faults.push_back(who + "it is unbounded and has no mass; make it fixed or scripted");
    } else {
      require(std::isfinite(body.mass.mass) && body.mass.mass > 0, faults,
              fmt::format("{}its mass is {}, but must be positive", who, body.mass.mass));
      require(body.mass.principal.allFinite() && body.mass.principal.minCoeff() > 0, faults,
              who + "its moments of inertia must be positive");
    }
  }
  return faults;
}

Faults faults_of(const Model& model) {
  Faults faults;
  require(std::isfinite(model.duration) && model.duration > 0, faults,
          fmt::format("the duration is {} s, but must be positive", model.duration));
  require(finite(model.gravity), faults, "gravity is not finite");
  require(model.record.rate > 0 && std::isfinite(model.record.rate), faults,
          fmt::format("the recording rate is {}, but must be positive", model.record.rate));
  require(model.solver.tolerance >= SolverSettings::smallest_tolerance &&
              model.solver.tolerance <= SolverSettings::largest_tolerance,
          faults,
          fmt::format("the tolerance is {}, but must lie between {} and {}", model.solver.tolerance,
                      SolverSettings::smallest_tolerance, SolverSettings::largest_tolerance));
  std::set<std::string> names;
  for (const Body& body : model.bodies) {
    for (std::string& fault : faults_of(body)) faults.push_back(std::move(fault));
    require(names.insert(body.name).second, faults,
            fmt::format("two bodies are named {}; names must be unique", body.name));
  }
  std::set<std::string> joint_names;
  for (const joint::Joint& joint : model.joints) {
    for (std::string& fault : faults_of(joint, model)) faults.push_back(std::move(fault));
    require(joint_names.insert(joint.name).second, faults,
            fmt::format("two joints are named {}; names must be unique", joint.name));
  }
  for (const Force& force : model.forces) check_references(model, force, faults);
  return faults;
}

}  // namespace abut::model
