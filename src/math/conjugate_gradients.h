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
  NodeVector r, z, p, q, more;
};

/// Solves A x = b from 0. `apply(p, q, more)`: q = A p, and `more` what the preconditioner makes of
/// q, nearly p again; of b it makes `prepared`.
template <class Apply>
Gradients conjugate_gradients(const Apply& apply, const NodeVector& b, const NodeVector& prepared,
                              const Enough& enough, int most, NodeVector& x,
                              GradientMemory& memory) {
  constexpr int looked_back = 3;  // steps over which the energy is measured
  auto& [r, z, p, q, more] = memory;
  const std::size_t n = b.size();
  for (NodeVector* vector : {&q, &more}) vector->resize(n);
  x.assign(n, Quad::Zero());
  r = b;
  p = z = prepared;
  double rz = dot(r, z), all_taken = 0;
  Quad largest = Quad::Zero();
  for (const Quad& part : r) largest = largest.cwiseMax(part.cwiseAbs());
  std::array<double, looked_back> taken = {};
  for (int k = 0; k < most; ++k) {
    double energy = 0;
    for (const double one : taken) energy += one;
    if (!(rz > 0)) return {k, true};
    if (largest.maxCoeff() <= enough.part && (k >= looked_back ? energy : rz) <= enough.energy)
      return {k, true};
    if (k > looked_back && energy <= enough.fraction * all_taken) return {k, false};
    apply(p, q, more);
    const double length = rz / dot(p, q);
    Quad next = Quad::Zero();
    largest.setZero();
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += p[i] * length;
      r[i] -= q[i] * length;
      z[i] -= more[i] * length;
      next += r[i].cwiseProduct(z[i]);
      largest = largest.cwiseMax(r[i].cwiseAbs());
    }
    taken[k % looked_back] = length * rz;
    all_taken += length * rz;
    const double left = (next[0] + next[1]) + next[2], ratio = left / rz;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + p[i] * ratio;
    rz = left;
  }
  return {most, false};
}

}  // namespace abut::math
