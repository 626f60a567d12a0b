#include "integrate/forces.h"

#include <algorithm>

namespace abut::integrate {
namespace {

int slot_of(const Island& island, BodyIndex body) {
  const auto at = std::lower_bound(island.bodies.begin(), island.bodies.end(), body);
  return static_cast<int>(at - island.bodies.begin());
}

void push(Wrench& wrench, const Vec3& force, const Vec3& arm) {
  wrench.force += force;
  wrench.torque += arm.cross(force);
}

void count_external(Balance& rates, const Vec3& force, const Vec3& at) {
  rates.impulse += force;
  rates.angular_impulse += at.cross(force);
}

// Inverse mass at the ends of a spring, turning included.
double give_of(const model::Model& model, const model::Spring& spring) {
  double give = 0;
  for (const model::Anchor& end : spring.ends) {
    if (end.body == world || !model.bodies[end.body].is_dynamic()) continue;
    const body::Mass& mass = model.bodies[end.body].mass;
    const double arm = (end.point - mass.central.position).norm();
    give += 1 / mass.mass + arm * arm / mass.principal.minCoeff();
  }
  return give;
}

}  // namespace

double force_rate(const model::Model& model, const model::Force& force) {
  if (const auto* spring = std::get_if<model::Spring>(&force)) {
    const double give = give_of(model, *spring);
    return std::max(std::sqrt(spring->stiffness * give), spring->damping * give);
  }
  const auto* drag = std::get_if<model::Drag>(&force);
  if (drag == nullptr) return 0;
  const body::Mass& mass = model.bodies[drag->body].mass;
  return std::max(drag->linear / mass.mass, drag->angular / mass.principal.minCoeff());
}

ForceLaws::ForceLaws(const model::Model& model, const Scripts& scripts, const Island& island) {
  for (const int index : island.forces) {
    const model::Force& force = model.forces[index];
    if (const auto* spring = std::get_if<model::Spring>(&force))
      springs_.push_back({{attach(model, scripts, island, spring->ends[0]),
                           attach(model, scripts, island, spring->ends[1])},
                          spring->length,
                          spring->stiffness,
                          spring->damping});
    else if (const auto* drag = std::get_if<model::Drag>(&force))
      drags_.push_back({slot_of(island, drag->body), *drag});
    else if (const auto* constant = std::get_if<model::ConstantForce>(&force))
      constants_.push_back(
          {attach(model, scripts, island, constant->at), constant->force, constant->torque});
  }
}

ForceLaws::Attachment ForceLaws::attach(const model::Model& model, const Scripts& scripts,
                                        const Island& island, const model::Anchor& anchor) const {
  if (anchor.body == world) return {not_dynamic, anchor.point, nullptr};
  const model::Body& body = model.bodies[anchor.body];
  if (body.is_dynamic()) {
    const Pose& central = body.mass.central;
    return {slot_of(island, anchor.body),
            central.orientation.conjugate() * (anchor.point - central.position), nullptr};
  }
  if (const auto& script = scripts[anchor.body]) return {not_dynamic, anchor.point, script.get()};
  return {not_dynamic, body.pose.position + body.pose.orientation * anchor.point, nullptr};
}

ForceLaws::AttachedPoint ForceLaws::locate(const Attachment& attachment, double t,
                                           motion::Side side,
                                           const std::vector<MovingBody>& bodies) const {
  if (attachment.slot != not_dynamic) {
    const MovingBody& body = bodies[attachment.slot];
    const Vec3 arm = body.state.attitude * attachment.point;
    return {body.state.centre + arm, body.state.velocity + body.angular_velocity.cross(arm), arm};
  }
  if (attachment.script != nullptr) {
    const motion::Kinematics point =
        motion::carried(attachment.script->kinematics(t, side), attachment.point);
    return {point.pose.position, point.velocity, Vec3::Zero()};
  }
  return {attachment.point, Vec3::Zero(), Vec3::Zero()};
}

void ForceLaws::add(double t, motion::Side side, const std::vector<MovingBody>& bodies,
                    std::vector<Wrench>& wrenches, Balance& rates) const {
  for (const SpringLaw& spring : springs_) add_spring(spring, t, side, bodies, wrenches, rates);
  for (const DragLaw& drag : drags_) add_drag(drag, bodies, wrenches, rates);
  for (const ConstantLaw& law : constants_) add_constant(law, t, side, bodies, wrenches, rates);
}

// With x = p1 - p0, d = |x|: the force on end 0 is
//     k (1 - l/d) x  +  c (x'.x) x / d^2,
// written so that a spring of no length is smooth where its ends meet. There, at d = 0, the damper
// acts along the relative velocity, its limit on a straight passage.
//
// Balance. Only dynamic ends gain energy from the spring: with tension T = k (d - l) + c d',
//   d(kinetic + elastic)/dt = -c d'^2 - sum over ends that are not dynamic of (force . velocity),
// so the damper dissipates c d'^2 and a moving support does the work -(force on it) . velocity.
void ForceLaws::add_spring(const SpringLaw& spring, double t, motion::Side side,
                           const std::vector<MovingBody>& bodies, std::vector<Wrench>& wrenches,
                           Balance& rates) const {
  const AttachedPoint ends[2] = {locate(spring.ends[0], t, side, bodies),
                                 locate(spring.ends[1], t, side, bodies)};
  const Vec3 x = ends[1].position - ends[0].position;
  const Vec3 dx = ends[1].velocity - ends[0].velocity;
  const double d2 = x.squaredNorm();
  const double d = std::sqrt(d2);

  Vec3 damping = spring.damping * dx;
  if (d2 > 0) damping = spring.damping * (dx.dot(x) / d2) * x;
  Vec3 pull = spring.stiffness * x + damping;
  if (spring.length > 0 && d > 0) pull -= (spring.stiffness * spring.length / d) * x;
  rates.dissipated += damping.dot(dx);

  const bool internal = spring.ends[0].slot != not_dynamic && spring.ends[1].slot != not_dynamic;
  for (int i = 0; i < 2; ++i) {
    const Vec3 force = i == 0 ? pull : Vec3(-pull);
    const int slot = spring.ends[i].slot;
    if (slot == not_dynamic) {
      rates.work -= force.dot(ends[i].velocity);
    } else {
      push(wrenches[slot], force, ends[i].arm);
      if (!internal) count_external(rates, force, ends[i].position);
    }
  }
}

// A medium at rest only takes energy. A moving one takes (force) . (velocity against it) and gives
// (force) . (wind), which counts as work.
void ForceLaws::add_drag(const DragLaw& law, const std::vector<MovingBody>& bodies,
                         std::vector<Wrench>& wrenches, Balance& rates) const {
  const MovingBody& body = bodies[law.slot];
  const Vec3 against = body.state.velocity - law.drag.wind;
  const Vec3 force = -(law.drag.linear + law.drag.quadratic * against.norm()) * against;
  const Vec3 torque = -law.drag.angular * body.angular_velocity;
  wrenches[law.slot].force += force;
  wrenches[law.slot].torque += torque;
  rates.dissipated -= force.dot(against) + torque.dot(body.angular_velocity);
  rates.work += force.dot(law.drag.wind);
  count_external(rates, force, body.state.centre);
  rates.angular_impulse += torque;
}

// The force is conservative (its energy is in potential_energy); the torque is not.
void ForceLaws::add_constant(const ConstantLaw& law, double t, motion::Side side,
                             const std::vector<MovingBody>& bodies, std::vector<Wrench>& wrenches,
                             Balance& rates) const {
  const AttachedPoint at = locate(law.at, t, side, bodies);
  push(wrenches[law.at.slot], law.force, at.arm);
  wrenches[law.at.slot].torque += law.torque;
  rates.work += law.torque.dot(bodies[law.at.slot].angular_velocity);
  count_external(rates, law.force, at.position);
  rates.angular_impulse += law.torque;
}

double ForceLaws::elastic_energy(double t, motion::Side side,
                                 const std::vector<MovingBody>& bodies) const {
  double energy = 0;
  for (const SpringLaw& spring : springs_) {
    const double d = (locate(spring.ends[1], t, side, bodies).position -
                      locate(spring.ends[0], t, side, bodies).position)
                         .norm();
    energy += 0.5 * spring.stiffness * (d - spring.length) * (d - spring.length);
  }
  return energy;
}

double ForceLaws::potential_energy(const std::vector<MovingBody>& bodies) const {
  double energy = 0;
  for (const ConstantLaw& law : constants_) {
    const auto& state = bodies[law.at.slot].state;
    energy -= law.force.dot(state.centre + state.attitude * law.at.point);
  }
  return energy;
}

bool ForceLaws::exerts_torque_on(int slot) const {
  const auto off_centre = [slot](const Attachment& end) {
    return end.slot == slot && end.point != Vec3::Zero();
  };
  return std::any_of(springs_.begin(), springs_.end(),
                     [&](const SpringLaw& law) {
                       return off_centre(law.ends[0]) || off_centre(law.ends[1]);
                     }) ||
         std::any_of(
             drags_.begin(), drags_.end(),
             [&](const DragLaw& law) { return law.slot == slot && law.drag.angular != 0; }) ||
         std::any_of(constants_.begin(), constants_.end(), [&](const ConstantLaw& law) {
           return law.at.slot == slot && (off_centre(law.at) || law.torque != Vec3::Zero());
         });
}

}  // namespace abut::integrate
