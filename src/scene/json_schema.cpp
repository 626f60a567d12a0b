#include "scene/json_schema.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "scene/format.h"

namespace abut::scene {
namespace {

using Json = nlohmann::ordered_json;

Json of_type(const Type& type);

/// A number, or a text that may hold a unit or a formula. What is written as text the schema cannot
/// compare with a range.
Json quantity(const Type& type, const char* json_type) {
  Json number = {{"type", json_type}};
  if (std::isfinite(type.range.lower)) {
    number[type.range.lower_open ? "exclusiveMinimum" : "minimum"] = type.range.lower;
  }
  if (std::isfinite(type.range.upper)) number["maximum"] = type.range.upper;
  const Json text = {{"type", "string"}, {"pattern", "[0-9a-z]"}};
  return {{"anyOf", Json::array({number, text})}};
}

Json array_of(Json items, std::size_t minimum, int count) {
  Json json = {{"type", "array"}, {"items", std::move(items)}};
  if (count > 0) {
    json["minItems"] = count;
    json["maxItems"] = count;
  } else if (minimum > 0) {
    json["minItems"] = minimum;
  }
  return json;
}

std::string description(const Key& key) {
  std::string text = key.help;
  if (const std::string unit = si_unit(key.type.dimension); !unit.empty())
    text += " (" + unit + ")";
  if (!key.default_text.empty()) text += "; default: " + key.default_text;
  return text;
}

Json of_record(const Record& record) {
  Json properties = Json::object();
  Json needed = Json::array();
  for (const Key& key : record.keys) {
    if (!key.supported) continue;  // the checker refuses it, so an editor should too
    Json property = of_type(key.type);
    property["description"] = description(key);
    properties[key.name] = std::move(property);
    if (key.required) needed.push_back(key.name);
  }
  Json json = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!needed.empty()) json["required"] = needed;
  return json;
}

Json of_tagged(const Type& type) {
  Json alternatives = Json::array();
  for (const auto& record : type.records) {
    Json json = of_record(*record);
    json["properties"]["type"] = {{"const", record->name}, {"description", record->help}};
    json["required"].push_back("type");
    alternatives.push_back(std::move(json));
  }
  return {{"oneOf", alternatives}};
}

Json of_choice(const Type& type) {
  Json supported = Json::array();
  for (const std::string& word : type.choices) {
    if (std::find(type.unsupported.begin(), type.unsupported.end(), word) ==
        type.unsupported.end()) {
      supported.push_back(word);
    }
  }
  return {{"enum", supported}};
}

Json of_variant(const Type& type) {
  Json json = of_record(*type.record);
  json["minProperties"] = 1;
  json["maxProperties"] = 1;
  return json;
}

Json of_one_of(const Type& type) {
  Json alternatives = Json::array();
  for (const Type& alternative : type.alternatives) alternatives.push_back(of_type(alternative));
  return {{"anyOf", alternatives}};
}

Json of_type(const Type& type) {
  switch (type.kind) {
    case TypeKind::number:
      return quantity(type, "number");
    case TypeKind::integer:
      return quantity(type, "integer");
    case TypeKind::flag:
      return {{"type", "boolean"}};
    // A name may look like a number or a flag: `name: 1`.
    case TypeKind::text:
      return {{"type", {"string", "number", "boolean"}}};
    case TypeKind::formula:
      return {{"type", {"string", "number"}}};
    case TypeKind::choice:
      return of_choice(type);
    case TypeKind::vector:
      return array_of(quantity(type, "number"), 0, type.count);
    case TypeKind::list:
      return array_of(of_type(*type.element), type.minimum, type.count);
    case TypeKind::record:
      return of_record(*type.record);
    case TypeKind::variant:
      return of_variant(type);
    case TypeKind::named:
      return {{"type", "object"}, {"additionalProperties", of_type(*type.element)}};
    case TypeKind::tagged:
      return of_tagged(type);
    case TypeKind::one_of:
      return of_one_of(type);
  }
  return {};
}

}  // namespace

std::string json_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Abut scene"}};
  schema.update(of_record(*format::scene_record()));
  return schema.dump(2) + "\n";
}

}  // namespace abut::scene
