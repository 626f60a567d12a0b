#pragma once
// Newton and Euler: recorded accelerations follow from recorded contact forces and the scene's.
//
//   m a = sum of forces,    I alpha + omega x I omega = sum of torques about the centre of mass
//
// A body that does not move from one frame to the next does not accelerate, whatever is recorded.

#include <optional>
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
      : Check("forces"), bodies_(bodies), model_(model), still_(bodies.size()) {}

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  /// A body that stood still when it was told of.
  struct Still {
    double time = 0;
    Vec3 position = Vec3::Zero();
    double left = 0;  ///< of the forces on it, relative
  };

  void check_rest(double time, std::size_t body, const BodyState& state);
  void check(double time, std::size_t body, const BodyState& state, Load load);
  void compare_forces(double time, const record::RecordedBody& body, const Vec3& rest,
                      double scale);

  std::vector<record::RecordedBody> bodies_;
  const model::Model& model_;
  std::vector<std::optional<Still>> still_;  ///< by body
  long compared_ = 0;
  double worst_ = 0;  ///< relative
};

}  // namespace abut::verify
