// Settings, names, materials, and what pairs of materials or bodies override.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "scene/builder.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

model::Material read_material(const Node& node, Builder& builder) {
  model::Material material;
  material.density = read_number_or(node, "density", material.density);
  if (const Node* friction = node.valid_at("friction")) {
    material.friction = read_friction(*friction, builder.problems).value_or(material.friction);
  }
  material.restitution = read_number_or(node, "restitution", material.restitution);
  return material;
}

int add_material(const Node& node, std::string name, Builder& builder) {
  model::Material material = read_material(node, builder);
  material.name = std::move(name);
  builder.model.materials.push_back(std::move(material));
  builder.density_given.push_back(node.valid_at("density") != nullptr);
  return static_cast<int>(builder.model.materials.size()) - 1;
}

/// What a name in `between` stands for; reports unknown ones.
const Declared* declared_as(const Node& name, Builder& builder) {
  const auto found = builder.names.find(name.text);
  if (found != builder.names.end() && found->second.kind != Declared::Kind::grid) {
    return &found->second;
  }
  const bool grid = found != builder.names.end();
  builder.problems.error(
      name.mark,
      grid ? fmt::format("`{0}` is a grid of bodies; name one of them, such as `{0}[0,0,0]`, or "
                         "their material",
                         name.text)
           : fmt::format(
                 "no material or body is named `{}`{}", base::shown(name.text),
                 builder.suggestion(name.text, {Declared::Kind::material, Declared::Kind::body})));
  return nullptr;
}

}  // namespace

void Builder::declare(const std::string& name, const Declared& declared) {
  if (name == "world") {
    problems.error(declared.mark,
                   "the name `world` is reserved for the surroundings; choose "
                   "another");
    return;
  }
  const auto [earlier, is_new] = names.emplace(name, declared);
  if (is_new) return;
  const char* kind = earlier->second.kind == Declared::Kind::material ? "material" : "body";
  problems.error(declared.mark,
                 fmt::format("the name `{}` is taken by the {} at line {}; choose another",
                             base::shown(name), kind, earlier->second.mark.line));
}

std::string Builder::suggestion(const std::string& name,
                                std::initializer_list<Declared::Kind> kinds) const {
  if (problems.error_count() > Problems::maximum_errors) return {};
  std::vector<std::string> known;
  for (const auto& [other, declared] : names) {
    if (std::find(kinds.begin(), kinds.end(), declared.kind) != kinds.end()) known.push_back(other);
  }
  std::sort(known.begin(), known.end());
  return base::did_you_mean(name, known);
}

std::optional<BodyIndex> Builder::body_named(const Node& name) {
  const auto found = names.find(name.text);
  if (found != names.end() && found->second.kind == Declared::Kind::body) {
    if (found->second.index < 0) return std::nullopt;
    return found->second.index;
  }
  std::string message = fmt::format("no body is named `{}`{}", base::shown(name.text),
                                    suggestion(name.text, {Declared::Kind::body}));
  if (found != names.end() && found->second.kind == Declared::Kind::grid) {
    message =
        fmt::format("`{0}` is a grid of bodies; name one of them, such as `{0}[0,0,0]`", name.text);
  } else if (found != names.end()) {
    message = fmt::format("`{}` is a material; a body is needed here", name.text);
  }
  problems.error(name.mark, message);
  return std::nullopt;
}

void build_settings(const Node& document, Builder& builder) {
  model::Model& model = builder.model;
  if (const Node* name = document.valid_at("name")) model.name = name->text;
  model.gravity = read_vec3_or(document, "gravity", model.gravity);
  model.duration = read_number_or(document, "duration", model.duration);
  if (const Node* record = document.find("record")) {
    model.record.rate = read_number_or(*record, "rate", model.record.rate);
  }
  const Node* solver = document.find("solver");
  if (solver == nullptr) return;
  model::SolverSettings& settings = model.solver;
  settings.tolerance = read_number_or(*solver, "tolerance", settings.tolerance);
  settings.contact_distance =
      read_number_or(*solver, "contact_distance", settings.contact_distance);
  settings.rest_speed = read_number_or(*solver, "rest_speed", settings.rest_speed);
  settings.step = read_number_or(*solver, "step", settings.step);
  settings.step_tolerance = read_number_or(*solver, "step_tolerance", settings.step_tolerance);
  settings.step_gap = read_number_or(*solver, "step_gap", settings.step_gap);
  if (const Node* penalty = solver->find("penalty")) {
    model.penalty.stiffness = read_number_or(*penalty, "stiffness", model.penalty.stiffness);
    model.penalty.depth = read_number_or(*penalty, "depth", model.penalty.depth);
    model.penalty.creep = read_number_or(*penalty, "creep", model.penalty.creep);
  }
  // The choices of the format stand in the order of the enumerators.
  const auto choose = [&](std::string_view key, auto& setting) {
    const Node* node = solver->valid_at(key);
    if (node != nullptr) setting = static_cast<std::decay_t<decltype(setting)>>(node->choice);
  };
  choose("clock", settings.clock);
  choose("impact", settings.impact);
  choose("restitution_law", settings.restitution_law);
  choose("contact", settings.contact);
  choose("unsupported", settings.unsupported);
}

