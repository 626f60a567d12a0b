#include "force/coulomb.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "force/carriers.h"
#include "force/instant.h"
#include "force/resting.h"
#include "force/slip.h"
#include "impulse/coulomb_problem.h"
#include "impulse/equalities.h"
#include "impulse/mixed_problem.h"

namespace abut::force {
namespace {

using impulse::CoulombBlock;
using impulse::CoulombProblem;
using impulse::CoulombSolution;
using lcp::Mode;

// Slip that begins goes elsewhere if it accelerates in other directions than its own by this,
// relative to the terms that its acceleration is made of (dimensionless). On the verge of slipping
// it is zero but for what the instant was missed by.
constexpr double elsewhere_fraction = 1e-3;

// Slip is slow below this part of what is fast (dimensionless): what has just been set free is not
// guided again.
constexpr double slow_part = 0.5;

// The residual up to which a solution stands that was found from forces which hold bodies at rest
// (dimensionless): rounding. Where others slide the solver takes as much (lcp/solve_cones.cpp).
constexpr double resting_residual = 1e-12;
constexpr double sliding_residual = 1e-10;

// Residuals are relative to the terms that accelerations are made of. Where contacts slide, in a
// solution they are also this small relative to the accelerations to be stopped (dimensionless):
// near a jam, forces without bound press bodies against each other, whose errors are as large as
// what they should stop. A hundred times what lcp::certified_residual leaves of ordinary forces.
constexpr double acceleration_accuracy = 1e-5;

// The forces of one instant, while they are looked for.
class Finder {
 public:
  Finder(const ConstraintSet& set, const BodiesNow& bodies, const std::vector<Inertia>& inertias,
         const std::vector<Twist>& free, const std::vector<ContactMode>* known)
      : set_(set), known_(known), instant_(set, bodies, inertias, free) {
    result_.modes.resize(set.contact_count());
    frictions_.resize(set.contact_count());
    held_back_.resize(set.contact_count());
    for (int i = 0; i < set.contact_count(); ++i)
      frictions_[i] = set.contacts()[i].friction.static_coefficient;
  }

  ContactForces found() {
    note_slip();
    // Contacts that have begun to slip do so by the forces that were found for it.
    if (result_.slides()) start_ = forces_found();
    const bool is_known = start_.size() > 0;
    if (!is_known) start_ = resting_forces(instant_, result_);
    const bool may_rest = !is_known && start_.size() > 0;
    if (start_.size() == 0) start_ = forces_found();
    CoulombSolution solution = solved();
    if (may_rest && solution.residual > enough()) {
      start_ = {};
      solution = solved();
    }
    while (hold_back(who_does_not_begin(solution)) ||
           (solution.status == lcp::Status::solved && any_gives_way(solution)))
      solution = solved();
    read(solution);
    if (solution.status == lcp::Status::solved && any_guide_pulls()) {
      solution = solved();
      const double joint_residual = result_.joint_residual;
      if (solution.status == lcp::Status::solved && solution.equality_residual <= row_accuracy)
        read(solution);
      result_.joint_residual = joint_residual;
    }
    return std::move(result_);
  }

 private:
  bool slides(int contact) const { return result_.modes[contact].mode == FrictionMode::slides; }
  // One that was held back has another direction, if it slides, than it was to be guided along.
  bool is_guided(int contact) const {
    return set_.contacts()[contact].is_guided() && !held_back_[contact];
  }

  // Contacts that slip already, or whose stick has just given way, have forces that lean.
  void note_slip() {
    for (int i = 0; i < set_.contact_count(); ++i) {
      const contact::Contact& contact = set_.contacts()[i];
      if (!contact.has_friction()) continue;
      if (known_ != nullptr && (*known_)[i].mode == FrictionMode::sticks) continue;
      const Slip slip = instant_.slip(i);
      if (slip.is_still() && !contact.is_guided()) continue;
      ContactMode& mode = result_.modes[i];
      mode.mode = FrictionMode::slides;
      mode.along =
          contact.is_guided() ? instant_.direction(i, 1) : Vec3(slip.velocity.normalized());
      mode.creeps = slip.has_stopped() && !contact.begins_to_slip();
      if (contact.begins_to_slip()) mode.leftover = leftover_of(slip, mode.along);
      instant_.lean_against(i, mode.along, contact.friction.dynamic_coefficient);
    }
    instant_.renew();
  }

  double enough() const { return result_.slides() ? sliding_residual : resting_residual; }

