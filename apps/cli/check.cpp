// `abut check`: what is wrong with a scene, and what its bodies weigh.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "body_facts.h"
#include "messages.h"
#include "options.h"
#include "scene/loader.h"
#include "scene_input.h"

namespace abut::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Findings {
  std::vector<BodyFacts> bodies;
  std::vector<Diagnostic> problems;
  bool unreadable = false;

  bool has_errors() const {
    return std::any_of(problems.begin(), problems.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::error; });
  }
};

Findings examine(const CheckCommand& command) {
  Findings findings;
  std::filesystem::path path;
  try {
    path = find_scene(command.scene);
  } catch (const InputError& error) {
    findings.problems = error.diagnostics();
    findings.unreadable = true;
    return findings;
  }
  try {
    const auto scene = scene::load_scene_file(path.string(), command.overrides);
    findings.problems = scene.warnings;
    for (const model::Body& body : scene.model.bodies) findings.bodies.push_back(facts_of(body));
  } catch (const InputError& error) {
    findings.problems = error.diagnostics();
  }
  return findings;
}

Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Json to_json(const Mat3& m) {
  return {to_json(Vec3(m.row(0))), to_json(Vec3(m.row(1))), to_json(Vec3(m.row(2)))};
}

Json to_json(const BodyFacts& body) {
  Json json{{"name", body.name}, {"motion", body.motion}};
  json["volume"] = nullptr;
  json["mass"] = nullptr;
  json["com"] = nullptr;
  json["inertia"] = nullptr;
  if (body.moments) {
    json["volume"] = body.moments->volume;
    json["mass"] = body.moments->mass;
    json["com"] = to_json(body.moments->centre);
    json["inertia"] = to_json(body.moments->inertia);
  }
  return json;
}

Json to_json(const Diagnostic& problem) {
  return {{"severity", problem.severity == Severity::error ? "error" : "warning"},
          {"file", problem.location.file},
          {"line", problem.location.line},
          {"column", problem.location.column},
          {"message", problem.message}};
}

void print_json(const Findings& findings) {
  Json json{{"bodies", Json::array()}, {"pairs", Json::array()}, {"problems", Json::array()}};
  for (const BodyFacts& body : findings.bodies) json["bodies"].push_back(to_json(body));
  for (const Diagnostic& problem : findings.problems) json["problems"].push_back(to_json(problem));
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void print_table(const Findings& findings) {
  std::size_t width = 4;
  for (const BodyFacts& body : findings.bodies) width = std::max(width, body.name.size());
  std::string text = fmt::format("{:<{}}  {:<8}  {:>12}  {:>12}  {}\n", "body", width, "motion",
                                 "volume (m^3)", "mass (kg)", "centre of mass (m)");
  for (const BodyFacts& body : findings.bodies) {
    text += fmt::format("{:<{}}  {:<8}  ", body.name, width, body.motion);
    if (body.moments) {
      const Vec3& c = body.moments->centre;
      text += fmt::format("{:>12.6g}  {:>12.6g}  [{:.6g}, {:.6g}, {:.6g}]\n", body.moments->volume,
                          body.moments->mass, c.x(), c.y(), c.z());
    } else {
      text += fmt::format("{:>12}  {:>12}\n", "unbounded", "-");
    }
  }
  print(text);
}

}  // namespace

int execute(const CheckCommand& command) {
  const Findings findings = examine(command);
  tell_diagnostics(findings.problems);
  if (command.json) {
    print_json(findings);
  } else if (!findings.has_errors()) {
    print_table(findings);
    tell_note(findings.problems.empty() ? "no problems found" : "warnings only");
  }
  if (findings.unreadable) return exit_usage;
  return findings.has_errors() ? exit_failed : exit_fine;
}

}  // namespace abut::cli
