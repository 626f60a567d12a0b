#include "loop/implicit_step.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "force/slip.h"
#include "impulse/coulomb_problem.h"
#include "impulse/mixed_problem.h"

namespace abut::loop {
namespace {

using impulse::Vector;

class ImplicitStepProblem {
 public:
  ImplicitStepProblem(const EventBodies& bodies, const std::vector<bool>& closed,
                      const std::vector<bool>& slow, const Vector& free)
      : bodies_(bodies), set_(bodies.set()), closed_(closed) {
    implicit_step_.slow = slow;
    for (int i = 0; i < set_.contact_count(); ++i)
      sliding_.push_back(closed[i] && set_.tangent_of(i) >= 0 && !slow[i]);
    system_ = bodies.system_leaning(sliding_);
    problem_.system = &system_;
    problem_.b = bodies.rates() / force::creep_time + free;
    list_blocks();
    problem_.start = Vector::Zero(problem_.b.size());
    problem_.from_inside = true;
  }

  ImplicitStep found() {
    const impulse::CoulombSolution solution = impulse::solve(problem_);
    implicit_step_.status = solution.status;
    implicit_step_.forces.assign(set_.contact_count(), Vec3::Zero());
    implicit_step_.directions.assign(set_.contact_count(), Vec3::Zero());
    for (std::size_t k = 0; k < problem_.blocks.size(); ++k)
      read(problem_.blocks[k].row, solution.modes[k], solution);
    return std::move(implicit_step_);
  }

 private:
  void list_blocks() {
    const Vector rates = bodies_.rates();
    for (int i = 0; i < set_.first_motor(); ++i) {
      const bool is_contact = i < set_.contact_count();
      if (is_contact ? !closed_[i] : rates[i] > bodies_.rate_tolerance()) continue;
      const bool may_stick = is_contact && implicit_step_.slow[i];
      problem_.blocks.push_back({i, may_stick ? set_.tangent_of(i) : -1,
                                 may_stick ? set_.contacts()[i].friction.static_coefficient : 0, 0,
                                 infinity});
    }
    problem_.equalities = impulse::row_range(set_.first_equality(), set_.first_tangent());
  }

  const Vec3& direction(int row) const { return system_[row].row.sides[0].linear; }

  void read(int row, lcp::Mode mode, const impulse::CoulombSolution& solution) {
    if (mode == lcp::Mode::open || mode == lcp::Mode::lower) return;
    implicit_step_.pressed.push_back(row);
    if (row >= set_.contact_count()) return;
    implicit_step_.forces[row] = solution.z[row] * system_[row].push(0).linear;
    if (sliding_[row]) implicit_step_.directions[row] = slip_at(bodies_, row).velocity.normalized();
    if (!implicit_step_.slow[row]) return;
    const int tangent = set_.tangent_of(row);
    Vec3 slip = Vec3::Zero();
    for (const int k : {tangent, tangent + 1}) {
      implicit_step_.forces[row] += solution.z[k] * direction(k);
      slip += solution.w[k] * direction(k);
    }
    const bool stops = force::creep_time * slip.norm() <= slip_at(bodies_, row).none;
    if (mode == lcp::Mode::stick || stops)
      implicit_step_.sticking.push_back(row);
    else
      implicit_step_.directions[row] = slip.normalized();
  }

  const EventBodies& bodies_;
  const impulse::ConstraintSet& set_;
  const std::vector<bool>& closed_;
  std::vector<bool> sliding_;  // by contact: fast
  impulse::RowSystem system_;  // with forces of those that lean
  impulse::CoulombProblem problem_;
  ImplicitStep implicit_step_;
};

}  // namespace

std::vector<bool> slow_contacts(const EventBodies& bodies, const std::vector<bool>& closed) {
  const impulse::ConstraintSet& set = bodies.set();
  std::vector<bool> slow(set.contact_count(), false);
  for (int i = 0; i < set.contact_count(); ++i)
    slow[i] = closed[i] && set.tangent_of(i) >= 0 &&
              (slip_at(bodies, i).has_stopped() ||
               contact::contains(bodies.contact_event().verdicts.creeping, set.contacts()[i]));
  return slow;
}

ImplicitStep implicit_step(const EventBodies& bodies, const std::vector<bool>& closed,
                           const std::vector<bool>& slow, const Vector& free) {
  return ImplicitStepProblem(bodies, closed, slow, free).found();
}

}  // namespace abut::loop
