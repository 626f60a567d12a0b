#include "toi/height_proof.h"

#include <algorithm>

#include "math/polynomial.h"

namespace abut::toi {
namespace {

using math::Polynomial;
using math::PolynomialVector;
using motion::BodyPath;

// A time is worth a proof if it is so many times longer than what is known; if there is none for
// it, it is divided by this.
constexpr double worth_a_proof = 8;
constexpr double shorter = 4;

// What rounding does to the polynomials, as a fraction of their largest terms (dimensionless):
// degrees are below 40, at most three products follow each other, and every coefficient of one is a
// sum of at most forty products with positive weights: 160 units of 2^-53.
constexpr double polynomial_rounding = 2e-14;

bool is_of_points(const HeldPlane& plane) {
  if (plane.motion != PlaneMotion::carried || !plane.watched[plane.carrier].empty()) return false;
  for (int side = 0; side < 2; ++side)
    if (plane.surfaces[side] || !plane.rims[side].empty()) return false;
  return !plane.watched[1 - plane.carrier].empty();
}

class Heights {
 public:
  Heights(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double clearance)
      : points_(plane.watched[1 - plane.carrier]),
        carrier_(plane.carrier == 0 ? a : b),
        other_(plane.carrier == 0 ? b : a),
        normal_(plane.normal),
        level_(plane.normal.dot(plane.touching[plane.carrier]) + plane.radii + clearance) {
    for (const Vec3& p : points_) reach_ = std::max(reach_, p.norm());
  }

  // That proofs fail costs more than to look.
  bool are_above_at(double t) const {
    const Pose plane = carrier_.pose(t), own = other_.pose(t);
    const Vec3 n = plane.orientation * normal_;
    const Vec3 along = own.orientation.conjugate() * n;
    const double height = n.dot(own.position - plane.position) - level_;
    return std::all_of(points_.begin(), points_.end(),
                       [&](const Vec3& p) { return height + along.dot(p) > 0; });
  }

  bool are_above_over(double from, double to) const {
    const auto plane = carrier_.frame_over(from, to), own = other_.frame_over(from, to);
    if (!plane || !own) return false;
    const PolynomialVector n = turned(*plane, normal_), way = own->centre - plane->centre;
    const Polynomial weight = own->weight * plane->weight;
    const Polynomial centre = dot(n, way) * own->weight;
    PolynomialVector arm;
    for (int j = 0; j < 3; ++j) arm[j] = dot(n, own->rotation[j]);
    const double lever = size_of(way) + reach_;
    const double error =
        own->centre_error + plane->centre_error + (own->turn_error + plane->turn_error) * lever;
    const double rounding =
        rounding_between(*own, *plane) + polynomial_rounding * (lever + std::abs(level_));
    const Polynomial least = weight * (level_ + error);
    return std::all_of(points_.begin(), points_.end(), [&](const Vec3& p) {
      const Polynomial height = centre + arm[0] * p[0] + arm[1] * p[1] + arm[2] * p[2] - least;
      return math::is_above(height, rounding);
    });
  }

 private:
  const std::vector<Vec3>& points_;
  const BodyPath& carrier_;
  const BodyPath& other_;
  Vec3 normal_;
  double level_ = 0, reach_ = 0;
};

}  // namespace

double proven_above(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t,
                    double known, double limit, double clearance) {
  if (!(limit - t > worth_a_proof * (known - t)) || !is_of_points(plane)) return known;
  const Heights heights(plane, a, b, clearance);
  if (!heights.are_above_at(t)) return known;
  for (double h = limit - t; h > worth_a_proof * (known - t) && t + h > t; h /= shorter) {
    const double end = std::min(limit, t + h);
    if (!heights.are_above_at(end) || !heights.are_above_at(t + 0.5 * h)) continue;
    if (heights.are_above_over(t, end)) return end;
  }
  return known;
}

}  // namespace abut::toi