void build_materials(const Node& document, Builder& builder) {
  const Node* materials = document.find("materials");
  if (materials == nullptr) return;
  for (std::size_t i = 0; i < materials->keys.size(); ++i) {
    const Node::Key& key = materials->keys[i];
    const int index = add_material(materials->items[i], key.name, builder);
    builder.declare(key.name, {Declared::Kind::material, key.mark, index});
  }
}

std::optional<int> build_material(const Node& node, Builder& builder) {
  if (node.is_map()) return add_material(node, "", builder);
  const auto found = builder.names.find(node.text);
  if (found != builder.names.end() && found->second.kind == Declared::Kind::material) {
    return found->second.index;
  }
  std::string mend = builder.suggestion(node.text, {Declared::Kind::material});
  if (mend.empty()) mend = "; define it under `materials`";
  builder.problems.error(node.mark,
                         fmt::format("no material is named `{}`{}", base::shown(node.text), mend));
  return std::nullopt;
}

void build_contacts(const Node& document, Builder& builder) {
  const Node* contacts = document.find("contacts");
  if (contacts == nullptr) return;
  std::set<std::array<std::string, 2>> seen;
  for (const Node& entry : contacts->items) {
    const Node* between = entry.valid_at("between");
    if (between == nullptr) continue;
    const Declared* first = declared_as(between->items[0], builder);
    const Declared* second = declared_as(between->items[1], builder);
    if (first == nullptr || second == nullptr) continue;
    if (first->kind != second->kind) {
      builder.problems.error(between->mark,
                             "`between` names a body and a material; give two "
                             "bodies or two materials");
      continue;
    }
    model::ContactOverride contact;
    contact.between = {between->items[0].text, between->items[1].text};
    if (first->kind == Declared::Kind::body && contact.between[0] == contact.between[1]) {
      builder.problems.error(between->mark, "`between` names the same body twice; give two bodies");
    }
    auto pair = contact.between;
    std::sort(pair.begin(), pair.end());
    if (!seen.insert(pair).second) {
      builder.problems.error(between->mark,
                             fmt::format("the pair {} and {} is given twice; remove one entry",
                                         base::shown(pair[0]), base::shown(pair[1])));
    }
    if (const Node* friction = entry.valid_at("friction")) {
      contact.friction = read_friction(*friction, builder.problems);
    }
    if (const Node* restitution = entry.valid_at("restitution")) {
      contact.restitution = restitution->number;
    }
    if (entry.find("friction") == nullptr && entry.find("restitution") == nullptr) {
      builder.problems.warning(entry.mark,
                               "this entry changes nothing; give `friction` or "
                               "`restitution`");
    }
    builder.model.contacts.push_back(std::move(contact));
  }
}

void build_no_collide(const Node& document, Builder& builder) {
  const Node* pairs = document.find("no_collide");
  if (pairs == nullptr) return;
  for (const Node& pair : pairs->items) {
    if (!pair.valid) continue;
    const auto a = builder.body_named(pair.items[0]);
    const auto b = builder.body_named(pair.items[1]);
    if (!a || !b) continue;
    if (*a == *b) {
      builder.problems.error(pair.mark, fmt::format("{} is paired with itself; give two bodies",
                                                    base::shown(pair.items[0].text)));
      continue;
    }
    builder.model.no_collide.emplace_back(*a, *b);
  }
}

}  // namespace abut::scene
