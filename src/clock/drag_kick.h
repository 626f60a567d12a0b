#pragma once
// Drag on a rigid body over a kick. With u = v - wind the drag f(u) = (c + q |u|) u is linear about
// where the kick begins, and what that gives is found exactly (Rosenbrock and Euler's exponential
// method): of
//     m v' = F + p / k - f(u0) - C (v - v0),    C = c + 2 q |u0|,
// over a kick of length k the change is
//     v+ - v0 = phi(k C / m) (k F + p - k f(u0)) / m,    phi(z) = (1 - exp(-z)) / z.
// Linear drag is exact so. However strong it is nothing turns back, and what moves steadily has the
// velocity at which drag and the other forces are in balance. To impulses p of the step the body is
// as heavy as m / phi. Of quadratic drag C is what is true along u; across it it is half of that.

#include <vector>

#include "impulse/row_system.h"
#include "model/model.h"

namespace abut::clock {

class DragKick {
 public:
  /// Of a body with these velocities, for so long, s.
  DragKick(std::vector<const model::Drag*> drags, const body::Mass& mass, const Quat& attitude,
           const Vec3& velocity, const Vec3& spin, double kick);

  /// What impulses of the step find.
  const impulse::Inertia& yields() const { return yields_; }
  /// On the average over the kick, under a force, and what is left of a torque.
  Vec3 acceleration(const Vec3& force) const;
  Vec3 slowed(const Vec3& torque) const;
  /// Of the impulse of the drag: how much of what it does the winds do, J.
  double work(const Vec3& impulse) const;
  /// The same drag on other velocities.
  DragKick at(const Vec3& velocity, const Vec3& spin) const;

 private:
  std::vector<const model::Drag*> drags_;
  const body::Mass* mass_;
  Quat attitude_;
  Vec3 velocity_, spin_;
  double kick_ = 0;
  Vec3 resistance_ = Vec3::Zero();  // f(u0), N
  double slope_ = 0;                // C, N s/m
  double angular_ = 0;              // N m s
  impulse::Inertia yields_;
};

}  // namespace abut::clock
