#include "loop/certainty.h"

#include <algorithm>

#include "model/contact_law.h"

namespace abut::loop {
namespace {

// How far friction may be outside of its cone, relative to the largest it may be (dimensionless):
// where slow slip is about to begin or to end, forces are kept for a microsecond while the load
// changes.
constexpr double cone_tolerance = 5e-3;

// The same, and how much a contact may pull or bodies may accelerate otherwise, relative to the
// largest force (dimensionless): forces are solved for all contacts together, to about 1e-9 of it.
constexpr double solving_tolerance = 1e-8;

// Slip of contacts that stick, relative to the speeds there (dimensionless), and absolute, m/s.
constexpr double slip_tolerance = 5e-8;
constexpr double slip_of_none = 5e-7;

// Speeds that bodies lose without an impulse being told, in rest speeds (dimensionless): what the
// sequence of the impacts of a body that rocks would take.
constexpr double untold_rest_speeds = 2;

double coefficient_of(const model::Model& model, const ContactState& c) {
  return model::contact_law(model, c.body_a, c.feature_a.part, c.body_b, c.feature_b.part)
      .friction.static_coefficient;
}

// Of contacts, and of all that acts on a body: a contact that is about to open bears next to
// nothing.
double largest_force(const model::Model& model, const integrate::Island& island,
                     const std::vector<BodyState>& states, const integrate::Snapshot& told) {
  double largest = 0;
  for (const ContactState& c : told.contacts) largest = std::max(largest, c.normal_force);
  for (const BodyIndex body : island.bodies)
    largest = std::max(largest, model.bodies[body].mass.mass * states[body].acceleration.norm());
  return largest;
}

bool sticks(const ContactState& c, const std::vector<BodyState>& states) {
  const auto velocity = [&](const BodyState& s) -> Vec3 {
    return s.velocity + s.angular_velocity.cross(c.point - s.centre_of_mass);
  };
  const Vec3 a = velocity(states[c.body_a]), b = velocity(states[c.body_b]);
  const Vec3 slip = (a - b) - (a - b).dot(c.normal) * c.normal;
  return slip.norm() <= slip_of_none + slip_tolerance * (a.norm() + b.norm());
}

// Whether bodies of an island accelerate as the forces on them say. A contact that leaves may pull
// by what solving leaves of it, and is told not to; friction makes more of that.
bool moves_as_told(const model::Model& model, const integrate::Island& island,
                   const std::vector<BodyState>& states, const integrate::Snapshot& told,
                   double largest) {
  if (!island.forces.empty() || !island.joints.empty()) return true;
  for (const BodyIndex body : island.bodies) {
    const body::Mass& mass = model.bodies[body].mass;
    const Vec3 weight = mass.mass * model.gravity;
    Vec3 force = weight;
    double scale = weight.norm();
    for (const ContactState& c : told.contacts) {
      if (c.body_a != body && c.body_b != body) continue;
      const Vec3 push = c.normal_force * c.normal + c.friction_force;
      force += c.body_a == body ? push : Vec3(-push);
      scale += push.norm() + coefficient_of(model, c) * largest;
    }
    if ((mass.mass * states[body].acceleration - force).norm() > solving_tolerance * scale)
      return false;
  }
  return true;
}

// Whether a body of a contact event gains the momentum that its impulses give it. Where nothing
// collided there are none.
bool is_body_balanced(const model::Model& model, const ContactEvent& contact_event,
                      const Outcome& outcome, std::size_t i) {
  const BodyIndex body = contact_event.bodies[i];
  const double mass = model.bodies[body].mass.mass;
  const Vec3 gain = mass * (outcome.states[i].velocity - contact_event.states[i].velocity);
  Vec3 given = Vec3::Zero();
  double scale =
      mass * (outcome.states[i].velocity.norm() + contact_event.states[i].velocity.norm());
  const auto add = [&](const Vec3& impulse) {
    given += impulse;
    scale += impulse.norm();
  };
  for (const impulse::OutsideImpulse& outside : contact_event.outside_impulses)
    if (outside.body == body) add(outside.impulse);
  for (std::size_t c = 0; c < outcome.impulses.size(); ++c) {
    const auto& bodies = contact_event.active.contacts[c].bodies;
    if (bodies[0] != body && bodies[1] != body) continue;
    const Vec3 impulse =
        outcome.impulses[c] * outcome.places[c].normal + outcome.friction_impulses[c];
    add(bodies[0] == body ? impulse : Vec3(-impulse));
  }
  const double untold = untold_rest_speeds * mass * model.solver.rest_speed;
  return (gain - given).norm() <= solving_tolerance * scale + untold;
}

}  // namespace

bool is_lawful(const model::Model& model, const integrate::Island& island,
               const std::vector<BodyState>& states, const integrate::Snapshot& told) {
  const double largest = largest_force(model, island, states, told);
  const auto obeys = [&](const ContactState& c) {
    const double coefficient = coefficient_of(model, c);
    const double rounding = solving_tolerance * (1 + coefficient) * largest;
    const double most = (1 + cone_tolerance) * coefficient * c.normal_force;
    return c.gap > 0 && c.normal_force >= -rounding && c.friction_force.norm() <= most + rounding &&
           (c.mode != ContactMode::stick || sticks(c, states));
  };
  return std::all_of(told.contacts.begin(), told.contacts.end(), obeys) &&
         (told.contacts.empty() || moves_as_told(model, island, states, told, largest));
}

bool is_balanced(const model::Model& model, const ContactEvent& contact_event,
                 const Outcome& outcome) {
  if (!contact_event.joints.empty()) return true;
  for (std::size_t i = 0; i < contact_event.bodies.size(); ++i)
    if (!is_body_balanced(model, contact_event, outcome, i)) return false;
  return true;
}

}  // namespace abut::loop
