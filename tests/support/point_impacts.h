#pragma once
// Random impacts at a point, and a second way to integrate them.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <random>

#include "impulse/point_impact.h"

namespace abut::test {

class RandomImpacts {
 public:
  explicit RandomImpacts(std::uint64_t seed) : engine_(seed) {}

  double number(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Vec3 vector() { return {normal(), normal(), normal()}; }

  /// J M^-1 J^T = A A^T of a point of one to two bodies: any positive definite matrix, but for
  /// `spread` 1 not a very uneven one.
  Mat3 matrix(double spread = 1) {
    Mat3 a;
    for (int i = 0; i < 3; ++i) a.col(i) = std::exp(spread * normal()) * vector();
    return 0.2 * Mat3::Identity() * std::exp(-2 * spread * std::abs(normal())) + a * a.transpose();
  }
  impulse::PointImpact impact(double spread = 1) {
    impulse::PointImpact impact;
    impact.matrix = matrix(spread);
    impact.before = vector();
    impact.before[0] = -std::abs(impact.before[0]);
    impact.dynamic_friction = number(0, 1) * number(0, 2);
    impact.static_friction = impact.dynamic_friction * number(1, 1.5);
    impact.restitution = number(0, 1);
    return impact;
  }

 private:
  std::mt19937_64 engine_;
};

/// Keller's equations by the classical method of Runge and Kutta with a fixed step in Cartesian
/// velocities: d/dtau (p, r_t, u_n, u_t, work) with dp = |u_t| dtau. Slip that has stopped begins
/// anew from a trace of it, in the best of many directions.
class ReferenceImpact {
 public:
  ReferenceImpact(const impulse::PointImpact& impact, double step, long most_steps = 200000)
      : impact_(impact), most_steps_(most_steps) {
    const auto tangential = impact.matrix.block<2, 2>(1, 1);
    scale_ = impact.matrix.col(0).tail<2>().norm() + impact.dynamic_friction * tangential.norm();
    step_ = step / (scale_ + impact.matrix(0, 0));
    y_.setZero();
    y_.segment<3>(velocity) = impact.before;
    trace_ = 1e-12 * impact.before.norm();
    if (slip() > trace_) slide();
    if (!over_ && slip() <= trace_) go_on_from_stop();
  }
  /// Whether the steps allowed were enough.
  bool finished() const { return over_; }
  Vec3 impulse() const { return y_.segment<3>(impulses); }
  Vec3 after() const { return y_.segment<3>(velocity); }

 private:
  enum { impulses = 0, velocity = 3, work = 6, size = 7 };
  using State = Eigen::Matrix<double, size, 1>;

  double slip() const { return y_.segment<2>(velocity + 1).norm(); }

  State rate(const State& y) const {
    const Eigen::Vector2d u = y.segment<2>(velocity + 1);
    State rate;
    rate[0] = u.norm();
    rate.segment<2>(1) = -impact_.dynamic_friction * u;
    rate.segment<3>(velocity) = impact_.matrix * rate.segment<3>(impulses);
    rate[work] = y[velocity] * u.norm();
    return rate;
  }
  State stepped(const State& y, double h) const {
    const State k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2),
                k4 = rate(y + h * k3);
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  /// Positive once the present phase has ended: compression, or restitution one way or another.
  double compressed(const State& y) const { return parts_ ? -1 : y[velocity]; }
  /// By the law of restitution: what has been given beyond what is owed.
  double restored(const State& y) const {
    if (!parts_) return -1;
    using enum model::RestitutionLaw;
    if (impact_.law == poisson) return y[0] - (1 + impact_.restitution) * compressing_;
    if (impact_.law == newton) return y[velocity] + impact_.restitution * impact_.before[0];
    return y[work] - mark_ - due();
  }
  double jammed(const State& y) const { return parts_ ? -y[velocity] : -1; }
  double due() const {
    return -impact_.restitution * impact_.restitution * compression_ - restitution_;
  }
  void end_phase(bool is_over) {
    (parts_ ? restitution_ : compression_) += y_[work] - mark_;
    if (!parts_) compressing_ += y_[0] - impulse_mark_;
    mark_ = y_[work];
    impulse_mark_ = y_[0];
    parts_ = !parts_;
    over_ = is_over || (parts_ && !(restored(y_) < 0));
  }
  /// Goes to where the event function becomes positive in the next step, if it does.
  template <class F>
  bool goes_to(const F& event) {
    if (!(event(stepped(y_, step_)) > 0)) return false;
    double low = 0, high = step_;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (event(stepped(y_, middle)) > 0 ? high : low) = middle;
    }
    y_ = stepped(y_, high);
    return true;
  }

  void slide() {
    for (long i = 0; i < most_steps_ && !over_; ++i) {
      if (goes_to([&](const State& y) { return compressed(y); })) {
        end_phase(false);
      } else if (goes_to([&](const State& y) { return restored(y); })) {
        end_phase(true);
      } else if (goes_to([&](const State& y) { return jammed(y); })) {
        end_phase(false);
      } else {
        y_ = stepped(y_, step_);
        if (slip() < trace_ && !begins_anew_) return;
      }
    }
  }

  /// Of many directions the one in which friction opposes the coupling least.
  Eigen::Vector2d uphill() const {
    Eigen::Vector2d best(1, 0);
    double highest = -1e300;
    for (int i = 0; i < 1000; ++i) {
      const Eigen::Vector2d s(std::cos(0.00628 * i), std::sin(0.00628 * i));
      const double height =
          impact_.matrix.col(0).tail<2>().dot(s) -
          0.5 * impact_.dynamic_friction * s.dot(impact_.matrix.block<2, 2>(1, 1) * s);
      if (height > highest) best = s;
      highest = std::max(highest, height);
    }
    return best;
  }

  void go_on_from_stop() {
    const Eigen::Vector2d c = impact_.matrix.col(0).tail<2>();
    const Eigen::Vector2d ratio = -impact_.matrix.block<2, 2>(1, 1).inverse() * c;
    if (ratio.norm() > impact_.static_friction) {
      y_.segment<2>(velocity + 1) = trace_ * uphill();
      begins_anew_ = true;
      slide();
      return;
    }
    const Vec3 along(1, ratio.x(), ratio.y());
    const double k = impact_.matrix.row(0).dot(along);
    while (!over_) {
      const double u = y_[velocity], owed = due() - (y_[work] - mark_);
      double dp = parts_ ? (std::sqrt(u * u + 2 * k * owed) - u) / k : -u / k;
      if (parts_ && impact_.law == model::RestitutionLaw::poisson) dp = -restored(y_);
      if (parts_ && impact_.law == model::RestitutionLaw::newton) dp = -restored(y_) / k;
      y_.segment<3>(impulses) += dp * along;
      y_.segment<3>(velocity) += dp * impact_.matrix * along;
      y_[work] += u * dp + 0.5 * k * dp * dp;
      end_phase(parts_);
    }
  }

  const impulse::PointImpact& impact_;
  long most_steps_;
  State y_;
  double scale_ = 0, step_ = 0, trace_ = 0;
  double compression_ = 0, restitution_ = 0, mark_ = 0;  // works
  double compressing_ = 0, impulse_mark_ = 0;            // normal impulses
  bool parts_ = false, over_ = false, begins_anew_ = false;
};

}  // namespace abut::test
