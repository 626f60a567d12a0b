#include "law/step_newton.h"

#include <algorithm>
#include <cmath>

#include "law/scaled_problem.h"

namespace abut::law {
namespace {

using math::BlockLu;
using Flat = Eigen::Vector2d;

// Steps of the method: it mostly takes 3 to 6 where it begins near, and more where contacts open
// and close on the way. What is near enough is gone on from for as long as the error falls by half
// within a few steps.
constexpr int newton_steps = 24;
constexpr int newton_patience = 4;

// Of the accuracy asked for (dimensionless): what it stops at. The errors of many contacts must not
// add up to what is seen, and the last steps gain most.
constexpr double aimed_at = 0.01;

// What a contact that is held gives way by, in terms of its answer (dimensionless): at first, at
// least and at most. Contacts that cannot all be held at once would push each other without bound
// before some of them open; the more they give, the more steps it takes where rows nearly depend on
// each other. So they give less, by this part, after a step in which the error fell, and more again
// after others, as while contacts open and close in turn (Levenberg and Marquardt). Rows of joints
// may depend on each other, but not exclude each other.
constexpr double give_at_first = 0.03, give_at_least = 1e-3, give_at_most = 1, give_kept = 0.3;
constexpr double give_of_joints = 1e-8;

class Newton {
 public:
  Newton(StepProblem& problem, double accuracy)
      : problem_(problem),
        accuracy_(accuracy),
        scaled_(problem),
        matrix_(static_cast<int>(problem.bodies.size()), couplings_of(problem)) {
    scaled_.find_places(matrix_);
    for (std::size_t i = 0; i < scaled_.laws.size(); ++i)
      impulses_.push_back(scaled_.impulse_in(problem, i));
  }

  bool is_worth_while() const { return matrix_.fill() <= most_fill; }

  double go() {
    double best = infinity, mark = infinity, last = infinity;
    std::vector<Part6> found;
    int stalled = 0;
    for (int k = 0; k < newton_steps; ++k, ++stalled) {
      const double error = observe();
      if (!std::isfinite(error)) break;
      if (k > 0)
        give_ = error < last ? std::max(give_kept * give_, give_at_least)
                             : std::min(give_ / give_kept, give_at_most);
      last = error;
      if (error < best) {
        best = error;
        found = impulses_;
      }
      if (error <= aimed_at * accuracy_) break;
      if (error < 0.5 * mark) {
        mark = error;
        stalled = 0;
      }
      if (stalled >= newton_patience && best <= accuracy_) break;
      if (!step()) break;
    }
    if (!(best <= accuracy_)) return infinity;
    for (std::size_t i = 0; i < found.size(); ++i) bring_inside(scaled_.laws[i], found[i]);
    scaled_.write_back(found, problem_);
    return best;
  }

 private:
  // Motions for the impulses as they are; how far they are from the law at most, m/s.
  double observe() {
    std::vector<Part6> velocities = scaled_.free;
    for (std::size_t i = 0; i < scaled_.laws.size(); ++i)
      push(scaled_.laws[i], impulses_[i], velocities);
    motions_.clear();
    double worst = 0;
    for (std::size_t i = 0; i < scaled_.laws.size(); ++i) {
      const Law& law = scaled_.laws[i];
      motions_.push_back(motion(law, velocities));
      if (!motions_.back().allFinite()) return infinity;
      worst = std::max(worst, law.unit * error_of(law, impulses_[i], motions_[i]));
    }
    return worst;
  }

  // The normal's row is told in units of its own answer, which is 1 / slope^2.
  static double error_of(const Law& law, const Part6& x, const Part6& w) {
    if (law.is_equality()) return w.cwiseAbs().maxCoeff();
    if (!law.is_contact()) return std::abs(x[0] - std::clamp(x[0] - w[0], law.lower, law.upper));
    const double normal = std::abs(std::min(x[0] / law.slope, law.slope * w[0]));
    const Flat t = x.segment<2>(1) - w.segment<2>(1);
    const double radius = std::max(x[0], 0.0), length = t.norm();
    const Flat nearest = length > radius ? Flat(radius / length * t) : t;
    return std::max(normal, (x.segment<2>(1) - nearest).norm());
  }

