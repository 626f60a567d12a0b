#pragma once
// The law of one block of a problem with sheets, and what Newton's method makes of it.

#include "base/limits.h"
#include "law/step_problem.h"

namespace abut::law {

using SheetPart = Eigen::Matrix<double, 6, 1>;

// What rows give way by in a round, in terms of the answer of their own nodes (dimensionless):
// neighbours yield too, so that it is less. The less they give the worse is the matrix, and the
// more often rows open and close on the way.
inline constexpr double first_give = 0.3;

/// One block of the problem.
struct SheetLaw {
  StepBlock::Kind kind;
  int rows = 0;
  int first = 0;                  ///< of its rows in the problem
  int first_part = 0, parts = 0;  ///< that it acts on
  int first_side = 0;             ///< of its rows on these, by part
  double friction = 0, lower = 0, upper = 0;
  double answer = 0;  ///< of its rows, without neighbours, 1/kg
  SheetPart bias = SheetPart::Zero(), impulse = SheetPart::Zero(), motion = SheetPart::Zero();
  SheetPart e = SheetPart::Zero();  ///< x+ = e - D w
  Mat3 d = Mat3::Zero();            ///< D of a contact
  double stiffness = 0;             ///< D of others is a multiple of 1
  double bound = 0;                 ///< of friction, N s
  double give = first_give;
  double error = infinity;  ///< of the last round, m/s
  bool acts = false;        ///< D is not 0
  bool is_point = false;    ///< its parts are nodes, whose rows differ by weights only
};

/// The nearest impulse that the law allows.
SheetPart lawful(const SheetLaw& law, SheetPart y);

/// What the law makes of x - r w, with the bound of friction that was known before: minus the
/// derivative of a convex function of w.
SheetPart wished(const SheetLaw& law, const SheetPart& w);

/// How far impulse and motion are from the law, m/s.
double error_of(const SheetLaw& law);

/// D and e, about its motion.
void linearise(SheetLaw& law);
/// x+ = x whatever its motion is.
void keep_impulse(SheetLaw& law);
/// D w.
SheetPart stiffness_times(const SheetLaw& law, const SheetPart& w);

}  // namespace abut::law
