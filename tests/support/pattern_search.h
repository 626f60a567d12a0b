#pragma once
// The smallest value of a function of a few angles, without derivatives: a dense grid, and from the
// best of its points steps to all sides, shorter and shorter. Slow, and good for comparing with.

#include <cmath>
#include <functional>
#include <vector>

namespace abut::test {

using Angles = std::vector<double>;

/// From `start`, with steps from `step` down to `least` (rad).
inline double pattern_search(const std::function<double(const Angles&)>& f, Angles& start,
                             double step, double least = 1e-9) {
  double best = f(start);
  while (step > least) {
    bool better = false;
    for (std::size_t i = 0; i < start.size(); ++i)
      for (const double by : {-step, step}) {
        Angles next = start;
        next[i] += by;
        const double value = f(next);
        if (value >= best) continue;
        best = value;
        start = next;
        better = true;
      }
    if (!better) step *= 0.5;
  }
  return best;
}

/// Of all of the angles' full turns, with `count` samples of each.
inline double grid_search(const std::function<double(const Angles&)>& f, std::size_t angles,
                          int count, Angles& best) {
  Angles at(angles, 0);
  std::vector<std::pair<double, Angles>> seeds;
  const double step = 2 * M_PI / count;
  const std::function<void(std::size_t)> visit = [&](std::size_t i) {
    if (i == angles) {
      const double value = f(at);
      if (seeds.size() < 8 || value < seeds.back().first) {
        if (seeds.size() == 8) seeds.pop_back();
        auto place = seeds.begin();
        while (place != seeds.end() && place->first < value) ++place;
        seeds.insert(place, {value, at});
      }
      return;
    }
    for (int k = 0; k < count; ++k) {
      at[i] = k * step;
      visit(i + 1);
    }
  };
  visit(0);
  double least = INFINITY;
  for (auto& [value, from] : seeds) {
    const double found = pattern_search(f, from, step);
    if (found >= least) continue;
    least = found;
    best = from;
  }
  return least;
}

}  // namespace abut::test
