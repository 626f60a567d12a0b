#include <algorithm>
#include <cmath>
#include <limits>

#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

/// Points of two segments.
struct Nearest {
  Vec3 a, b;
  double squared = 0;
};

Vec3 nearest_on(const Vec3& middle, const Vec3& axis, double half, const Vec3& p) {
  return middle + std::clamp(axis.dot(p - middle), -half, half) * axis;
}

/// Sine below which axes count as parallel (dimensionless). The interior solution of nearly
/// parallel segments is uncertain, but then an end of one of them is as near: the distance of the
/// lines changes by less than this times the length of the segments between two ends.
constexpr double parallel_sine = 1e-8;

/// The distance of two segments is a convex function of two parameters in a rectangle: its minimum
/// is inside, where both derivatives vanish, or on a side, where an end of a segment is nearest.
class CapsuleCapsule final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics&) override {
    const Vec3 e = a.rotation.col(2);
    const Vec3 f = b.rotation.col(2);
    const double half_a = a.solid->core.radius();
    const double half_b = b.solid->core.radius();
    const Vec3 d = a.position - b.position;
    const Vec3 cross = e.cross(f);
    const double squared_sine = cross.squaredNorm();

    if (squared_sine > parallel_sine * parallel_sine) {
      const double s = -f.cross(cross).dot(d) / squared_sine;
      const double t = -e.cross(cross).dot(d) / squared_sine;
      if (std::abs(s) <= half_a && std::abs(t) <= half_b) {
        return crossing(a, b, a.position + s * e, b.position + t * f, cross.normalized(), d);
      }
    }
    Nearest best;
    best.squared = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3& p, const Vec3& q) {
      const double squared = (p - q).squaredNorm();
      if (squared < best.squared) best = {p, q, squared};
    };
    for (const double end : {-1.0, 1.0}) {
      const Vec3 p = a.position + end * half_a * e;
      consider(p, nearest_on(b.position, f, half_b, p));
      const Vec3 q = b.position + end * half_b * f;
      consider(nearest_on(a.position, e, half_a, q), q);
    }
    return rounded_points(best.a, a.solid->rounding, best.b, b.solid->rounding, a.rotation.col(0));
  }

 private:
  /// The axes pass each other at inner points: their common perpendicular is the normal, which
  /// stays certain when they meet.
  static Separation crossing(const Placed& a, const Placed& b, const Vec3& p, const Vec3& q,
                             Vec3 normal, const Vec3& d) {
    if (normal.dot(d) < 0) normal = -normal;
    Separation result = rounded_points(p, a.solid->rounding, q, b.solid->rounding, normal);
    result.normal = normal;
    result.gap = normal.dot(d) - a.solid->rounding - b.solid->rounding;
    result.point_a = p - a.solid->rounding * normal;
    result.point_b = q + b.solid->rounding * normal;
    return result;
  }
};

}  // namespace

std::unique_ptr<PartPair> make_capsule_capsule() {
  return std::make_unique<CapsuleCapsule>();
}

}  // namespace abut::narrow
