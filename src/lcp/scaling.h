#pragma once
// Symmetric scaling to a diagonal near 1.
//
// With z = S x the problem for x has the matrix S A S, the vector S b and the bounds S^-1 lower and
// S^-1 upper. S_ii is the power of 2 next to A_ii^(-1/2), so that scaling makes no rounding error
// and the rows of heavy and of light bodies are on a par.

#include "lcp/lcp.h"

namespace abut::lcp {

/// The diagonal of S; 1 where A_ii is not positive.
Vector balancing_scales(const Matrix& a);

Problem scaled(const Problem& problem, const Vector& scales);

}  // namespace abut::lcp
