#include <algorithm>

#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

/// The nearest point of the capsule's segment, found along its axis, and two balls.
class SphereCapsule final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics&) override {
    const Vec3 axis = b.rotation.col(2);
    const double half = b.solid->core.radius();
    const double along = std::clamp(axis.dot(a.position - b.position), -half, half);
    const Vec3 nearest = b.position + along * axis;
    return rounded_points(a.position, a.solid->rounding, nearest, b.solid->rounding,
                          b.rotation.col(0));
  }
};

}  // namespace

std::unique_ptr<PartPair> make_sphere_capsule() {
  return std::make_unique<SphereCapsule>();
}

}  // namespace abut::narrow
