// The forces that hold contacts and joints while a cluster moves, and the projections that take
// away what integration errors leave.

#include "integrate/cluster_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "impulse/equalities.h"
#include "math/rotation.h"

namespace abut::integrate {
namespace {

// Forces that count as none, relative to the largest of the cluster (dimensionless): rows that are
// nearly dependent leave no more digits.
constexpr double held_force_rounding = 1e-7;

// Rounds in which the impulses of contacts whose places move are found: each leaves that part of
// the error which the places moved by, against the size of the bodies, at most 1e-4.
constexpr int carrying_rounds = 4;

body::RowSide halfway(const body::RowSide& x, const body::RowSide& y) {
  return {0.5 * (x.linear + y.linear), 0.5 * (x.angular + y.angular)};
}

impulse::SystemRow halfway(const impulse::SystemRow& first, const impulse::SystemRow& last) {
  impulse::SystemRow mean = last;
  for (int side = 0; side < 2; ++side) {
    mean.row.sides[side] = halfway(first.row.sides[side], last.row.sides[side]);
    if (last.leaning) (*mean.leaning)[side] = halfway(first.push(side), last.push(side));
  }
  return mean;
}

}  // namespace

void ClusterSystem::list_rows() {
  placed_.clear();
  for (const int row : basis_)
    if (row < constraints_.first_tangent() ||
        constraints_.contacts()[constraints_.contact_of_tangent(row)].anchor)
      placed_.push_back(row);
  active_.clear();
  if (!constraints_.has_friction()) return;
  active_ = basis_;
  active_.insert(active_.end(), first_forces_.carriers.begin(), first_forces_.carriers.end());
  for (std::size_t i = 0; i < grips_.size(); ++i)
    if (grips_[i].grip == force::Grip::slides)
      for (const int k : {0, 1})
        active_.push_back(constraints_.tangent_of(static_cast<int>(i)) + k);
  std::sort(active_.begin(), active_.end());
  active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
  const auto place = [&](int row) {
    return static_cast<int>(std::lower_bound(active_.begin(), active_.end(), row) -
                            active_.begin());
  };
  const auto places = [&](const std::vector<int>& of) {
    std::vector<int> result;
    result.reserve(of.size());
    for (const int row : of) result.push_back(place(row));
    return result;
  };
  allowed_.first_to_pull = place(constraints_.first_motor());
  allowed_.cones.clear();
  for (int i = 0; i < static_cast<int>(grips_.size()); ++i)
    if (grips_[i].grip == force::Grip::sticks &&
        std::binary_search(active_.begin(), active_.end(), i))
      allowed_.cones.push_back({place(i), place(constraints_.tangent_of(i)),
                                constraints_.contacts()[i].friction.static_coefficient});
  carrying_ = {places(basis_), places(first_forces_.carriers), places(first_forces_.guides)};
}

bool ClusterSystem::let_go(int row) {
  const double largest = first_forces_.forces.lpNorm<Eigen::Infinity>();
  if (first_forces_.forces[row] > held_force_rounding * largest) return false;
  const auto left_out = std::erase(basis_, row) + std::erase(first_forces_.carriers, row);
  std::erase(first_forces_.basis, row);
  reference_[row] = 0;
  list_rows();
  return left_out > 0;
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

// Where the motion has made rows depend on each other that did not when it began, as in a dead
// centre, the independent ones carry the load.
impulse::Vector ClusterSystem::solve_rows(impulse::RowSolver& whole,
                                          const impulse::RowSystem& system,
                                          const impulse::Vector& target) {
  if (whole.factorise(system)) return whole.solve(target);
  const std::vector<int> independent =
      impulse::independent_rows(system, impulse::singular_fraction);
  impulse::RowSolver solver;
  solver.factorise(system.only(independent));
  const impulse::Vector solved = solver.solve(impulse::gathered(target, independent));
  impulse::Vector all = impulse::Vector::Zero(target.size());
  for (std::size_t i = 0; i < independent.size(); ++i) all[independent[i]] = solved[i];
  return all;
}

impulse::Vector ClusterSystem::least_change(impulse::RowSolver& solver,
                                            const impulse::RowSystem& system,
                                            const impulse::Vector& missing) {
  return solver.factorise(system) ? solver.solve(missing) : impulse::least_change(system, missing);
}

void ClusterSystem::add_constraint_forces() {
  if (slides_) return add_forces_of_sliding_cluster();
  impulse::RowsNow rows = constraints_.evaluate(bodies_now(), basis_);
  const impulse::Vector bias = impulse::acceleration_bias(constraints_, rows, bodies_now(), basis_);
  const impulse::RowSystem system(std::move(rows.rows), inertias_);
  basis_forces_ = solve_rows(solver_, system, -(bias + system.along(free_)));
  for (int i = 0; i < system.size(); ++i) add_force(basis_[i], system[i], basis_forces_[i]);
}

void ClusterSystem::add_forces_of_sliding_cluster() {
  const Shared shared = shared_forces(leaning_rows(active_));
  for (int i = 0; i < shared.system.size(); ++i)
    if (shared.forces[i] != 0) add_force(active_[i], shared.system[i], shared.forces[i]);
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
    // One that opens while it slides has no force that could lean.
    if (!rows.empty() && !std::binary_search(rows.begin(), rows.end(), i)) continue;
    const impulse::SystemRow* tangents = &now.rows[place(constraints_.tangent_of(i))];
    const force::Slip slip = slip_from_rest(i, tangents);
    // Slip that is over had the direction followed.
    Vec3 along = continues_slip_                 ? force::continued_direction(slip, grips_[i].along)
                 : slip.is_over(grips_[i].along) ? grips_[i].along
                                                 : Vec3(slip.velocity.normalized());
    if (constraints_.contacts()[i].is_guided()) along = tangents[1].row.sides[0].linear;
    force::lean(now.rows[place(i)], tangents, along,
                constraints_.contacts()[i].friction.dynamic_coefficient);
  }
  return now;
}

ClusterSystem::Shared ClusterSystem::shared_forces(impulse::RowsNow active_rows) {
  const impulse::Vector bias =
      impulse::acceleration_bias(constraints_, active_rows, bodies_now(), active_);
  Shared shared{{std::move(active_rows.rows), inertias_}, {}};
  shared.forces = sharing_.nearest_allowed_forces(shared.system, carrying_, allowed_,
                                                  bias + shared.system.along(free_),
                                                  impulse::gathered(reference_, active_));
  return shared;
}

ClusterSystem::Shared ClusterSystem::shared_forces_of(const impulse::RowsNow& rows) {
  impulse::RowsNow active_rows;
  active_rows.rows.reserve(active_.size());
  for (const int row : active_) active_rows.rows.push_back(rows.rows[row]);
  Shared shared = shared_forces(std::move(active_rows));
  impulse::Vector forces = impulse::Vector::Zero(constraints_.row_count());
  for (std::size_t i = 0; i < active_.size(); ++i)
    forces[active_[i]] = shared.forces[static_cast<Eigen::Index>(i)];
  shared.forces = std::move(forces);
  return shared;
}

std::pair<impulse::RowsNow, force::Slip> ClusterSystem::slip_now(int contact) const {
  const int row = constraints_.tangent_of(contact);
  impulse::RowsNow tangents = constraints_.evaluate(bodies_now(), std::array<int, 2>{row, row + 1});
  const force::Slip slip = slip_from_rest(contact, tangents.rows.data());
  return {std::move(tangents), slip};
}

force::Slip ClusterSystem::slip_from_rest(int contact, const impulse::SystemRow* tangents) const {
  force::Slip slip = force::slip_of(constraints_, bodies_now(), contact, tangents);
  slip.velocity -= grips_[contact].leftover;
  return slip;
}

void ClusterSystem::follow_slip(double t, const ode::Vector& y) {
  if (!slides_) return;
  place_bodies(t, y);
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    if (grips_[i].grip != force::Grip::slides) continue;
    const auto [tangents, slip] = slip_now(i);
    grips_[i].along = constraints_.contacts()[i].is_guided()
                          ? tangents.rows[1].row.sides[0].linear
                          : force::direction_of(slip, grips_[i].along);
  }
}

