#include "record/summary.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "abut/diagnostics.h"
#include "record/json.h"
#include "record/replaced_file.h"
#include "record/version.h"

namespace abut::record {
namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

double total_dissipated(const Summary& s) {
  return s.dissipated_by_impacts + s.dissipated_by_friction + s.dissipated_by_damping;
}

/// Reads a number, or null as NaN.
void read(const Json& json, const char* key, double& value) {
  const Json& entry = json.at(key);
  value = entry.is_null() ? std::numeric_limits<double>::quiet_NaN() : entry.get<double>();
}

void read(const Json& json, const char* key, long& value) {
  value = json.at(key).get<long>();
}

RunStatus status_from(const std::string& name) {
  for (const RunStatus status : all_run_statuses) {
    if (to_string(status) == name) return status;
  }
  throw InputError(Location{}, fmt::format("status is '{}', which is unknown", name));
}

Json spans_json(const std::vector<SteppedSpan>& spans) {
  Json list = Json::array();
  for (const SteppedSpan& span : spans)
    list.push_back({{"body", span.name},
                    {"index", span.body},
                    {"from", span.from},
                    {"to", span.to},
                    {"why", span.why}});
  return list;
}

std::vector<SteppedSpan> spans_from(const Json& list) {
  std::vector<SteppedSpan> spans;
  for (const Json& json : list)
    spans.push_back({json.at("index").get<BodyIndex>(), json.at("body").get<std::string>(),
                     json.at("from").get<double>(), json.at("to").get<double>(),
                     json.at("why").get<std::string>()});
  return spans;
}

Summary summary_from(const Json& json) {
  Summary s;
  s.status = status_from(json.at("status").get<std::string>());
  s.message = json.at("message").get<std::string>();
  read(json, "duration", s.duration);
  read(json, "wall_seconds", s.wall_seconds);
  const Json& costs = json.at("wall_seconds_by");
  read(costs, "detection", s.costs.detection);
  read(costs, "contact_times", s.costs.contact_times);
  read(costs, "impulses", s.costs.impulses);
  read(costs, "forces", s.costs.forces);
  read(costs, "integration", s.costs.integration);
  read(costs, "recording", s.costs.recording);
  read(json, "steps", s.steps);
  read(json, "rejected_steps", s.rejected_steps);
  read(json, "events", s.events);
  read(json, "impacts", s.impacts);
  read(json, "contacts_max", s.contacts_max);
  read(json, "min_gap", s.min_gap);
  read(json, "max_penetration", s.max_penetration);
  read(json, "pairs_unproven", s.pairs_unproven);
  read(json, "unresolved", s.unresolved);
  read(json, "limits_met", s.limits_met);
  read(json, "energy_initial", s.energy_initial);
  read(json, "energy_final", s.energy_final);
  const Json& dissipated = json.at("energy_dissipated_by");
  read(dissipated, "impacts", s.dissipated_by_impacts);
  read(dissipated, "friction", s.dissipated_by_friction);
  read(dissipated, "damping", s.dissipated_by_damping);
  read(json, "work", s.work);
  if (json.contains("energy_scale")) read(json, "energy_scale", s.energy_scale);
  read(json, "energy_error", s.energy_error);
  read(json, "momentum_error", s.momentum_error);
  if (json.contains("position_rounding")) read(json, "position_rounding", s.position_rounding);
  read(json, "cache_hits", s.cache_hits);
  read(json, "cache_misses", s.cache_misses);
  read(json, "lcp_solves", s.lcp_solves);
  read(json, "lcp_pivots", s.lcp_pivots);
  read(json, "lcp_residual_max", s.lcp_residual_max);
  read(json, "forces_not_unique", s.forces_not_unique);
  read(json, "jams", s.jams);
  if (json.contains("stepped_fraction")) {
    read(json, "stepped_fraction", s.stepped_fraction);
    read(json, "stepped_from", s.stepped_from);
    read(json, "cone_steps", s.cone_steps);
    read(json, "step_error_max", s.step_error_max);
    read(json, "forced_stops", s.forced_stops);
  }
  if (json.contains("stepped")) s.stepped = spans_from(json.at("stepped"));
  s.state_hash = json.at("state_hash").get<std::string>();
  return s;
}

}  // namespace

