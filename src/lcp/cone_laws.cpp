#include "lcp/cone_laws.h"

#include <algorithm>
#include <cmath>

namespace abut::lcp {
namespace {

using Tangent = Eigen::Vector2d;

Tangent trial_tangent(const Part& z, const Part& w, const Units& units) {
  return z.tail<2>() - units.tangential * w.tail<2>();
}

Law free_law(const ConeBlock& block, const Part& w, const Units& units) {
  const Part rho(units.normal, block.rows > 1 ? units.tangential : 0,
                 block.rows > 2 ? units.tangential : 0);
  return {rho.cwiseProduct(w), PartMatrix::Zero(), rho.asDiagonal()};
}

// dF_T = dz_T - t mu dy_N - R / |y_T| (1 - t t^T) dy_T
Law slip_law(const ConeBlock& block, const Part& z, const Part& w, const Units& units) {
  const double normal = std::max(0.0, z[0] - units.normal * w[0]);
  const Tangent y = trial_tangent(z, w, units);
  const double length = y.norm();
  const Tangent t = length > 0 ? Tangent(y / length) : Tangent(1, 0);
  const double radius = block.friction * normal;
  // Newton's method may put the force outside its cone; the law is taken as if it were on it.
  const double turning = length > 0 ? std::min(1.0, radius / length) : 0;
  Law law;
  law.value << units.normal * w[0], z.tail<2>() - radius * t;
  const Eigen::Matrix2d across = turning * (Eigen::Matrix2d::Identity() - t * t.transpose());
  law.by_z.setZero();
  law.by_w.setZero();
  law.by_w(0, 0) = units.normal;
  law.by_z.bottomLeftCorner<2, 1>() = -block.friction * t;
  law.by_w.bottomLeftCorner<2, 1>() = block.friction * units.normal * t;
  law.by_z.bottomRightCorner<2, 2>() = Eigen::Matrix2d::Identity() - across;
  law.by_w.bottomRightCorner<2, 2>() = units.tangential * across;
  if (block.rows == 2) {
    law.by_z.col(2).setZero();
    law.by_w.col(2).setZero();
    law.by_z.row(2).setZero();
    law.by_w.row(2).setZero();
  }
  return law;
}

}  // namespace

Mode mode_of(const ConeBlock& block, const Part& z, const Part& w, const Units& units) {
  const double normal = z[0] - units.normal * w[0];
  if (!block.is_contact()) {
    if (normal <= block.lower) return Mode::lower;
    return normal >= block.upper ? Mode::upper : Mode::between;
  }
  if (normal <= 0) return Mode::open;
  const bool sticks = trial_tangent(z, w, units).norm() <= block.friction * normal;
  return sticks ? Mode::stick : Mode::slip;
}

Part law_value(const ConeBlock& block, const Part& z, const Part& w, const Units& units) {
  const double normal = z[0] - units.normal * w[0];
  Part value = Part::Zero();
  if (!block.is_contact()) {
    value[0] = z[0] - std::min(std::max(normal, block.lower), block.upper);
    return value;
  }
  if (normal <= 0) return z;
  const Tangent y = trial_tangent(z, w, units);
  const double radius = block.friction * normal, length = y.norm();
  value[0] = units.normal * w[0];
  value.tail<2>() = length <= radius ? Tangent(units.tangential * w.tail<2>())
                                     : Tangent(z.tail<2>() - radius / length * y);
  return value;
}

Law law_of(const ConeBlock& block, Mode mode, const Part& z, const Part& w, const Units& units) {
  switch (mode) {
    case Mode::between:
    case Mode::stick:
      return free_law(block, w, units);
    case Mode::slip:
      return slip_law(block, z, w, units);
    case Mode::lower:
    case Mode::upper:
    case Mode::open:
      break;
  }
  const double held = mode == Mode::lower ? block.lower : mode == Mode::upper ? block.upper : 0;
  return {z - held * Part::UnitX(), PartMatrix::Identity(), PartMatrix::Zero()};
}

}  // namespace abut::lcp
