#pragma once
// The problem y' = f(t, y), and what a stepper may ask about it.

#include <Eigen/Core>

namespace abut::ode {

using Vector = Eigen::VectorXd;

class System {
 public:
  virtual ~System() = default;

  virtual int dimension() const = 0;

  /// rate = f(t, y).
  virtual void derivative(double t, const Vector& y, Vector& rate) = 0;

  /// The size of `error`, an estimated error of the step from y0 to y1 of length h, in units of
  /// what is allowed: a step with error_norm <= 1 is good enough.
  virtual double error_norm(const Vector& y0, const Vector& y1, const Vector& error,
                            double h) const = 0;

  /// Moves y1, the end at t1 of a step that began with y0 at t0, back onto the manifold the exact
  /// solution stays on. The change must not exceed the local error.
  virtual void project(double /*t0*/, const Vector& /*y0*/, double /*t1*/, Vector& /*y1*/) {}
};

}  // namespace abut::ode
