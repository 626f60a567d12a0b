#include "record/playback_header.h"

#include <array>
#include <initializer_list>
#include <utility>

#include "base/overloaded.h"
#include "base/stop.h"
#include "model/joints.h"
#include "record/display_colors.h"
#include "record/json.h"
#include "record/summary.h"

namespace abut::record {
namespace {

int detail_of(const model::Model& model) {
  std::size_t parts = 0;
  for (const model::Body& body : model.bodies) parts += body.parts.size();
  return display_detail(parts);
}

void add(std::string& text, const char* name, std::initializer_list<double> numbers) {
  text += name;
  char before = '[';
  for (const double x : numbers) {
    text += std::exchange(before, ',');
    append_text(text, x);
  }
  text += ']';
}

void add(std::string& text, const char* name, const Vec3& v) {
  add(text, name, {v.x(), v.y(), v.z()});
}

void add(std::string& text, const char* name, const Quat& q) {
  add(text, name, {q.w(), q.x(), q.y(), q.z()});
}

void append_part(std::string& text, const shape::Part& part, const model::Model& model, int detail,
                 MeshLibrary& meshes) {
  append_text(text, R"({"shape":")", shape::name_of(part.geometry), '"');
  if (const auto* plane = std::get_if<shape::Plane>(&part.geometry)) {
    add(text, R"(,"normal":)", plane->normal);
    append_text(text, R"(,"offset":)", plane->offset);
  } else if (const auto shape = display_shape(part.geometry, detail)) {
    append_text(text, R"(,"mesh":)", meshes.index_of(*shape));
    add(text, R"(,"scale":)", shape->scale);
    if (shape::is_unbounded(part.geometry)) text += R"(,"inverted":true)";
  }
  add(text, R"(,"position":)", part.pose.position);
  add(text, R"(,"orientation":)", part.pose.orientation);
  const auto material = static_cast<std::size_t>(part.material);
  if (material < model.materials.size())
    text += R"(,"material":)" + json_text(model.materials[material].name);
  text += '}';
}

/// All of a body but the brace that ends it.
void append_body(std::string& text, const model::Body& body, const model::Color& color,
                 const model::Model& model, int detail, MeshLibrary& meshes) {
  constexpr std::array motions{"dynamic", "fixed", "scripted"};
  append_text(text, R"({"name":)", json_text(body.name), R"(,"motion":")",
              motions[body.motion.index()], R"(","mass":)", body.mass.mass);
  add(text, R"(,"centre":)", body.mass.central.position);
  add(text, R"(,"position":)", body.pose.position);
  add(text, R"(,"orientation":)", body.pose.orientation);
  add(text, R"(,"color":)", {color.red, color.green, color.blue});
  text += R"(,"parts":[)";
  if (!body.bends())
    for (const shape::Part& part : body.parts) {
      if (&part != &body.parts.front()) text += ',';
      append_part(text, part, model, detail, meshes);
    }
  text += ']';
}

/// Of a body that bends: its vertices among those of all such bodies, where they are at rest, and
/// the triangles between them.
Json surface_json(const flexible::BendingBody& body, std::size_t first) {
  Json rest = Json::array(), triangles = Json::array();
  for (const Vec3& vertex : body.boundary.rest())
    for (const double x : {vertex.x(), vertex.y(), vertex.z()}) rest.push_back(x);
  for (const auto& corners : body.boundary.triangles())
    for (const int corner : corners) triangles.push_back(corner);
  return {{"first", first}, {"rest", rest}, {"triangles", triangles}, {"closed", body.closed}};
}

/// Where a joint is on one of its bodies, in the body's own frame.
Json joint_end_json(const model::Model& model, BodyIndex index, const Pose& frame) {
  Pose in_body = frame;
  if (index != world && model.bodies[index].is_dynamic()) {
    const Pose& central = model.bodies[index].mass.central;
    in_body.position = central.position + central.orientation * frame.position;
    in_body.orientation = central.orientation * frame.orientation;
  }
  return {{"body", index},
          {"point", to_json(in_body.position)},
          {"axis", to_json(Vec3(in_body.orientation * Vec3::UnitZ()))}};
}

Json joints_json(const model::Model& model) {
  Json list = Json::array();
  for (const joint::Joint& joint : model.joints) {
    Json json{{"name", joint.name},
              {"type", to_string(joint.type)},
              {"has_axis", joint::has_axis(joint.type)},
              {"ends", Json::array()}};
    for (std::size_t i = 0; i < 2; ++i)
      json["ends"].push_back(joint_end_json(model, joint.bodies[i], joint.frames[i]));
    list.push_back(std::move(json));
  }
  return list;
}

Json springs_json(const model::Model& model) {
  Json list = Json::array();
  for (const model::Force& force : model.forces) {
    const auto* spring = std::get_if<model::Spring>(&force);
    if (!spring) continue;
    Json ends = Json::array();
    for (const model::Anchor& end : spring->ends)
      ends.push_back({{"body", end.body}, {"point", to_json(end.point)}});
    list.push_back({{"ends", ends}, {"length", spring->length}});
  }
  return list;
}

Json settings_json(const model::Model& model) {
  constexpr std::array clocks{"auto", "event", "step"};
  constexpr std::array impacts{"auto", "newton", "sequential", "moore-wilhelms", "routh"};
  constexpr std::array restitutions{"energetic", "poisson", "newton"};
  constexpr std::array contacts{"constraint", "penalty"};
  const model::SolverSettings& solver = model.solver;
  return {
      {"duration", model.duration},
      {"gravity", to_json(model.gravity)},
      {"record.rate", model.record.rate},
      {"solver.clock", clocks[static_cast<std::size_t>(solver.clock)]},
      {"solver.tolerance", solver.tolerance},
      {"solver.contact_distance", solver.contact_distance},
      {"solver.rest_speed", solver.rest_speed},
      {"solver.step", solver.step},
      {"solver.step_tolerance", solver.step_tolerance},
      {"solver.impact", impacts[static_cast<std::size_t>(solver.impact)]},
      {"solver.restitution_law", restitutions[static_cast<std::size_t>(solver.restitution_law)]},
      {"solver.contact", contacts[static_cast<std::size_t>(solver.contact)]}};
}

Json materials_json(const model::Model& model) {
  Json list = Json::array();
  for (const model::Material& material : model.materials) {
    list.push_back({{"name", material.name},
                    {"density", material.density},
                    {"friction", material.friction.static_coefficient},
                    {"friction_dynamic", material.friction.dynamic_coefficient},
                    {"restitution", material.restitution}});
  }
  return list;
}

Json summary_of(const RunReader& run) {
  const auto summary = run.summary();
  if (!summary) return nullptr;
  return Json::parse(summary_json(*summary, run.facts().scene_name));
}

}  // namespace

