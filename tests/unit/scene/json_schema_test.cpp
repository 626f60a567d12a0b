// The schema must accept what the loader accepts and refuse what it refuses, as far as a schema can
// tell. A small validator of the keywords the schema uses, written for this test, is the judge.
#include "scene/json_schema.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "unit/scene/scene_testing.h"

using Json = nlohmann::json;

namespace {

/// Scalars as JSON: what an editor would see.
Json from_yaml(const YAML::Node& node) {
  if (node.IsMap()) {
    Json json = Json::object();
    for (const auto& entry : node) json[entry.first.Scalar()] = from_yaml(entry.second);
    return json;
  }
  if (node.IsSequence()) {
    Json json = Json::array();
    for (const auto& item : node) json.push_back(from_yaml(item));
    return json;
  }
  if (node.IsNull()) return nullptr;
  const std::string& text = node.Scalar();
  static const std::regex number(R"([-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)");
  if (node.Tag() != "!" && std::regex_match(text, number)) {
    const double value = std::stod(text);
    if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<long>(value);
    return value;
  }
  if (node.Tag() != "!" && (text == "true" || text == "false")) return text == "true";
  return text;
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

bool valid(const Json& value, const Json& schema);

bool valid_type(const Json& value, const Json& type) {
  if (type.is_string()) return has_type(value, type);
  return std::any_of(type.begin(), type.end(), [&](const Json& t) { return has_type(value, t); });
}

bool valid_number(const Json& value, const Json& schema) {
  if (!value.is_number()) return true;
  const double x = value;
  return (!schema.contains("minimum") || x >= schema["minimum"].get<double>()) &&
         (!schema.contains("maximum") || x <= schema["maximum"].get<double>()) &&
         (!schema.contains("exclusiveMinimum") || x > schema["exclusiveMinimum"].get<double>());
}

bool valid_array(const Json& value, const Json& schema) {
  if (!value.is_array()) return true;
  if (schema.contains("minItems") && value.size() < schema["minItems"]) return false;
  if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return false;
  return !schema.contains("items") ||
         std::all_of(value.begin(), value.end(),
                     [&](const Json& item) { return valid(item, schema["items"]); });
}

bool valid_object(const Json& value, const Json& schema) {
  if (!value.is_object()) return true;
  if (schema.contains("minProperties") && value.size() < schema["minProperties"]) return false;
  if (schema.contains("maxProperties") && value.size() > schema["maxProperties"]) return false;
  for (const Json& key : schema.value("required", Json::array())) {
    if (!value.contains(key.get<std::string>())) return false;
  }
  const Json properties = schema.value("properties", Json::object());
  const Json additional = schema.value("additionalProperties", Json(true));
  for (const auto& [key, item] : value.items()) {
    const Json& rule = properties.contains(key) ? properties[key] : additional;
    if (rule.is_boolean() ? !rule.get<bool>() : !valid(item, rule)) return false;
  }
  return true;
}

bool valid(const Json& value, const Json& schema) {
  const auto count = [&](const char* keyword) {
    return std::count_if(schema[keyword].begin(), schema[keyword].end(),
                         [&](const Json& alternative) { return valid(value, alternative); });
  };
  if (schema.contains("type") && !valid_type(value, schema["type"])) return false;
  if (schema.contains("const") && value != schema["const"]) return false;
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
    return false;
  }
  if (schema.contains("pattern") && value.is_string() &&
      !std::regex_search(value.get<std::string>(),
                         std::regex(schema["pattern"].get<std::string>()))) {
    return false;
  }
  if (schema.contains("anyOf") && count("anyOf") == 0) return false;
  if (schema.contains("oneOf") && count("oneOf") != 1) return false;
  return valid_number(value, schema) && valid_array(value, schema) && valid_object(value, schema);
}

bool schema_accepts(const std::string& yaml) {
  static const Json schema = Json::parse(abut::scene::json_schema());
  return valid(from_yaml(YAML::Load(yaml)), schema);
}

/// Every keyword the schema uses, so that the validator above cannot overlook one.
void collect_keywords(const Json& schema, std::set<std::string>& out) {
  if (schema.is_array()) {
    for (const Json& item : schema) collect_keywords(item, out);
  }
  if (!schema.is_object()) return;
  for (const auto& [key, value] : schema.items()) {
    out.insert(key);
    if (key == "properties") {
      for (const auto& [name, property] : value.items()) collect_keywords(property, out);
    } else if (key != "enum" && key != "required" && key != "const") {
      collect_keywords(value, out);
    }
  }
}

std::string body_document(const std::string& text) {
  return "abut: 1\nduration: 1\nbodies:\n  - {name: b, " + text + "}\n";
}

}  // namespace

TEST(JsonSchema, UsesOnlyWhatTheValidatorKnows) {
  std::set<std::string> keywords;
  collect_keywords(Json::parse(abut::scene::json_schema()), keywords);
  const std::set<std::string> known = {"$schema",
                                       "title",
                                       "type",
                                       "properties",
                                       "additionalProperties",
                                       "required",
                                       "enum",
                                       "const",
                                       "anyOf",
                                       "oneOf",
                                       "items",
                                       "minItems",
                                       "maxItems",
                                       "minProperties",
                                       "maxProperties",
                                       "minimum",
                                       "maximum",
                                       "exclusiveMinimum",
                                       "pattern",
                                       "description"};
  for (const std::string& keyword : keywords) EXPECT_TRUE(known.count(keyword)) << keyword;
}

