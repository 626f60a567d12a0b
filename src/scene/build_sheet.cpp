// Sheets, and what their nodes are held by.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexible/make.h"
#include "scene/builder.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

/// The mass per area, from whichever of four keys gives it.
double read_area_density(const Node& node, const Node& sheet, double area, Builder& builder) {
  double density = flexible::SheetShape{}.density;
  const Node* first = nullptr;
  const auto take = [&](const Node* given, double value) {
    if (given == nullptr || !given->valid) return;
    if (first != nullptr)
      builder.problems.error(given->mark,
                             "the mass of the sheet is given twice, by `mass` and `density` or by "
                             "two densities; keep one");
    first = given;
    density = value;
  };
  const Node* own = sheet.find("density");
  take(own, own == nullptr ? 0 : own->number);
  const Node* of_body = node.find("density");
  take(of_body, of_body == nullptr ? 0 : of_body->number);
  const Node* mass = node.find("mass");
  take(mass, mass == nullptr ? 0 : mass->number / area);
  return density;
}

flexible::SheetShape read_sheet(const Node& node, const Node& sheet, Builder& builder) {
  flexible::SheetShape shape;
  const Node &size = *sheet.find("size"), &cells = *sheet.find("cells");
  shape.size_x = size.items[0].number;
  shape.size_y = size.items[1].number;
  shape.cells_x = static_cast<int>(cells.items[0].number);
  shape.cells_y = static_cast<int>(cells.items[1].number);
  shape.stretch = read_number_or(sheet, "stretch", 0);
  shape.shear = read_number_or(sheet, "shear", 0);
  shape.bend = read_number_or(sheet, "bend", 0);
  shape.damping = read_number_or(sheet, "damping", 0);
  shape.thickness = read_number_or(sheet, "thickness", 1e-3);
  shape.density = read_area_density(node, sheet, shape.size_x * shape.size_y, builder);
  return shape;
}

/// What a sheet cannot have.
void refuse_keys(const Node& node, const model::Body& body, Builder& builder) {
  for (const char* key :
       {"flexible", "boundary", "deformation", "deformation_rate", "inertia", "com"})
    if (const Node* given = node.find(key))
      builder.problems.error(
          given->mark,
          fmt::format("{} is given, but the shape is a sheet, which bends by itself; remove it",
                      key));
  if (!body.is_dynamic())
    builder.problems.error(node.find("motion")->mark,
                           "a sheet must be dynamic; use `pins` to hold nodes of it");
  if (node.find("shapes") != nullptr)
    builder.problems.error(node.find("shapes")->mark,
                           "the body has both `shape` and `shapes`; keep one");
}

/// A node of the sheet that is not held yet.
std::optional<model::Hold> read_node(const Node& node, const model::Bending& sheet,
                                     Builder& builder) {
  const flexible::Grid& grid = sheet.body->grid;
  model::Hold hold;
  hold.i = static_cast<int>(node.items[0].number);
  hold.j = static_cast<int>(node.items[1].number);
  if (hold.i > grid.cells_x || hold.j > grid.cells_y) {
    builder.problems.error(node.mark,
                           fmt::format("the sheet has no node [{}, {}]; its nodes go from [0, 0] "
                                       "to [{}, {}]",
                                       hold.i, hold.j, grid.cells_x, grid.cells_y));
    return std::nullopt;
  }
  hold.column = grid.node(hold.i, hold.j);
  const bool held = std::any_of(sheet.holds.begin(), sheet.holds.end(),
                                [&](const model::Hold& h) { return h.column == hold.column; });
  if (held) {
    builder.problems.error(node.mark,
                           fmt::format("node [{}, {}] is held twice; remove one", hold.i, hold.j));
    return std::nullopt;
  }
  return hold;
}

