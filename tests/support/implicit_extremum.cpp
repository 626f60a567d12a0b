#include "support/implicit_extremum.h"

#include <Eigen/LU>
#include <cmath>

namespace abut::test {
namespace {

/// |x / r|^p with its derivatives by x.
struct Power {
  Power(const Real& x, double r, const Real& p) {
    const Real s = x / r;
    if (p == 2) {  // most surfaces here; powers are expensive
      zeroth = s * s;
      first = 2 * s / r;
      second = Real(2) / r / r;
      return;
    }
    zeroth = pow(abs(s), p);
    first = p * zeroth / x;
    second = (p - 1) * first / x;
  }
  Real zeroth, first, second;
};

/// After a step this short (m, rad) the place is off by its square, far below the last digit that
/// differences of distances need: 1e-24 of their step's square, and some for what they are worth.
const Real last_step("1e-26");

}  // namespace

ImplicitSolid::Value ImplicitSolid::operator()(const RealVec& x) const {
  return slope > 0 ? cone(x) : superellipsoid(x);
}

ImplicitSolid::Value ImplicitSolid::superellipsoid(const RealVec& x) const {
  const Real p1 = Real(2) / Real(e1), p2 = Real(2) / Real(e2), k = p1 / p2;
  const Power along_x(x[0], radii[0], p2), along_y(x[1], radii[1], p2), along_z(x[2], radii[2], p1);
  const Real u = along_x.zeroth + along_y.zeroth;
  const Real f = k == 1 ? u : Real(pow(u, k)), f1 = k * f / u, f2 = (k - 1) * f1 / u;
  Value v;
  v.value = f + along_z.zeroth - 1;
  v.gradient = RealVec(f1 * along_x.first, f1 * along_y.first, along_z.first);
  v.hessian = RealMat::Zero();
  v.hessian(0, 0) = f2 * along_x.first * along_x.first + f1 * along_x.second;
  v.hessian(1, 1) = f2 * along_y.first * along_y.first + f1 * along_y.second;
  v.hessian(0, 1) = v.hessian(1, 0) = f2 * along_x.first * along_y.first;
  v.hessian(2, 2) = along_z.second;
  for (int i = 0; i < 2 && quartic > 0; ++i) {
    const Real r = radii[i], s = x[i] / r, q = quartic;
    v.value += q * s * s * s * s;
    v.gradient[i] += Real(4) * q * s * s * s / r;
    v.hessian(i, i) += Real(12) * q * s * s / (r * r);
  }
  return v;
}

ImplicitSolid::Value ImplicitSolid::cone(const RealVec& x) const {
  const Real square = Real(slope) * Real(slope);
  const RealVec factors(1, 1, -square);
  return {factors.dot(x.cwiseProduct(x)), Real(2) * factors.cwiseProduct(x),
          RealMat((Real(2) * factors).asDiagonal())};
}

Real ReferenceGap::operator()(const RealPose& a, const RealPose& b, const Vec3& near_a,
                              const Vec3& near_b, const Vec3& normal) const {
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
    if (step.norm() < last_step) break;
  }
  for (int s = 0; s < 2; ++s) {
    RealMatrix unused;
    x[s] = place(s, *poses[s], z, offsets[s], unused);
  }
  const RealVec between = x[0] - x[1];
  const Real sign = between.dot(normal.cast<Real>()) < 0 ? -1 : 1;
  return sign * between.norm() - Real(sides_[0].rounding) - Real(sides_[1].rounding);
}

void ReferenceGap::start(int s, const RealPose& pose, const Vec3& at, const Vec3& between,
                         RealVector& z, int offset) const {
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
RealVec ReferenceGap::place(int s, const RealPose& pose, const RealVector& z, int offset,
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

}  // namespace abut::test
