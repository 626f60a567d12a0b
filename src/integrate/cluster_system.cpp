#include "integrate/cluster_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "force/coulomb.h"
#include "impulse/mixed_problem.h"
#include "math/rotation.h"

namespace abut::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// A body that hardly moves is allowed this fraction of its size, and of a radian, times the
// tolerance, as error of a step: the displacement alone would allow nothing at rest.
constexpr double rest_fraction = 1e-3;

// The tolerance holds at every instant of a step, not only at its end, where the method is one
// order better than its dense output in between: the estimate at the end must meet this fraction of
// it.
constexpr double dense_output_margin = 0.1;

// Roundings of a position that error estimates cannot see below.
constexpr double position_rounding = 8 * epsilon;

// Newton steps of the projection of positions: the error is a small local one, so the second step
// already reaches rounding.
constexpr int projection_rounds = 2;

// Forces that count as none, relative to the largest of the cluster (dimensionless): rows that are
// nearly dependent leave no more digits.
constexpr double force_rounding = 1e-7;

// Joints are closed up to this, relative to how far bodies are from the origin (directions: rad):
// some hundred roundings. And their rates up to this, relative to the fastest: more than solving
// the rows leaves, less than what a joint that cannot follow shows.
constexpr double joint_rounding = 1e-13;
constexpr double joint_rate_rounding = 1e-8;
// Bodies that hardly move are taken to turn at this, rad/s: solving leaves rates even at rest.
constexpr double least_rate = 1e-3;

// An acceleration is zero up to this fraction of the largest one (dimensionless): the accuracy of
// the solver of the rows on badly conditioned clusters.
constexpr double acceleration_rounding = 1e-9;

// Forces shared out anew hold a row if it accelerates less than this fraction of the largest
// acceleration (dimensionless). By it, friction gives way a little late.
constexpr double sharing_rounding = 1e-11;

// The energy of free rotation is restored only when it is off by more than its own rounding.
constexpr double energy_rounding = 4 * epsilon;

}  // namespace

ClusterSystem::ClusterSystem(const model::Model& model, const Scripts& scripts, Cluster cluster)
    : model_(&model),
      scripts_(&scripts),
      gravity_(model.gravity),
      tolerance_(dense_output_margin * model.solver.tolerance),
      cluster_(std::move(cluster)),
      laws_(model, scripts, cluster_),
      constraints_(model, cluster_.bodies, cluster_.contacts, cluster_.limits, cluster_.motors,
                   cluster_.joints),
      every_row_(impulse::row_range(0, constraints_.row_count())),
      rest_gap_(model::rest_gap(model.solver)),
      moving_(cluster_.bodies.size()),
      wrenches_(cluster_.bodies.size()),
      motions_(cluster_.bodies.size()),
      supports_(constraints_.supports().size()),
      inertias_(cluster_.bodies.size()),
      free_(cluster_.bodies.size()) {
  for (std::size_t i = 0; i < cluster_.bodies.size(); ++i) {
    const bool torque_free = constraints_.empty() && !laws_.exerts_torque_on(static_cast<int>(i));
    slots_.push_back({&model.bodies[cluster_.bodies[i]], torque_free, 0});
  }
}

int ClusterSystem::dimension() const {
  return body_size * body_count() + (keeps_balance() ? balance_size : 0);
}

ode::Vector ClusterSystem::state_vector(const std::vector<body::RigidState>& states) const {
  ode::Vector y = ode::Vector::Zero(dimension());
  for (int i = 0; i < body_count(); ++i) put_body(states[i], i, y);
  return y;
}

