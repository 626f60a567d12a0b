// What events and reports ask of the contacts and joints of a cluster at an instant.

#include "integrate/cluster_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "impulse/equalities.h"

namespace abut::integrate {
namespace {

// Joints are closed up to this, relative to how far bodies are from the origin (directions: rad):
// some hundred roundings. And their rates up to this, relative to the fastest: more than solving
// the rows leaves, less than what a joint that cannot follow shows.
constexpr double joint_rounding = 1e-13;
constexpr double joint_rate_rounding = 1e-8;
// Bodies that hardly move are taken to turn at this, rad/s: solving leaves rates even at rest.
constexpr double least_rate = 1e-3;

// Forces shared out anew hold a row if it accelerates less than this fraction of the largest
// acceleration (dimensionless). By it, friction gives way a little late.
constexpr double sharing_rounding = 1e-11;

// Forces that are reported hold a row if they leave it less than this fraction of the largest
// acceleration that there would be without any (dimensionless).
constexpr double reported_rounding = 1e-9;

// Forces that are reported have the effect of those followed if no body accelerates otherwise by
// more than this fraction of what the loads on it would do to it together (dimensionless).
constexpr double same_effect = 1e-9;

// The rows that carry forces are looked for anew where they are less independent than this, if
// others are more independent by that factor (dimensionless, see impulse::RowSolver): rows chosen
// while a wheel rolls up a step may be dependent once it is above the edge.
constexpr double poorly_chosen = 1e-3;
constexpr double better_chosen = 10;

// Slip counts as stopped that friction under the load of its contact would stop within this time,
// s: a tenth of force::creep_time, which counts from gravity alone. Contacts that are wedged bear
// loads of a hundred times their weight.
constexpr double loaded_creep_time = 0.1 * force::creep_time;

}  // namespace

ClusterSystem::Held ClusterSystem::held(double t, motion::Side side, const ode::Vector& y) {
  Held held;
  continues_slip_ = true;
  std::vector<impulse::Twist> twists;
  if (constraints_.has_friction()) {
    evaluate_free_forces(t, side, y);
    held.rows = leaning_rows({});
    const Shared shared = shared_forces_of(held.rows);
    held.forces = shared.forces;
    twists = shared.system.response(impulse::gathered(held.forces, active_));
  } else {
    evaluate_forces(t, side, y);
    held.rows = leaning_rows({});
    held.forces = impulse::Vector::Zero(constraints_.row_count());
    for (std::size_t i = 0; i < basis_.size(); ++i) held.forces[basis_[i]] = basis_forces_[i];
    twists = impulse::RowSystem(held.rows.rows, inertias_).response(held.forces);
  }
  continues_slip_ = false;
  for (int i = 0; i < body_count(); ++i) {
    twists[i].linear += free_[i].linear;
    twists[i].angular += free_[i].angular;
  }
  held.accelerations = impulse::acceleration_bias(constraints_, held.rows, bodies_now(), {}) +
                       impulse::along(held.rows.rows, twists);
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    held.margins.push_back(margin_of(i, held.rows.contacts[i]));
    const int tangent = constraints_.tangent_of(i);
    held.slips.push_back(tangent < 0 ? force::Slip{} : slip_from_rest(i, &held.rows.rows[tangent]));
  }
  return held;
}

double ClusterSystem::margin_of(int contact, const contact::ContactNow& now) const {
  return contact::support_margin(constraints_.contacts()[contact], now,
                                 constraints_.motion_of_contact(bodies_now(), contact, 0),
                                 constraints_.motion_of_contact(bodies_now(), contact, 1));
}

force::Slip ClusterSystem::slip_at(double t, const ode::Vector& y, int contact) {
  place_bodies(t, y);
  return slip_now(contact).second;
}

double ClusterSystem::margin_at(double t, const ode::Vector& y, int contact) {
  place_bodies(t, y);
  return margin_of(contact, constraints_.contact_now(contact, bodies_now()));
}

void ClusterSystem::swap_share(EarlierShare& share) {
  std::swap(reference_, share.reference);
  std::swap(first_forces_.carriers, share.carriers);
  std::swap(first_forces_.guides, share.guides);
  list_rows();
}

