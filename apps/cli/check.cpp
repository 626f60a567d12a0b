// `abut check`: what is wrong with a scene, what its bodies weigh, and which of them touch.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "body_facts.h"
#include "classifications.h"
#include "exact_fits.h"
#include "joint_facts.h"
#include "messages.h"
#include "options.h"
#include "pair_facts.h"
#include "scene/loader.h"
#include "scene_input.h"
#include "scene_notes.h"

namespace abut::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Findings {
  std::vector<BodyFacts> bodies;
  std::vector<JointFacts> joints;
  std::vector<PairFacts> pairs;
  std::vector<ClassificationFacts> classifications;
  std::vector<Diagnostic> problems;
  std::vector<std::string> notes;
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
    findings.notes = notes_on(scene.model);
    for (const model::Body& body : scene.model.bodies) findings.bodies.push_back(facts_of(body));
    for (const joint::Joint& joint : scene.model.joints)
      findings.joints.push_back(facts_of(joint, scene.model));
    PairFindings pairs = examine_pairs(scene.model, scene.body_places, command.all_pairs);
    findings.pairs = std::move(pairs.pairs);
    for (std::string& note : notes_on_fits(scene.model, findings.pairs))
      findings.notes.push_back(std::move(note));
    findings.problems.insert(findings.problems.end(), pairs.problems.begin(), pairs.problems.end());
    for (const std::string& question : command.classify)
      for (ClassificationFacts& facts : classify(scene.model, question))
        findings.classifications.push_back(std::move(facts));
  } catch (const InputError& error) {
    findings.problems = error.diagnostics();
  }
  return findings;
}

/// Adding zero takes the sign off minus zero.
Json to_json(const Vec3& v) {
  return {v.x() + 0.0, v.y() + 0.0, v.z() + 0.0};
}

Json to_json(const Mat3& m) {
  return {to_json(Vec3(m.row(0))), to_json(Vec3(m.row(1))), to_json(Vec3(m.row(2)))};
}

/// JSON has no infinite numbers.
Json to_json(double number) {
  return std::isfinite(number) ? Json(number) : Json(nullptr);
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
  if (body.bending) {
    const BendingFacts& bending = *body.bending;
    json["flexible"] = {{"kind", bending.kind},
                        {"columns", bending.columns},
                        {"triangles", bending.triangles},
                        {"longest_period", to_json(bending.periods.longest)},
                        {"shortest_period", to_json(bending.periods.shortest)}};
  }
  return json;
}

Json to_json(const JointFacts& joint) {
  Json json{{"name", joint.name},
            {"type", joint.type},
            {"bodies", joint.bodies},
            {"at", to_json(joint.at)},
            {"axis", nullptr}};
  if (joint.axis) json["axis"] = to_json(*joint.axis);
  return json;
}

/// `face 3`, or `part 2 face 3` of a body with several parts.
std::string name_of(const BodyFacts& body, int part, const contact::Feature& feature) {
  const std::string name = contact::name_of(feature);
  return body.part_count > 1 ? fmt::format("part {} {}", part + 1, name) : name;
}

Json to_json(const contact::ContactRegion& region, const BodyFacts& a, const BodyFacts& b) {
  const contact::ContactLabel& label = region.label;
  Json json{{"dimension", region.dimension},
            {"normal", to_json(region.normal)},
            {"points", Json::array()},
            {"features", {name_of(a, label.part_a, label.a), name_of(b, label.part_b, label.b)}}};
  for (const contact::ContactPoint& point : region.points) {
    json["points"].push_back(to_json(point.position));
  }
  return json;
}

Json to_json(const PairFacts& pair, const std::vector<BodyFacts>& bodies) {
  const BodyFacts& a = bodies[static_cast<std::size_t>(pair.a)];
  const BodyFacts& b = bodies[static_cast<std::size_t>(pair.b)];
  Json json{{"bodies", {a.name, b.name}}, {"gap", pair.gap}, {"regions", Json::array()}};
  for (const auto& region : pair.regions) json["regions"].push_back(to_json(region, a, b));
  return json;
}

