#include "integrate/holding.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "impulse/equalities.h"
#include "math/rotation.h"

namespace abut::integrate {
namespace {

// Newton steps of the projection of positions: the error is a small local one, so the second step
// already reaches rounding.
constexpr int projection_rounds = 2;

// Contacts whose rates were off by more than this part of the fastest velocity (dimensionless) have
// moved within the step further than integration errors tell. The square of it, which is what
// energy sees, is below rounding.
constexpr double jump_fraction = 1e-8;

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

impulse::Vector rates_of(const impulse::RowSystem& system) {
  impulse::Vector rates(system.size());
  for (int i = 0; i < system.size(); ++i) rates[i] = system[i].row.rate;
  return rates;
}

}  // namespace

void Holding::project(double t0, const ode::Vector& y0, double t1, ode::Vector& y1) {
  rate_removed_ = 0;
  if (rows_.basis().empty()) return;
  for (int i = 0; i < projection_rounds; ++i) project_positions(t1, y1);
  const ode::Vector tried = y1;
  project_velocities(t1, y1);
  if (rate_removed_ <= jump_fraction * applied_.fastest(y1)) return;
  y1 = tried;
  carry_places_over(t0, y0, t1, y1);
}

std::vector<JointState> Holding::hold_rates(double t, ode::Vector& y, double least) {
  if (rows_.basis().empty() || !applied_.constraints().has_friction()) return {};
  const std::vector<JointState> told = joint_impulses(project_velocities(t, y), least);
  if (rows_.modes().any_slides()) {
    applied_.evaluate(t, y);
    rows_.modes().count_from_here();
  }
  return told;
}

// With the bodies where the rates were taken out.
std::vector<JointState> Holding::joint_impulses(const Halted& halted, double least) const {
  const impulse::ConstraintSet& set = applied_.constraints();
  std::vector<JointState> states;
  if (halted.rates.lpNorm<Eigen::Infinity>() <= least) return states;
  const impulse::Vector impulses = rows_.by_row(halted.impulses);
  for (int i = 0; i < static_cast<int>(set.joints().size()); ++i) {
    states.push_back(set.joint_state(i, applied_.now().placed(), impulses));
    states.back().is_impulse = true;
  }
  return states;
}

// The smallest displacement in the mass metric, M^-1 J^T lambda, that brings the gaps of contacts
// to what they are kept at and the errors of joints and limits to zero, to first order.
void Holding::project_positions(double t1, ode::Vector& y1) {
  const impulse::ConstraintSet& set = applied_.constraints();
  const IslandNow& now = applied_.evaluate(t1, y1);
  const std::vector<int>& placed = rows_.placed();
  const impulse::RowSystem system = now.system(set.evaluate(now.placed(), placed).rows);
  impulse::Vector missing(system.size());
  for (int i = 0; i < system.size(); ++i)
    missing[i] =
        (placed[i] < set.contact_count() ? applied_.kept_gap(placed[i]) : 0) - system[i].row.value;
  const std::vector<impulse::Twist> shifts =
      system.response(impulse::least_change(placing_solver_, system, missing));
  for (int i = 0; i < applied_.body_count(); ++i) {
    body::RigidState state = body_in(y1, i);
    state.centre += shifts[i].linear;
    state.attitude = (math::rotation_exp(shifts[i].angular) * state.attitude).normalized();
    put_body(state, i, y1);
  }
}

Holding::Halted Holding::project_velocities(double t1, ode::Vector& y1) {
  const impulse::ConstraintSet& set = applied_.constraints();
  const IslandNow& now = applied_.evaluate(t1, y1);
  const impulse::RowSystem system = now.system(set.evaluate(now.placed(), rows_.basis()).rows);
  const impulse::Vector rates = rates_of(system);
  for (int i = 0; i < system.size(); ++i)
    if (rows_.basis()[i] < set.contact_count())
      rate_removed_ = std::max(rate_removed_, std::abs(rates[i]));
  Halted halted{rates, impulse::least_change(rows_.solver(), system, -rates)};
  const impulse::Vector& impulses = halted.impulses;
  for (int i = 0; i < system.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = system[i].slots[side];
      if (slot == impulse::immovable) continue;
      body::RigidState state = body_in(y1, slot);
      state.velocity += impulses[i] / applied_.mass(slot).mass * system[i].row.sides[side].linear;
      state.angular_momentum += impulses[i] * system[i].row.sides[side].angular;
      put_body(state, slot, y1);
    }
  return halted;
}

std::vector<impulse::SystemRow> Holding::rows_at(double t, const ode::Vector& y) {
  const IslandNow& now = applied_.evaluate(t, y);
  if (!rows_.modes().any_slides())
    return applied_.constraints().evaluate(now.placed(), rows_.basis()).rows;
  const impulse::RowsNow all =
      rows_.modes().leaning_rows(rows_.active(), SlipThatIsOver::has_ended);
  std::vector<impulse::SystemRow> held;
  held.reserve(rows_.held_places().size());
  for (const int place : rows_.held_places()) held.push_back(all.rows[place]);
  return held;
}

// Over a flat spot the place of a contact goes a way d in no time, and on it the contact takes up
// the velocity that bodies which turn have along its normal. Momentum dp comes in as the place x
// moves, dp = c dx, so that its moment is that of all of it at the mean place: impulses act along
// P = (J_0 + J_1) / 2, with J_0 v_0 = 0 before and J_1 v_1 = 0 after. Their energy is
//     P v = (J_1 v_0 + J_0 v_1) / 4 = (J_1 - J_0) (v_0 - v_1) / 4,
// third order in d as the impulses are of the first; along J_1 it would be of the second.
void Holding::carry_places_over(double t0, const ode::Vector& y0, double t1, ode::Vector& y1) {
  const std::vector<impulse::SystemRow> first = rows_at(t0, y0);
  std::vector<impulse::SystemRow> last = rows_at(t1, y1), mean = last;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    mean[i] = halfway(first[i], last[i]);
    last[i].leaning.reset();
  }
  const IslandNow& now = applied_.now();
  const impulse::RowSystem system = now.system(std::move(last)),
                           pushes = now.system(std::move(mean));
  const impulse::Vector rates = rates_of(system);
  impulse::Vector impulses = impulse::Vector::Zero(system.size());
  for (int i = 0; i < carrying_rounds; ++i) {
    const impulse::Vector left = rates + system.along(pushes.response(impulses));
    impulses += impulse::solve_rows(rows_.solver(), system, -left);
  }
  take_impulses(pushes, impulses, y1);
}

// In the books they are forces for one second that act on the mean of the velocities before and
// after.
void Holding::take_impulses(const impulse::RowSystem& pushes, const impulse::Vector& impulses,
                            ode::Vector& y) {
  const std::vector<impulse::Twist> jumps = pushes.response(impulses);
  IslandNow& now = applied_.now();
  const int bodies = applied_.body_count();
  for (int i = 0; i < bodies; ++i) {
    now.motions[i].velocity += 0.5 * jumps[i].linear;
    now.motions[i].angular_velocity += 0.5 * jumps[i].angular;
    now.wrenches[i] = Wrench{};
  }
  now.rates = Balance{};
  for (int i = 0; i < pushes.size(); ++i) rows_.push(rows_.basis()[i], pushes[i], impulses[i]);
  for (int i = 0; i < bodies; ++i) {
    body::RigidState state = body_in(y, i);
    state.velocity += now.wrenches[i].force / applied_.mass(i).mass;
    state.angular_momentum += now.wrenches[i].torque;
    put_body(state, i, y);
  }
  Balance total = applied_.balance(y);
  total += now.rates;
  put_balance(total, bodies, y);
}

}  // namespace abut::integrate
