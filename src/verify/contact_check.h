#pragma once
// Contacts push and never pull, and their points are where bodies touch.

#include <vector>

#include "record/run_reader.h"
#include "verify/check.h"

namespace abut::verify {

class ContactCheck : public Check {
 public:
  ContactCheck(const std::vector<record::RecordedBody>& bodies, std::size_t joints,
               double allowed_depth)
      : Check("contacts"), bodies_(bodies), joints_(joints), allowed_depth_(allowed_depth) {}

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  void check(const ContactState& contact, const record::Frame& frame);
  void check(const JointState& joint, double time);
  std::string names_of(const ContactState& contact) const;

  std::vector<record::RecordedBody> bodies_;
  std::size_t joints_;
  double allowed_depth_;
  long contacts_ = 0, joint_states_ = 0;
  double smallest_gap_ = 0;
};

}  // namespace abut::verify
