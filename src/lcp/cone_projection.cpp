#include "lcp/cone_projection.h"

#include <algorithm>

namespace abut::lcp {
namespace {

NearestPart nearest_in_bounds(const ConeBlock& block, const Part& unknowns) {
  NearestPart nearest{unknowns, PartMatrix::Identity()};
  nearest.value[0] = std::min(std::max(unknowns[0], block.lower), block.upper);
  if (nearest.value[0] != unknowns[0]) nearest.slope.setZero();
  return nearest;
}

}  // namespace

NearestPart nearest_part(const ConeBlock& block, const Part& unknowns) {
  if (!block.is_contact()) return nearest_in_bounds(block, unknowns);
  const double mu = block.friction;
  const double length = unknowns.tail<2>().norm();
  if (unknowns[0] >= 0 && length <= mu * unknowns[0]) return {unknowns, PartMatrix::Identity()};
  const double along = (unknowns[0] + mu * length) / (1 + mu * mu);
  if (along <= 0 || length == 0) return {Part::Zero(), PartMatrix::Zero()};
  // On the generator g = (1, mu t): P = along g, and turning t costs mu along / length.
  const Eigen::Vector2d t = unknowns.tail<2>() / length;
  Part g;
  g << 1, mu * t;
  PartMatrix slope = g * g.transpose() / (1 + mu * mu);
  slope.bottomRightCorner<2, 2>() +=
      mu * along / length * (Eigen::Matrix2d::Identity() - t * t.transpose());
  return {along * g, slope};
}

}  // namespace abut::lcp