  CoulombSolution solved() const {
    CoulombProblem problem{&instant_.system(), instant_.free(), {}, {}, start_, {}, enough()};
    const Vector lower = set_.lower_bounds(), upper = set_.upper_bounds();
    for (int i = 0; i < set_.first_equality(); ++i) {
      const bool cone = i < set_.contact_count() && set_.tangent_of(i) >= 0 && !slides(i);
      problem.blocks.push_back(cone ? CoulombBlock{i, set_.tangent_of(i), frictions_[i]}
                                    : CoulombBlock{i, -1, 0, lower[i], upper[i]});
      if (start_.size() == 0) problem.modes.push_back(cone ? Mode::stick : Mode::between);
    }
    for (int i = set_.first_equality(); i < set_.first_tangent(); ++i)
      problem.equalities.push_back(i);
    problem.equalities.insert(problem.equalities.end(), pulling_.begin(), pulling_.end());
    CoulombSolution solution = impulse::solve(problem);
    if (solution.status == lcp::Status::solved && result_.slides() && is_lost(solution))
      solution.status = lcp::Status::not_converged;
    return solution;
  }

  // Whether the forces are so large that their errors do not stop what they should.
  bool is_lost(const CoulombSolution& solution) const {
    const double error = solution.residual * instant_.system().terms(solution.z).maxCoeff();
    return error > acceleration_accuracy * instant_.free().lpNorm<Eigen::Infinity>();
  }

  // The forces that were found before, if they were, as multipliers of the rows there are now;
  // limits and motors as if they held whatever they had to. Empty: none.
  Vector forces_found() const {
    if (std::none_of(set_.contacts().begin(), set_.contacts().end(),
                     [](const contact::Contact& one) { return !one.force_found.isZero(0); }))
      return {};
    Vector forces = Vector::Zero(instant_.system().size());
    for (int i = 0; i < set_.contact_count(); ++i) {
      const Vec3& force = set_.contacts()[i].force_found;
      const auto along = [&](int row) { return force.dot(instant_.row(row).sides[0].linear); };
      forces[i] = std::max(0.0, along(i));
      if (set_.tangent_of(i) < 0 || slides(i)) continue;
      for (const int k : {0, 1}) forces[set_.tangent_of(i) + k] = along(set_.tangent_of(i) + k);
    }
    const impulse::Equalities held(instant_.system(),
                                   impulse::row_range(set_.contact_count(), set_.first_tangent()));
    held.complete(instant_.free(), forces);
    return forces;
  }

  // Whether a contact that had no slip accelerates: one may be at the boundary of its cone and
  // stick.
  bool slips(const CoulombSolution& solution, int contact) const {
    if (solution.modes[contact] != Mode::slip) return false;
    const int t = set_.tangent_of(contact);
    return solution.w.segment<2>(t).norm() > instant_.rounding(solution.z, {t, t + 1}).maxCoeff();
  }

  // Slip begins where the contact accelerates to. One that would go elsewhere does not begin: the
  // forces that gave way were not those that follow, as where a contact was wedged, or where others
  // have given way since. It may stick, or slip where it does go. So it may where there are no
  // forces if it slips.
  std::vector<int> who_does_not_begin(const CoulombSolution& solution) const {
    std::vector<int> found;
    for (int i = 0; i < set_.contact_count(); ++i) {
      if (!slides(i) || !set_.contacts()[i].begins_to_slip()) continue;
      const Slip slip = instant_.slip(i);
      const bool is_solved = solution.status == lcp::Status::solved;
      if (is_solved ? slip.is_still() && goes_elsewhere(solution, i) : slip.has_stopped())
        found.push_back(i);
    }
    return found;
  }

  bool goes_elsewhere(const CoulombSolution& solution, int contact) const {
    const int t = set_.tangent_of(contact);
    const double terms =
        instant_.rounding(solution.z, {t, t + 1}).maxCoeff() / acceleration_rounding;
    const Vec3 slip = instant_.slipping(solution.w, contact);
    const Vec3& along = result_.modes[contact].along;
    return (slip - std::max(0.0, slip.dot(along)) * along).norm() > elsewhere_fraction * terms;
  }

  // Whether there are any.
  bool hold_back(const std::vector<int>& contacts) {
    if (contacts.empty()) return false;
    for (const int i : contacts) {
      held_back_[i] = true;
      result_.modes[i] = {};
      instant_.stand_up(i);
    }
    instant_.renew();
    start_ = {};
    return true;
  }

  // A contact that does not stick at the static coefficient slides at the dynamic one.
  bool any_gives_way(const CoulombSolution& solution) {
    bool any = false;
    for (int i = 0; i < set_.contact_count(); ++i) {
      const double dynamic = set_.contacts()[i].friction.dynamic_coefficient;
      if (frictions_[i] == dynamic || !slips(solution, i)) continue;
      frictions_[i] = dynamic;
      any = true;
    }
    return any;
  }

  // Guides that have to keep a contact from leaving its direction take part in all the rest.
  bool any_guide_pulls() {
    for (const int row : result_.guides)
      if (std::binary_search(result_.basis.begin(), result_.basis.end(), row))
        pulling_.push_back(row);
    return std::any_of(pulling_.begin(), pulling_.end(), [&](int row) {
      return std::abs(result_.accelerations[row]) > result_.rounding[row];
    });
  }

