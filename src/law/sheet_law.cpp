#include "law/sheet_law.h"

#include <algorithm>
#include <cmath>

namespace abut::law {
namespace {

using Flat = Eigen::Vector2d;

void linearise_contact(SheetLaw& law, const SheetPart& aim, double r) {
  if (aim[0] > 0) {
    law.acts = true;
    law.e[0] = law.impulse[0];
    law.d(0, 0) = r;
  }
  if (!(law.bound > 0)) return;
  law.acts = true;
  const Flat t = aim.segment<2>(1);
  const double bound = law.bound, length = t.norm();
  if (length <= bound) {
    law.e.segment<2>(1) = law.impulse.segment<2>(1);
    law.d(1, 1) = law.d(2, 2) = r;
    return;
  }
  const Flat d = t / length;
  const Eigen::Matrix2d across =
      r * bound / length * (Eigen::Matrix2d::Identity() - d * d.transpose());
  law.d.block<2, 2>(1, 1) = across;
  law.e.segment<2>(1) = bound * d + across * law.motion.segment<2>(1);
}

}  // namespace

SheetPart lawful(const SheetLaw& law, SheetPart y) {
  if (law.kind == StepBlock::Kind::equality) return y;
  if (law.kind == StepBlock::Kind::bounded) {
    y[0] = std::clamp(y[0], law.lower, law.upper);
    return y;
  }
  y[0] = std::max(y[0], 0.0);
  const double friction = y.segment<2>(1).norm(), bound = law.friction * y[0];
  if (friction > bound) y.segment<2>(1) *= bound / friction;
  return y;
}

double error_of(const SheetLaw& law) {
  if (!(law.answer > 0)) return 0;
  const SheetPart aim = law.impulse - law.motion / law.answer;
  if (law.kind != StepBlock::Kind::contact)
    return law.answer * (law.impulse - lawful(law, aim)).cwiseAbs().maxCoeff();
  const double normal = std::abs(law.impulse[0] - std::max(aim[0], 0.0));
  const Flat t = aim.segment<2>(1);
  const double bound = law.friction * law.impulse[0], length = t.norm();
  const Flat nearest = length > bound ? Flat(bound / length * t) : t;
  return law.answer * std::max(normal, (law.impulse.segment<2>(1) - nearest).norm());
}

SheetPart wished(const SheetLaw& law, const SheetPart& w) {
  if (!(law.answer > 0)) return law.impulse;
  SheetPart y = law.impulse - w / (law.give * law.answer);
  if (law.kind != StepBlock::Kind::contact) return lawful(law, y);
  y[0] = std::max(y[0], 0.0);
  const double length = y.segment<2>(1).norm();
  if (length > law.bound) y.segment<2>(1) *= law.bound / length;
  return y;
}

void keep_impulse(SheetLaw& law) {
  law.d.setZero();
  law.stiffness = 0;
  law.e = law.impulse;
  law.acts = false;
}

SheetPart stiffness_times(const SheetLaw& law, const SheetPart& w) {
  if (law.kind != StepBlock::Kind::contact) return law.stiffness * w;
  SheetPart p = SheetPart::Zero();
  p.head<3>() = law.d * w.head<3>();
  return p;
}

void linearise(SheetLaw& law) {
  law.d.setZero();
  law.stiffness = 0;
  law.e.setZero();
  law.acts = false;
  if (!(law.answer > 0)) return;
  const double r = 1 / (law.give * law.answer);
  const SheetPart aim = law.impulse - r * law.motion;
  if (law.kind == StepBlock::Kind::contact) return linearise_contact(law, aim, r);
  if (law.kind == StepBlock::Kind::bounded && (aim[0] < law.lower || aim[0] > law.upper)) {
    law.e[0] = std::clamp(aim[0], law.lower, law.upper);
    return;
  }
  law.acts = true;
  law.e = law.impulse;
  law.stiffness = r;
}

}  // namespace abut::law
