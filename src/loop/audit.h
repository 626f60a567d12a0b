#pragma once
// Watches the momentum book of a run; that of energy is in record/energy_audit.h.

#include <vector>

#include "abut/types.h"
#include "integrate/island_path.h"
#include "record/energy_audit.h"

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

/// Of the energies of many bodies, exactly.
class EnergySum {
 public:
  void add(const Energy& energy) {
    kinetic_.add(energy.kinetic);
    potential_.add(energy.potential);
    elastic_.add(energy.elastic);
    dissipated_.add(energy.dissipated);
    work_.add(energy.work);
  }
  Energy value() const {
    return {kinetic_.value(), potential_.value(), elastic_.value(), dissipated_.value(),
            work_.value()};
  }

 private:
  ExactSum kinetic_, potential_, elastic_, dissipated_, work_;
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
           const record::Load& load = {});
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