  void read(const CoulombSolution& solution) {
    result_.status = solution.status;
    result_.forces = solution.z;
    result_.accelerations = solution.w;
    result_.free = instant_.free();
    result_.residual = solution.residual;
    result_.joint_residual = solution.equality_residual;
    result_.pivots = solution.iterations;
    result_.rounding =
        instant_.rounding(solution.z, impulse::row_range(0, instant_.system().size()));
    note_second_solution();
    note_incipient_slip(solution);
    list_carriers(instant_, bearing_of(solution), result_);
    share(instant_, result_);
    note_straight_slip();
    result_.on_a.clear();
    for (int i = 0; i < set_.contact_count(); ++i)
      result_.on_a.push_back(instant_.force_on_a(result_.forces, i));
  }

  // Slow slip that nothing turns keeps its direction, and is guided like slip that begins: its
  // direction settles so fast that following it would turn rounding into motion.
  void note_straight_slip() {
    const double fast =
        free_slip_time * std::max(set_.gravity().norm(), instant_.free().lpNorm<Eigen::Infinity>());
    for (int i = 0; i < set_.contact_count(); ++i) {
      ContactMode& mode = result_.modes[i];
      if (!slides(i) || mode.begins || set_.contacts()[i].begins_to_slip()) continue;
      const double speed = instant_.slip(i).velocity.norm();
      if (speed > slow_part * fast) continue;
      const Vec3 across = mode.along.cross(instant_.place(i).normal);
      const int t = set_.tangent_of(i);
      const Eigen::Vector2d part(across.dot(instant_.direction(i, 0)),
                                 across.dot(instant_.direction(i, 1)));
      const double yielding = part.dot(instant_.plain().matrix({t, t + 1}, {t, t + 1}) * part);
      const double turning = std::abs(part.dot(result_.accelerations.segment<2>(t)));
      const double friction = set_.contacts()[i].friction.dynamic_coefficient * result_.forces[i];
      mode.is_straight = turning <= allowed_guiding_angle(speed) * friction * yielding;
    }
  }

  // Among contacts that do not touch the same bodies; else the others have a say in it.
  void note_second_solution() {
    result_.is_one_of_two = false;
    for (int i = 0; i < set_.contact_count(); ++i)
      if (slides(i) && result_.opens(i, 0) && instant_.system().entry(i, i) < 0)
        result_.is_one_of_two = true;
  }

  // Where slip begins its direction is that of its acceleration. A contact that does not accelerate
  // sticks, though its force may be at the boundary of the cone.
  void note_incipient_slip(const CoulombSolution& solution) {
    for (int i = 0; i < set_.contact_count(); ++i) {
      const int t = set_.tangent_of(i);
      const bool begins = slips(solution, i);
      if (solution.modes[i] == Mode::stick || (solution.modes[i] == Mode::slip && !begins))
        result_.modes[i].mode = FrictionMode::sticks;
      if (!begins) continue;
      Vec3 along = Vec3::Zero();
      for (int k = 0; k < 2; ++k) along -= solution.z[t + k] * instant_.direction(i, k);
      if (along.isZero(0)) continue;  // friction without a force
      along.normalize();
      result_.modes[i] = {FrictionMode::slides, along, true, false,
                          leftover_of(instant_.slip(i), along)};
      instant_.lean_against(i, result_.modes[i].along, frictions_[i]);
      result_.forces[t] = result_.forces[t + 1] = 0;
    }
    instant_.renew();
  }

  Bearing bearing_of(const CoulombSolution& solution) const {
    Bearing bearing;
    for (int i = 0; i < set_.first_equality(); ++i) {
      const Mode mode = solution.modes[i];
      bearing.carries.push_back(mode == Mode::between || mode == Mode::stick || mode == Mode::slip);
    }
    for (int i = 0; i < set_.contact_count(); ++i) bearing.guided.push_back(is_guided(i));
    return bearing;
  }

  const ConstraintSet& set_;
  const std::vector<ContactMode>* known_;
  Instant instant_;
  std::vector<double> frictions_;  // by contact, for those that may stick
  std::vector<bool> held_back_;    // by contact: from slip that was to begin
  std::vector<int> pulling_;       // guides that are held like joints
  Vector start_;                   // forces that were found before, or hold everything; or empty
  ContactForces result_;
};

}  // namespace

ContactForces find_coulomb_forces(const ConstraintSet& set, const BodiesNow& bodies,
                                  const std::vector<Inertia>& inertias,
                                  const std::vector<Twist>& free,
                                  const std::vector<ContactMode>* known) {
  return Finder(set, bodies, inertias, free, known).found();
}

}  // namespace abut::force
