#include "loop/stalls.h"

#include <algorithm>

#include "force/slip.h"

namespace abut::loop {
namespace {

// The times that meetings are counted in, s: what happens within is one thing to anyone who looks
// on.
constexpr std::array<double, 3> spans = {1e-6, 1e-5, 1e-4};

// Meetings within such a time that are taken as they come.
constexpr int patience = 40;

}  // namespace

double Stalls::note_meeting(const std::vector<BodyIndex>& bodies, double t) {
  int most = 0;
  for (const BodyIndex body : bodies)
    for (std::size_t i = 0; i < spans.size(); ++i) {
      Count& count = counts_[body][i];
      if (count.begin < 0 || t - count.begin > spans[i]) count = {t, 0};
      most = std::max(most, ++count.meetings);
    }
  return most > patience ? force::creep_time : 0;
}

}  // namespace abut::loop
