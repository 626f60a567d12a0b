#pragma once
// What a verification found, for people and for programs.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "verify/check.h"

namespace abut::verify {

/// How one check went.
struct CheckResult {
  std::string name;
  std::string measured;
  long faults = 0;
};

struct Report {
  std::string scene_name;
  std::string status;  ///< of the run
  std::size_t frames = 0;
  std::vector<CheckResult> checks;
  std::vector<Fault> faults;                ///< the first ones of each check
  std::map<std::string, long> not_checked;  ///< what could not be judged, and how often

  bool passed() const;  ///< no fault was found
  /// Whether everything could be judged.
  bool is_proven() const { return not_checked.empty(); }
};

std::string report_text(const Report& report);
std::string report_json(const Report& report);

}  // namespace abut::verify
