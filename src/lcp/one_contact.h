#pragma once
// One block alone, solved directly.

#include "lcp/cone_laws.h"

namespace abut::lcp {

/// Solves w = a z + q with the law of the block. `guess` is a force near the solution, or 0; it
/// chooses among solutions where there are several, and saves time. Returns false, and some force
/// that obeys the bounds or the cone, if there is no solution: a may be singular.
bool solve_alone(const ConeBlock& block, const PartMatrix& a, const Part& q, const Part& guess,
                 Part& z);

/// The same of a contact with three rows, for which the inverse of a is known: what a sweep over
/// many contacts asks for again and again.
bool solve_contact(double friction, const PartMatrix& a, const PartMatrix& inverse, const Part& q,
                   const Part& guess, Part& z);

}  // namespace abut::lcp