TEST(JsonSchema, NamesItsDraft) {
  const Json schema = Json::parse(abut::scene::json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_NE(schema["properties"]["gravity"]["description"].get<std::string>().find("m/s^2"),
            std::string::npos);
}

TEST(JsonSchema, AcceptsEveryShippedScene) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ABUT_SCENES_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    static const Json schema = Json::parse(abut::scene::json_schema());
    EXPECT_TRUE(valid(from_yaml(YAML::LoadFile(entry.path().string())), schema)) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 6);
}

TEST(JsonSchema, AgreesWithTheLoader) {
  const std::string sphere = "shape: {sphere: {radius: 1}}";
  const std::string scenes[] = {
      "abut: 1\nduration: 1\n",
      "abut: 1\nduration: 1/60 s\n",
      "abut: 2\nduration: 1\n",
      "duration: 1\n",
      "abut: 1\nduration: -1\n",
      "abut: 1\nduration: [1]\n",
      "abut: 1\nduration: 1\nunknown: 2\n",
      "abut: 1\nduration: 1\njoints: []\n",
      "abut: 1\nduration: 1\nsolver: {clock: step}\n",
      "abut: 1\nduration: 1\nsolver: {clock: event, impact: routh, tolerance: 1e-6}\n",
      "abut: 1\nduration: 1\nsolver: {tolerance: 1}\n",
      "abut: 1\nduration: 1\ngravity: [0, 0]\n",
      "abut: 1\nduration: 1\nmaterials: {m: {friction: {static: 1, dynamic: 0.5}}}\n",
      "abut: 1\nduration: 1\nmaterials: {m: {friction: {static: 1}}}\n",
      "abut: 1\nduration: 1\nmaterials: {m: {frction: 1}}\n",
      body_document(sphere),
      body_document("shape: {sphere: {radius: -1}}"),
      body_document("shape: {sphere: {}}"),
      body_document("shape: {sphere: {radius: 1}, box: {size: [1, 1, 1]}}"),
      body_document("shape: {sheet: {}}"),
      body_document("shape: {sheet: {size: [1, 1], cells: [4, 4], stretch: 100}}"),
      body_document("shape: {sheet: {size: [1, 1], cells: [4, 2.5], stretch: 100}}"),
      body_document("shape: {sheet: {size: [1, 1], cells: [4, 4], stretch: 100, pins: [[0, 0]], "
                    "density: 0.1 kg/m^2, damping: 1 N*s/m}}"),
      body_document("shape: {sheet: {size: [1, 1], cells: [4, 4], stretch: 100, pins: [0]}}"),
      body_document("shapes: [{sphere: {radius: 1}, position: [0, 0, 1]}]"),
      body_document("shapes: []"),
      body_document(sphere + ", orientation: {euler: [0, 0, 90 deg]}"),
      body_document(sphere + ", orientation: {axis: [0, 0, 1]}"),
      body_document(sphere + ", orientation: [1, 0, 0]"),
      body_document(sphere + ", motion: fixed"),
      body_document(sphere + ", motion: fixd"),
      body_document(sphere + ", motion: {keyframes: [{time: 0}]}"),
      body_document(sphere + ", motion: {keyframes: []}"),
      body_document(sphere + ", motion: {position: [t, 0, '2*t']}"),
      body_document(sphere + ", color: [0, 0, 2]"),
      body_document(sphere + ", flexible: {order: 1}"),
      body_document(sphere + ", flexible: {order: 2, young: 1 MPa, poisson: 0.3, damping: 1 ms}"),
      body_document(sphere + ", flexible: {order: 3, young: 1 MPa}"),
      body_document(sphere + ", flexible: {young: 1e5}, boundary: {edge: 0.1}"),
      body_document(sphere + ", flexible: {young: 1e5}, boundary: {edges: 0.1}"),
      body_document(sphere + ", flexible: {young: 1e5}, deformation: [[1, 0, 0], [0, 1, 0], [0, "
                             "0, 1]]"),
      body_document(sphere + ", flexible: {young: 1e5}, deformation: [[1, 0], [0, 1]]"),
      body_document(sphere) + "forces:\n  - {type: drag, body: b, linear: 1}\n",
      body_document(sphere) + "forces:\n  - {type: drag, linear: 1}\n",
      body_document(sphere) + "forces:\n  - {type: drga, body: b}\n",
      body_document(sphere) +
          "forces:\n  - {type: spring, bodies: [b, world], at: [[0, 0, 0], [0, 0, 1]], "
          "stiffness: 1}\n",
      body_document(sphere) + "joints:\n  - {type: ball, bodies: [world, b]}\n",
      body_document(sphere) + "joints:\n  - {type: bal, bodies: [world, b]}\n",
      body_document(sphere) + "joints:\n  - {type: ball, bodies: [world, b], axis: [0, 0, 1]}\n",
      body_document(sphere) + "joints:\n  - {type: hinge, bodies: [world, b]}\n",
      body_document(sphere) +
          "joints:\n  - {type: hinge, bodies: [world, b], axis: [0, 0, 1], limits: [-90 deg, 1], "
          "motor: {speed: 120 rpm, max_torque: 3}, break_force: 5 kN, collide: true}\n",
      body_document(sphere) +
          "joints:\n  - {type: prismatic, bodies: [world, b], axis: [0, 0, 1], motor: {speed: 1, "
          "max_torque: 3}}\n",
      body_document(sphere) +
          "joints:\n  - {type: distance, bodies: [world, b], at: [[0, 0, 0], [0, 0, 1]]}\n",
      body_document(sphere) + "joints:\n  - {type: weld, bodies: [world, b], break_torque: -1}\n",
  };
  for (const std::string& text : scenes) {
    EXPECT_EQ(schema_accepts(text), scene_testing::errors(text).empty()) << text;
  }
}
