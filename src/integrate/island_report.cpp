#include "integrate/island_report.h"

#include <algorithm>
#include <cmath>

#include "impulse/equalities.h"

namespace abut::integrate {
namespace {

// How rows that are held accelerate in spite of forces, by row; empty where these hold them.
impulse::Vector left_to_hold(const Equations& equations, const impulse::RowsNow& rows,
                             const impulse::Vector& forces) {
  const IslandNow& now = equations.applied().now();
  const impulse::RowSystem system = now.system(rows.rows);
  const impulse::Vector free =
      impulse::acceleration_bias(equations.constraints(), rows, now.placed(), {}) +
      system.along(now.free);
  const impulse::Vector left =
      impulse::gathered(free + system.along(system.response(forces)), equations.rows().basis());
  const double tolerance = force::row_accuracy * std::max(equations.model().gravity.norm(),
                                                          free.lpNorm<Eigen::Infinity>());
  return left.lpNorm<Eigen::Infinity>() > tolerance ? left : impulse::Vector();
}

// Where nothing slides forces may have been shared out anew for a later time, by contacts that do
// not suffice yet, or so that those near to them are not allowed here. Others that are have the
// same effect; what was chosen for later stays. Where rows all but depend on each other, as those
// of a ring's places a few millimetres apart, none that are shared out hold all of them: what they
// leave is added where it is followed.
impulse::Vector forces_with_friction(Equations& equations, double t, const ode::Vector& y,
                                     const impulse::RowsNow& rows) {
  HeldRows& held = equations.rows();
  impulse::Vector forces = held.shared_forces_of(rows).forces;
  if (held.modes().any_slides()) return forces;
  const impulse::Vector left = left_to_hold(equations, rows, forces);
  if (force::are_allowed(equations.constraints(), held.modes().all(), forces) && left.size() == 0)
    return forces;
  const std::optional<impulse::Vector> others = held.shared_at(t, y, rows);
  if (others) return *others;
  if (left.size() == 0) return forces;
  const IslandNow& now = equations.applied().now();
  const impulse::RowSystem followed =
      now.system(equations.constraints().evaluate(now.placed(), held.basis()).rows);
  return forces + held.by_row(impulse::solve_rows(held.solver(), followed, -left));
}

// Where rows all but depend on each other, as those of a ring's places a few millimetres apart,
// their accelerations hardly tell how it tips over the line through them, and forces of least norm
// that hold them may tip it otherwise. Then those that are followed are reported.
impulse::Vector forces_without_friction(Equations& equations, double t, motion::Side side,
                                        const ode::Vector& y, const impulse::RowsNow& rows) {
  AppliedForces& applied = equations.applied();
  impulse::Vector least = force::least_norm_forces(equations.constraints(), applied.now().placed(),
                                                   applied.now().inertias, applied.now().free);
  const IslandNow& now = equations.rows().evaluate(t, side, y);
  const impulse::Vector followed = equations.rows().forces_of_basis();
  const std::vector<impulse::Twist> off = now.system(rows.rows).response(least - followed);
  for (int i = 0; i < applied.body_count(); ++i) {
    const double reach = applied.body(i).bounding_radius;
    if (off[i].linear.norm() + reach * off[i].angular.norm() >
        force::row_accuracy * now.loads[i] / applied.mass(i).mass)
      return followed;
  }
  return least;
}

// The force of a contact that sticks is that of its rows of slip; of one that slides, what its
// push has besides the normal, and what guides it. One that has no force holds nothing: it slides
// as soon as anything moves it.
void add_friction(const Equations& equations, int i, const impulse::RowsNow& rows,
                  const impulse::Vector& forces, ContactState& state) {
  const impulse::SystemRow& row = rows.rows[i];
  const int tangent = equations.constraints().tangent_of(i);
  const double slip = std::hypot(rows.rows[tangent].row.rate, rows.rows[tangent + 1].row.rate);
  const bool is_adrift = equations.rows().modes().all()[i].mode == force::FrictionMode::none &&
                         slip > force::still_speed;
  state.mode = row.leaning || is_adrift ? ContactMode::slide : ContactMode::stick;
  if (row.leaning)
    state.friction_force = state.normal_force * (row.push(0).linear - row.row.sides[0].linear);
  for (const int k : {tangent, tangent + 1})
    state.friction_force += forces[k] * rows.rows[k].row.sides[0].linear;
}

ContactState contact_state(const contact::Contact& contact, const contact::ContactNow& now,
                           double force) {
  ContactState state;
  state.body_a = contact.bodies[0];
  state.body_b = contact.bodies[1];
  state.point = contact::place_of(contact, now);
  state.normal = now.normal;
  state.gap = now.row.value;
  state.normal_force = std::max(0.0, force);
  state.feature_a = contact::recorded_a(contact.label);
  state.feature_b = contact::recorded_b(contact.label);
  return state;
}

}  // namespace

void write_states(Equations& equations, double t, motion::Side side, const ode::Vector& y,
                  std::vector<BodyState>& bodies) {
  const HeldRows::At share(equations.rows(), t);
  const IslandNow& now = equations.rows().evaluate(t, side, y);
  for (int i = 0; i < equations.applied().body_count(); ++i) {
    const body::Mass& mass = equations.applied().mass(i);
    const MovingBody& body = now.bodies[i];
    const Pose pose = body::body_from_central(mass, {body.state.centre, body.state.attitude});
    BodyState& out = bodies[equations.island().bodies[i]];
    out.position = pose.position;
    out.orientation = pose.orientation;
    out.velocity = body.state.velocity;
    out.angular_velocity = body.angular_velocity;
    out.centre_of_mass = body.state.centre;
    out.acceleration = now.wrenches[i].force / mass.mass;
    out.angular_acceleration = body::angular_acceleration(
        mass, body.state.attitude, body.state.angular_momentum, now.wrenches[i].torque);
  }
}

void report(Equations& equations, double t, motion::Side side, const ode::Vector& y,
            std::vector<ContactState>& contacts, std::vector<JointState>& joints) {
  AppliedForces& applied = equations.applied();
  HeldRows& held = equations.rows();
  const impulse::ConstraintSet& set = equations.constraints();
  if (!applied.springs().empty())
    applied.springs().report(t, side, applied.observe(y).bodies, contacts);
  if (set.empty()) return;
  const HeldRows::At share(held, t);
  applied.evaluate(t, side, y);
  const impulse::RowsNow rows = held.modes().leaning_rows({}, SlipThatIsOver::has_ended);
  const impulse::Vector forces = set.has_friction()
                                     ? forces_with_friction(equations, t, y, rows)
                                     : forces_without_friction(equations, t, side, y, rows);
  for (int i = 0; i < set.contact_count(); ++i) {
    const contact::Contact& contact = set.contacts()[i];
    ContactState state = contact_state(contact, rows.contacts[i], forces[i]);
    state.unique = held.have_unique_forces();
    if (contact.has_friction()) add_friction(equations, i, rows, forces, state);
    contacts.push_back(state);
  }
  for (int i = 0; i < static_cast<int>(set.joints().size()); ++i)
    joints.push_back(joint_load(equations, i, forces));
}

JointState joint_load(const Equations& equations, int joint, const impulse::Vector& forces) {
  const AppliedForces& applied = equations.applied();
  return applied.constraints().joint_state(joint, applied.now().placed(), forces,
                                           applied.push_at(joint));
}

Energy energy_at(Equations& equations, double t, motion::Side side, const ode::Vector& y) {
  AppliedForces& applied = equations.applied();
  const IslandNow& now = applied.observe(y);
  Energy energy;
  for (int i = 0; i < applied.body_count(); ++i) {
    energy.kinetic += body::kinetic_energy(applied.mass(i), now.bodies[i].state);
    energy.potential -=
        applied.mass(i).mass * equations.model().gravity.dot(now.bodies[i].state.centre);
  }
  energy.potential += applied.potential_energy();
  energy.elastic = applied.elastic_energy(t, side);
  return energy;
}

Momentum momentum_of(Equations& equations, const ode::Vector& y) {
  Momentum total;
  for (int i = 0; i < equations.applied().body_count(); ++i)
    total += momentum_of(equations.applied().mass(i), body_in(y, i));
  return total;
}

}  // namespace abut::integrate
