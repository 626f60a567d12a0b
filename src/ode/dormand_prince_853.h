#pragma once
// One adaptive integrator with dense output: the explicit method of order 8 by Dormand and Prince.
//
// Why this one: forces cost more than anything else here, and at relative errors near 1e-9 a
// method of order 8 needs several times fewer evaluations than one of order 5 (the decision
// record 0003 has the numbers). Its continuous extension is a polynomial of degree 7, which
// collision detection can bound.

#include <array>

#include "ode/dormand_prince_853_tableau.h"
#include "ode/system.h"

namespace abut::ode {

/// Dense output of one step: the column i of `coefficients` goes with the i-th Bernstein
/// polynomial of degree 7 in (t - begin) / (end - begin).
struct Piece {
  static constexpr int columns = 8;
  using Coefficients = Eigen::Matrix<double, Eigen::Dynamic, columns>;

  double begin = 0;
  double end = 0;
  Coefficients coefficients;

  /// y(t), for t in [begin, end]; exact at both ends.
  void evaluate(double t, Vector& y) const;
};

/// Where an integration stands. Cheap to keep, one per independent problem.
struct Cursor {
  double t = 0;
  Vector y;
  Vector rate;           ///< f(t, y)
  double next_step = 0;  ///< suggested length of the next step; 0: not known yet
};

/// Scratch memory of a step. One per thread is enough, whatever the dimension.
class Workspace {
 public:
  void resize(int dimension);

  Vector stage;
  Vector y1;
  Vector error;
  std::array<Vector, dp853::dense_stages> k;
};

enum class StepStatus {
  accepted,
  step_too_small,  ///< the error stays too large down to the resolution of time
  not_finite,      ///< the derivative is not finite where the step begins
};

struct StepStatistics {
  long accepted = 0;
  long rejected = 0;
  long evaluations = 0;
};

/// Puts the cursor at (t, y) and evaluates the derivative there; keeps `next_step`.
void restart(System& system, Cursor& cursor, double t, const Vector& y, StepStatistics& statistics);

/// Takes one step that ends at or before `limit` > cursor.t, retrying shorter ones until the error
/// is small enough, and writes its dense output to `piece`. On failure the cursor stays.
StepStatus advance(System& system, Cursor& cursor, double limit, Workspace& workspace, Piece& piece,
                   StepStatistics& statistics);

}  // namespace abut::ode
