#pragma once
// Times go forward, and every recorded state is one that a body can have.

#include <vector>

#include "record/run_reader.h"
#include "verify/check.h"

namespace abut::verify {

class MotionCheck : public Check {
 public:
  explicit MotionCheck(const std::vector<record::RecordedBody>& bodies)
      : Check("motion"), bodies_(bodies) {}

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  void check_time(const record::Frame& frame);
  void check_who(const record::Frame& frame);
  void check_state(double time, std::size_t body, const BodyState& state);

  std::vector<record::RecordedBody> bodies_;
  std::vector<BodyState> first_;
  double last_time_ = 0;
  std::vector<BodyIndex> told_before_;  ///< by the last frame
  bool expects_after_ = false;          ///< the last frame was one before an event
  double worst_norm_ = 0, worst_centre_ = 0;
  long frames_ = 0;
};

}  // namespace abut::verify
