#pragma once
// An interior-point method: through the middle of the cones, past the modes.
//
// Newton's method on the laws themselves (cone_newton.h) steps from mode to mode, and where many
// contacts bear on each other, and forces are not unique, it may wander among them for ever. Here
// forces x and motions y of every block stay inside of their cones, and their product is brought
// to zero evenly.
//
// With x = (mu z_N, z_T) and y = (w_N / mu + |w_T|, w_T), Coulomb's law (de Saxce, 1992; see
// cone_problem.h) says that x and y are in the second-order cone and that x.y = 0: then their
// Jordan product x o y = (x.y, x_0 y_T + y_0 x_T) is zero. Followed is
//     x o y = tau e,   e = (1, 0, 0),   tau -> 0,
// by Newton's method in the scaling of Nesterov and Todd (1997), in which x and y are the same
// vector lambda = W^-1 x = W y, with W symmetric:
//     W^-1 dx + W dy = d,      lambda o d = sigma tau e - lambda o lambda - (W^-1 dx') o (W dy'),
//     dy = B dx + r,           r = y(x) - y,
// so that (B + W^-2) dx = W^-1 d - r. The primed step is the one without sigma and without itself;
// how far it leads says how much of tau is to be kept (Mehrotra 1992). B is the derivative of y by
// x. The problem is not convex, and the method may stop on its way; it is then begun anew from
// another distance. Rows without bounds have no cone: y = 0, and no scaling. Rows with two bounds
// are two rows with one each (ConeSystem::with_single_bounds).
//
// Of forces that are not unique the method leads to those in the middle: what is symmetric stays
// so.

#include "lcp/cone_system.h"

namespace abut::lcp {

class ConeInterior {
 public:
  /// `system` must outlive this.
  explicit ConeInterior(const ConeSystem& system) : system_(system) {}

  /// How far inside the method begins, in units of what motions are made of (dimensionless): powers
  /// of 8. A few in a hundred random problems with more contacts than freedoms are missed from
  /// any one distance, others from another, and about one in a thousand from all of them.
  static constexpr double distances[] = {1, 8, 0x1p-3, 64, 0x1p-6, 512, 0x1p-9, 4096, 0x1p-12};

  /// The point nearest to a solution that the method comes to from there, and its modes.
  void approach(double distance, Vector& z, std::vector<Mode>& modes);

  /// Systems of linear equations so far.
  long solves() const { return solves_; }

 private:
  const ConeSystem& system_;
  long solves_ = 0;
};

}  // namespace abut::lcp
