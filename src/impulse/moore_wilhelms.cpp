#include "impulse/moore_wilhelms.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "impulse/accuracy.h"
#include "impulse/slip_flow.h"

namespace abut::impulse {
namespace {

// What would bring the point to rest, and the velocity that nothing brings to rest.
struct RoughImpact {
  Vec3 impulse = Vec3::Zero();  // of least norm
  Vec3 unstoppable = Vec3::Zero();

  explicit RoughImpact(const PointImpact& impact) {
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(impact.matrix);
    const double none = accuracy_of_many * eigen.eigenvalues()[2];
    for (int i = 0; i < 3; ++i) {
      const Vec3 axis = eigen.eigenvectors().col(i);
      const double speed = axis.dot(impact.before), yielding = eigen.eigenvalues()[i];
      if (yielding > none)
        impulse -= speed / yielding * axis;
      else
        unstoppable += speed * axis;
    }
    if (unstoppable.norm() <= accuracy_of_many * impact.before.norm()) unstoppable.setZero();
  }
};

PointImpactResult scaled(const PointImpact& impact, const Vec3& r, Slip slip) {
  PointImpactResult result;
  const double e = impact.restitution;
  result.impulse = (1 + e) * r;
  result.after = impact.before + impact.matrix * result.impulse;
  result.compression_work = 0.5 * r[0] * impact.before[0];
  result.restitution_work = 0.5 * e * r[0] * result.after[0];
  result.energy_lost = std::max(0.0, -0.5 * result.impulse.dot(impact.before + result.after));
  result.phases.push_back({slip, false, r[0]});
  if (e > 0) result.phases.push_back({slip, true, e * r[0]});
  return result;
}

}  // namespace

PointImpactResult moore_wilhelms(const PointImpact& impact) {
  PointImpactResult none;
  none.after = impact.before;
  if (!(impact.before[0] < 0)) return none;

  const RoughImpact rough(impact);
  const double mu = impact.dynamic_friction;
  const double greatest = std::max(impact.static_friction, mu);
  const bool can_stop = rough.unstoppable.isZero(0);
  if (can_stop && rough.impulse.tail<2>().norm() <= greatest * rough.impulse[0])
    return scaled(impact, rough.impulse, Slip::sticks);

  Vec3 p = can_stop ? rough.impulse : Vec3(-rough.unstoppable);
  p[0] = 0;
  const double w = impact.matrix(0, 0), rate = w + mu * impact.matrix.row(0).dot(p.normalized());
  if (!(rate > accuracy_of_many * w)) {
    none.status = lcp::Status::no_solution;
    return none;
  }
  const Vec3 r = -impact.before[0] / rate * (Vec3::UnitX() + mu * p.normalized());
  return scaled(impact, r, mu > 0 ? Slip::slides : Slip::slides_freely);
}

}  // namespace abut::impulse
