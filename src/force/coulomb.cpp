#include "force/coulomb.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "force/sharing.h"
#include "force/slip.h"
#include "impulse/coulomb_problem.h"
#include "impulse/equalities.h"
#include "impulse/mixed_problem.h"

namespace abut::force {
namespace {

using impulse::CoulombBlock;
using impulse::CoulombProblem;
using impulse::CoulombSolution;
using impulse::Matrix;
using impulse::RowSystem;
using lcp::Mode;

// Accelerations that guides may contradict each other by, relative to the terms they are made of
// (dimensionless): if by more, they are not held like joints.
constexpr double contradiction_of_guides = 1e-9;

// A contact is guided only if what it would do across its direction is this free of what others
// hold (dimensionless, see impulse::dependent_fraction). A corner that can only go round another
// one has its direction from there, and a guide that differs from it by rounding would lock it.
constexpr double guided_fraction = 1e-2;

// Slip that begins goes elsewhere if it accelerates in other directions than its own by this,
// relative to the terms that its acceleration is made of (dimensionless). On the verge of slipping
// it is zero but for what the instant was missed by.
constexpr double elsewhere_fraction = 1e-3;

// Slip is slow below this part of what is fast (dimensionless): what has just been set free is not
// guided again.
constexpr double slow_part = 0.5;

// The direction in which slip begins may differ from that of the acceleration by this, rad.
constexpr double direction_rounding = 1e-9;

// How often forces are cut off to what is allowed, by how much of the cone within, and how little
// of the way to them is not worth going (dimensionless).
constexpr int cuttings = 12;
constexpr double within = 0.02;
constexpr double least_part = 0.01;

// How often forces are looked for that hold bodies at rest, and the residual up to which a solution
// that was found from them stands (dimensionless): rounding. Where others slide, the first try
// nearly always tells, and the solver takes as much residual (lcp/solve_cones.cpp).
constexpr int resting_tries = 60;
constexpr int sliding_tries = 16;
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
         const std::vector<Twist>& free, const std::vector<ContactGrip>* known)
      : set_(set),
        bodies_(bodies),
        inertias_(inertias),
        known_(known),
        rows_(set.evaluate(bodies)) {
    plain_ = RowSystem(rows_.rows, inertias);
    b_ = impulse::acceleration_bias(set, rows_, bodies, {}) + plain_.along(free);
    result_.grips.resize(set.contact_count());
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
    if (!is_known) start_ = resting_forces();
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
      if (solution.status == lcp::Status::solved &&
          solution.equality_residual <= contradiction_of_guides)
        read(solution);
      result_.joint_residual = joint_residual;
    }
    return std::move(result_);
  }

 private:
  const impulse::SystemRow* tangents(int contact) const {
    return &rows_.rows[set_.tangent_of(contact)];
  }
  bool slides(int contact) const { return result_.grips[contact].grip == Grip::slides; }
  // One that was held back has another direction, if it slides, than it was to be guided along.
  bool is_guided(int contact) const {
    return set_.contacts()[contact].is_guided && !held_back_[contact];
  }

  // Contacts that slip already, or whose stick has just given way, have forces that lean.
  void note_slip() {
    for (int i = 0; i < set_.contact_count(); ++i) {
      const contact::Contact& contact = set_.contacts()[i];
      if (!contact.has_friction()) continue;
      if (known_ != nullptr && (*known_)[i].grip == Grip::sticks) continue;
      const Slip slip = slip_of(set_, bodies_, i, tangents(i));
      if (slip.is_still() && !contact.begins_to_slip()) continue;
      ContactGrip& grip = result_.grips[i];
      grip.grip = Grip::slides;
      grip.along = contact.is_guided
                       ? tangents(i)[1].row.sides[0].linear
                       : direction_of(slip.is_still() ? Slip{} : slip, contact.gives_way);
      grip.creeps = slip.has_stopped() && !contact.begins_to_slip();
      if (contact.begins_to_slip()) grip.leftover = leftover_of(slip);
      lean(rows_.rows[i], tangents(i), result_.grips[i].along,
           contact.friction.dynamic_coefficient);
    }
    system_ = RowSystem(rows_.rows, inertias_);
  }

  // Where some forces keep everything that does not slip from slipping, and everything that touches
  // from parting, it stays so, also if others would let it move: with friction both may obey the
  // laws. Such forces are found between those that have the right effect and those that are
  // allowed, going from one to the other. Empty: none.
  Vector resting_forces() const {
    if (any_may_press_itself()) return {};
    std::vector<ContactGrip> stuck = result_.grips;
    std::vector<int> rows = impulse::row_range(0, set_.first_tangent());
    for (int i = 0; i < set_.contact_count(); ++i) {
      if (set_.tangent_of(i) < 0 || slides(i)) continue;
      stuck[i].grip = Grip::sticks;
      rows.insert(rows.end(), {set_.tangent_of(i), set_.tangent_of(i) + 1});
    }
    std::vector<int> held;
    for (const int i : impulse::independent_rows(plain_.only(rows))) held.push_back(rows[i]);
    const Carrying carrying{held, rows, {}};
    Sharing sharing;
    Vector forces = Vector::Zero(system_.size());
    const int tries = result_.slides() ? sliding_tries : resting_tries;
    for (int i = 0; i < tries; ++i) {
      forces = sharing.nearest_forces(system_, carrying, b_, cut_off(std::move(forces), stuck));
      if (are_allowed(set_, stuck, forces)) break;
    }
    if (!are_allowed(set_, stuck, forces)) return {};
    const Vector left = impulse::gathered(b_ + system_.along(system_.response(forces)), rows);
    const bool rests =
        result_.slides() || (left.cwiseAbs() - rounding(forces, rows)).maxCoeff() <= 0;
    return rests ? forces : Vector();
  }

  // Whether a contact slides whose own friction would press it shut: without a force it may part,
  // and then it does.
  bool any_may_press_itself() const {
    for (int i = 0; i < set_.contact_count(); ++i)
      if (slides(i) && !(system_.entry(i, i) > 0)) return true;
    return false;
  }

  double enough() const { return result_.slides() ? sliding_residual : resting_residual; }

  CoulombSolution solved() const {
    CoulombProblem problem{&system_, b_, {}, {}, start_, {}, enough()};
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
    const double error = solution.residual * system_.terms(solution.z).maxCoeff();
    return error > acceleration_accuracy * b_.cwiseAbs().maxCoeff();
  }

  // The forces that were found before, if they were, as multipliers of the rows there are now;
  // limits and motors as if they held whatever they had to. Empty: none.
  Vector forces_found() const {
    if (std::none_of(set_.contacts().begin(), set_.contacts().end(),
                     [](const contact::Contact& one) { return !one.force_found.isZero(0); }))
      return {};
    Vector forces = Vector::Zero(system_.size());
    for (int i = 0; i < set_.contact_count(); ++i) {
      const Vec3& force = set_.contacts()[i].force_found;
      const auto along = [&](int row) { return force.dot(rows_.rows[row].row.sides[0].linear); };
      forces[i] = std::max(0.0, along(i));
      if (set_.tangent_of(i) < 0 || slides(i)) continue;
      for (const int k : {0, 1}) forces[set_.tangent_of(i) + k] = along(set_.tangent_of(i) + k);
    }
    const impulse::Equalities held(system_,
                                   impulse::row_range(set_.contact_count(), set_.first_tangent()));
    held.complete(b_, forces);
    return forces;
  }

  // Whether a contact that had no slip accelerates: one may be at the boundary of its cone and
  // stick.
  bool slips(const CoulombSolution& solution, int contact) const {
    if (solution.modes[contact] != Mode::slip) return false;
    const int t = set_.tangent_of(contact);
    return solution.w.segment<2>(t).norm() > rounding(solution.z, {t, t + 1}).maxCoeff();
  }

  // By which rounding may change the accelerations of rows.
  Vector rounding(const Vector& forces, const std::vector<int>& rows) const {
    const std::vector<int> all = impulse::row_range(0, system_.size());
    return acceleration_rounding * (impulse::gathered(b_, rows).cwiseAbs() +
                                    system_.matrix(rows, all).cwiseAbs() * forces.cwiseAbs());
  }

  // Slip begins where the contact accelerates to. One that would go elsewhere does not begin: the
  // forces that gave way were not those that follow, as where a contact was wedged, or where others
  // have given way since. It may stick, or slip where it does go. So it may where there are no
  // forces if it slips.
  std::vector<int> who_does_not_begin(const CoulombSolution& solution) const {
    std::vector<int> found;
    for (int i = 0; i < set_.contact_count(); ++i) {
      if (!slides(i) || !set_.contacts()[i].begins_to_slip()) continue;
      const Slip slip = slip_of(set_, bodies_, i, tangents(i));
      const bool is_solved = solution.status == lcp::Status::solved;
      if (is_solved ? slip.is_still() && goes_elsewhere(solution, i) : slip.has_stopped())
        found.push_back(i);
    }
    return found;
  }

  bool goes_elsewhere(const CoulombSolution& solution, int contact) const {
    const int t = set_.tangent_of(contact);
    const double terms = rounding(solution.z, {t, t + 1}).maxCoeff() / acceleration_rounding;
    const Vec3 slip = slipping(solution.w, contact);
    const Vec3& along = result_.grips[contact].along;
    return (slip - std::max(0.0, slip.dot(along)) * along).norm() > elsewhere_fraction * terms;
  }

  // Whether there are any.
  bool hold_back(const std::vector<int>& contacts) {
    if (contacts.empty()) return false;
    for (const int i : contacts) {
      held_back_[i] = true;
      result_.grips[i] = {};
      rows_.rows[i].leaning.reset();
    }
    system_ = RowSystem(rows_.rows, inertias_);
    start_ = {};
    return true;
  }

  // How the slip of a contact accelerates.
  Vec3 slipping(const Vector& accelerations, int contact) const {
    Vec3 slipping = Vec3::Zero();
    for (const int row : {set_.tangent_of(contact), set_.tangent_of(contact) + 1})
      slipping += accelerations[row] * rows_.rows[row].row.sides[0].linear;
    return slipping;
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
    result_.basis.clear();
    result_.guides.clear();
    result_.status = solution.status;
    result_.forces = solution.z;
    result_.accelerations = solution.w;
    result_.free = b_;
    result_.residual = solution.residual;
    result_.joint_residual = solution.equality_residual;
    result_.pivots = solution.iterations;
    result_.rounding = rounding(solution.z, impulse::row_range(0, system_.size()));
    note_second_solution();
    note_incipient_slip(solution);
    list_carriers(solution);
    share();
    note_straight_slip();
    note_whole_forces();
  }

  // Slow slip that nothing turns keeps its direction, and is guided like slip that begins: its
  // direction settles so fast that following it would turn rounding into motion.
  void note_straight_slip() {
    const double fast = free_slip_time * std::max(set_.gravity().norm(), b_.cwiseAbs().maxCoeff());
    for (int i = 0; i < set_.contact_count(); ++i) {
      ContactGrip& grip = result_.grips[i];
      if (!slides(i) || grip.begins || set_.contacts()[i].begins_to_slip()) continue;
      const double speed = slip_of(set_, bodies_, i, tangents(i)).velocity.norm();
      if (speed > slow_part * fast) continue;
      const Vec3 across = grip.along.cross(rows_.contacts[i].normal);
      const int t = set_.tangent_of(i);
      const Eigen::Vector2d part(across.dot(tangents(i)[0].row.sides[0].linear),
                                 across.dot(tangents(i)[1].row.sides[0].linear));
      const double yielding = part.dot(plain_.matrix({t, t + 1}, {t, t + 1}) * part);
      const double turning = std::abs(part.dot(result_.accelerations.segment<2>(t)));
      const double friction = set_.contacts()[i].friction.dynamic_coefficient * result_.forces[i];
      grip.is_straight = turning <= allowed_guiding_angle(speed) * friction * yielding;
    }
  }

  void note_whole_forces() {
    result_.on_a.clear();
    for (int i = 0; i < set_.contact_count(); ++i) {
      Vec3 force = result_.forces[i] * rows_.rows[i].push(0).linear;
      if (const int t = set_.tangent_of(i); t >= 0)
        for (const int row : {t, t + 1})
          force += result_.forces[row] * rows_.rows[row].row.sides[0].linear;
      result_.on_a.push_back(force);
    }
  }

  // Among contacts that do not touch the same bodies; else the others have a say in it.
  void note_second_solution() {
    result_.is_one_of_two = false;
    for (int i = 0; i < set_.contact_count(); ++i)
      if (slides(i) && result_.opens(i, 0) && system_.entry(i, i) < 0) result_.is_one_of_two = true;
  }

  // Where slip begins its direction is that of its acceleration. A contact that does not accelerate
  // sticks, though its force may be at the boundary of the cone.
  void note_incipient_slip(const CoulombSolution& solution) {
    for (int i = 0; i < set_.contact_count(); ++i) {
      const int t = set_.tangent_of(i);
      const bool begins = slips(solution, i);
      if (solution.modes[i] == Mode::stick || (solution.modes[i] == Mode::slip && !begins))
        result_.grips[i].grip = Grip::sticks;
      if (!begins) continue;
      Vec3 along = Vec3::Zero();
      for (int k = 0; k < 2; ++k)
        along -= solution.z[t + k] * rows_.rows[t + k].row.sides[0].linear;
      if (along.isZero(0)) continue;  // friction without a force
      result_.grips[i] = {Grip::slides, along.normalized(), true, false,
                          leftover_of(slip_of(set_, bodies_, i, tangents(i)))};
      lean(rows_.rows[i], tangents(i), result_.grips[i].along, frictions_[i]);
      result_.forces[t] = result_.forces[t + 1] = 0;
    }
    system_ = RowSystem(rows_.rows, inertias_);
  }

  bool carries(const CoulombSolution& solution, int row) const {
    const Mode mode = solution.modes[row];
    return mode == Mode::between || mode == Mode::stick || mode == Mode::slip;
  }

  // Without slip the motion does not depend on how forces are shared: every row that does not
  // accelerate is held, those without force too, lest a body tips over the ones that have any.
  // Joints go first: of rows that say the same, theirs are kept to rounding, gaps need not be.
  void list_carriers(const CoulombSolution& solution) {
    std::vector<int> first, idle;
    for (int i = set_.first_equality(); i < set_.first_tangent(); ++i) first.push_back(i);
    for (int i = 0; i < set_.first_equality(); ++i) {
      if (carries(solution, i))
        first.push_back(i);
      else if (i < set_.first_motor() && !result_.slides() &&
               std::abs(result_.accelerations[i]) <= result_.rounding[i])
        idle.push_back(i);
    }
    for (int i = 0; i < set_.contact_count(); ++i) {
      const int t = set_.tangent_of(i);
      if (result_.grips[i].grip == Grip::sticks) first.insert(first.end(), {t, t + 1});
      if (slides(i) && is_guided(i) && carries(solution, i)) result_.guides.push_back(t);
    }
    const auto firm = static_cast<Eigen::Index>(first.size());
    first.insert(first.end(), result_.guides.begin(), result_.guides.end());
    result_.carriers = first;
    first.insert(first.end(), idle.begin(), idle.end());
    Vector fractions =
        Vector::Constant(static_cast<Eigen::Index>(first.size()), impulse::dependent_fraction);
    fractions.segment(firm, static_cast<Eigen::Index>(result_.guides.size()))
        .setConstant(guided_fraction);
    for (const int i : impulse::firm_rows(plain_.only(first), fractions))
      result_.basis.push_back(first[i]);
    std::sort(result_.basis.begin(), result_.basis.end());
    std::sort(result_.carriers.begin(), result_.carriers.end());
  }

  // Of all forces with the same effect those of least norm, where they are allowed. Where not, they
  // are approached: what is not allowed of them is cut off, and the nearest ones with the right
  // effect are taken, a few times. If that does not end within what is allowed, part of the way
  // there does, from the forces of the solution: allowed forces with the same effect are a convex
  // set.
  void share() {
    if (result_.status != lcp::Status::solved || result_.carriers.size() == result_.basis.size())
      return;
    const Carrying rows{result_.basis, result_.carriers, result_.guides};
    Sharing sharing;
    Vector forces = sharing.nearest_forces(system_, rows, b_, Vector::Zero(system_.size()));
    bool is_allowed = may_be(forces);
    for (int i = 0; i < cuttings && !is_allowed; ++i) {
      forces = sharing.nearest_forces(system_, rows, b_, cut_off(forces, result_.grips));
      is_allowed = may_be(forces);
    }
    double part = 1;
    while (!is_allowed && (part *= 0.5) > least_part)
      is_allowed = may_be(result_.forces + part * (forces - result_.forces));
    if (!is_allowed) return;
    result_.forces += part * (forces - result_.forces);
    result_.accelerations = b_ + system_.along(system_.response(result_.forces));
  }

  // Forces that are shared out otherwise hold the same rows, but those of contacts that slide make
  // the others accelerate otherwise: a contact that begins to slip must go on along its direction.
  bool may_be(const Vector& forces) const {
    if (!are_allowed(set_, result_.grips, forces)) return false;
    Vector accelerations;
    for (int i = 0; i < set_.contact_count(); ++i) {
      if (!slides(i) || !slip_of(set_, bodies_, i, tangents(i)).is_still()) continue;
      if (accelerations.size() == 0) accelerations = b_ + system_.along(system_.response(forces));
      const int t = set_.tangent_of(i);
      const Vec3 slip = slipping(accelerations, i);
      const double along = slip.dot(result_.grips[i].along);
      const double across = (slip - along * result_.grips[i].along).norm();
      const double rounding_of = rounding(forces, {t, t + 1}).maxCoeff();
      if (along < -rounding_of || across > rounding_of + direction_rounding * along) return false;
    }
    return true;
  }

  // Forces without what is not allowed of them, and a little within.
  Vector cut_off(Vector forces, const std::vector<ContactGrip>& grips) const {
    const Vector lower = set_.lower_bounds(), upper = set_.upper_bounds();
    for (int i = 0; i < set_.first_equality(); ++i)
      forces[i] = std::min(std::max(forces[i], lower[i]), upper[i]);
    for (int i = 0; i < set_.contact_count(); ++i) {
      if (grips[i].grip != Grip::sticks) continue;
      auto friction = forces.segment<2>(set_.tangent_of(i));
      const double most = (1 - within) * set_.contacts()[i].friction.static_coefficient * forces[i];
      if (const double now = friction.norm(); now > most) friction *= most / now;
    }
    return forces;
  }

  const ConstraintSet& set_;
  const BodiesNow& bodies_;
  const std::vector<Inertia>& inertias_;
  const std::vector<ContactGrip>* known_;
  impulse::RowsNow rows_;
  RowSystem plain_, system_;
  Vector b_;
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
                                  const std::vector<ContactGrip>* known) {
  return Finder(set, bodies, inertias, free, known).found();
}

}  // namespace abut::force