void ClusterSystem::begin_smooth_motion(double t, const ode::Vector& y, double smooth_until) {
  smooth_until_ = smooth_until;
  if (!constraints_.empty()) {
    evaluate_free_forces(t, motion::Side::after, y);
    first_forces_ = force::find_forces(constraints_, bodies_now(), inertias_, free_);
    basis_ = first_forces_.basis;
    grips_ = first_forces_.grips;
    slides_ = first_forces_.slides();
    reference_ = first_forces_.forces;
    for (int i = 0; i < static_cast<int>(grips_.size()); ++i)
      if (grips_[i].grip == force::Grip::sticks && constraints_.contacts()[i].is_corner_on_face())
        constraints_.anchor(i, bodies_now());
    list_rows();
    implied_.clear();
    for (int row = constraints_.first_equality(); row < constraints_.first_tangent(); ++row)
      if (!std::binary_search(basis_.begin(), basis_.end(), row)) implied_.push_back(row);
  }
  for (int i = 0; i < body_count(); ++i) {
    const body::RigidState state = body_in(y, i);
    slots_[i].rotational_energy =
        body::rotational_energy(mass(i), state.attitude, state.angular_momentum);
  }
}

void ClusterSystem::list_rows() {
  placed_.clear();
  for (const int row : basis_)
    if (row < constraints_.first_tangent() ||
        constraints_.contacts()[constraints_.contact_of_tangent(row)].anchor)
      placed_.push_back(row);
  active_.clear();
  if (!slides_) return;
  active_ = basis_;
  active_.insert(active_.end(), first_forces_.carriers.begin(), first_forces_.carriers.end());
  for (std::size_t i = 0; i < grips_.size(); ++i)
    if (grips_[i].grip == force::Grip::slides)
      for (const int k : {0, 1})
        active_.push_back(constraints_.tangent_of(static_cast<int>(i)) + k);
  std::sort(active_.begin(), active_.end());
  active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
}

void ClusterSystem::observe(const ode::Vector& y) {
  for (int i = 0; i < body_count(); ++i) {
    MovingBody& body = moving_[i];
    body.state = body_in(y, i);
    body.state.attitude.normalize();
    body.angular_velocity =
        body::angular_velocity(mass(i), body.state.attitude, body.state.angular_momentum);
  }
}

bool ClusterSystem::let_go(int row) {
  const double largest = first_forces_.forces.cwiseAbs().maxCoeff();
  if (first_forces_.forces[row] > force_rounding * largest) return false;
  std::erase(basis_, row);
  std::erase(first_forces_.basis, row);
  list_rows();
  return true;
}

// Bodies around the cluster that do not yield.
void ClusterSystem::observe_supports(double t, motion::Side side) {
  for (std::size_t i = 0; i < supports_.size(); ++i)
    supports_[i] = prescribed_support(*model_, *scripts_, constraints_.supports()[i], t, side);
}

void ClusterSystem::evaluate_free_forces(double t, motion::Side side, const ode::Vector& y) {
  observe(y);
  rates_ = Balance{};
  for (int i = 0; i < body_count(); ++i) {
    const Vec3 weight = mass(i).mass * gravity_;
    wrenches_[i] = {weight, Vec3::Zero()};
    rates_.impulse += weight;
    rates_.angular_impulse += moving_[i].state.centre.cross(weight);
  }
  laws_.add(t, side, moving_, wrenches_, rates_);
  if (constraints_.empty()) return;
  observe_supports(t, side);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = moving_[i];
    motions_[i] = {
        {body.state.centre, body.state.attitude}, body.state.velocity, body.angular_velocity};
  }
  for (const impulse::MotorDrive& motor : cluster_.motors) push(motor);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = moving_[i];
    inertias_[i] = impulse::Inertia::of(mass(i), body.state.attitude);
    const Vec3 gyroscopic = body.angular_velocity.cross(body.state.angular_momentum);
    free_[i] = {wrenches_[i].force / mass(i).mass,
                inertias_[i].inverse_inertia * (wrenches_[i].torque - gyroscopic)};
  }
}

double ClusterSystem::force_of(const impulse::MotorDrive& motor) const {
  if (motor.drive == impulse::Drive::keeps) return 0;
  const double most = model_->joints[motor.joint].motor->max_force;
  return motor.drive == impulse::Drive::pushes_forward ? most : -most;
}

