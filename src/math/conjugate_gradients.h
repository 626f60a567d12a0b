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

#include "math/lanes.h"

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
  LaneVector r, z, p, q, more;
};

/// Solves A x = b from 0. `apply(p, q, more)`: q = A p, and `more` what the preconditioner makes of
/// q, nearly p again; of b it makes `prepared`.
template <class Apply>
Gradients conjugate_gradients(const Apply& apply, const LaneVector& b, const LaneVector& prepared,
                              const Enough& enough, int most, LaneVector& x,
                              GradientMemory& memory) {
  using Sums = Eigen::Array<double, lane_count, 1>;
  constexpr int looked_back = 3;  // steps over which the energy is measured
  auto& [r, z, p, q, more] = memory;
  for (LaneVector* vector : {&q, &more, &x}) vector->resize(b.places());
  r = b;
  p = z = prepared;
  double rz = dot(r, z), all_taken = 0, largest = r.all().abs().maxCoeff();
  std::array<double, looked_back> taken = {};
  for (int k = 0; k < most; ++k) {
    double energy = 0;
    for (const double one : taken) energy += one;
    if (!(rz > 0)) return {k, true};
    if (largest <= enough.part && (k >= looked_back ? energy : rz) <= enough.energy)
      return {k, true};
    if (k > looked_back && energy <= enough.fraction * all_taken) return {k, false};
    apply(p, q, more);
    const double length = rz / dot(p, q);
    const auto way = static_cast<float>(length);
    Sums next = Sums::Zero();
    Lanes most_left = Lanes::Zero();
    for (Eigen::Index i = 0; i < r.all().size(); i += lane_count) {
      x.all().segment<lane_count>(i) += way * p.eight(i);
      const Lanes left = r.eight(i) - way * q.eight(i), after = z.eight(i) - way * more.eight(i);
      r.all().segment<lane_count>(i) = left;
      z.all().segment<lane_count>(i) = after;
      next += (left * after).cast<double>();
      most_left = most_left.max(left.abs());
    }
    largest = most_left.maxCoeff();
    taken[k % looked_back] = length * rz;
    all_taken += length * rz;
    double left = 0;
    for (int i = 0; i < lane_count; ++i) left += next[i];
    const auto ratio = static_cast<float>(left / rz);
    for (Eigen::Index i = 0; i < r.all().size(); i += lane_count)
      p.all().segment<lane_count>(i) = z.eight(i) + ratio * p.eight(i);
    rz = left;
  }
  return {most, false};
}

}  // namespace abut::math
