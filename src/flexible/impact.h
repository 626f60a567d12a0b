#pragma once
// Equation 11 of Baraff and Witkin 1992: the impulse along n that brings a point of a body to rest,
// relative to what it meets there. There is no coefficient of restitution: the body compresses
// after the impulse and rebounds by its elastic energy.

#include "flexible/column_mass.h"

namespace abut::flexible {

/// What takes part in the impact on one side: how fast its point moves, and how fast a unit impulse
/// makes it. The world and scripted bodies have mobility 0, a rigid body
/// n . (1/m + (I^-1 (r x n)) x r), a body that bends `ColumnMass::mobility`.
struct ImpactSide {
  Vec3 velocity = Vec3::Zero();
  double mobility = 0;  ///< along n, 1/kg
};
ImpactSide impact_side(const ColumnMass& mass, Weights weights, const Columns& rates);

/// The size of the impulse +n on a, -n on b, after which they approach no more; 0 if they do not.
double stopping_impulse(const Vec3& n, const ImpactSide& a, const ImpactSide& b);

/// Adds what an impulse at the point does to the rates.
void apply_impulse(const ColumnMass& mass, Weights weights, const Vec3& impulse, Columns& rates);

}  // namespace abut::flexible
