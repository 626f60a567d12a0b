#pragma once
// Impacts at several contacts with friction at once, by complementarity on Coulomb's true cone.
//
// With u- the velocities of all rows before, the impulses r and the velocities after u+ = u- + W r
// obey the laws of the blocks (lcp/cone_problem.h):
//   contacts with friction   Coulomb's law between r and (u+_N + e u-_N, u+_T): the impulse is
//                            within the cone, and on it against the slip that is left
//   contacts without, limits r >= 0,  u+ + e u- >= 0,  r (u+ + e u-) = 0
//   motors                   bounds on r, which contain 0;     joints  u+ = 0
// e is f times the restitution of a contact that approaches. A contact that slips afterwards has
// its dynamic coefficient, one that sticks may use its static one: solved with the static ones
// first, then with the dynamic ones for those that slip, until no more do.
//
// What restitution is the ratio of. The factor f is common to all contacts that W couples. With
// r0, u0 the impulses and velocities for f = 0, at the end of compression, contact i has done the
// work C_i = r0_n (u-_n + u0_n) / 2 < 0 until then and R_i = (r_n - r0_n)(u0_n + u+_n) / 2 since,
// and f is that for which
//     energetic (Stronge)   sum of R_i is the sum of e_i^2 |C_i|
//     Poisson               sum of r_n - r0_n is the sum of e_i r0_n
//     Newton                f = 1
// which are the definitions for one point (impact_progress.h), for all points together. Without
// friction f = 1 for each of them. A contact that W couples with no other is such a point: where
// `follows_slip` says so, its slip is followed through the impact (routh.h). Both answers are the
// same where slip does not stop, turn or reverse before the impact ends.
//
// Energy. The impulses gain r.(u- + u+)/2 = r.u+ - r.W r / 2. Without restitution every law makes
// its part of r.u+ zero or negative, so nothing is gained. With restitution friction can make
// Newton's and Poisson's laws gain (Kane 1984). Then f is the largest with which nothing is gained:
// every other law still holds to the letter.
//
// Jams. Where bodies are wedged between others restitution may ask for what is impossible: there
// are impulses y that move nothing, W y = 0, so that y.(u+ + e u-) = y.(u- + e u-) < 0 whatever r.
// The contacts of such a y have no restitution.
//
// Impulses that the laws leave undetermined, as at four corners that land together, are those of
// least norm.

#include <vector>

#include "lcp/cone_problem.h"
#include "model/settings.h"

namespace abut::impulse {

struct ConeImpactBlock {
  lcp::ConeBlock law;          ///< with the dynamic coefficient of friction
  double static_friction = 0;  ///< of a contact; at least the dynamic one
  double restitution = 0;      ///< 0 to 1; of a contact or limit
};

struct ConeImpact {
  lcp::SparseMatrix matrix;             ///< W, symmetric, positive semidefinite
  lcp::Vector before;                   ///< u-, by row
  std::vector<ConeImpactBlock> blocks;  ///< cover the rows in order
  model::RestitutionLaw law = model::RestitutionLaw::newton;
  bool follows_slip = false;  ///< of contacts that collide alone
};

struct ConeImpactResult {
  lcp::Status status = lcp::Status::solved;
  lcp::Vector impulse;              ///< r, by row
  lcp::Vector after;                ///< u+, by row
  std::vector<lcp::Mode> modes;     ///< by block
  std::vector<double> restitution;  ///< by block: what energy and jams have left of it
  double energy_gained = 0;         ///< J, not positive but for rounding
  double residual = 0;              ///< of the complementarity problems, by lcp::cone_residual()
  long solves = 0;                  ///< problems solved
  long iterations = 0;              ///< systems of linear equations solved for them
};

ConeImpactResult cone_impact(const ConeImpact& impact);

}  // namespace abut::impulse