Vec3 playback_origin(const model::Model& model) {
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (const model::Body& body : model.bodies) {
    if (std::holds_alternative<model::Fixed>(body.motion)) continue;
    sum += body.pose.position;
    count += 1;
  }
  return count > 0 ? Vec3(sum / count) : sum;
}

PlaybackHeader scene_header(const model::Model& model, const std::vector<std::size_t>& moving,
                            MeshLibrary& meshes) {
  PlaybackHeader header;
  Json& json = header.facts;
  json = {{"format", "abut-playback"},         {"version", 1},
          {"gravity", to_json(model.gravity)}, {"origin", to_json(playback_origin(model))},
          {"settings", settings_json(model)},  {"materials", materials_json(model)}};
  const std::vector<model::Color> colors = display_colors(model);
  const int detail = detail_of(model);
  std::size_t vertices = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    base::stop_if_wished();
    std::string& text = header.bodies.begin();
    append_body(text, model.bodies[i], colors[i], model, detail, meshes);
    if (model.bodies[i].bends()) {
      const flexible::BendingBody& body = *model.bodies[i].bending->body;
      text += R"(,"surface":)" + json_text(surface_json(body, vertices));
      vertices += static_cast<std::size_t>(body.boundary.vertex_count());
    }
    text += '}';
  }
  json["moving"] = moving;
  json["joints"] = joints_json(model);
  json["springs"] = springs_json(model);
  return header;
}

PlaybackHeader playback_header(const RunReader& run, const model::Model& model,
                               const PlaybackPlan& plan, MeshLibrary& meshes) {
  const RunFacts& facts = run.facts();
  PlaybackHeader header = scene_header(model, plan.moving, meshes);
  Json& json = header.facts;
  json["program"] = facts.abut_version;
  json["status"] = to_string(facts.status);
  json["scene"] = {
      {"name", facts.scene_name}, {"text", facts.scene_text}, {"hash", facts.scene_hash}};
  json["summary"] = summary_of(run);
  json["recorded"] = {{"frames", run.frame_count()}, {"events", run.event_count()}};
  json["event_frames"] = plan.has_event_frames;
  json["thinning"] = plan.thinning;
  return header;
}

std::string PlaybackHeader::text() const {
  std::string text = json_text(facts);
  text.pop_back();  // goes on before its brace
  return text.append(R"(,"bodies":[)").append(bodies.entries()).append("]}");
}

}  // namespace abut::record