std::vector<JointState> ClusterSystem::hold_rates(double t, ode::Vector& y, double least) {
  if (basis_.empty() || !constraints_.has_friction()) return {};
  const std::vector<JointState> told = joint_impulses(project_velocities(t, y), least);
  if (!slides_) return told;
  place_bodies(t, y);
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    force::ContactGrip& grip = grips_[i];
    if (grip.grip != force::Grip::slides) continue;
    if (!grip.begins && !constraints_.contacts()[i].begins_to_slip()) continue;
    grip.leftover = Vec3::Zero();
    grip.leftover = force::leftover_of(slip_now(i).second, grip.along);
  }
  return told;
}

// With the bodies where the rates were taken out.
std::vector<JointState> ClusterSystem::joint_impulses(const Halted& halted, double least) const {
  std::vector<JointState> states;
  if (halted.rates.lpNorm<Eigen::Infinity>() <= least) return states;
  impulse::Vector impulses = impulse::Vector::Zero(constraints_.row_count());
  for (std::size_t i = 0; i < basis_.size(); ++i)
    impulses[basis_[i]] = halted.impulses[static_cast<Eigen::Index>(i)];
  for (int i = 0; i < static_cast<int>(constraints_.joints().size()); ++i) {
    states.push_back(constraints_.joint_state(i, bodies_now(), impulses));
    states.back().is_impulse = true;
  }
  return states;
}

