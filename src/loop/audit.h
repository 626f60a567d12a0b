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
/// relative to the largest energy that was exchanged or in motion.
class EnergyAudit {
 public:
  void add(const Energy& energy);
  double relative_error() const;
  const Energy& first() const { return first_; }
  const Energy& last() const { return last_; }

 private:
  bool started_ = false;
  Energy first_, last_;
  double worst_ = 0;
  double scale_ = 0;
};

/// Momentum: how far the linear and the angular momentum of all dynamic bodies stray from what
/// gravity, forces, supports and impulses put in.
class MomentumAudit {
 public:
  void add(const integrate::Momentum& now, const integrate::Balance& came_in);
  double relative_error() const;

 private:
  bool started_ = false;
  integrate::Momentum first_;
  double worst_linear_ = 0, worst_angular_ = 0;
  double linear_scale_ = 0, angular_scale_ = 0;
};

}  // namespace abut::loop
