#include "integrate/row_watch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace abut::integrate {
namespace {

// Joints are closed up to this, relative to how far bodies are from the origin (directions: rad):
// some hundred roundings. And their rates up to this, relative to the fastest: more than solving
// the rows leaves, less than what a joint that cannot follow shows.
constexpr double joint_rounding = 1e-13;
constexpr double joint_rate_rounding = 1e-8;
// Bodies that hardly move are taken to turn at this, rad/s: solving leaves rates even at rest.
constexpr double least_rate = 1e-3;

// The rows that carry forces are looked for anew where others are more independent by this factor
// (dimensionless, see impulse::RowSolver): rows chosen
// while a wheel rolls up a step may be dependent once it is above the edge.
constexpr double better_chosen = 10;

impulse::RowSystem system_of(Equations& equations, const std::vector<int>& rows, double t,
                             const ode::Vector& y) {
  const IslandNow& now = equations.applied().evaluate(t, y);
  return now.system(equations.constraints().evaluate(now.placed(), rows).rows);
}

// Contacts too: wheels that stand upright need not be kept so.
std::vector<int> with_implied(const HeldRows& held) {
  std::vector<int> rows = held.basis();
  rows.insert(rows.end(), held.implied().begin(), held.implied().end());
  return rows;
}

}  // namespace

double independence(Equations& equations, double t, const ode::Vector& y) {
  HeldRows& rows = equations.rows();
  if (rows.basis().empty()) return 1;
  rows.solver().factorise(system_of(equations, rows.basis(), t, y));
  return rows.solver().independence();
}

bool prefers_other_rows(Equations& equations, double t, const ode::Vector& y) {
  const HeldRows& held = equations.rows();
  const bool is_rough = equations.constraints().has_friction();
  if (equations.constraints().joints().empty() || (!is_rough && held.implied().empty()))
    return false;
  const double independence_now = independence(equations, t, y);
  if (independence_now > poor_independence) return false;
  std::vector<int> rows = is_rough ? held.found().carriers : with_implied(held);
  std::sort(rows.begin(), rows.end());
  const impulse::RowSystem all = system_of(equations, rows, t, y);
  const std::vector<int> better =
      impulse::firm_rows(all, impulse::Vector::Constant(all.size(), impulse::dependent_fraction));
  impulse::RowSolver solver;
  return better.size() >= held.basis().size() && solver.factorise(all.only(better)) &&
         solver.independence() > better_chosen * independence_now;
}

bool implied_rows_awake(Equations& equations, double t, const ode::Vector& y) {
  const HeldRows& held = equations.rows();
  if (held.implied().empty()) return false;
  const impulse::RowSystem system = system_of(equations, with_implied(held), t, y);
  return impulse::independent_rows(system).size() > held.basis().size();
}

bool joints_hold(Equations& equations, double t, const ode::Vector& y) {
  const impulse::ConstraintSet& set = equations.constraints();
  if (set.joints().empty()) return true;
  const IslandNow& now = equations.applied().evaluate(t, y);
  double reach = 0, speed = least_rate;
  for (int i = 0; i < equations.applied().body_count(); ++i) {
    const MovingBody& body = now.bodies[i];
    const double radius = equations.applied().body(i).bounding_radius;
    reach = std::max(reach, body.state.centre.norm() + radius);
    speed =
        std::max({speed, body.angular_velocity.norm(),
                  (body.state.velocity.norm() + radius * body.angular_velocity.norm()) / reach});
  }
  for (int i = 0; i < static_cast<int>(set.joints().size()); ++i)
    for (const body::ConstraintRow& row : set.rows_of_joint(i, now.placed())) {
      const double size = row.sides[1].linear.isZero(0) ? 1 : reach;
      if (!(std::abs(row.value) <= joint_rounding * size)) return false;
      if (!(std::abs(row.rate) <= joint_rate_rounding * size * speed)) return false;
    }
  return true;
}

}  // namespace abut::integrate
