#include "toi/root_finder.h"

#include <cmath>
#include <limits>

namespace abut::toi {
namespace {

// Bisection alone narrows any bracket of doubles to two neighbours within this many steps; three
// times as many allow each method its attempts in between.
constexpr int iteration_limit = 3 * 64;

// A bracket that has not shrunk by half within this many iterations is bisected.
constexpr int patience = 3;

double newton_step(const GapSample& s, double target) {
  return -(s.gap - target) / s.rate;
}

double prediction(RootMethod method, const GapSample& open, const GapSample& closed,
                  const GapSample& latest, double target) {
  switch (method) {
    case RootMethod::bisection:
      break;
    case RootMethod::regula_falsi:
      return open.time + (closed.time - open.time) * (open.gap - target) / (open.gap - closed.gap);
    case RootMethod::newton:
      return latest.time + newton_step(latest, target);
    case RootMethod::quadratic:
      // From the open side the root lies ahead; from the closed side Newton's step leads back.
      return latest.gap > target ? latest.time + predicted_step(latest, target)
                                 : latest.time + newton_step(latest, target);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double predicted_step(const GapSample& s, double target) {
  const double c = s.gap - target;
  const double half = 0.5 * s.acceleration;
  const double discriminant = s.rate * s.rate - 4 * half * c;
  if (half != 0 && discriminant >= 0) {
    // The numerically stable pair of roots: q/half and c/q.
    const double q = -0.5 * (s.rate + std::copysign(std::sqrt(discriminant), s.rate));
    double best = std::numeric_limits<double>::infinity();
    for (const double root : {q / half, c / q})
      if (root > 0 && root < best) best = root;
    if (std::isfinite(best)) return best;
  }
  const double step = newton_step(s, target);
  return step > 0 ? step : std::numeric_limits<double>::quiet_NaN();
}

Root find_root(RootMethod method, const GapFunction& gap, GapSample open, GapSample closed,
               const GapBand& band) {
  Root root;
  root.sample = open;
  GapSample latest = open;
  double width_to_beat = 0.5 * (closed.time - open.time);
  int waited = 0;
  while (root.iterations < iteration_limit) {
    double t = prediction(method, open, closed, latest, band.target());
    const bool usable = t > open.time && t < closed.time && waited < patience;
    if (!usable) t = open.time + 0.5 * (closed.time - open.time);
    if (!(t > open.time && t < closed.time)) return root;  // the bracket is two neighbours

    latest = gap(t);
    ++root.iterations;
    if (band.contains(latest.gap)) {
      root.sample = latest;
      root.converged = true;
      return root;
    }
    (latest.gap > band.upper ? open : closed) = latest;
    root.sample = open;
    waited = closed.time - open.time <= width_to_beat ? 0 : waited + 1;
    if (waited == 0) width_to_beat = 0.5 * (closed.time - open.time);
    if (!usable) waited = 0;
  }
  return root;
}

}  // namespace abut::toi
