#pragma once
// Extremal points by Baraff's own way (1990, eq. 9): surfaces as implicit functions, Newton's
// method on the conditions that their gradients are opposite and along the line between the points.
// In 50 digits, so that distances can be differentiated numerically.

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "support/precise_motion.h"

namespace abut::test {

using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// ((|x/a|^p2 + |y/b|^p2)^(p1/p2) + |z/c|^p1 - 1, negative inside; p = 2 is an ellipsoid.
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

  Value operator()(const RealVec& x) const {
    if (slope > 0) return cone(x);
    const Real p1 = Real(2) / Real(e1), p2 = Real(2) / Real(e2), k = p1 / p2;
    RealVec first, second, zeroth;  // of |x_i / r_i|^p
    for (int i = 0; i < 3; ++i) {
      const Real p = i < 2 ? p2 : p1, r = radii[i];
      const Real s = abs(x[i]) / r, sign = x[i] < 0 ? -1 : 1;
      zeroth[i] = pow(s, p);
      first[i] = sign * p * pow(s, p - 1) / r;
      second[i] = p * (p - 1) * pow(s, p - 2) / (r * r);
    }
    const Real u = zeroth.x() + zeroth.y();
    const Real f1 = k * pow(u, k - 1), f2 = k * (k - 1) * pow(u, k - 2);
    Value v;
    v.value = pow(u, k) + zeroth.z() - 1;
    v.gradient = RealVec(f1 * first.x(), f1 * first.y(), first.z());
    v.hessian = RealMat::Zero();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) v.hessian(i, j) = f2 * first[i] * first[j];
    v.hessian(0, 0) += f1 * second.x();
    v.hessian(1, 1) += f1 * second.y();
    v.hessian(2, 2) = second.z();
    for (int i = 0; i < 2 && quartic > 0; ++i) {
      const Real r = radii[i], s = x[i] / r, q = quartic;
      v.value += q * s * s * s * s;
      v.gradient[i] += Real(4) * q * s * s * s / r;
      v.hessian(i, i) += Real(12) * q * s * s / (r * r);
    }
    return v;
  }
  Value cone(const RealVec& x) const {
    const Real square = Real(slope) * Real(slope);
    const RealVec factors(1, 1, -square);
    return {factors.dot(x.cwiseProduct(x)), Real(2) * factors.cwiseProduct(x),
            RealMat((Real(2) * factors).asDiagonal())};
  }
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
                  const Vec3& normal) const {
    const RealPose* poses[2] = {&a, &b};
    const Vec3 starts[2] = {near_a, near_b};
    int sizes[2], offsets[2], count = 0;
    for (int s = 0; s < 2; ++s) {
      sizes[s] = sides_[s].is_curved ? 4 : static_cast<int>(sides_[s].along.size());
      if (sides_[s].circle > 0) sizes[s] = 1;
      offsets[s] = count;
      count += sizes[s];
    }
    RealVector z = RealVector::Zero(count);
    for (int s = 0; s < 2; ++s) start(s, *poses[s], starts[s], near_a - near_b, z, offsets[s]);
    RealVec x[2];
    for (int iteration = 0; iteration < 60; ++iteration) {
      RealMatrix jacobian = RealMatrix::Zero(count, count);
      RealVector residual = RealVector::Zero(count);
      RealMatrix moves[2];  // how the points depend on the unknowns
      for (int s = 0; s < 2; ++s) x[s] = place(s, *poses[s], z, offsets[s], moves[s]);
      const RealVec between = x[0] - x[1];
      for (int s = 0; s < 2; ++s) {
        const Real sign = s == 0 ? 1 : -1;
        const int n = static_cast<int>(moves[s].cols());
        residual.segment(offsets[s], n) = sign * moves[s].transpose() * between;
        for (int t = 0; t < 2; ++t)
          jacobian.block(offsets[s], offsets[t], n, moves[t].cols()) =
              sign * (t == 0 ? 1 : -1) * moves[s].transpose() * moves[t];
        if (sides_[s].circle > 0)
          jacobian(offsets[s], offsets[s]) -= sign * between.dot(x[s] - poses[s]->position);
        if (!sides_[s].is_curved) continue;
        const RealMat& r = poses[s]->axes;
        const auto f = sides_[s].solid(r.transpose() * (x[s] - poses[s]->position));
        const Real multiplier = z[offsets[s] + 3];
        const RealVec gradient = r * f.gradient;
        residual.segment(offsets[s], 3) += multiplier * gradient;
        jacobian.block(offsets[s], offsets[s], 3, 3) += multiplier * r * f.hessian * r.transpose();
        jacobian.block(offsets[s], offsets[s] + 3, 3, 1) = gradient;
        jacobian.block(offsets[s] + 3, offsets[s], 1, 3) = gradient.transpose();
        residual[offsets[s] + 3] = f.value;
      }
      if (count == 0) break;
      const RealVector step = jacobian.fullPivLu().solve(residual);
      z -= step;
      if (step.norm() < Real("1e-44")) break;
    }
    for (int s = 0; s < 2; ++s) {
      RealMatrix unused;
      x[s] = place(s, *poses[s], z, offsets[s], unused);
    }
    const RealVec between = x[0] - x[1];
    const Real sign = between.dot(normal.cast<Real>()) < 0 ? -1 : 1;
    return sign * between.norm() - Real(sides_[0].rounding) - Real(sides_[1].rounding);
  }

 private:
  void start(int s, const RealPose& pose, const Vec3& at, const Vec3& between, RealVector& z,
             int offset) const {
    const RealVec p = at.cast<Real>();
    if (sides_[s].circle > 0) {
      const RealVec local = pose.axes.transpose() * (p - pose.position);
      z[offset] = atan2(local.y(), local.x());
      return;
    }
    if (!sides_[s].is_curved) {
      for (std::size_t i = 0; i < sides_[s].along.size(); ++i) {
        const RealVec e = pose.turned(sides_[s].along[i]);
        z[offset + static_cast<int>(i)] = e.dot(p - pose(sides_[s].point)) / e.squaredNorm();
      }
      return;
    }
    z.segment(offset, 3) = p;
    const RealVec gradient =
        pose.axes * sides_[s].solid(pose.axes.transpose() * (p - pose.position)).gradient;
    z[offset + 3] = (s == 0 ? -1 : 1) * between.cast<Real>().dot(gradient) / gradient.squaredNorm();
  }
  RealVec place(int s, const RealPose& pose, const RealVector& z, int offset,
                RealMatrix& moves) const {
    if (sides_[s].is_curved) {
      moves = RealMatrix::Identity(3, 3);
      return z.segment(offset, 3);
    }
    if (sides_[s].circle > 0) {
      const Real c = sides_[s].circle * cos(z[offset]), d = sides_[s].circle * sin(z[offset]);
      moves = RealMatrix::Zero(3, 1);
      moves.col(0) = pose.axes * RealVec(-d, c, 0);
      return pose.position + pose.axes * RealVec(c, d, 0);
    }
    const int n = static_cast<int>(sides_[s].along.size());
    moves = RealMatrix::Zero(3, n);
    RealVec p = pose(sides_[s].point);
    for (int i = 0; i < n; ++i) {
      moves.col(i) = pose.turned(sides_[s].along[static_cast<std::size_t>(i)]);
      p += z[offset + i] * moves.col(i);
    }
    return p;
  }

  ReferenceSide sides_[2];
};

}  // namespace abut::test
