#include "ode/dormand_prince_853.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/bernstein.h"

namespace abut::ode {
namespace {

using dp853::Term;

// Step size control (dimensionless). The estimate behaves as h^8.
constexpr double safety = 0.9;           // aim below the allowed error: a rejected step costs 11 f
constexpr double smallest_factor = 0.2;  // the estimate is not trusted further than this
constexpr double largest_factor = 6.0;
constexpr double exponent = 1.0 / 8;
// A limit closer than this fraction of a step beyond its end is reached at once, rather than by a
// tiny step afterwards.
constexpr double limit_stretch = 1.01;

void accumulate(const Workspace& w, std::span<const Term> terms, double h, Vector& y) {
  for (const Term& term : terms) y.noalias() += (h * term.weight) * w.k[term.stage];
}

void evaluate_stage(System& system, const Cursor& cursor, double h, int stage, Workspace& w) {
  w.stage = cursor.y;
  accumulate(w, dp853::rows[stage], h, w.stage);
  system.derivative(cursor.t + dp853::nodes[stage] * h, w.stage, w.k[stage]);
}

// Hairer, Norsett and Wanner II.10: the estimate of order 5, made more cautious where that of
// order 3 says that the step is outside the asymptotic range: e5 * e5 / sqrt(e5^2 + 0.01 e3^2).
double estimated_error(System& system, const Cursor& cursor, double h, Workspace& w) {
  w.error.setZero();
  accumulate(w, dp853::error5, h, w.error);
  const double e5 = system.error_norm(cursor.y, w.y1, w.error, h);
  w.error.setZero();
  accumulate(w, dp853::error3, h, w.error);
  const double e3 = system.error_norm(cursor.y, w.y1, w.error, h);
  const double scale = std::sqrt(e5 * e5 + 0.01 * e3 * e3);
  return scale > 0 ? e5 * (e5 / scale) : e5;
}

// The published extension is nested,
//   y = r0 + s (r1 + (1-s) (r2 + s (r3 + (1-s) (r4 + s (r5 + (1-s) (r6 + s r7)))))).
// Working outwards, a factor s or 1-s raises the Bernstein degree m by one:
//   (s p)_i = i/(m+1) p_(i-1),   ((1-s) p)_i = (m+1-i)/(m+1) p_i,
// and adding a constant adds it to every coefficient.
using Conversion = Eigen::Matrix<double, Piece::columns, Piece::columns>;
Conversion bernstein_from_nested() {
  Conversion c = Conversion::Zero();  // c(j, i): weight of r_j in the Bernstein coefficient i
  c(7, 0) = 1;
  for (int degree = 1; degree <= 7; ++degree) {
    const int constant = 7 - degree;
    const bool factor_is_s = constant % 2 == 0;
    Conversion raised = Conversion::Zero();
    for (int i = 0; i <= degree; ++i) {
      if (factor_is_s && i > 0) raised.col(i) = double(i) / degree * c.col(i - 1);
      if (!factor_is_s && i < degree) raised.col(i) = double(degree - i) / degree * c.col(i);
      raised(constant, i) += 1;
    }
    c = raised;
  }
  return c;
}

void build_dense_output(System& system, const Cursor& cursor, double h, Workspace& w,
                        Piece& piece) {
  static const Conversion conversion = bernstein_from_nested();
  for (int stage = 13; stage < dp853::dense_stages; ++stage)
    evaluate_stage(system, cursor, h, stage, w);

  Piece::Coefficients nested(cursor.y.size(), Piece::columns);
  const Vector& f0 = w.k[0];
  const Vector& f1 = w.k[12];
  nested.col(0) = cursor.y;
  nested.col(1) = w.y1 - cursor.y;
  nested.col(2) = h * f0 - nested.col(1);
  nested.col(3) = 2 * nested.col(1) - h * (f0 + f1);
  for (int i = 0; i < 4; ++i) {
    w.error.setZero();
    accumulate(w, dp853::dense_rows[i], h, w.error);
    nested.col(4 + i) = w.error;
  }

  piece.begin = cursor.t;
  piece.end = cursor.t + h;
  piece.coefficients.noalias() = nested * conversion;
  // Make the ends exact: consecutive pieces must join without a gap.
  piece.coefficients.col(0) = cursor.y;
  piece.coefficients.col(7) = w.y1;
}

// By how much rates may change over a first step, in units of the allowed error: order 8 makes far
// less of it where the motion is smooth. Where it is not, a step that was shortened twice still
// fails, by more than `far_off`: the next guess must change them by less.
constexpr double moderate = 1e8;
constexpr double far_off = 1e3;
constexpr double more_moderate = 1e5;

// A starting guess: shorten the step until the rate changes moderately over it. Only the order of
// magnitude matters; the controller does the rest, and a quiet problem may take one long step.
double first_step(System& system, const Cursor& cursor, double longest, double most_change,
                  Workspace& w) {
  constexpr int attempts = 60;  // a factor of 1e36 between the longest and the shortest guess
  double h = longest;
  for (int i = 0; i < attempts; ++i) {
    w.stage = cursor.y + h * cursor.rate;
    system.derivative(cursor.t + h, w.stage, w.k[1]);
    w.error = h * (w.k[1] - cursor.rate);
    const double error = system.error_norm(cursor.y, w.stage, w.error, h);
    if (std::isfinite(error) && error < most_change) break;
    h *= 0.25;
  }
  return h;
}

}  // namespace

void Piece::evaluate(double t, Vector& y) const {
  const double s = std::clamp((t - begin) / (end - begin), 0.0, 1.0);
  y.noalias() = coefficients * math::bernstein_basis<columns - 1>(s);
}

void Workspace::resize(int dimension) {
  if (stage.size() == dimension) return;
  stage.resize(dimension);
  y1.resize(dimension);
  error.resize(dimension);
  for (Vector& stage_rate : k) stage_rate.resize(dimension);
}

void restart(System& system, Cursor& cursor, double t, const Vector& y,
             StepStatistics& statistics) {
  cursor.t = t;
  cursor.y = y;
  cursor.rate.resize(y.size());
  system.derivative(t, cursor.y, cursor.rate);
  ++statistics.evaluations;
}

StepStatus advance(System& system, Cursor& cursor, double limit, Workspace& w, Piece& piece,
                   StepStatistics& statistics) {
  if (!cursor.rate.allFinite()) return StepStatus::not_finite;
  w.resize(static_cast<int>(cursor.y.size()));
  const double remaining = limit - cursor.t;
  const bool is_first = cursor.next_step <= 0;
  if (is_first) cursor.next_step = first_step(system, cursor, remaining, moderate, w);
  double h = cursor.next_step;
  int rejections = 0;
  w.k[0] = cursor.rate;

  for (;;) {
    const bool reaches_limit = h * limit_stretch >= remaining;
    if (reaches_limit) h = remaining;
    const double t1 = reaches_limit ? limit : cursor.t + h;
    if (!(t1 > cursor.t)) return StepStatus::step_too_small;

    for (int stage = 1; stage < dp853::stages; ++stage) evaluate_stage(system, cursor, h, stage, w);
    w.y1 = cursor.y;
    accumulate(w, dp853::rows[12], h, w.y1);
    const double error = estimated_error(system, cursor, h, w);
    statistics.evaluations += dp853::stages - 1;

    // False where the error is no number, and where the end cannot be projected.
    bool good = error <= 1;
    double factor = smallest_factor;
    if (std::isfinite(error))
      factor = std::clamp(safety * std::pow(std::max(error, 1e-30), -exponent), smallest_factor,
                          rejections > 0 ? 1.0 : largest_factor);
    if (good) {
      system.project(cursor.t, cursor.y, t1, w.y1);
      good = w.y1.allFinite();
    }
    if (good) {
      system.derivative(t1, w.y1, w.k[12]);
      build_dense_output(system, cursor, h, w, piece);
      piece.end = t1;
      statistics.evaluations += 4;
      ++statistics.accepted;
      cursor.t = t1;
      cursor.y = w.y1;
      cursor.rate = w.k[12];
      // A step cut short by the limit says little about the next one: never shrink because of it.
      cursor.next_step = reaches_limit ? std::max(cursor.next_step, h * factor) : h * factor;
      return StepStatus::accepted;
    }
    ++statistics.rejected;
    ++rejections;
    const bool is_rough = is_first && rejections == 3 && !(error <= far_off);
    h *= std::min(factor, 1 < error ? safety : smallest_factor);
    if (is_rough) h = first_step(system, cursor, h, more_moderate, w);
    cursor.next_step = h;
  }
}

}  // namespace abut::ode
