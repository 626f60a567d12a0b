#include "flexible/impact.h"

namespace abut::flexible {

ImpactSide impact_side(const ColumnMass& mass, Weights weights, const Columns& rates) {
  return {combined(weights, rates), mass.mobility(weights, weights)};
}

double stopping_impulse(const Vec3& n, const ImpactSide& a, const ImpactSide& b) {
  const double approach = -n.dot(a.velocity - b.velocity);
  const double mobility = a.mobility + b.mobility;
  return approach > 0 && mobility > 0 ? approach / mobility : 0;
}

void apply_impulse(const ColumnMass& mass, Weights weights, const Vec3& impulse, Columns& rates) {
  Columns generalised = Columns::Zero(3, mass.columns());
  add_force(weights, impulse, generalised);
  rates += mass.divided(generalised);
}

}  // namespace abut::flexible
