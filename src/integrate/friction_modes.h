#pragma once
// What friction does at the contacts of an island while its motion is smooth, and along what
// directions the contacts slip that slide (force/slip.h).

#include <utility>
#include <vector>

#include "force/slip.h"
#include "integrate/applied_forces.h"

namespace abut::integrate {

/// The direction of slip that is over: the one followed, or, within a step that is being tried, as
/// if the slip went on.
enum class SlipThatIsOver { has_ended, goes_on };

class FrictionModes {
 public:
  explicit FrictionModes(const AppliedForces& applied) : applied_(applied) {}

  void begin(const std::vector<force::ContactMode>& modes);
  /// By contact; where contacts slide, along what direction at the last instant that was followed.
  const std::vector<force::ContactMode>& all() const { return modes_; }
  bool sticks(int contact) const { return is(contact, force::FrictionMode::sticks); }
  bool slides(int contact) const { return is(contact, force::FrictionMode::slides); }
  bool any_slides() const { return any_slides_; }

  // All below for the instant that the applied forces were evaluated for last.

  /// The slip of a contact, counted from what was left of it where it began; two rows of slip.
  force::Slip slip(int contact, const impulse::SystemRow* tangents) const;
  std::pair<impulse::RowsNow, force::Slip> slip_now(int contact) const;
  /// Up to which speed, m/s, friction under gravity or under a load, N, would stop the slip of a
  /// contact within no time.
  double stopping_speed(int contact, double force) const;
  /// Rows (ascending; empty: all) with the lean of contacts that slide.
  impulse::RowsNow leaning_rows(const std::vector<int>& rows, SlipThatIsOver over) const;
  /// Takes the directions of slip from here.
  void follow();
  /// Slip that begins counts from what is left of it here.
  void count_from_here();

 private:
  bool is(int contact, force::FrictionMode mode) const {
    return !modes_.empty() && modes_[contact].mode == mode;
  }

  const AppliedForces& applied_;
  std::vector<force::ContactMode> modes_;
  bool any_slides_ = false;
};

}  // namespace abut::integrate
