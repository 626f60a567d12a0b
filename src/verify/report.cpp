#include "verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace abut::verify {
namespace {

using Json = nlohmann::ordered_json;

/// Faults shown to people; programs get all that were kept.
constexpr std::size_t most_shown = 20;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

}  // namespace

bool Report::passed() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const CheckResult& check) { return check.faults == 0; });
}

std::string report_text(const Report& report) {
  auto buffer = fmt::memory_buffer();
  const auto out = std::back_inserter(buffer);
  fmt::format_to(out, "{}: {}, {} frames\n", report.scene_name, report.status, report.frames);
  for (const CheckResult& check : report.checks) {
    const std::string result = check.faults == 0 ? "fine" : fmt::format("{} faults", check.faults);
    fmt::format_to(out, "  {:<10} {:<12} {}\n", check.name, result, check.measured);
  }
  for (const auto& [what, count] : report.not_checked) {
    fmt::format_to(out, "  not checked  {} ({} times)\n", what, count);
  }
  const std::size_t shown = std::min(report.faults.size(), most_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const Fault& fault = report.faults[i];
    fmt::format_to(out, "fault: {} at t = {:.12g} s: {}\n", fault.check, fault.time, fault.message);
  }
  if (report.faults.size() > shown) fmt::format_to(out, "further faults are not shown\n");
  const char* verdict = !report.passed()     ? "faults found"
                        : report.is_proven() ? "no fault found"
                                             : "not proven: no fault found, but not everything "
                                               "could be judged";
  fmt::format_to(out, "{}\n", verdict);
  return fmt::to_string(buffer);
}

std::string report_json(const Report& report) {
  Json json;
  json["scene"] = report.scene_name;
  json["status"] = report.status;
  json["frames"] = report.frames;
  json["passed"] = report.passed();
  json["proven"] = report.passed() && report.is_proven();
  json["checks"] = Json::array();
  for (const CheckResult& check : report.checks) {
    json["checks"].push_back(
        {{"name", check.name}, {"faults", check.faults}, {"measured", check.measured}});
  }
  json["faults"] = Json::array();
  for (const Fault& fault : report.faults) {
    json["faults"].push_back(
        {{"check", fault.check}, {"time", number(fault.time)}, {"message", fault.message}});
  }
  json["not_checked"] = Json::array();
  for (const auto& [what, count] : report.not_checked) {
    json["not_checked"].push_back({{"what", what}, {"count", count}});
  }
  // Names come from scene files, which may hold bytes that are not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace abut::verify
