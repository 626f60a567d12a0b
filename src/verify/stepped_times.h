#pragma once
// When which bodies were stepped, as the summary tells: their contacts are kept at larger gaps,
// slip by what the solution of a step leaves, and change from step to step without events.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "record/run_reader.h"

namespace abut::verify {

class SteppedTimes {
 public:
  SteppedTimes() = default;
  explicit SteppedTimes(const record::RunReader& run) {
    const std::optional<Summary> summary = run.summary();
    if (!summary || !(summary->stepped_fraction > 0)) return;
    if (summary->stepped.empty()) all_from_ = summary->stepped_from;
    for (const SteppedSpan& span : summary->stepped)
      spans_[span.body].emplace_back(span.from, span.to);
    for (auto& [body, spans] : spans_) std::sort(spans.begin(), spans.end());
  }

  /// Whether it was stepped before, at or after t, next to it.
  bool covers(BodyIndex body, double t) const {
    if (t >= all_from_) return true;
    const auto entry = spans_.find(body);
    if (entry == spans_.end()) return false;
    const auto& spans = entry->second;
    const auto after = std::upper_bound(
        spans.begin(), spans.end(), t,
        [](double time, const std::pair<double, double>& span) { return time < span.first; });
    return after != spans.begin() && t <= std::prev(after)->second;
  }
  bool covers(BodyIndex a, BodyIndex b, double t) const { return covers(a, t) || covers(b, t); }

 private:
  double all_from_ = infinity;                                         // s: all bodies
  std::map<BodyIndex, std::vector<std::pair<double, double>>> spans_;  // ascending, by body
};

}  // namespace abut::verify