// Of the motor at a joint of the cluster, if it pushes.
double ClusterSystem::push_at(int joint) const {
  double sum = 0;
  for (const impulse::MotorDrive& motor : cluster_.motors)
    if (motor.joint == constraints_.joints()[joint]) sum += force_of(motor);
  return sum;
}

// A motor that cannot keep its speed gives all the force it has.
void ClusterSystem::push(const impulse::MotorDrive& motor) {
  if (motor.drive == impulse::Drive::keeps) return;
  const auto& joints = constraints_.joints();
  const int joint = static_cast<int>(std::lower_bound(joints.begin(), joints.end(), motor.joint) -
                                     joints.begin());
  const body::ConstraintRow row = constraints_.coordinate(joint, bodies_now(), 0);
  const double force = force_of(motor);
  const std::array<int, 2> places = constraints_.places_of_joint(joint);
  add_row_force(row.sides, places, force);
  for (int side = 0; side < 2; ++side)
    if (places[side] >= 0)
      rates_.work += force * row.sides[side](moving_[places[side]].state.velocity,
                                             moving_[places[side]].angular_velocity);
}

// Between two bodies of the cluster momentum cancels; what remains comes from the supports.
void ClusterSystem::add_row_force(const std::array<body::RowSide, 2>& sides,
                                  const std::array<int, 2>& places, double force) {
  for (int side = 0; side < 2; ++side) {
    if (places[side] < 0) continue;
    const body::RowSide& on = sides[side];
    Wrench& wrench = wrenches_[places[side]];
    wrench.force += force * on.linear;
    wrench.torque += force * on.angular;
    const Vec3& centre = moving_[places[side]].state.centre;
    rates_.impulse += force * on.linear;
    rates_.angular_impulse += force * (centre.cross(on.linear) + on.angular);
  }
}

// What a row's force does to the bodies that yield, where a row keeps its rate: the power that
// comes from motors and from supports that move. With sums over the two sides,
//     rate = J_moving v + J_support v_support - speed = 0.
// Taking J_moving v from the other terms keeps the book honest: what integration errors do to the
// bodies' energy is no work of anything. What sliding takes is dissipated (add_force).
double ClusterSystem::power_of_row(int row, const impulse::SystemRow& content, double force) const {
  double moved = constraints_.speed_of_row(row);
  const std::array<int, 2> places = constraints_.places_of_row(row);
  for (int side = 0; side < 2; ++side) {
    if (places[side] >= 0) continue;
    const body::RigidMotion& support =
        supports_[impulse::ConstraintSet::support_of(places[side])].motion;
    moved -= content.push(side)(support.velocity, support.angular_velocity);
  }
  return force * moved;
}

void ClusterSystem::evaluate_forces(double t, motion::Side side, const ode::Vector& y) {
  evaluate_free_forces(t, side, y);
  if (!basis_.empty()) add_constraint_forces();
}

// Where the motion has made rows depend on each other that did not when it began, as in a dead
// centre, the independent ones carry the load.
impulse::Vector ClusterSystem::solve_rows(impulse::RowSolver& whole,
                                          const impulse::RowSystem& system,
                                          const impulse::Vector& target) {
  if (whole.factorise(system)) return whole.solve(target);
  const std::vector<int> independent =
      impulse::independent_rows(system, impulse::singular_fraction);
  impulse::Vector some(independent.size());
  for (std::size_t i = 0; i < independent.size(); ++i) some[i] = target[independent[i]];
  impulse::RowSolver solver;
  solver.factorise(system.only(independent));
  const impulse::Vector solved = solver.solve(some);
  impulse::Vector all = impulse::Vector::Zero(target.size());
  for (std::size_t i = 0; i < independent.size(); ++i) all[independent[i]] = solved[i];
  return all;
}

