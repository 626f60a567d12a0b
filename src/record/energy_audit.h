#pragma once
// The energy book of a run, and what its errors are relative to: one definition for the
// certificate, for the page and for those who verify.

#include "model/model.h"
#include "record/frame.h"

namespace abut::record {

/// What contacts and joints bear at an instant. Where nothing moves, errors are judged by it.
struct Load {
  double force = 0;  ///< sum of the magnitudes of their forces, N
  double work = 0;   ///< what these would do over the size of the bodies they act on, J
};
/// What is of bodies or joints that do not exist does not count.
Load load_of(const model::Model& model, const Frame& frame);

/// Of what a load would do or give, this fraction is a scale to compare errors with
/// (dimensionless): much more than its rounding, and so little that it hides no error of bodies in
/// motion.
inline constexpr double load_fraction = 1e-3;

/// What it takes to lift every dynamic body by its own size, and to give it the speed that counts
/// as rest, J.
double least_energy(const model::Model& model);

/// Whether the books are open in this frame: bodies that touch when the run begins are moved to the
/// rest gap first.
inline bool books_are_open(const Frame& frame) {
  return frame.time > 0 || frame.kind != FrameKind::before;
}

/// How far kinetic + potential + elastic + dissipated - work strays from its first value, and how
/// much of what was dissipated comes back from one frame to the next: a book that is closed by what
/// is missing in it balances always. Both relative to the largest energy that was exchanged or in
/// motion; if nothing much moves, to a fraction of what the largest load would do over the size of
/// a body, and at least to a given energy.
class EnergyAudit {
 public:
  explicit EnergyAudit(double least_scale = 0) : scale_(least_scale) {}
  void add(const Energy& energy, const Load& load = {});
  double relative_error() const;
  double relative_return() const;
  /// The largest energy that was exchanged or in motion.
  double relative_motion() const;
  double scale() const { return scale_; }          ///< J
  double worst() const { return worst_; }          ///< J
  double in_motion() const { return in_motion_; }  ///< J
  const Energy& first() const { return first_; }
  const Energy& last() const { return last_; }

 private:
  bool started_ = false;
  Energy first_, last_;
  double worst_ = 0;
  double returned_ = 0;   ///< J
  double in_motion_ = 0;  ///< J
  double scale_;
};

}  // namespace abut::record
