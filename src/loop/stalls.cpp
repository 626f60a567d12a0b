#include "loop/stalls.h"

#include <algorithm>
#include <cmath>

namespace abut::loop {
namespace {

// Moments, s: what happens within is one thing to anyone who looks on. Friction under gravity stops
// slip of the greatest speed below within the longest.
constexpr std::array<double, 3> moments = {1e-6, 1e-5, 1e-4};

// Meetings within a moment that are taken as they come, and after how many more of them the speed
// grows tenfold, from the least one, m/s.
constexpr int patience = 40;
constexpr int growth = 10;
constexpr double least_speed = 1e-6;

// Slack per speed, s/m, and at most (dimensionless).
constexpr double slack_per_speed = 10;
constexpr double most_slack = 0.01;

}  // namespace

double Stalls::slack_at(double creep_speed) {
  return std::min(most_slack, slack_per_speed * creep_speed);
}

double Stalls::note_meeting(const std::vector<BodyIndex>& bodies, double t) {
  int most = 0;
  for (const BodyIndex body : bodies)
    for (std::size_t i = 0; i < moments.size(); ++i) {
      Moment& now = moments_[body][i];
      if (now.begin < 0 || t - now.begin > moments[i]) now = {t, 0};
      most = std::max(most, ++now.meetings);
    }
  if (most <= patience) return 0;
  const double speed = least_speed * std::pow(10, static_cast<double>(most - patience) / growth);
  return std::min(speed, rest_speed_);
}

}  // namespace abut::loop