void ClusterSystem::add_constraint_forces() {
  if (slides_) return add_forces_of_sliding_cluster();
  const impulse::RowsNow rows = constraints_.evaluate(bodies_now(), basis_);
  const impulse::RowSystem system(rows.rows, inertias_);
  basis_forces_ =
      solve_rows(solver_, system,
                 -(impulse::acceleration_bias(constraints_, rows, bodies_now(), basis_) +
                   system.along(free_)));
  for (int i = 0; i < system.size(); ++i) add_force(basis_[i], system[i], basis_forces_[i]);
}

void ClusterSystem::add_forces_of_sliding_cluster() {
  const impulse::RowsNow rows = leaning_rows(active_);
  const impulse::Vector forces = shared_forces(rows);
  for (std::size_t i = 0; i < active_.size(); ++i)
    if (forces[active_[i]] != 0) add_force(active_[i], rows.rows[i], forces[active_[i]]);
}

void ClusterSystem::add_force(int row, const impulse::SystemRow& content, double force) {
  const std::array<body::RowSide, 2> push = {content.push(0), content.push(1)};
  add_row_force(push, constraints_.places_of_row(row), force);
  rates_.work += power_of_row(row, content, force);
  if (!content.leaning) return;
  double slip_power = 0;  // of the lean, which is what the push has besides the row itself
  for (int side = 0; side < 2; ++side) {
    const body::RigidMotion& motion = constraints_.motion_of_contact(bodies_now(), row, side);
    slip_power += push[side](motion.velocity, motion.angular_velocity) -
                  content.row.sides[side](motion.velocity, motion.angular_velocity);
  }
  rates_.dissipated -= force * slip_power;
  rates_.rubbed -= force * slip_power;
}

impulse::RowsNow ClusterSystem::leaning_rows(const std::vector<int>& rows) const {
  impulse::RowsNow now = rows.empty() ? constraints_.evaluate(bodies_now())
                                      : constraints_.evaluate(bodies_now(), rows);
  if (!slides_) return now;
  const auto place = [&rows](int row) {
    return rows.empty()
               ? row
               : static_cast<int>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
  };
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    if (grips_[i].grip != force::Grip::slides) continue;
    const impulse::SystemRow* tangents = &now.rows[place(constraints_.tangent_of(i))];
    const force::Slip slip = force::slip_of(constraints_, bodies_now(), i, tangents);
    Vec3 along = continues_slip_ ? force::continued_direction(slip, grips_[i].along)
                                 : force::direction_of(slip, grips_[i].along);
    if (constraints_.contacts()[i].is_guided) along = tangents[1].row.sides[0].linear;
    force::lean(now.rows[place(i)], tangents, along,
                constraints_.contacts()[i].friction.dynamic_coefficient);
  }
  return now;
}

// `rows` are all rows, or the active ones.
impulse::Vector ClusterSystem::shared_forces(const impulse::RowsNow& rows) const {
  const bool all = static_cast<int>(rows.rows.size()) == constraints_.row_count();
  const impulse::RowSystem system(rows.rows, inertias_);
  const std::vector<int>& indices = all ? every_row_ : active_;
  const impulse::Vector b =
      impulse::acceleration_bias(constraints_, rows, bodies_now(), indices) + system.along(free_);
  const auto places = [&](const std::vector<int>& of) {
    std::vector<int> result;
    result.reserve(of.size());
    for (const int row : of)
      result.push_back(static_cast<int>(std::lower_bound(indices.begin(), indices.end(), row) -
                                        indices.begin()));
    return result;
  };
  impulse::Vector wanted(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) wanted[i] = reference_[indices[i]];
  const impulse::Vector found = force::nearest_forces(
      system, {places(basis_), places(first_forces_.carriers), places(first_forces_.guides)}, b,
      wanted);
  impulse::Vector forces = impulse::Vector::Zero(constraints_.row_count());
  for (std::size_t i = 0; i < indices.size(); ++i) forces[indices[i]] = found[i];
  return forces;
}

