#pragma once
// Proofs that a problem has no solution.

#include "lcp/cone_problem.h"

namespace abut::lcp {

/// A y that refutes() accepts; empty if none is found, which proves nothing.
Vector find_refutation(const ConeProblem& problem);

}  // namespace abut::lcp
