#pragma once
// The nearest of what bounds or a cone allow to a block.

#include "lcp/cone_laws.h"

namespace abut::lcp {

struct NearestPart {
  Part value;
  PartMatrix slope;  ///< its generalised derivative; symmetric, between 0 and 1
};

/// The orthogonal projection of a block's unknowns onto its bounds or its cone {|T| <= mu N}.
NearestPart nearest_part(const ConeBlock& block, const Part& unknowns);

}  // namespace abut::lcp
