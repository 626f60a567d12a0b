#pragma once
// Watches the energy and momentum books of a run.

#include <vector>

#include "abut/types.h"
#include "integrate/cluster_path.h"

namespace abut::loop {

/// Sum that does not lose small terms among large ones (Neumaier).
class ExactSum {
 public:
  void add(double term);
  double value() const { return sum_ + carry_; }

 private:
  double sum_ = 0;
  double carry_ = 0;
};

/// What contacts and joints bear at an instant. Where nothing moves, errors are judged by it.
struct Load {
  double force = 0;  ///< sum of the magnitudes of their forces, N
  double work = 0;   ///< what these would do over the size of the bodies they act on, J
};

/// Energy: how far kinetic + potential + elastic + dissipated - work strays from its first value,
/// relative to the largest energy that was exchanged or in motion; if nothing much moves, to a
/// fraction of what the largest load would do over the size of a body, and at least to a given
/// energy.
class EnergyAudit {
 public:
  explicit EnergyAudit(double least_scale = 0) : scale_(least_scale) {}
  void add(const Energy& energy, const Load& load = {});
  double relative_error() const;
  const Energy& first() const { return first_; }
  const Energy& last() const { return last_; }

 private:
  bool started_ = false;
  Energy first_, last_;
  double worst_ = 0;
  double scale_;
};

/// What errors of bodies that hardly move are compared with.
struct MomentumScale {
  double weight = 0;   ///< of all bodies, N
  double resting = 0;  ///< momentum of bodies that count as resting, N s
  double size = 0;     ///< of the largest body, m
};

/// Momentum: how far the linear and the angular momentum of all dynamic bodies stray from what
/// gravity, forces, supports and impulses put in, relative to the largest momentum or to what the
/// weight of the bodies alone, or a fraction of what presses on them, would have put in.
class MomentumAudit {
 public:
  explicit MomentumAudit(const MomentumScale& scale = {}) : scale_(scale) {}
  void add(double t, const integrate::Momentum& now, const integrate::Balance& came_in,
           const Load& load = {});
  double relative_error() const;

 private:
  MomentumScale scale_;
  bool started_ = false;
  double time_ = 0;     // of the last addition
  double pressed_ = 0;  // a fraction of the integral of the load up to there, N s
  integrate::Momentum first_;
  integrate::Balance came_in_before_;  // the book was opened
  double worst_linear_ = 0, worst_angular_ = 0;
  double linear_scale_ = 0, angular_scale_ = 0;
};

}  // namespace abut::loop
