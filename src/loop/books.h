#pragma once
// The books of a run: energy, momentum, contacts, gaps of joints and the hash, of all frames that
// are told.

#include "base/hash.h"
#include "clock/step_clock.h"
#include "integrate/layout.h"
#include "loop/audit.h"
#include "record/present_contacts.h"

namespace abut::loop {

class Books {
 public:
  explicit Books(const model::Model& model);

  /// A frame that is about to be written. Joints of bodies that this clock moves (null: none) are
  /// open by what a step bends.
  void take(const record::Frame& frame, const clock::StepClock* steps);
  /// Of a whole frame, before it is taken.
  void take_momentum(const record::Frame& frame, const integrate::Momentum& momentum,
                     const integrate::Balance& balance);
  long frame_count() const { return frames_; }
  /// The largest gap that a joint was recorded with, as a fraction of its size.
  double widest_joint() const { return widest_joint_; }
  const record::EnergyAudit& energy() const { return energy_audit_; }
  void sum_up(record::Summary& summary) const;

 private:
  void note_rounding(const record::Frame& frame);
  void keep_energy_book(const record::Frame& frame, const clock::StepClock* steps);
  void note_gap(const record::Frame& frame, const JointState& state, const clock::StepClock* steps);

  const model::Model& model_;
  record::EnergyAudit energy_audit_;
  MomentumAudit momentum_audit_;
  record::PresentContacts contacts_;
  base::Hash hash_;
  double rubbed_ = 0;          // by friction so far, J
  double energy_initial_ = 0;  // J
  double farthest_ = 0;        // coordinate of a dynamic body, m
  long frames_ = 0;
  long contacts_max_ = 0;
  double widest_joint_ = 0;
};

}  // namespace abut::loop