void ClusterSystem::follow_slip(double t, const ode::Vector& y) {
  if (!slides_) return;
  place_bodies(t, y);
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    if (grips_[i].grip != force::Grip::slides) continue;
    const int row = constraints_.tangent_of(i);
    const impulse::RowsNow tangents =
        constraints_.evaluate(bodies_now(), std::array<int, 2>{row, row + 1});
    grips_[i].along = constraints_.contacts()[i].is_guided
                          ? tangents.rows[1].row.sides[0].linear
                          : force::direction_of(
                                force::slip_of(constraints_, bodies_now(), i, tangents.rows.data()),
                                grips_[i].along);
  }
}

ClusterSystem::Held ClusterSystem::held(double t, motion::Side side, const ode::Vector& y) {
  continues_slip_ = true;
  evaluate_forces(t, side, y);
  Held held;
  held.rows = leaning_rows({});
  if (constraints_.has_friction()) {
    held.forces = shared_forces(held.rows);
  } else {
    held.forces = impulse::Vector::Zero(constraints_.row_count());
    for (std::size_t i = 0; i < basis_.size(); ++i) held.forces[basis_[i]] = basis_forces_[i];
  }
  continues_slip_ = false;
  const impulse::RowSystem system(held.rows.rows, inertias_);
  std::vector<impulse::Twist> twists = system.response(held.forces);
  for (int i = 0; i < body_count(); ++i) {
    twists[i].linear += free_[i].linear;
    twists[i].angular += free_[i].angular;
  }
  held.accelerations =
      impulse::acceleration_bias(constraints_, held.rows, bodies_now(), {}) + system.along(twists);
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    held.margins.push_back(
        contact::support_margin(constraints_.contacts()[i], held.rows.contacts[i],
                                constraints_.motion_of_contact(bodies_now(), i, 0),
                                constraints_.motion_of_contact(bodies_now(), i, 1)));
    const int tangent = constraints_.tangent_of(i);
    held.slips.push_back(
        tangent < 0 ? force::Slip{}
                    : force::slip_of(constraints_, bodies_now(), i, &held.rows.rows[tangent]));
  }
  return held;
}

bool ClusterSystem::share_anew(double t, const ode::Vector& y) {
  evaluate_free_forces(t, side_at(t), y);
  const force::ContactForces found =
      force::find_forces(constraints_, bodies_now(), inertias_, free_, &grips_);
  if (found.status != lcp::Status::solved) return false;
  const double tolerance = sharing_rounding * largest_acceleration(found);
  for (const int row : basis_)
    if (std::abs(found.accelerations[row]) > std::max(tolerance, found.rounding[row])) return false;
  reference_ = found.forces;
  first_forces_.carriers = found.carriers;
  first_forces_.guides = found.guides;
  return true;
}

double ClusterSystem::largest_acceleration(const force::ContactForces& found) const {
  return std::max(gravity_.norm(), found.accelerations.cwiseAbs().maxCoeff());
}

ClusterSystem::Changes ClusterSystem::changes(double t, const ode::Vector& y) {
  evaluate_free_forces(t, side_at(t), y);
  const force::ContactForces found =
      force::find_forces(constraints_, bodies_now(), inertias_, free_, &grips_);
  const double tolerance = acceleration_rounding * largest_acceleration(found);
  Changes changes;
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    if (found.opens(i, tolerance)) changes.opening.push_back(i);
    if (!grips_.empty() && grips_[i].grip == force::Grip::sticks &&
        found.grips[i].grip == force::Grip::slides)
      changes.slipping.emplace_back(i, found.grips[i].along);
  }
  return changes;
}