body::Mass mass_of(const flexible::BendingBody& sheet, double volume) {
  shape::Moments moments;
  moments.volume = volume;
  moments.mass = sheet.mass.total();
  Mat3 second = Mat3::Zero();
  for (int k = 0; k < sheet.columns(); ++k)
    second += sheet.mass(k, k) * sheet.boundary.rest(k) * sheet.boundary.rest(k).transpose();
  moments.inertia = second.trace() * Mat3::Identity() - second;
  return body::mass_from(moments);
}

/// Whether a node may be sewn to that body.
bool may_hold(const model::Body& other, const model::Body& sheet, const Node& name,
              Builder& builder) {
  if (!other.bends() || !other.bending->body->is_sheet()) return true;
  builder.problems.error(name.mark,
                         &other == &sheet
                             ? std::string("a sheet cannot be attached to itself; name another "
                                           "body")
                             : fmt::format("{} is a sheet, and sheets cannot be attached to each "
                                           "other; name another body",
                                           other.name));
  return false;
}

void add_attachments(const Node& attach, BodyIndex index, Builder& builder) {
  model::Body& body = builder.model.bodies[static_cast<std::size_t>(index)];
  for (const Node& entry : attach.items) {
    if (!entry.valid) continue;
    const Node& name = *entry.find("body");
    if (name.text == "world") {
      builder.problems.error(name.mark, "world is no body; list the node under `pins`");
      continue;
    }
    auto hold = read_node(*entry.find("node"), *body.bending, builder);
    const auto other = builder.body_named(name);
    if (!hold || !other) continue;
    if (!may_hold(builder.model.bodies[static_cast<std::size_t>(*other)], body, name, builder))
      continue;
    hold->body = *other;
    body.bending->holds.push_back(*hold);
  }
}

}  // namespace

const Node* sheet_of(const Node& body) {
  const Node* shape = body.find("shape");
  return shape != nullptr && shape->is_map() ? shape->find("sheet") : nullptr;
}

void build_sheet(const Node& node, const Node& sheet, model::Body& body, Builder& builder) {
  const std::size_t errors = builder.problems.error_count();
  refuse_keys(node, body, builder);
  const auto material = body_material(node, builder);
  const flexible::SheetShape shape = read_sheet(node, sheet, builder);
  if (!material || builder.problems.error_count() > errors) return;
  body.bending.emplace();
  model::Bending& bending = *body.bending;
  bending.body = flexible::make_sheet(shape);
  bending.material = *material;
  const double area = shape.size_x * shape.size_y;
  const double mass = bending.body->mass.total();
  if (!(mass > 0) || !std::isfinite(mass)) {
    builder.problems.error(
        sheet.mark, fmt::format("the sheet's mass comes out as {:g} kg; check its density", mass));
    return;
  }
  body.mass = mass_of(*bending.body, area * shape.thickness);
  body.bounding_radius = std::hypot(shape.size_x, shape.size_y) / 2 + shape.thickness / 2;
  bending.initial.columns = flexible::placed(*bending.body, body.pose);
  bending.initial.rates = flexible::rigid_rates(*bending.body, bending.initial.columns,
                                                body.velocity, body.angular_velocity);
  if (const Node* pins = sheet.find("pins"))
    for (const Node& pin : pins->items)
      if (const auto hold = read_node(pin, bending, builder)) bending.holds.push_back(*hold);
  if (const Node* attach = sheet.find("attach")) builder.attachments[bending.body.get()] = attach;
}

void build_holds(Builder& builder) {
  for (std::size_t i = 0; i < builder.model.bodies.size(); ++i) {
    model::Body& body = builder.model.bodies[i];
    if (!body.bends()) continue;
    const auto attach = builder.attachments.find(body.bending->body.get());
    if (attach != builder.attachments.end())
      add_attachments(*attach->second, static_cast<BodyIndex>(i), builder);
    for (model::Hold& hold : body.bending->holds)
      hold.name = fmt::format("{}.{}[{},{}]", body.name, hold.body == world ? "pin" : "attach",
                              hold.i, hold.j);
  }
}

}  // namespace abut::scene
