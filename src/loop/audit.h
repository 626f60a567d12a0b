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

/// Momentum of one cluster: how far linear momentum strays from what gravity, external forces and
/// impulses put in, and angular momentum likewise. A cluster on which only gravity acts keeps no
/// running balance: its expected linear momentum is known in closed form, and its bodies' own
/// angular momenta are constants of the integration.
class MomentumAudit {
 public:
  MomentumAudit(integrate::ClusterPath& path, const Vec3& weight, bool keeps_balance);
  void add(double t, integrate::ClusterPath& path);
  double relative_error() const;

 private:
  Vec3 weight_;
  bool keeps_balance_;
  integrate::Momentum first_;
  double worst_linear_ = 0, worst_angular_ = 0;
  double linear_scale_ = 0, angular_scale_ = 0;
};

}  // namespace abut::loop