void ClusterSystem::report(double t, motion::Side side, const ode::Vector& y,
                           std::vector<ContactState>& contacts, std::vector<JointState>& joints) {
  if (constraints_.empty()) return;
  evaluate_free_forces(t, side, y);
  const impulse::RowsNow rows = leaning_rows({});
  const impulse::Vector forces =
      constraints_.has_friction()
          ? shared_forces(rows)
          : force::least_norm_forces(constraints_, bodies_now(), inertias_, free_);
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    const contact::Contact& contact = constraints_.contacts()[i];
    ContactState state;
    state.body_a = contact.bodies[0];
    state.body_b = contact.bodies[1];
    state.point = contact::place_of(contact, rows.contacts[i]);
    state.normal = rows.contacts[i].normal;
    state.gap = rows.contacts[i].row.value;
    state.normal_force = std::max(0.0, forces[i]);
    if (contact.has_friction()) add_friction(i, rows, forces, state);
    contacts.push_back(state);
  }
  for (int i = 0; i < static_cast<int>(constraints_.joints().size()); ++i)
    joints.push_back(joint_load(i, forces));
}

// The force of a contact that sticks is that of its rows of slip; of one that slides, what its
// push has besides the normal, and what guides it.
void ClusterSystem::add_friction(int i, const impulse::RowsNow& rows, const impulse::Vector& forces,
                                 ContactState& state) const {
  const impulse::SystemRow& row = rows.rows[i];
  state.mode = row.leaning ? ContactMode::slide : ContactMode::stick;
  if (row.leaning)
    state.friction_force = state.normal_force * (row.push(0).linear - row.row.sides[0].linear);
  const int tangent = constraints_.tangent_of(i);
  for (const int k : {tangent, tangent + 1})
    state.friction_force += forces[k] * rows.rows[k].row.sides[0].linear;
}

double ClusterSystem::independence(double t, const ode::Vector& y) {
  if (basis_.empty()) return 1;
  place_bodies(t, y);
  solver_.factorise({constraints_.evaluate(bodies_now(), basis_).rows, inertias_});
  return solver_.independence();
}

bool ClusterSystem::joints_hold(double t, const ode::Vector& y) {
  if (constraints_.joints().empty()) return true;
  place_bodies(t, y);
  double reach = 0, speed = least_rate;
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = moving_[i];
    const double radius = slots_[i].body->bounding_radius;
    reach = std::max(reach, body.state.centre.norm() + radius);
    speed =
        std::max({speed, body.angular_velocity.norm(),
                  (body.state.velocity.norm() + radius * body.angular_velocity.norm()) / reach});
  }
  for (int i = 0; i < static_cast<int>(constraints_.joints().size()); ++i)
    for (const body::ConstraintRow& row : constraints_.rows_of_joint(i, bodies_now())) {
      const double size = row.sides[1].linear.isZero(0) ? 1 : reach;
      if (!(std::abs(row.value) <= joint_rounding * size)) return false;
      if (!(std::abs(row.rate) <= joint_rate_rounding * size * speed)) return false;
    }
  return true;
}

bool ClusterSystem::implied_rows_awake(double t, const ode::Vector& y) {
  if (implied_.empty()) return false;
  place_bodies(t, y);
  std::vector<int> rows;
  for (const int row : basis_)
    if (row >= constraints_.first_equality()) rows.push_back(row);
  const std::size_t carrying = rows.size();
  rows.insert(rows.end(), implied_.begin(), implied_.end());
  const impulse::RowSystem system(constraints_.evaluate(bodies_now(), rows).rows, inertias_);
  return impulse::independent_rows(system).size() > carrying;
}

std::vector<double> ClusterSystem::gaps(double t, const ode::Vector& y,
                                        const std::vector<int>& contacts) {
  place_bodies(t, y);
  std::vector<double> result;
  for (const impulse::SystemRow& row : constraints_.evaluate(bodies_now(), contacts).rows)
    result.push_back(row.row.value);
  return result;
}

motion::Side ClusterSystem::side_at(double t) const {
  return t < smooth_until_ ? motion::Side::after : motion::Side::before;
}

