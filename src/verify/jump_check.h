#pragma once
// Velocities jump by the impulses that were recorded, and by nothing else; places do not jump.

#include "model/model.h"
#include "verify/instant_check.h"
#include "verify/stepped_times.h"

namespace abut::verify {

class JumpCheck : public InstantCheck {
 public:
  /// Run and model must outlive the check. Bodies that are stepped are not judged: an instant is
  /// within one of their steps.
  JumpCheck(const record::RunReader& run, const model::Model& model, SteppedTimes stepped);

  std::string measured() const override;

 protected:
  void instant(const Instant& now) override;

 private:
  /// What a body got at an instant.
  struct Gain {
    Vec3 linear = Vec3::Zero();   ///< N s
    Vec3 angular = Vec3::Zero();  ///< about the centre of mass, N m s
    double linear_scale = 0;      ///< sum of the magnitudes
    double angular_scale = 0;
  };

  std::vector<Gain> gains(const Instant& now) const;
  void compare(double time, std::size_t body, const Instant& now, const Gain& gain);
  void check_place(double time, std::size_t body, const Instant& now);

  const std::vector<record::RecordedBody>& bodies_;
  const model::Model& model_;
  std::vector<double> linked_masses_;  ///< by body: of all that joints link with it, kg
  SteppedTimes stepped_;
  long instants_ = 0;
  double worst_ = 0;     ///< relative
  double farthest_ = 0;  ///< m
};

}  // namespace abut::verify
