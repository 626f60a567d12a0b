#pragma once
// Extremal points by Baraff's own way (1990, eq. 9): surfaces as implicit functions, Newton's
// method on the conditions that their gradients are opposite and along the line between the points.
// In 50 digits, so that distances can be differentiated numerically.

#include <vector>

#include "support/precise_motion.h"

namespace abut::test {

using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// ((|x/a|^p2 + |y/b|^p2)^(p1/p2) + |z/c|^p1 - 1, negative inside; p = 2/e = 2 is an ellipsoid.
struct ImplicitSolid {
  Vec3 radii = Vec3::Ones();
  double e1 = 1, e2 = 1;
  /// Instead of all this, a cone from the origin downwards: radius per depth, 0 for none.
  double slope = 0;
  /// With p = 2: so much of (x/a)^4 + (y/b)^4 besides.
  double quartic = 0;

  struct Value {
    Real value;
    RealVec gradient;
    RealMat hessian;
  };

  Value operator()(const RealVec& x) const;

 private:
  Value superellipsoid(const RealVec& x) const;
  Value cone(const RealVec& x) const;
};

/// One side of a gap: a curved solid about the origin of its body, or a point, line or plane that
/// the body carries, thickened by a radius.
struct ReferenceSide {
  bool is_curved = true;
  ImplicitSolid solid;
  Vec3 point = Vec3::Zero();
  std::vector<Vec3> along;  ///< directions in which the feature extends: none, one or two
  double rounding = 0;
  double circle = 0;  ///< instead of all this: radius of a circle about the body's z axis
};

/// Stationary points of |x - y|^2 / 2 with x and y on the two sides, near those given (world).
/// Returns the distance, with the sign of n . (x - y), less the roundings.
class ReferenceGap {
 public:
  ReferenceGap(const ReferenceSide& a, const ReferenceSide& b) : sides_{a, b} {}

  Real operator()(const RealPose& a, const RealPose& b, const Vec3& near_a, const Vec3& near_b,
                  const Vec3& normal) const;

 private:
  void start(int s, const RealPose& pose, const Vec3& at, const Vec3& between, RealVector& z,
             int offset) const;
  RealVec place(int s, const RealPose& pose, const RealVector& z, int offset,
                RealMatrix& moves) const;

  ReferenceSide sides_[2];
};

}  // namespace abut::test
