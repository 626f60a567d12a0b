#pragma once
// The laws of contacts and joints that forces alone do not tell: friction within its cone, modes
// that fit the slip, gaps that are kept.

#include "body/constraint.h"
#include "model/model.h"
#include "verify/check.h"

namespace abut::verify {

class FrictionCheck : public Check {
 public:
  /// The model must outlive the check. Contacts that are stepped, from `stepped_from` (s) on, are
  /// kept at larger gaps and slip by what the solution of a step leaves.
  FrictionCheck(const model::Model& model, double stepped_from)
      : Check("friction"), model_(model), stepped_from_(stepped_from) {}

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  void check(const ContactState& contact, const record::Frame& frame);
  void check_mode(const ContactState& contact, double friction, const record::Frame& frame);
  void check_gap(const ContactState& contact, const record::Frame& frame);
  void check(const JointState& joint, const record::Frame& frame);
  body::RigidMotion frame_of(BodyIndex body, const record::Frame& frame) const;
  std::string names_of(const ContactState& contact) const;

  const model::Model& model_;
  double stepped_from_;
  long contacts_ = 0, joints_ = 0;
  double worst_cone_ = 0;  ///< friction beyond its cone, relative to the forces
  double worst_slip_ = 0;  ///< of contacts that stick, m/s
};

}  // namespace abut::verify
