#include "math/jet.h"

#include <algorithm>

namespace abut::math {
namespace {

bool is_constant(const IntervalJet& u) {
  return is_zero(u.first) && is_zero(u.second);
}

/// Either of two branches, `value` being the range of the choice.
IntervalJet either(const Interval& value, const IntervalJet& a, const IntervalJet& b) {
  if (is_constant(a) && is_constant(b)) return {value, 0.0, 0.0};
  return {value, hull(a.first, b.first), Interval::whole()};
}

}  // namespace

Jet abs(const Jet& u) {
  return u.value < 0 ? -u : u;
}
Jet min(const Jet& a, const Jet& b) {
  return b.value < a.value ? b : a;
}
Jet max(const Jet& a, const Jet& b) {
  return b.value > a.value ? b : a;
}

IntervalJet abs(const IntervalJet& u) {
  if (u.value.lower >= 0) return u;
  if (u.value.upper < 0) return -u;
  return either(abs(u.value), u, -u);
}

IntervalJet min(const IntervalJet& a, const IntervalJet& b) {
  if (a.value.upper <= b.value.lower) return a;
  if (b.value.upper < a.value.lower) return b;
  return either({std::min(a.value.lower, b.value.lower), std::min(a.value.upper, b.value.upper)}, a,
                b);
}

IntervalJet max(const IntervalJet& a, const IntervalJet& b) {
  if (a.value.lower >= b.value.upper) return a;
  if (b.value.lower > a.value.upper) return b;
  return either({std::max(a.value.lower, b.value.lower), std::max(a.value.upper, b.value.upper)}, a,
                b);
}

}  // namespace abut::math