std::string summary_json(const Summary& s, std::string_view scene_name) {
  Json json;
  json["scene"] = scene_name;
  json["version"] = program_version();
  json["status"] = to_string(s.status);
  json["message"] = s.message;
  json["duration"] = number(s.duration);
  json["wall_seconds"] = number(s.wall_seconds);
  json["wall_seconds_by"] = {{"detection", number(s.costs.detection)},
                             {"contact_times", number(s.costs.contact_times)},
                             {"impulses", number(s.costs.impulses)},
                             {"forces", number(s.costs.forces)},
                             {"integration", number(s.costs.integration)},
                             {"recording", number(s.costs.recording)}};
  json["steps"] = s.steps;
  json["rejected_steps"] = s.rejected_steps;
  json["events"] = s.events;
  json["impacts"] = s.impacts;
  json["contacts_max"] = s.contacts_max;
  json["min_gap"] = number(s.min_gap);
  json["max_penetration"] = number(s.max_penetration);
  json["pairs_unproven"] = s.pairs_unproven;
  json["unresolved"] = s.unresolved;
  json["limits_met"] = s.limits_met;
  json["energy_initial"] = number(s.energy_initial);
  json["energy_final"] = number(s.energy_final);
  json["energy_dissipated"] = number(total_dissipated(s));
  json["energy_dissipated_by"] = {{"impacts", number(s.dissipated_by_impacts)},
                                  {"friction", number(s.dissipated_by_friction)},
                                  {"damping", number(s.dissipated_by_damping)}};
  json["work"] = number(s.work);
  json["energy_scale"] = number(s.energy_scale);
  json["energy_error"] = number(s.energy_error);
  json["momentum_error"] = number(s.momentum_error);
  json["position_rounding"] = number(s.position_rounding);
  json["cache_hits"] = s.cache_hits;
  json["cache_misses"] = s.cache_misses;
  json["lcp_solves"] = s.lcp_solves;
  json["lcp_pivots"] = s.lcp_pivots;
  json["lcp_residual_max"] = number(s.lcp_residual_max);
  json["forces_not_unique"] = s.forces_not_unique;
  json["jams"] = s.jams;
  json["stepped_fraction"] = number(s.stepped_fraction);
  json["stepped_from"] = number(s.stepped_from);
  json["cone_steps"] = s.cone_steps;
  json["step_error_max"] = number(s.step_error_max);
  json["forced_stops"] = s.forced_stops;
  json["stepped"] = spans_json(s.stepped);
  json["state_hash"] = s.state_hash;
  // Names come from scene files, which may hold bytes that are not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Summary parse_summary(std::string_view text, const std::string& origin) {
  try {
    return summary_from(Json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(Location{origin, 0, 0},
                     fmt::format("the summary is damaged ({}); run the scene again", error.what()));
  } catch (const InputError& error) {
    throw InputError(Location{origin, 0, 0}, error.diagnostics().front().message);
  }
}

void write_summary(const std::filesystem::path& path, std::string_view json) {
  ReplacedFile file(path);
  file.write(json);
  file.finish();
}

std::string format_summary(const Summary& s, std::string_view scene_name) {
  auto out = fmt::memory_buffer();
  const auto line = [&out](std::string_view label, const std::string& text) {
    fmt::format_to(std::back_inserter(out), "  {:<16} {}\n", label, text);
  };
  fmt::format_to(std::back_inserter(out), "{}: {}\n", scene_name.empty() ? "run" : scene_name,
                 to_string(s.status));
  line("simulated", fmt::format("{:.6g} s in {:.3g} s of wall time", s.duration, s.wall_seconds));
  line("steps", fmt::format("{}, and {} rejected", s.steps, s.rejected_steps));
  line("events", fmt::format("{}, of which {} impacts", s.events, s.impacts));
  if (s.contacts_max > 0) {
    line("contacts", fmt::format("up to {} at a time; {} LCPs solved by {} pivots, residual {:.1e}",
                                 s.contacts_max, s.lcp_solves, s.lcp_pivots, s.lcp_residual_max));
  }
  if (s.forces_not_unique > 0)
    line("indeterminate", fmt::format("forces of {} LCPs, least norm taken", s.forces_not_unique));
  if (s.jams > 0)
    line("jams",
         fmt::format("{} contacts where no forces were possible: impulses without collision",
                     s.jams));
  if (s.stepped_fraction > 0)
    line("stepped", fmt::format("{:.3g} of the time, {} cone steps, {} bodies stopped by force",
                                s.stepped_fraction, s.cone_steps, s.forced_stops));
  if (std::isfinite(s.min_gap)) line("smallest gap", fmt::format("{:.3g} m", s.min_gap));
  if (s.pairs_unproven > 0)
    line("not proven", fmt::format("gaps of {} pairs in contact between nine instants of each step",
                                   s.pairs_unproven));
  line("energy", fmt::format("{:.6g} J to {:.6g} J; dissipated {:.6g} J, work {:.6g} J",
                             s.energy_initial, s.energy_final, total_dissipated(s), s.work));
  if (s.dissipated_by_impacts != 0 || s.dissipated_by_friction != 0) {
    line("dissipated",
         fmt::format("{:.6g} J by impacts, {:.6g} J by friction, {:.6g} J by damping",
                     s.dissipated_by_impacts, s.dissipated_by_friction, s.dissipated_by_damping));
  }
  line("energy error", fmt::format("{:.2e} (relative)", s.energy_error));
  line("momentum error", fmt::format("{:.2e} (relative)", s.momentum_error));
  line("state hash", s.state_hash);
  if (!s.message.empty()) line("message", s.message);
  return fmt::to_string(out);
}

}  // namespace abut::record