// The smallest displacement in the mass metric, M^-1 J^T lambda, that brings the gaps of contacts
// to what they are kept at and the errors of joints and limits to zero, to first order.
void ClusterSystem::project_positions(double t1, ode::Vector& y1) {
  place_bodies(t1, y1);
  const impulse::RowSystem system(constraints_.evaluate(bodies_now(), placed_).rows, inertias_);
  impulse::Vector missing(system.size());
  for (int i = 0; i < system.size(); ++i)
    missing[i] = (placed_[i] < constraints_.contact_count() ? kept_gap(placed_[i]) : 0) -
                 system[i].row.value;
  const std::vector<impulse::Twist> shifts =
      system.response(least_change(placing_solver_, system, missing));
  for (int i = 0; i < body_count(); ++i) {
    body::RigidState state = body_in(y1, i);
    state.centre += shifts[i].linear;
    state.attitude = (math::rotation_exp(shifts[i].angular) * state.attitude).normalized();
    put_body(state, i, y1);
  }
}

ClusterSystem::Halted ClusterSystem::project_velocities(double t1, ode::Vector& y1) {
  place_bodies(t1, y1);
  const impulse::RowSystem system(constraints_.evaluate(bodies_now(), basis_).rows, inertias_);
  impulse::Vector rates(system.size());
  for (int i = 0; i < system.size(); ++i) rates[i] = system[i].row.rate;
  for (int i = 0; i < system.size(); ++i)
    if (basis_[i] < constraints_.contact_count())
      rate_removed_ = std::max(rate_removed_, std::abs(rates[i]));
  Halted halted{rates, least_change(solver_, system, -rates)};
  const impulse::Vector& impulses = halted.impulses;
  for (int i = 0; i < system.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = system[i].slots[side];
      if (slot == impulse::immovable) continue;
      body::RigidState state = body_in(y1, slot);
      state.velocity += impulses[i] / mass(slot).mass * system[i].row.sides[side].linear;
      state.angular_momentum += impulses[i] * system[i].row.sides[side].angular;
      put_body(state, slot, y1);
    }
  return halted;
}

std::vector<impulse::SystemRow> ClusterSystem::held_rows(double t, const ode::Vector& y) {
  place_bodies(t, y);
  if (!slides_) return constraints_.evaluate(bodies_now(), basis_).rows;
  const impulse::RowsNow all = leaning_rows(active_);
  std::vector<impulse::SystemRow> held;
  held.reserve(carrying_.held.size());
  for (const int place : carrying_.held) held.push_back(all.rows[place]);
  return held;
}

// Over a flat spot the place of a contact goes a way d in no time, and on it the contact takes up
// the velocity that bodies which turn have along its normal. Momentum dp comes in as the place x
// moves, dp = c dx, so that its moment is that of all of it at the mean place: impulses act along
// P = (J_0 + J_1) / 2, with J_0 v_0 = 0 before and J_1 v_1 = 0 after. Their energy is
//     P v = (J_1 v_0 + J_0 v_1) / 4 = (J_1 - J_0) (v_0 - v_1) / 4,
// third order in d as the impulses are of the first; along J_1 it would be of the second.
void ClusterSystem::carry_places_over(double t0, const ode::Vector& y0, double t1,
                                      ode::Vector& y1) {
  const std::vector<impulse::SystemRow> first = held_rows(t0, y0);
  std::vector<impulse::SystemRow> last = held_rows(t1, y1), mean = last;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    mean[i] = halfway(first[i], last[i]);
    last[i].leaning.reset();
  }
  const impulse::RowSystem system(std::move(last), inertias_), pushes(std::move(mean), inertias_);
  impulse::Vector rates(system.size());
  for (int i = 0; i < system.size(); ++i) rates[i] = system[i].row.rate;
  impulse::Vector impulses = impulse::Vector::Zero(system.size());
  for (int i = 0; i < carrying_rounds; ++i) {
    const impulse::Vector left = rates + system.along(pushes.response(impulses));
    impulses += solve_rows(solver_, system, -left);
  }
  take_impulses(pushes, impulses, y1);
}

// In the books they are forces for one second that act on the mean of the velocities before and
// after.
void ClusterSystem::take_impulses(const impulse::RowSystem& pushes, const impulse::Vector& impulses,
                                  ode::Vector& y) {
  const std::vector<impulse::Twist> jumps = pushes.response(impulses);
  for (int i = 0; i < body_count(); ++i) {
    motions_[i].velocity += 0.5 * jumps[i].linear;
    motions_[i].angular_velocity += 0.5 * jumps[i].angular;
    wrenches_[i] = Wrench{};
  }
  rates_ = Balance{};
  for (int i = 0; i < pushes.size(); ++i) add_force(basis_[i], pushes[i], impulses[i]);
  for (int i = 0; i < body_count(); ++i) {
    body::RigidState state = body_in(y, i);
    state.velocity += wrenches_[i].force / mass(i).mass;
    state.angular_momentum += wrenches_[i].torque;
    put_body(state, i, y);
  }
  Balance total = balance(y);
  total += rates_;
  put_balance(total, body_count(), y);
}

}  // namespace abut::integrate
