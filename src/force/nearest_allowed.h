#pragma once
// The nearest forces among those that are allowed and have a given effect.
//
// Let C be what is allowed: contacts push, friction that sticks is within its cone. For z that has
// the right effect, g z = c, the nearest x of C that has it too,
//     minimise |x - z|^2 / 2   subject to   g x = c,  x in C,
// is unique where there is any, and continuous in z and c. With P the projection onto C the dual
// problem, without constraints, convex and once differentiable, is
//     minimise  h(y) = (|v|^2 - |v - P(v)|^2) / 2 - y.c,   v = z + g^T y;
// its gradient is g P(v) - c. So wherever that is zero, x = P(v) is the nearest: that is checked,
// and nothing else has to be trusted. The minimum is sought by Newton's method with the generalised
// derivative of P and with steps that lower h (Qi and Sun, 2006, for a problem of the same form).
//
// Why it ends. Every step lowers h by a fixed part of what its slope promises, or halves the
// gradient. Without cones h is made of finitely many quadratics: as soon as a step begins and ends
// in one that touches the minimum, and with cones as soon as it is near enough, full steps square
// the error. Where h has no minimum it falls for ever: d = g^T y comes to be a direction along
// which nothing allowed pushes, P(d) -> 0, although z.d > 0. For every x that is allowed and has
// the effect
//     z.d = y.c = x.d <= |x| |P(d)|,
// so that |x| >= z.d / |P(d)|, which exceeds all bounds. That proves that there are no allowed
// forces up to that size, and ends the search. A limited number of steps ends it where rounding
// keeps it from coming further.

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "lcp/cone_projection.h"

namespace abut::force {

/// Forces with an end: a row that may not pull, or a contact that sticks.
struct LimitedForce {
  lcp::ConeBlock block;
  std::array<Eigen::Index, 3> places = {};  ///< of its rows among the unknowns
};

/// Where forces end, for unknowns z.
class Limits {
 public:
  explicit Limits(std::vector<LimitedForce> forces) : forces_(std::move(forces)) {}

  const std::vector<LimitedForce>& forces() const { return forces_; }

  /// P(v), and by limited force its derivative.
  Eigen::VectorXd nearest(const Eigen::VectorXd& v,
                          std::vector<lcp::PartMatrix>* slopes = nullptr) const;

 private:
  std::vector<LimitedForce> forces_;
};

/// `Equations` are g: product(x) = g x, transposed(y) = g^T y, factorise(limits, slopes, extra) of
/// g P' g^T + extra, false if that fails, and solve(r) with the factors. Empty: there are no
/// allowed forces, or none that are not far larger than z.
template <class Equations>
class NearestAllowed {
 public:
  /// Errors are relative to a `scale` of forces.
  NearestAllowed(Equations& equations, const Limits& limits, const Eigen::VectorXd& z, double scale)
      : g_(equations), limits_(limits), z_(z), scale_(scale) {}

  std::optional<Eigen::VectorXd> find() {
    State now = at(Eigen::VectorXd::Zero(g_.product(z_).size()));
    for (int k = 0; k < most_steps && now.error > reached_error * scale_ && !refuted(now); ++k) {
      std::optional<State> next = lower(now);
      // Where the gradient is next to nothing, rounding of h decides which steps lower it.
      if (!next || (is_good_enough(now) && next->error > 0.5 * now.error)) break;
      now = std::move(*next);
    }
    if (now.error > row_accuracy * scale_) return std::nullopt;
    return std::move(now.x);
  }

 private:
  using Vector = Eigen::VectorXd;

  // Systems of equations: typical are three to six.
  static constexpr int most_steps = 30;
  // Errors of rows, whose length is 1, relative to the scale of forces (dimensionless), if rounding
  // lets them come so far; else acceleration_rounding must do. Where forces come to their end
  // nothing that is allowed has the effect but for row_accuracy: that is how well it is known when
  // they do.
  static constexpr double reached_error = 1e-14;
  // Added to the diagonal, whose entries are 1, in proportion to the error, and at least
  // (dimensionless): where forces have come to their end rows may have none left.
  static constexpr double most_extra = 1e-6;
  static constexpr double least_extra = 1e-13;
  // By what it grows where no step that is longer than this part of a full one lowers h.
  static constexpr double more_extra = 100;
  static constexpr double shortest = 1 / more_extra;
  // Forces that are this many times as large as others with the same effect are none.
  static constexpr double most_growth = 1e4;

  struct State {
    Vector y, x, gradient;
    std::vector<lcp::PartMatrix> slopes;
    double value = 0;  // of h, without what is constant
    double error = 0;  // the largest part of the gradient
  };

  State at(const Vector& y) const {
    State state;
    state.y = y;
    const Vector moved = g_.transposed(y);
    const Vector v = z_ + moved;
    state.x = limits_.nearest(v, &state.slopes);
    state.gradient = g_.product(state.x - z_);
    state.error = state.gradient.template lpNorm<Eigen::Infinity>();
    // |v|^2 / 2 - y.c = |z|^2 / 2 + |g^T y|^2 / 2, as c = g z.
    state.value = 0.5 * (moved.squaredNorm() - (v - state.x).squaredNorm());
    return state;
  }

  double extra(const State& now) const {
    return std::max(least_extra, most_extra * std::min(1.0, now.error / scale_));
  }

  bool is_good_enough(const State& now) const {
    return now.error <= acceleration_rounding * scale_;
  }

  // After a step that lowers h, halved a few times if need be. Rows that have no forces left are
  // moved by what rounding leaves of their gradient over what is added to the diagonal, which may
  // be far past where they have forces again. However short, a step that way is no step towards the
  // minimum: it is turned to the gradient by adding more. The Hessian is at most the number of
  // rows, and with as much added every step lowers h by half of what its slope promises.
  std::optional<State> lower(const State& now) {
    const auto most = static_cast<double>(now.y.size());
    for (double added = extra(now); added <= more_extra * most; added *= more_extra) {
      if (!g_.factorise(limits_, now.slopes, added)) continue;
      const Vector step = -g_.solve(now.gradient);
      if (!step.allFinite()) continue;
      const double slope = now.gradient.dot(step);
      for (double length = 1; length > shortest; length /= 2) {
        State next = at(now.y + length * step);
        if (next.value <= now.value + lcp::sufficient_decrease * length * slope ||
            next.error < 0.5 * now.error)
          return next;
      }
    }
    return std::nullopt;
  }

  // With an error in the effect that is taken, z.d may be less by |y| of it.
  bool refuted(const State& now) const {
    const Vector d = g_.transposed(now.y);
    const double sure = z_.dot(d) - row_accuracy * scale_ * now.y.template lpNorm<1>();
    return sure > most_growth * z_.norm() * limits_.nearest(d).norm();
  }

  Equations& g_;
  const Limits& limits_;
  const Vector& z_;
  double scale_;
};

}  // namespace abut::force
