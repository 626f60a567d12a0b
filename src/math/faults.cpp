#include "math/faults.h"

#include <cmath>

namespace abut::math {
namespace {

// Places that are tried, and intervals that are looked at, at most.
constexpr int fault_samples = 8;
constexpr int most_intervals = 20000;

// The first place around which no interval, however short, bounds value and first derivative: a
// pole, or a place where the formula is undefined.
std::optional<double> first_pole(const Expression& formula, double from, double to,
                                 int& intervals_left) {
  if (intervals_left-- <= 0) return std::nullopt;
  const IntervalJet jet = formula.jet(Interval{from, to});
  if (is_bounded(jet.value) && is_bounded(jet.first)) return std::nullopt;
  const double middle = from + 0.5 * (to - from);
  if (!(middle > from && middle < to)) return middle;
  if (const auto pole = first_pole(formula, from, middle, intervals_left)) return pole;
  return first_pole(formula, middle, to, intervals_left);
}

}  // namespace

bool is_bounded(const Interval& x) {
  return std::isfinite(x.lower) && std::isfinite(x.upper);
}

std::optional<double> first_fault(const Expression& formula, double from, double to) {
  for (int i = 0; i <= fault_samples; ++i) {
    const double t = from + (to - from) * i / fault_samples;
    const Jet jet = formula.jet(t);
    if (!std::isfinite(jet.value) || !std::isfinite(jet.first) || !std::isfinite(jet.second))
      return t;
  }
  int intervals_left = most_intervals;
  return first_pole(formula, from, to, intervals_left);
}

}  // namespace abut::math
