#include "classifications.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "abut/diagnostics.h"
#include "geometry/brep_index.h"
#include "model/joints.h"
#include "shape/flat_surface.h"

namespace abut::cli {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_question(const std::string& question, const std::string& why) {
  throw InputError(Location{"--classify"}, fmt::format("`{}`: {}", question, why));
}

/// A body with one shape, whose faces are flat.
struct FlatBody {
  const model::Body* body = nullptr;
  Pose part;  ///< of the shape in the body frame
  geometry::BrepIndex index;
};

FlatBody flat_body(const model::Model& model, const std::string& name,
                   const std::string& question) {
  const auto found = std::find_if(model.bodies.begin(), model.bodies.end(),
                                  [&](const model::Body& b) { return b.name == name; });
  if (found == model.bodies.end()) refuse_question(question, "there is no body named " + name);
  if (found->parts.size() != 1)
    refuse_question(question,
                    fmt::format("body {} has {} shapes; only a body of one shape is classified "
                                "against",
                                name, found->parts.size()));
  const shape::Part& part = found->parts.front();
  const auto surface = shape::flat_surface(part.geometry);
  if (!surface)
    refuse_question(question,
                    fmt::format("body {} is a {}, whose faces are curved; only boxes, convex "
                                "shapes without rounding and meshes are classified against",
                                name, shape::name_of(part.geometry)));
  return {&*found, part.pose, geometry::BrepIndex(*surface)};
}

bool is_point(const Json& json) {
  return json.is_array() && json.size() == 3 &&
         std::all_of(json.begin(), json.end(), [](const Json& x) { return x.is_number(); });
}

Vec3 point_of(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

Vec3 into(const Pose& frame, const Vec3& p) {
  return frame.orientation.conjugate() * (p - frame.position);
}

Vec3 out_of(const Pose& frame, const Vec3& p) {
  return frame.orientation * p + frame.position;
}

void describe(ClassificationFacts& facts, const FlatBody& body, const Where& where) {
  const geometry::BrepEntities& solid = body.index.entities();
  std::vector<Vec3>& about = facts.entities[entity_name(where)];
  about.clear();
  if (where.locus == Locus::on_face)
    about.push_back(body.part.orientation * solid.face_normals[where.entity]);
  if (where.locus == Locus::on_edge)
    for (const int end : solid.edges[where.entity].ends)
      about.push_back(out_of(body.part, solid.points[end]));
  if (where.locus == Locus::on_vertex)
    about.push_back(out_of(body.part, solid.points[solid.vertices[where.entity]]));
}

ClassificationFacts told(const FlatBody& body, SegmentClassification found) {
  ClassificationFacts facts;
  facts.body = body.body->name;
  facts.found = std::move(found);
  for (Passage& passage : facts.found.points) {
    passage.point = out_of(body.part, passage.point);
    describe(facts, body, passage.where);
  }
  for (const Where& where : facts.found.stretches) describe(facts, body, where);
  std::erase_if(facts.entities, [](const auto& entry) { return entry.second.empty(); });
  return facts;
}

std::vector<ClassificationFacts> edges_of(const FlatBody& other, const FlatBody& body) {
  const geometry::BrepEntities& solid = other.index.entities();
  const auto carried = [&](int point) {
    const Vec3 in_world = out_of(other.body->pose, out_of(other.part, solid.points[point]));
    return into(body.part, into(body.body->pose, in_world));
  };
  std::vector<ClassificationFacts> all;
  for (std::size_t e = 0; e < solid.edges.size(); ++e) {
    const auto& [from, to] = solid.edges[e].ends;
    SegmentClassification found = body.index.classify(carried(from), carried(to));
    if (std::all_of(found.points.begin(), found.points.end(),
                    [](const Passage& p) { return p.where.locus == Locus::out; }))
      continue;
    all.push_back(told(body, std::move(found)));
    all.back().edge_of = other.body->name;
    all.back().edge = static_cast<int>(e);
  }
  return all;
}

}  // namespace

std::string entity_name(const Where& where) {
  switch (where.locus) {
    case Locus::out:
      return "out";
    case Locus::in:
      return "in";
    case Locus::on_face:
      return fmt::format("face {}", where.entity + 1);
    case Locus::on_edge:
      return fmt::format("edge {}", where.entity + 1);
    case Locus::on_vertex:
      break;
  }
  return fmt::format("vertex {}", where.entity + 1);
}

std::vector<ClassificationFacts> classify(const model::Model& model, const std::string& question) {
  const auto equals = question.rfind('=');
  if (equals == std::string::npos)
    refuse_question(question, "give BODY=[x, y, z], BODY=[[x, y, z], [x, y, z]] or BODY=BODY");
  const FlatBody body = flat_body(model, question.substr(0, equals), question);
  const std::string what = question.substr(equals + 1);
  const Json json = Json::parse(what, nullptr, false);
  if (is_point(json)) {
    const Vec3 p = into(body.part, point_of(json));
    return {told(body, body.index.classify(p, p))};
  }
  if (json.is_array() && json.size() == 2 && is_point(json[0]) && is_point(json[1]))
    return {told(body, body.index.classify(into(body.part, point_of(json[0])),
                                           into(body.part, point_of(json[1]))))};
  if (!what.empty() && what.front() == '[')
    refuse_question(question,
                    "a point is three numbers in brackets, a segment two points in brackets");
  return edges_of(flat_body(model, what, question), body);
}

}  // namespace abut::cli
