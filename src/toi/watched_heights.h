#pragma once
// Heights above a held plane of what is watched of two parts, with their rates.

#include <vector>

#include "toi/plane_instant.h"

namespace abut::toi {

/// Height above the plane and its rate, for every watched point or pair of them. Its second
/// derivative is bounded by so many times that of a point.
struct Height {
  double value = 0, rate = 0, bending = 1;
};

std::vector<Height> heights(const HeldPlane& plane, const PlaneInstant& now);

/// h + s h' of the lowest point of a curved solid, as a function of s.
class CurvedHeight {
 public:
  CurvedHeight(const HeldPlane& plane, const PlaneInstant& now, int side);
  double operator()(double s) const {
    return value_ + s * rate_ + surface_->lowest(to_value_ + s * to_rate_);
  }

 private:
  const CarriedSurface* surface_;
  double value_ = 0, rate_ = 0;
  Vec3 to_value_ = Vec3::Zero(), to_rate_ = Vec3::Zero();
};

std::vector<CurvedHeight> curved_heights(const HeldPlane& plane, const PlaneInstant& now);

}  // namespace abut::toi
