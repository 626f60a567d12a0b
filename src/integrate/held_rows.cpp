#include "integrate/held_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "impulse/equalities.h"

namespace abut::integrate {
namespace {

// Forces that count as none, relative to the largest of the island (dimensionless): rows that are
// nearly dependent leave no more digits.
constexpr double held_force_rounding = 1e-7;

// The places of rows in an ascending list that holds them all.
std::vector<int> places_among(const std::vector<int>& all, const std::vector<int>& rows) {
  std::vector<int> places;
  places.reserve(rows.size());
  for (const int row : rows)
    places.push_back(static_cast<int>(std::lower_bound(all.begin(), all.end(), row) - all.begin()));
  return places;
}

}  // namespace

void HeldRows::begin() {
  impulse::ConstraintSet& set = applied_.constraints();
  const IslandNow& now = applied_.now();
  found_ = force::find_forces(set, now.placed(), now.inertias, now.free);
  basis_ = found_.basis;
  modes_.begin(found_.modes);
  reference_ = found_.forces;
  earlier_shares_.clear();
  for (int i = 0; i < set.contact_count(); ++i)
    if (modes_.sticks(i) && set.contacts()[i].is_corner_on_face()) set.anchor(i, now.placed());
  list_rows();
  implied_.clear();
  for (int row = set.first_equality(); row < set.first_tangent(); ++row)
    if (!std::binary_search(basis_.begin(), basis_.end(), row)) implied_.push_back(row);
}

void HeldRows::list_rows() {
  const impulse::ConstraintSet& set = applied_.constraints();
  placed_.clear();
  for (const int row : basis_)
    if (row < set.first_tangent() || set.contacts()[set.contact_of_tangent(row)].anchor)
      placed_.push_back(row);
  active_.clear();
  if (set.has_friction()) list_active_rows();
}

void HeldRows::list_active_rows() {
  const impulse::ConstraintSet& set = applied_.constraints();
  active_ = basis_;
  active_.insert(active_.end(), found_.carriers.begin(), found_.carriers.end());
  for (int i = 0; i < set.contact_count(); ++i)
    if (modes_.slides(i))
      for (const int k : {0, 1}) active_.push_back(set.tangent_of(i) + k);
  std::sort(active_.begin(), active_.end());
  active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
  const auto place = [&](int row) { return places_among(active_, {row}).front(); };
  allowed_.first_to_pull = place(set.first_motor());
  allowed_.cones.clear();
  for (int i = 0; i < set.contact_count(); ++i)
    if (modes_.sticks(i) && std::binary_search(active_.begin(), active_.end(), i))
      allowed_.cones.push_back(
          {place(i), place(set.tangent_of(i)), set.contacts()[i].friction.static_coefficient});
  carrying_ = {places_among(active_, basis_), places_among(active_, found_.carriers),
               places_among(active_, found_.guides)};
}

// The rows to be held are independent of each other: forces that come from more rows than these can
// be shared out otherwise.
bool HeldRows::have_unique_forces() const {
  if (found_.is_one_of_two) return false;
  const impulse::ConstraintSet& set = applied_.constraints();
  const std::size_t carrying =
      set.has_friction() ? found_.carriers.size() : static_cast<std::size_t>(set.row_count());
  return carrying <= basis_.size();
}

void HeldRows::follow_slip(double t, const ode::Vector& y) {
  if (!modes_.any_slides()) return;
  applied_.evaluate(t, y);
  modes_.follow();
}

bool HeldRows::let_go(int row) {
  const double largest = found_.forces.lpNorm<Eigen::Infinity>();
  if (found_.forces[row] > held_force_rounding * largest) return false;
  const auto left_out = std::erase(basis_, row) + std::erase(found_.carriers, row);
  std::erase(found_.basis, row);
  reference_[row] = 0;
  list_rows();
  return left_out > 0;
}

// --- Forces that are shared out
// -------------------------------------------------------------------

void HeldRows::swap(Share& share) {
  std::swap(reference_, share.reference);
  std::swap(found_.carriers, share.carriers);
  std::swap(found_.guides, share.guides);
  list_rows();
}

HeldRows::At::At(HeldRows& rows, double t) : rows_(rows) {
  std::vector<Share>& all = rows.earlier_shares_;
  const auto found =
      std::find_if(all.begin(), all.end(), [t](const Share& share) { return t < share.until; });
  if (found == all.end()) return;
  share_ = &*found;
  rows_.swap(*share_);
}

HeldRows::At::~At() {
  if (share_ != nullptr) rows_.swap(*share_);
}

bool HeldRows::are_held_by(const force::ContactForces& found) const {
  if (found.status != lcp::Status::solved) return false;
  const double tolerance =
      force::acceleration_rounding *
      std::max(applied_.model().gravity.norm(), found.accelerations.lpNorm<Eigen::Infinity>());
  return std::all_of(basis_.begin(), basis_.end(), [&](int row) {
    return std::abs(found.accelerations[row]) <= std::max(tolerance, found.rounding[row]);
  });
}

force::ContactForces HeldRows::found_at(double t, const ode::Vector& y) {
  const IslandNow& now = applied_.evaluate(t, y);
  return force::find_forces(applied_.constraints(), now.placed(), now.inertias, now.free,
                            &modes_.all());
}

bool HeldRows::share_anew(double t, const ode::Vector& y, double from) {
  const force::ContactForces found = found_at(t, y);
  if (!are_held_by(found)) return false;
  if (modes_.any_slides())
    earlier_shares_.push_back({from, reference_, found_.carriers, found_.guides});
  reference_ = found.forces;
  found_.carriers = found.carriers;
  found_.guides = found.guides;
  for (int i = 0; i < applied_.constraints().contact_count(); ++i)
    if (modes_.sticks(i) && found.forces[i] > 0) keep_sticking(i, found);
  list_rows();
  return true;
}

// A contact that sticks carries its friction by its rows of slip. On the verge of slipping, by so
// little that it is still held, it has a force that leans in what was found: here it sticks on. One
// that nothing presses has no friction.
void HeldRows::keep_sticking(int contact, const force::ContactForces& found) {
  const impulse::ConstraintSet& set = applied_.constraints();
  std::vector<int>& carriers = found_.carriers;
  const int tangent = set.tangent_of(contact);
  for (const int row : {tangent, tangent + 1}) {
    const auto place = std::lower_bound(carriers.begin(), carriers.end(), row);
    if (place == carriers.end() || *place != row) carriers.insert(place, row);
  }
  if (found.modes[contact].mode != force::FrictionMode::slides) return;
  const impulse::RowsNow tangents = modes_.slip_now(contact).first;
  const Vec3 friction = -set.contacts()[contact].friction.static_coefficient *
                        found.forces[contact] * found.modes[contact].along;
  for (const int k : {0, 1})
    reference_[tangent + k] = friction.dot(tangents.rows[k].row.sides[0].linear);
}

std::optional<impulse::Vector> HeldRows::shared_at(double t, const ode::Vector& y,
                                                   const impulse::RowsNow& rows) {
  Share chosen{t, reference_, found_.carriers, found_.guides};
  std::optional<impulse::Vector> forces;
  if (share_anew(t, y, t)) forces = shared_forces_of(rows).forces;
  swap(chosen);
  return forces;
}

HeldRows::Shared HeldRows::shared_forces(impulse::RowsNow active_rows) {
  const IslandNow& now = applied_.now();
  const impulse::Vector bias =
      impulse::acceleration_bias(applied_.constraints(), active_rows, now.placed(), active_);
  Shared shared{now.system(std::move(active_rows.rows)), {}};
  shared.forces = sharing_.nearest_allowed_forces(shared.system, carrying_, allowed_,
                                                  bias + shared.system.along(now.free),
                                                  impulse::gathered(reference_, active_));
  return shared;
}

HeldRows::Shared HeldRows::shared_forces_of(const impulse::RowsNow& all) {
  impulse::RowsNow active_rows;
  active_rows.rows.reserve(active_.size());
  for (const int row : active_) active_rows.rows.push_back(all.rows[row]);
  Shared shared = shared_forces(std::move(active_rows));
  impulse::Vector forces = impulse::Vector::Zero(applied_.constraints().row_count());
  for (std::size_t i = 0; i < active_.size(); ++i)
    forces[active_[i]] = shared.forces[static_cast<Eigen::Index>(i)];
  shared.forces = std::move(forces);
  return shared;
}

// --- What forces do
// -------------------------------------------------------------------------------

IslandNow& HeldRows::evaluate(double t, motion::Side side, const ode::Vector& y,
                              SlipThatIsOver over) {
  IslandNow& now = applied_.evaluate(t, side, y);
  if (basis_.empty()) return now;
  if (modes_.any_slides()) {
    const Shared shared = shared_forces(modes_.leaning_rows(active_, over));
    for (int i = 0; i < shared.system.size(); ++i)
      if (shared.forces[i] != 0) push(active_[i], shared.system[i], shared.forces[i]);
    return now;
  }
  const impulse::ConstraintSet& set = applied_.constraints();
  impulse::RowsNow rows = set.evaluate(now.placed(), basis_);
  const impulse::Vector bias = impulse::acceleration_bias(set, rows, now.placed(), basis_);
  const impulse::RowSystem system = now.system(std::move(rows.rows));
  basis_forces_ = impulse::solve_rows(solver_, system, -(bias + system.along(now.free)));
  for (int i = 0; i < system.size(); ++i) push(basis_[i], system[i], basis_forces_[i]);
  return now;
}

impulse::Vector HeldRows::by_row(const impulse::Vector& of_basis) const {
  impulse::Vector all = impulse::Vector::Zero(applied_.constraints().row_count());
  for (std::size_t i = 0; i < basis_.size(); ++i)
    all[basis_[i]] = of_basis[static_cast<Eigen::Index>(i)];
  return all;
}

// What a row's force does to the bodies that yield, where a row keeps its rate: the power that
// comes from motors and from supports that move. With sums over the two sides,
//     rate = J_moving v + J_support v_support - speed = 0.
// Taking J_moving v from the other terms keeps the book honest: what integration errors do to the
// bodies' energy is no work of anything. What sliding takes is dissipated (push).
double HeldRows::power_of_row(int row, const impulse::SystemRow& content, double force) const {
  double moved = applied_.constraints().speed_of_row(row);
  const std::array<int, 2> places = applied_.constraints().places_of_row(row);
  for (int side = 0; side < 2; ++side) {
    if (places[side] >= 0) continue;
    const body::RigidMotion& support =
        applied_.now().supports[impulse::ConstraintSet::support_of(places[side])].motion;
    moved -= content.push(side)(support.velocity, support.angular_velocity);
  }
  return force * moved;
}

void HeldRows::push(int row, const impulse::SystemRow& content, double force) {
  const impulse::ConstraintSet& set = applied_.constraints();
  IslandNow& now = applied_.now();
  const std::array<body::RowSide, 2> push = {content.push(0), content.push(1)};
  now.push(push, set.places_of_row(row), force);
  now.rates.work += power_of_row(row, content, force);
  if (!content.leaning) return;
  double slip_power = 0;  // of the lean, which is what the push has besides the row itself
  for (int side = 0; side < 2; ++side) {
    const body::RigidMotion& motion = set.motion_of_contact(now.placed(), row, side);
    slip_power += push[side](motion.velocity, motion.angular_velocity) -
                  content.row.sides[side](motion.velocity, motion.angular_velocity);
  }
  now.rates.dissipated -= force * slip_power;
  now.rates.rubbed -= force * slip_power;
}

}  // namespace abut::integrate
