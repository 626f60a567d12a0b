#include "impulse/slip_flow.h"

#include <algorithm>
#include <cmath>

namespace abut::impulse {
namespace {

// The secular equation converges quadratically from any start; this many rounds are never needed.
constexpr int secular_rounds = 60;

}  // namespace

SlipFlow::SlipFlow(const Mat3& matrix) : normal_(matrix(0, 0)) {
  const double xx = matrix(1, 1), yy = matrix(2, 2), xy = 0.5 * (matrix(1, 2) + matrix(2, 1));
  const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  axes_ << cosine, -sine, sine, cosine;
  coupling_ = to_principal(0.5 * (matrix.block<2, 1>(1, 0) + matrix.block<1, 2>(0, 1).transpose()));
  const double mean = 0.5 * (xx + yy), half = std::hypot(0.5 * (xx - yy), xy);
  tangential_ = Vec2(mean + half, mean - half);
  const double none = accuracy_of_many * std::max(tangential_[0], normal_);
  for (int i = 0; i < 2; ++i)
    if (tangential_[i] <= none) tangential_[i] = coupling_[i] = 0;
}

Vec2 SlipFlow::sticking_ratio() const {
  Vec2 ratio = Vec2::Zero();
  for (int i = 0; i < 2; ++i)
    if (tangential_[i] > 0) ratio[i] = -coupling_[i] / tangential_[i];
  return ratio;
}

// Newton's method on 1 / |s(a)| = 1, which is nearly linear in a and concave, so that from the left
// it never overshoots by more than it can take back.
Vec2 SlipFlow::starting_direction(double mu) const {
  if (mu == 0) return coupling_.normalized();
  const auto direction = [&](double a) {
    Vec2 s = Vec2::Zero();
    for (int i = 0; i < 2; ++i)
      if (coupling_[i] != 0) s[i] = coupling_[i] / (mu * tangential_[i] + a);
    return s;
  };
  double low = 0, high = coupling_.norm(), a = 0;
  for (int round = 0; round < secular_rounds; ++round) {
    const Vec2 s = direction(a);
    const double length = s.norm();
    (length > 1 ? low : high) = a;
    double slope = 0;  // of |s|^2 / -2
    for (int i = 0; i < 2; ++i)
      if (s[i] != 0) slope += s[i] * s[i] / (mu * tangential_[i] + a);
    double next = a + (length - 1) * length * length / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == a || next <= low || next >= high) break;
    a = next;
  }
  return direction(a).normalized();
}

}  // namespace abut::impulse
