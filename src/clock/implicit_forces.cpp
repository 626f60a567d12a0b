#include "clock/implicit_forces.h"

#include <algorithm>
#include <cmath>

#include "clock/bent_matrix.h"
#include "flexible/material_frame.h"
#include "integrate/forces.h"
#include "integrate/island.h"

namespace abut::clock {
namespace {

using flexible::Columns;

// Where a spring would make a step of its island shorter than by this factor (dimensionless), it is
// followed implicitly: what swings in a fraction of a millisecond is not worth more.
constexpr double most_parts = 64;

void add_constant(const model::ConstantForce& constant, const flexible::BendingBody& body,
                  const flexible::State& state, double kick, std::vector<BentPush>& pushes) {
  const flexible::MaterialFrame frame(body, state.columns, constant.at.point);
  BentPush push, turn;
  push.columns = turn.columns = Columns::Zero(3, body.columns());
  push.impulse = kick * constant.force;
  push.angular_impulse = frame.place().cross(push.impulse);
  frame.add(push.impulse, Vec3::Zero(), push.columns);
  pushes.push_back(std::move(push));
  if (constant.torque.isZero(0)) return;
  turn.angular_impulse = kick * constant.torque;
  turn.is_work = true;
  frame.add(Vec3::Zero(), turn.angular_impulse, turn.columns);
  pushes.push_back(std::move(turn));
}

// Translation: a field on all mass alike, which takes the part 1 - exp(-c kick / m) of the velocity
// against the medium. Turning: with w+ = w + W t, t = -kick c w+, the mean of F takes the torque.
void add_drag(const model::Drag& drag, const flexible::BendingBody& body,
              const flexible::State& state, double kick, std::vector<BentPush>& pushes) {
  const Vec3 against = body.mass.centre(state.rates) - drag.wind;
  const double mass = body.mass.total();
  const double strength = drag.linear + drag.quadratic * against.norm();
  BentPush push;
  push.impulse = mass * std::expm1(-strength * kick / mass) * against;
  push.columns = push.impulse / mass * body.mass.share().transpose();
  push.angular_impulse = body.mass.centre(state.columns).cross(push.impulse);
  push.wind = drag.wind;
  pushes.push_back(std::move(push));
  if (drag.angular == 0) return;
  const flexible::MaterialFrame frame(body, state.columns, body.centroid);
  Mat3 answer;
  for (int i = 0; i < 3; ++i) {
    Columns force = Columns::Zero(3, body.columns());
    frame.add(Vec3::Zero(), Vec3::Unit(i), force);
    answer.col(i) = frame.angular_velocity(body.mass.divided(force));
  }
  BentPush turn;
  turn.columns = Columns::Zero(3, body.columns());
  turn.angular_impulse = -kick * drag.angular *
                         ((Mat3::Identity() + kick * drag.angular * answer).inverse() *
                          frame.angular_velocity(state.rates));
  frame.add(Vec3::Zero(), turn.angular_impulse, turn.columns);
  pushes.push_back(std::move(turn));
}

// Ends in one place have no direction but that in which they part.
Vec3 direction_of(const SpringEnds& ends) {
  const Vec3 apart = ends.apart(), rate = ends.rate();
  if (!apart.isZero(0)) return apart.normalized();
  return rate.isZero(0) ? Vec3(Vec3::UnitX()) : Vec3(rate.normalized());
}

double stretch_of(const model::Spring& spring, const SpringEnds& ends) {
  const double d = ends.apart().norm();
  return d > 0 ? d - spring.length : 0;
}

}  // namespace

bool is_implicit(const model::Model& model, const model::Force& force) {
  if (std::holds_alternative<model::Impulse>(force)) return false;
  if (std::holds_alternative<model::Drag>(force)) return true;
  const auto* spring = std::get_if<model::Spring>(&force);
  if (spring != nullptr &&
      integrate::force_rate(model, *spring) * model::step_length(model.solver) >
          most_parts * followed_phase)
    return true;
  const std::vector<BodyIndex> ends = integrate::bodies_of(force);
  return std::any_of(ends.begin(), ends.end(),
                     [&](BodyIndex body) { return body != world && model.bodies[body].bends(); });
}

std::vector<const model::Drag*> drags_on(const model::Model& model, const std::vector<int>& forces,
                                         BodyIndex body) {
  std::vector<const model::Drag*> drags;
  for (const int index : forces) {
    const auto* drag = std::get_if<model::Drag>(&model.forces[index]);
    if (drag != nullptr && drag->body == body) drags.push_back(drag);
  }
  return drags;
}

void add_pushes(const model::Force& force, const flexible::BendingBody& body,
                const flexible::State& state, double kick, std::vector<BentPush>& pushes) {
  if (const auto* constant = std::get_if<model::ConstantForce>(&force))
    add_constant(*constant, body, state, kick, pushes);
  if (const auto* drag = std::get_if<model::Drag>(&force))
    add_drag(*drag, body, state, kick, pushes);
}

Vec3 spring_pull(const model::Spring& spring, const SpringEnds& ends) {
  const Vec3 along = direction_of(ends);
  return (spring.stiffness * stretch_of(spring, ends) + spring.damping * along.dot(ends.rate())) *
         along;
}

double spring_energy(const model::Spring& spring, const SpringEnds& ends) {
  const double stretch = ends.apart().norm() - spring.length;
  return 0.5 * spring.stiffness * stretch * stretch;
}

std::vector<SpringRow> spring_rows(const model::Spring& spring, const SpringEnds& ends, double give,
                                   double kick, double h) {
  const double d = ends.apart().norm(), k = spring.stiffness;
  const Vec3 along = direction_of(ends), rate = ends.rate();
  std::vector<SpringRow> rows;
  const double beyond = (ends.apart() + h * rate + ends.bend()).norm() - d - h * along.dot(rate);
  const auto add = [&](const Vec3& axis, double stiffness, double damping, double stretch,
                       double gain) {
    const double part = damped_part(std::sqrt(stiffness * give), h);
    const double a = 0.25 + 0.75 * part, b = -0.25 * (1 - part);
    const double strength = kick * (stiffness * a * h + damping);
    if (!(strength > 0)) return;
    const double force = stiffness * (stretch + gain + b * h * axis.dot(rate)) + damping * gain / h;
    rows.push_back({axis, 1 / strength, kick * force / strength});
  };
  add(along, k, spring.damping, stretch_of(spring, ends), beyond);
  const double across = d > 0 ? std::max(0.0, k * (1 - spring.length / d)) : 0;
  if (h * std::sqrt(across * give) <= followed_phase) return rows;
  const Vec3 first = along.unitOrthogonal();
  add(first, across, 0, 0, 0);
  add(along.cross(first), across, 0, 0, 0);
  return rows;
}

}  // namespace abut::clock