  // Impulses are off by as little as motions are, and must be lawful all the same.
  static void bring_inside(const Law& law, Part6& x) {
    if (law.is_equality()) return;
    x[0] = std::clamp(x[0], law.is_contact() ? 0.0 : law.lower, law.upper);
    if (!law.is_contact()) return;
    const double friction = x.segment<2>(1).norm();
    if (friction > x[0]) x.segment<2>(1) *= x[0] / friction;
  }

  // What impulses are to change by: dx = a - b dw. An impulse that is at its bound has no b.
  struct Linear {
    Part6 a = Part6::Zero();
    Block6 b = Block6::Zero();
    bool is_bound = false;
  };

  Linear linear_of(const Law& law, const Part6& x, const Part6& w) const {
    if (law.is_contact()) return linear_contact(law, x, w);
    Linear one;
    const double wanted = x[0] - w[0];
    if (!law.is_equality() && (wanted < law.lower || wanted > law.upper)) {
      one.a[0] = std::clamp(wanted, law.lower, law.upper) - x[0];
      one.is_bound = true;
      return one;
    }
    const double give = law.is_equality() ? give_of_joints : give_;
    one.b.diagonal().head(law.rows).setConstant(1 / give);
    one.a.head(law.rows) = -w.head(law.rows) / give;
    return one;
  }

  Linear linear_contact(const Law& law, const Part6& x, const Part6& w) const {
    Linear one;
    const double pressed = x[0] - law.slope * law.slope * w[0];
    if (!(pressed > 0)) {
      one.a.head<3>() = -x.head<3>();
      one.is_bound = true;
      return one;
    }
    const Flat t = x.segment<2>(1) - w.segment<2>(1);
    const double length = t.norm(), radius = std::max(x[0], 0.0);
    if (length <= std::max(radius, pressed)) {
      one.b.diagonal().head<3>().setConstant(1 / give_);
      one.a.head<3>() = -w.head<3>() / give_;
      return one;
    }
    const Flat d = t / length;
    const Eigen::Matrix2d across = Eigen::Matrix2d::Identity() - d * d.transpose();
    const double share = radius / length;
    one.b(0, 0) = 1 / give_;
    one.b.block<2, 1>(1, 0) = d / give_;
    one.b.block<2, 2>(1, 1) = share / (1 - share) * across;
    one.a[0] = -w[0] / give_;
    one.a.segment<2>(1) =
        d * (x[0] - d.dot(x.segment<2>(1)) - w[0] / give_) - across * x.segment<2>(1) / (1 - share);
    return one;
  }

  bool step() {
    matrix_.clear();
    for (int i = 0; i < static_cast<int>(scaled_.free.size()); ++i) matrix_.at(i, i).setIdentity();
    std::vector<Linear> linear;
    linear.reserve(scaled_.laws.size());
    std::vector<Part6> dv(scaled_.free.size(), Part6::Zero());
    for (std::size_t i = 0; i < scaled_.laws.size(); ++i) {
      const Law& law = scaled_.laws[i];
      linear.push_back(linear_of(law, impulses_[i], motions_[i]));
      if (is_first_ && law.is_equality()) linear[i].a -= impulses_[i];  // none are kept
      push(law, linear[i].a, dv);
      if (!linear[i].is_bound) scaled_.add_to_matrix(law, linear[i].b);
    }
    if (!matrix_.factorise()) return false;
    matrix_.solve(dv);
    for (std::size_t i = 0; i < scaled_.laws.size(); ++i)
      impulses_[i] += linear[i].is_bound
                          ? linear[i].a
                          : Part6(linear[i].a - linear[i].b * change(scaled_.laws[i], dv));
    is_first_ = false;
    return true;
  }

  StepProblem& problem_;
  double accuracy_;
  ScaledProblem scaled_;
  BlockLu matrix_;
  std::vector<Part6> impulses_, motions_;  // by law
  double give_ = give_at_first;            // of contacts and bounded rows
  bool is_first_ = true;
};

}  // namespace

double solve_from_near(StepProblem& problem, double accuracy) {
  if (!is_narrow(problem)) return infinity;
  Newton newton(problem, accuracy);
  return newton.is_worth_while() ? newton.go() : infinity;
}

}  // namespace abut::law
