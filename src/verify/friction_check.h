#pragma once
// The laws of contacts and joints that forces alone do not tell: friction within its cone, modes
// that fit the slip, gaps that are kept.

#include "body/constraint.h"
#include "model/model.h"
#include "verify/check.h"
#include "verify/stepped_times.h"

namespace abut::verify {

class FrictionCheck : public Check {
 public:
  /// The model must outlive the check. Gaps and slip of contacts that are stepped are not judged.
  FrictionCheck(const model::Model& model, SteppedTimes stepped)
      : Check("friction"), model_(model), stepped_(std::move(stepped)) {}

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  void check(const ContactState& contact, const record::Frame& frame);
  void check_mode(const ContactState& contact, double friction, const record::Frame& frame);
  void check_gap(const ContactState& contact, const record::Frame& frame);
  void check(const JointState& joint, const record::Frame& frame);
  void check_closed(const JointState& state, const record::Frame& frame);
  std::string names_of(const ContactState& contact) const;

  const model::Model& model_;
  SteppedTimes stepped_;
  long contacts_ = 0, joints_ = 0;
  double worst_cone_ = 0;  ///< friction beyond its cone, relative to the forces
  double worst_slip_ = 0;  ///< of contacts that stick, m/s
  double widest_ = 0;      ///< gap of a joint, m
};

}  // namespace abut::verify