void ClusterSystem::derivative(double t, const ode::Vector& y, ode::Vector& rate) {
  continues_slip_ = true;
  evaluate_forces(t, side_at(t), y);
  continues_slip_ = false;
  for (int i = 0; i < body_count(); ++i) {
    auto r = rate.segment<body_size>(body_size * i);
    const MovingBody& body = moving_[i];
    // q is used as it stands, not normalised, so that q' is linear in it and |q| stays constant.
    r.segment<3>(0) = body.state.velocity;
    r.segment<4>(3) = math::quaternion_rate(body.angular_velocity, body_in(y, i).attitude);
    r.segment<3>(7) = wrenches_[i].force / mass(i).mass;
    r.segment<3>(10) = wrenches_[i].torque;
  }
  if (keeps_balance()) put_balance(rates_, body_count(), rate);
}

// The error of a step is measured against the motion in it: errors of position, and of velocity
// times the step, against the displacement; errors of attitude, and of angular velocity times the
// step, against the angle turned. Unlike |y| this does not depend on where the origin is. The
// balance is left out: it is as smooth as the motion and nothing depends on it.
double ClusterSystem::error_norm(const ode::Vector& y0, const ode::Vector& y1,
                                 const ode::Vector& error, double h) const {
  double worst = 0;
  for (int i = 0; i < body_count(); ++i) {
    const int at = body_size * i;
    const body::Mass& m = mass(i);
    const double smallest_moment = m.principal.minCoeff();
    const double displacement =
        h * std::max(y0.segment<3>(at + 7).norm(), y1.segment<3>(at + 7).norm());
    // |omega| <= |L| / smallest moment; the largest moment gives the cautious side.
    const double angle = h *
                         std::max(y0.segment<3>(at + 10).norm(), y1.segment<3>(at + 10).norm()) /
                         m.principal.maxCoeff();
    const double length_unit =
        tolerance_ * (displacement + rest_fraction * slots_[i].body->bounding_radius) +
        position_rounding * y1.segment<3>(at).norm();
    const double angle_unit = tolerance_ * (angle + rest_fraction) + position_rounding;

    worst = std::max({worst, error.segment<3>(at).norm() / length_unit,
                      h * error.segment<3>(at + 7).norm() / length_unit,
                      2 * error.segment<4>(at + 3).norm() / angle_unit,
                      h * error.segment<3>(at + 10).norm() / (smallest_moment * angle_unit)});
    if (!(worst < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::infinity();
  }
  return worst;
}

void ClusterSystem::project(double t1, ode::Vector& y1) {
  for (int i = 0; i < body_count(); ++i) {
    body::RigidState state = body_in(y1, i);
    state.attitude.normalize();
    if (slots_[i].torque_free) restore_energy(slots_[i], state);
    put_body(state, i, y1);
  }
  if (basis_.empty()) return;
  for (int i = 0; i < projection_rounds; ++i) project_positions(t1, y1);
  project_velocities(t1, y1);
}

// The smallest displacement in the mass metric, M^-1 J^T lambda, that brings the gaps of contacts
// to the rest gap and the errors of joints and limits to zero, to first order.
void ClusterSystem::project_positions(double t1, ode::Vector& y1) {
  place_bodies(t1, y1);
  const impulse::RowSystem system(constraints_.evaluate(bodies_now(), placed_).rows, inertias_);
  impulse::Vector missing(system.size());
  for (int i = 0; i < system.size(); ++i)
    missing[i] = (placed_[i] < constraints_.contact_count() ? rest_gap_ : 0) - system[i].row.value;
  const std::vector<impulse::Twist> shifts =
      system.response(solve_rows(placing_solver_, system, missing));
  for (int i = 0; i < body_count(); ++i) {
    body::RigidState state = body_in(y1, i);
    state.centre += shifts[i].linear;
    state.attitude = (math::rotation_exp(shifts[i].angular) * state.attitude).normalized();
    put_body(state, i, y1);
  }
}

void ClusterSystem::project_velocities(double t1, ode::Vector& y1) {
  place_bodies(t1, y1);
  const impulse::RowSystem system(constraints_.evaluate(bodies_now(), basis_).rows, inertias_);
  impulse::Vector rates(system.size());
  for (int i = 0; i < system.size(); ++i) rates[i] = system[i].row.rate;
  const impulse::Vector impulses = solve_rows(solver_, system, -rates);
  for (int i = 0; i < system.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = system[i].slots[side];
      if (slot == impulse::immovable) continue;
      body::RigidState state = body_in(y1, slot);
      state.velocity += impulses[i] / mass(slot).mass * system[i].row.sides[side].linear;
      state.angular_momentum += impulses[i] * system[i].row.sides[side].angular;
      put_body(state, slot, y1);
    }
}

// Without torque the angular momentum L and the rotational energy E are constant. L is by
// construction; E follows the attitude, whose integration error would let it drift, and near the
// unstable axis a drift of 1e-12 is enough to shift the flips. A small rotation theta changes
//     E = L . R I^-1 R^T L / 2    by    theta . (omega x L),
// so the smallest rotation that restores E is (E0 - E) g / |g|^2 with g = omega x L. About a
// principal axis g vanishes and E is stationary: there is nothing to restore, and a correction
// larger than the local error would only be amplified rounding, so it is left out.
void ClusterSystem::restore_energy(const Slot& slot, body::RigidState& state) const {
  const body::Mass& m = slot.body->mass;
  const double energy = body::rotational_energy(m, state.attitude, state.angular_momentum);
  const double defect = slot.rotational_energy - energy;
  if (std::abs(defect) <= energy_rounding * slot.rotational_energy) return;
  const Vec3 gradient = body::angular_velocity(m, state.attitude, state.angular_momentum)
                            .cross(state.angular_momentum);
  const double slope = gradient.norm();
  if (std::abs(defect) > tolerance_ * slope) return;
  const Vec3 correction = (defect / slope) * (gradient / slope);
  state.attitude = (math::rotation_exp(correction) * state.attitude).normalized();
}

Balance ClusterSystem::balance(const ode::Vector& y) const {
  return keeps_balance() ? balance_in(y, body_count()) : Balance{};
}

Energy ClusterSystem::energy(double t, motion::Side side, const ode::Vector& y) {
  observe(y);
  Energy energy;
  for (int i = 0; i < body_count(); ++i) {
    energy.kinetic += body::kinetic_energy(mass(i), moving_[i].state);
    energy.potential -= mass(i).mass * gravity_.dot(moving_[i].state.centre);
  }
  energy.potential += laws_.potential_energy(moving_);
  energy.elastic = laws_.elastic_energy(t, side, moving_);
  return energy;
}

void ClusterSystem::write_states(double t, motion::Side side, const ode::Vector& y,
                                 std::vector<BodyState>& bodies) {
  evaluate_forces(t, side, y);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = moving_[i];
    const Pose pose = body::body_from_central(mass(i), {body.state.centre, body.state.attitude});
    BodyState& out = bodies[cluster_.bodies[i]];
    out.position = pose.position;
    out.orientation = pose.orientation;
    out.velocity = body.state.velocity;
    out.angular_velocity = body.angular_velocity;
    out.centre_of_mass = body.state.centre;
    out.acceleration = wrenches_[i].force / mass(i).mass;
    out.angular_acceleration = body::angular_acceleration(
        mass(i), body.state.attitude, body.state.angular_momentum, wrenches_[i].torque);
  }
}

Momentum ClusterSystem::momentum(const ode::Vector& y) const {
  Momentum total;
  for (int i = 0; i < body_count(); ++i) total += momentum_of(mass(i), body_in(y, i));
  return total;
}

}  // namespace abut::integrate