class ClusterSystem::ShareAt {
 public:
  ShareAt(ClusterSystem& system, double t) : system_(system) {
    std::vector<EarlierShare>& all = system.earlier_shares_;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [t](const EarlierShare& share) { return t < share.until; });
    if (found == all.end()) return;
    share_ = &*found;
    system_.swap_share(*share_);
  }
  ~ShareAt() {
    if (share_ != nullptr) system_.swap_share(*share_);
  }
  ShareAt(const ShareAt&) = delete;
  ShareAt& operator=(const ShareAt&) = delete;

 private:
  ClusterSystem& system_;
  EarlierShare* share_ = nullptr;
};

bool ClusterSystem::share_anew(double t, const ode::Vector& y, double from) {
  evaluate_free_forces(t, side_at(t), y);
  const force::ContactForces found =
      force::find_forces(constraints_, bodies_now(), inertias_, free_, &grips_);
  if (!holds_all(found)) return false;
  if (slides_)
    earlier_shares_.push_back({from, reference_, first_forces_.carriers, first_forces_.guides});
  reference_ = found.forces;
  first_forces_.carriers = found.carriers;
  first_forces_.guides = found.guides;
  for (int i = 0; i < static_cast<int>(grips_.size()); ++i)
    if (grips_[i].grip == force::Grip::sticks && found.forces[i] > 0) keep_sticking(i, found);
  list_rows();
  return true;
}

// A contact that sticks carries its friction by its rows of slip. On the verge of slipping, by so
// little that it is still held, it has a force that leans in what was found: here it sticks on. One
// that nothing presses has no friction.
void ClusterSystem::keep_sticking(int contact, const force::ContactForces& found) {
  std::vector<int>& carriers = first_forces_.carriers;
  const int tangent = constraints_.tangent_of(contact);
  for (const int row : {tangent, tangent + 1}) {
    const auto place = std::lower_bound(carriers.begin(), carriers.end(), row);
    if (place == carriers.end() || *place != row) carriers.insert(place, row);
  }
  if (found.grips[contact].grip != force::Grip::slides) return;
  const impulse::RowsNow tangents = slip_now(contact).first;
  const Vec3 friction = -constraints_.contacts()[contact].friction.static_coefficient *
                        found.forces[contact] * found.grips[contact].along;
  for (const int k : {0, 1})
    reference_[tangent + k] = friction.dot(tangents.rows[k].row.sides[0].linear);
}

// Whether forces hold every row that is held.
bool ClusterSystem::holds_all(const force::ContactForces& found) const {
  if (found.status != lcp::Status::solved) return false;
  const double tolerance = sharing_rounding * largest_acceleration(found);
  return std::all_of(basis_.begin(), basis_.end(), [&](int row) {
    return std::abs(found.accelerations[row]) <= std::max(tolerance, found.rounding[row]);
  });
}

int ClusterSystem::creeping_contact(double t, const ode::Vector& y) {
  if (!slides_) return -1;
  const impulse::Vector forces = held(t, side_at(t), y).forces;
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    const contact::Contact& contact = constraints_.contacts()[i];
    if (grips_[i].grip != force::Grip::slides || contact.is_guided()) continue;
    // One that has just begun is slow because it has, and one that others drive cannot be stopped.
    if (grips_[i].begins || grips_[i].creeps || contact.begins_to_slip()) continue;
    if (slip_now(i).second.velocity.norm() <= stopping_speed(i, forces[i])) return i;
  }
  return -1;
}

// Friction mu f slows a slip v along d by mu f d.A d per second, if nothing else acts.
double ClusterSystem::stopping_speed(int contact, double force) const {
  const auto [tangents, slip] = slip_now(contact);
  const impulse::Matrix mobility = impulse::RowSystem(tangents.rows, inertias_).matrix();
  const Eigen::Vector2d along =
      Eigen::Vector2d(tangents.rows[0].row.rate, tangents.rows[1].row.rate).normalized();
  const double friction = constraints_.contacts()[contact].friction.dynamic_coefficient * force;
  return std::max(slip.stopped, loaded_creep_time * friction * along.dot(mobility * along));
}

double ClusterSystem::largest_acceleration(const force::ContactForces& found) const {
  return std::max(gravity_.norm(), found.accelerations.lpNorm<Eigen::Infinity>());
}

