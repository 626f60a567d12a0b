#pragma once
// The part of an impact whose blocks depend on each other: one cone problem, and what to do about
// its restitution where energy would grow or bodies are jammed (see cone_impact.h).

#include "impulse/cone_impact.h"

namespace abut::impulse {

/// The first row of each block, and the number of rows.
std::vector<Eigen::Index> first_rows(const std::vector<ConeImpactBlock>& blocks);

ConeImpactResult connected_impact(const ConeImpact& impact);

}  // namespace abut::impulse
