#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

class SphereSphere final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics&) override {
    return rounded_points(a.position, a.solid->rounding, b.position, b.solid->rounding,
                          Vec3::UnitZ());
  }
};

}  // namespace

std::unique_ptr<PartPair> make_sphere_sphere() {
  return std::make_unique<SphereSphere>();
}

}  // namespace abut::narrow