ClusterSystem::Changes ClusterSystem::changes(double t, const ode::Vector& y) {
  evaluate_free_forces(t, side_at(t), y);
  const force::ContactForces found =
      force::find_forces(constraints_, bodies_now(), inertias_, free_, &grips_);
  const double tolerance = acceleration_rounding * largest_acceleration(found);
  Changes changes;
  changes.only_shares = holds_all(found);
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    if (found.opens(i, tolerance)) changes.opening.push_back(i);
    if (!grips_.empty() && grips_[i].grip == force::Grip::sticks &&
        found.grips[i].grip == force::Grip::slides)
      changes.slipping.emplace_back(i, found.grips[i].along);
  }
  return changes;
}

void ClusterSystem::write_states(double t, motion::Side side, const ode::Vector& y,
                                 std::vector<BodyState>& bodies) {
  const ShareAt share(*this, t);
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

void ClusterSystem::report(double t, motion::Side side, const ode::Vector& y,
                           std::vector<ContactState>& contacts, std::vector<JointState>& joints) {
  if (!springs_.empty()) {
    observe(y);
    springs_.report(t, side, moving_, contacts);
  }
  if (constraints_.empty()) return;
  const ShareAt share(*this, t);
  evaluate_free_forces(t, side, y);
  const impulse::RowsNow rows = leaning_rows({});
  const impulse::Vector forces = constraints_.has_friction()
                                     ? forces_to_report(t, y, rows)
                                     : frictionless_forces_to_report(t, side, y, rows);
  const bool unique = has_unique_forces();
  for (int i = 0; i < constraints_.contact_count(); ++i) {
    const contact::Contact& contact = constraints_.contacts()[i];
    ContactState state;
    state.body_a = contact.bodies[0];
    state.body_b = contact.bodies[1];
    state.point = contact::place_of(contact, rows.contacts[i]);
    state.normal = rows.contacts[i].normal;
    state.gap = rows.contacts[i].row.value;
    state.normal_force = std::max(0.0, forces[i]);
    state.feature_a = contact::recorded_a(contact.label);
    state.feature_b = contact::recorded_b(contact.label);
    state.unique = unique;
    if (contact.has_friction()) add_friction(i, rows, forces, state);
    contacts.push_back(state);
  }
  for (int i = 0; i < static_cast<int>(constraints_.joints().size()); ++i)
    joints.push_back(joint_load(i, forces));
}

impulse::Vector ClusterSystem::left_to_hold(const impulse::RowsNow& rows,
                                            const impulse::Vector& forces) const {
  const impulse::RowSystem system(rows.rows, inertias_);
  const impulse::Vector free =
      impulse::acceleration_bias(constraints_, rows, bodies_now(), {}) + system.along(free_);
  const impulse::Vector left =
      impulse::gathered(free + system.along(system.response(forces)), basis_);
  const double tolerance =
      reported_rounding * std::max(gravity_.norm(), free.lpNorm<Eigen::Infinity>());
  return left.lpNorm<Eigen::Infinity>() > tolerance ? left : impulse::Vector();
}

// Where nothing slides forces may have been shared out anew for a later time, by contacts that do
// not suffice yet, or so that those near to them are not allowed here. Others that are have the
// same effect; what was chosen for later stays. Where rows all but depend on each other, as those
// of a ring's places a few millimetres apart, none that are shared out hold all of them: what they
// leave is added where it is followed.
impulse::Vector ClusterSystem::forces_to_report(double t, const ode::Vector& y,
                                                const impulse::RowsNow& rows) {
  impulse::Vector forces = shared_forces_of(rows).forces;
  if (slides_) return forces;
  const impulse::Vector left = left_to_hold(rows, forces);
  if (force::are_allowed(constraints_, grips_, forces) && left.size() == 0) return forces;
  EarlierShare chosen{t, reference_, first_forces_.carriers, first_forces_.guides};
  const bool shared_anew = share_anew(t, y, t);
  if (shared_anew) forces = shared_forces_of(rows).forces;
  swap_share(chosen);
  if (shared_anew || left.size() == 0) return forces;
  const impulse::RowSystem followed(constraints_.evaluate(bodies_now(), basis_).rows, inertias_);
  const impulse::Vector added = solve_rows(solver_, followed, -left);
  for (std::size_t i = 0; i < basis_.size(); ++i) forces[basis_[i]] += added[i];
  return forces;
}

// Where rows all but depend on each other, as those of a ring's places a few millimetres apart,
// their accelerations hardly tell how it tips over the line through them, and forces of least norm
// that hold them may tip it otherwise. Then those that are followed are reported.
impulse::Vector ClusterSystem::frictionless_forces_to_report(double t, motion::Side side,
                                                             const ode::Vector& y,
                                                             const impulse::RowsNow& rows) {
  impulse::Vector least = force::least_norm_forces(constraints_, bodies_now(), inertias_, free_);
  evaluate_forces(t, side, y);
  impulse::Vector followed = impulse::Vector::Zero(constraints_.row_count());
  for (std::size_t i = 0; i < basis_.size(); ++i) followed[basis_[i]] = basis_forces_[i];
  const std::vector<impulse::Twist> off =
      impulse::RowSystem(rows.rows, inertias_).response(least - followed);
  for (int i = 0; i < body_count(); ++i) {
    const double reach = slots_[i].body->bounding_radius, mass_now = mass(i).mass;
    if (off[i].linear.norm() + reach * off[i].angular.norm() > same_effect * loads_[i] / mass_now)
      return followed;
  }
  return least;
}

// The rows to be held are independent of each other: forces that come from more rows than these can
// be shared out otherwise.
bool ClusterSystem::has_unique_forces() const {
  if (first_forces_.is_one_of_two) return false;
  const std::size_t carrying =
      constraints_.has_friction() ? first_forces_.carriers.size() : every_row_.size();
  return carrying <= basis_.size();
}

// The force of a contact that sticks is that of its rows of slip; of one that slides, what its
// push has besides the normal, and what guides it. One that has no force holds nothing: it slides
// as soon as anything moves it.
void ClusterSystem::add_friction(int i, const impulse::RowsNow& rows, const impulse::Vector& forces,
                                 ContactState& state) const {
  const impulse::SystemRow& row = rows.rows[i];
  const int tangent = constraints_.tangent_of(i);
  const double slip = std::hypot(rows.rows[tangent].row.rate, rows.rows[tangent + 1].row.rate);
  const bool is_adrift = grips_[i].grip == force::Grip::none && slip > force::still_speed;
  state.mode = row.leaning || is_adrift ? ContactMode::slide : ContactMode::stick;
  if (row.leaning)
    state.friction_force = state.normal_force * (row.push(0).linear - row.row.sides[0].linear);
  for (const int k : {tangent, tangent + 1})
    state.friction_force += forces[k] * rows.rows[k].row.sides[0].linear;
}

double ClusterSystem::independence(double t, const ode::Vector& y) {
  if (basis_.empty()) return 1;
  place_bodies(t, y);
  solver_.factorise({constraints_.evaluate(bodies_now(), basis_).rows, inertias_});
  return solver_.independence();
}

bool ClusterSystem::prefers_other_rows(double t, const ode::Vector& y) {
  const bool is_rough = constraints_.has_friction();
  if (constraints_.joints().empty() || (!is_rough && implied_.empty())) return false;
  const double independence_now = independence(t, y);
  if (independence_now > poorly_chosen) return false;
  std::vector<int> rows = is_rough ? first_forces_.carriers : basis_;
  if (!is_rough) {
    rows.insert(rows.end(), implied_.begin(), implied_.end());
    std::sort(rows.begin(), rows.end());
  }
  const impulse::RowSystem all(constraints_.evaluate(bodies_now(), rows).rows, inertias_);
  const std::vector<int> better =
      impulse::firm_rows(all, impulse::Vector::Constant(all.size(), impulse::dependent_fraction));
  impulse::RowSolver solver;
  return better.size() >= basis_.size() && solver.factorise(all.only(better)) &&
         solver.independence() > better_chosen * independence_now;
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
  std::vector<int> rows = basis_;  // contacts too: wheels that stand upright need not be kept so
  rows.insert(rows.end(), implied_.begin(), implied_.end());
  const impulse::RowSystem system(constraints_.evaluate(bodies_now(), rows).rows, inertias_);
  return impulse::independent_rows(system).size() > basis_.size();
}

std::vector<contact::ContactNow> ClusterSystem::contacts_at(double t, const ode::Vector& y,
                                                            const std::vector<int>& contacts) {
  place_bodies(t, y);
  std::vector<contact::ContactNow> now;
  now.reserve(contacts.size());
  for (const int contact : contacts) now.push_back(constraints_.contact_now(contact, bodies_now()));
  return now;
}

Pose ClusterSystem::support_pose(BodyIndex body, double t) const {
  return prescribed_support(*model_, *scripts_, body, t).motion.pose;
}

}  // namespace abut::integrate
