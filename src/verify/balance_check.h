#pragma once
// Newton and Euler: recorded accelerations follow from recorded contact forces and the scene's.
//
//   m a = sum of forces,    I alpha + omega x I omega = sum of torques about the centre of mass

#include <vector>

#include "model/model.h"
#include "record/run_reader.h"
#include "verify/applied_forces.h"
#include "verify/check.h"

namespace abut::verify {

class BalanceCheck : public Check {
 public:
  /// The model must outlive the check.
  BalanceCheck(const std::vector<record::RecordedBody>& bodies, const model::Model& model)
      : Check("forces"), bodies_(bodies), model_(model) {}

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  void check(double time, std::size_t body, const BodyState& state, Load load);
  void compare_forces(double time, const record::RecordedBody& body, const Vec3& rest,
                      double scale);

  std::vector<record::RecordedBody> bodies_;
  const model::Model& model_;
  long compared_ = 0;
  double worst_ = 0;  ///< relative
};

}  // namespace abut::verify
