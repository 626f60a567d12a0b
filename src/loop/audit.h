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

/// Energy: how far kinetic + potential + elastic + dissipated - work strays from its first value,
/// relative to the largest energy that was exchanged or in motion, or to a given one if nothing
/// much moves.
class EnergyAudit {
 public:
  explicit EnergyAudit(double least_scale = 0) : scale_(least_scale) {}
  void add(const Energy& energy);
  double relative_error() const;
  const Energy& first() const { return first_; }
  const Energy& last() const { return last_; }

 private:
  bool started_ = false;
  Energy first_, last_;
  double worst_ = 0;
  double scale_;
};

/// Momentum: how far the linear and the angular momentum of all dynamic bodies stray from what
/// gravity, forces, supports and impulses put in, relative to the largest momentum or to what the
/// weight of the bodies alone would have put in.
class MomentumAudit {
 public:
  explicit MomentumAudit(double weight = 0) : weight_(weight) {}
  void add(double t, const integrate::Momentum& now, const integrate::Balance& came_in);
  double relative_error() const;

 private:
  double weight_;
  bool started_ = false;
  integrate::Momentum first_;
  integrate::Balance came_in_before_;  // the book was opened
  double worst_linear_ = 0, worst_angular_ = 0;
  double linear_scale_ = 0, angular_scale_ = 0;
};

}  // namespace abut::loop