Json to_json(const ClassificationFacts& facts) {
  Json json{{"body", facts.body}};
  if (facts.edge_of) {
    json["edge_of"] = *facts.edge_of;
    json["edge"] = fmt::format("edge {}", facts.edge + 1);
  }
  json["points"] = Json::array();
  for (const Passage& passage : facts.found.points)
    json["points"].push_back({{"on", entity_name(passage.where)},
                              {"point", to_json(passage.point)},
                              {"parameter", passage.parameter}});
  json["stretches"] = Json::array();
  for (const Where& where : facts.found.stretches) json["stretches"].push_back(entity_name(where));
  json["entities"] = Json::object();
  for (const auto& [name, points] : facts.entities)
    for (const Vec3& p : points) json["entities"][name].push_back(to_json(p));
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
  for (const JointFacts& joint : findings.joints) json["joints"].push_back(to_json(joint));
  for (const PairFacts& pair : findings.pairs) {
    json["pairs"].push_back(to_json(pair, findings.bodies));
  }
  for (const ClassificationFacts& facts : findings.classifications)
    json["classifications"].push_back(to_json(facts));
  for (const Diagnostic& problem : findings.problems) json["problems"].push_back(to_json(problem));
  if (!findings.notes.empty()) json["notes"] = findings.notes;
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

/// Seconds, or that there is no such period.
std::string period_text(double period) {
  return std::isfinite(period) ? fmt::format("{:.6g}", period) : std::string("-");
}

void print_bending(const Findings& findings) {
  std::size_t width = 8;
  for (const BodyFacts& body : findings.bodies)
    if (body.bending) width = std::max(width, body.name.size());
  std::string text;
  for (const BodyFacts& body : findings.bodies) {
    if (!body.bending) continue;
    const BendingFacts& facts = *body.bending;
    text += fmt::format("{:<{}}  {:<9}  {:>7}  {:>9}  {:>19}  {:>20}\n", body.name, width,
                        facts.kind, facts.columns, facts.triangles,
                        period_text(facts.periods.longest), period_text(facts.periods.shortest));
  }
  if (text.empty()) return;
  print(fmt::format("\n{:<{}}  {:<9}  {:>7}  {:>9}  {:>19}  {:>20}\n", "flexible", width, "kind",
                    "columns", "triangles", "slowest period (s)", "fastest period (s)") +
        text);
}

void print_joints(const Findings& findings) {
  if (findings.joints.empty()) return;
  const auto names = [](const JointFacts& joint) {
    return fmt::format("{}, {}", joint.bodies[0], joint.bodies[1]);
  };
  std::size_t width = 5, names_width = 6;
  for (const JointFacts& joint : findings.joints) {
    width = std::max(width, joint.name.size());
    names_width = std::max(names_width, names(joint).size());
  }
  std::string text = fmt::format("\n{:<{}}  {:<14}  {:<{}}  {}\n", "joint", width, "type", "bodies",
                                 names_width, "at (m)");
  for (const JointFacts& joint : findings.joints) {
    text += fmt::format("{:<{}}  {:<14}  {:<{}}  [{:.6g}, {:.6g}, {:.6g}]\n", joint.name, width,
                        joint.type, names(joint), names_width, joint.at.x(), joint.at.y(),
                        joint.at.z());
  }
  print(text);
}

const char* name_of(PairState state) {
  switch (state) {
    case PairState::apart:
      return "apart";
    case PairState::touching:
      return "touching";
    case PairState::overlapping:
      break;
  }
  return "overlapping";
}

/// At how many points, edges and faces a pair touches.
std::string where_text(const PairFacts& pair) {
  int counts[3] = {0, 0, 0};
  for (const auto& region : pair.regions) ++counts[region.dimension];
  constexpr const char* names[3] = {"point", "line", "area"};
  std::string text;
  for (int d = 0; d < 3; ++d) {
    if (counts[d] == 0) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", counts[d], names[d],
                        counts[d] > 1 ? "s" : "");
  }
  return text;
}

void print_pairs(const Findings& findings) {
  if (findings.pairs.empty()) return;
  const auto names = [&](const PairFacts& pair) {
    return fmt::format("{}, {}", findings.bodies[static_cast<std::size_t>(pair.a)].name,
                       findings.bodies[static_cast<std::size_t>(pair.b)].name);
  };
  std::size_t width = 6;
  for (const PairFacts& pair : findings.pairs) width = std::max(width, names(pair).size());
  std::string text = fmt::format("\n{:<{}}  {:<11}  {:>12}  {}\n", "bodies", width, "at time 0",
                                 "gap (m)", "contact");
  for (const PairFacts& pair : findings.pairs) {
    const std::string line = fmt::format("{:<{}}  {:<11}  {:>12.6g}  {}", names(pair), width,
                                         name_of(pair.state), pair.gap, where_text(pair));
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  print(text);
}

/// As Bouma and Vanecek write it: what the points are on, and between them what the stretches are.
void print_classifications(const Findings& findings) {
  std::string text;
  for (const ClassificationFacts& facts : findings.classifications) {
    text += "\n" + (facts.edge_of ? fmt::format("edge {} of {}, ", facts.edge + 1, *facts.edge_of)
                                  : std::string());
    text += fmt::format("against {}:\n ", facts.body);
    for (std::size_t i = 0; i < facts.found.points.size(); ++i) {
      const Passage& passage = facts.found.points[i];
      const Vec3& p = passage.point;
      if (i > 0) text += fmt::format(" {},", entity_name(facts.found.stretches[i - 1]));
      text += fmt::format(" ({}, [{:.6g}, {:.6g}, {:.6g}])", entity_name(passage.where), p.x(),
                          p.y(), p.z());
      if (i + 1 < facts.found.points.size()) text += ",";
    }
    text += "\n";
  }
  if (!text.empty()) print(text);
}

}  // namespace

int execute(const CheckCommand& command) {
  const Findings findings = examine(command);
  tell_diagnostics(findings.problems);
  if (!command.json)
    for (const std::string& note : findings.notes) tell_note("note: " + note);
  if (command.json) {
    print_json(findings);
  } else if (!findings.bodies.empty() || !findings.has_errors()) {
    print_table(findings);
    print_bending(findings);
    print_joints(findings);
    print_pairs(findings);
    print_classifications(findings);
  }
  if (!command.json && !findings.has_errors()) {
    tell_note(findings.problems.empty() ? "no problems found" : "warnings only");
  }
  if (findings.unreadable) return exit_usage;
  return findings.has_errors() ? exit_failed : exit_fine;
}

}  // namespace abut::cli
