#pragma once
// Conjugate gradients for A x = b with a preconditioner, ended by the energy of what is missing.
//
// With the steps a_k along directions p_k, what the solution is off by, e_k, loses
//     e_k . A e_k - e_{k+1} . A e_{k+1} = a_k r_k . z_k
// in each step (Hestenes and Stiefel 1952): what the last few steps took out bounds from above what
// was left before them, but for the part that comes later, and is a good measure of it once steps
// have become small.

#include <algorithm>
#include <array>

#include "math/node_matrix.h"

namespace abut::math {

/// When to stop: where both of the first are met, or the third.
struct Enough {
  double energy = 0;    ///< e . A e
  double part = 0;      ///< of any number of the residual
  double fraction = 0;  ///< e . A e in terms of what it was at first (dimensionless)
};

struct Gradients {
  int steps = 0;
  bool is_solved = false;  ///< by the first two
};

struct GradientMemory {
  NodeVector r, z, p, q;
};

/// Improves x. `apply(x, y)`: y = A x, `precondition(r, z)`: z is nearly A^-1 r.
template <class Apply, class Precondition>
Gradients conjugate_gradients(const Apply& apply, const Precondition& precondition,
                              const NodeVector& b, const Enough& enough, int most, NodeVector& x,
                              GradientMemory& memory) {
  constexpr int looked_back = 3;  // steps over which the energy is measured
  auto& [r, z, p, q] = memory;
  const std::size_t n = x.size();
  for (NodeVector* vector : {&r, &z, &p, &q}) vector->resize(n);
  apply(x, q);
  for (std::size_t i = 0; i < n; ++i) r[i] = b[i] - q[i];
  precondition(r, z);
  p = z;
  double rz = dot(r, z);
  double all_taken = 0;
  std::array<double, looked_back> taken = {};
  for (int k = 0; k < most; ++k) {
    double largest = 0, energy = 0;
    for (const Quad& part : r) largest = std::max(largest, part.cwiseAbs().maxCoeff());
    for (const double one : taken) energy += one;
    if (!(rz > 0)) return {k, true};
    if (largest <= enough.part && (k >= looked_back ? energy : rz) <= enough.energy)
      return {k, true};
    if (k > looked_back && energy <= enough.fraction * all_taken) return {k, false};
    apply(p, q);
    const double length = rz / dot(p, q);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += p[i] * length;
      r[i] -= q[i] * length;
    }
    taken[k % looked_back] = length * rz;
    all_taken += length * rz;
    precondition(r, z);
    const double next = dot(r, z), ratio = next / rz;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + p[i] * ratio;
    rz = next;
  }
  return {most, false};
}

}  // namespace abut::math
