// Bodies: where they are, how they move, what they are made of.
#include "scene/format.h"

namespace abut::scene::format {
namespace {

Type angle() {
  return number(dimension::angle, any());
}

Type material_type() {
  return one_of("the name of a material, or a map with density, friction, restitution",
                {text("the name of a material"), record(material_record())});
}

Type color_type() {
  return one_of(
      "`#rrggbb`, a list of 3 numbers from 0 to 1, or a colour name",
      {text("`#rrggbb` or a colour name"), vector_of(3, dimension::none, at_least(0, 1))});
}

Type motion_type() {
  const Record keyframe{
      "keyframe",
      "Where the body frame is at a time.",
      {required("time", number(dimension::time, any()), "when"),
       optional("position", position_type(), "where", "the body's own"),
       optional("orientation", orientation_type(), "how it is turned", "the body's own")},
      true};
  const Record keyframes{
      "keyframe script",
      "The body passes through given poses; before the first and after the last it rests.",
      {required("keyframes", list_of(record(share(keyframe)), 1), "poses, in the order of time"),
       optional("interpolation", choice({"cubic", "linear"}), "how it moves between them",
                "cubic")},
      true};
  const Record rotation{"rotation",
                        "A turn about a fixed world axis.",
                        {required("axis", direction_type(), "axis of the turn"),
                         required("angle", formula({"t"}), "angle in radians")},
                        true};
  const Record formulas{
      "formula script",
      "The body follows formulas of the time t; its orientation is rotation(t) * orientation.",
      {optional("position", tuple_of(3, formula({"t"})), "world position of the body frame",
                "the body's own"),
       optional("rotation", record(share(rotation)), "turn applied after `orientation`", "none")},
      true};
  return one_of("`dynamic`, `fixed`, {keyframes: [...]}, or {position: [...], rotation: {...}}",
                {choice({"dynamic", "fixed"}), record(share(keyframes)), record(share(formulas))});
}

Type repeat_type() {
  return record(share(
      {"repeat",
       "A grid of copies, named like brick[0,0,0].",
       {required("count", tuple_of(3, integer(1, 1e6)), "copies along x, y and z"),
        required("spacing", vector_of(3, dimension::length, any()), "distance between neighbours")},
       true}));
}

Type part_type() {
  Record part{"part", "One piece of a union: a shape with a place of its own.", {}, true};
  part.keys = shape_record()->keys;
  part.keys.push_back(
      optional("shape", variant(shape_record()), "the shape; or its key stands here directly"));
  part.keys.push_back(
      optional("position", position_type(), "place of the part in the body frame", "[0, 0, 0]"));
  part.keys.push_back(optional("orientation", orientation_type(),
                               "how the part is turned in the body frame", "[1, 0, 0, 0]"));
  part.keys.push_back(
      optional("material", material_type(), "material of the part", "the body's own"));
  return record(share(std::move(part)));
}

std::vector<Key> substance_keys() {
  return {
      optional("shape", variant(shape_record()), "what the body is; this or `shapes`"),
      optional("shapes", list_of(part_type(), 1), "the parts of a union; this or `shape`"),
      optional("material", material_type(), "what it is made of",
               "density 1000, friction 0, restitution 0"),
      optional("mass", number(dimension::mass, positive(largest_number)),
               "whole mass; this or `density`"),
      optional("density", number(dimension::density, positive(largest_number)),
               "mass per volume, of a sheet per area; this or `mass`",
               "the material's; of a sheet 0.2 kg/m^2"),
      optional("inertia", vector_of(6, dimension::inertia, any()),
               "[xx, yy, zz, xy, xz, yz] about the centre of mass in body axes", "the shape's"),
      optional("com", position_type(), "centre of mass in the body frame", "the shape's"),
  };
}

std::vector<Key> pose_and_motion_keys() {
  return {
      optional("position", position_type(), "place of the body frame", "[0, 0, 0]"),
      optional("orientation", orientation_type(), "how the body frame is turned", "[1, 0, 0, 0]"),
      optional("velocity", vector_of(3, dimension::velocity, any()),
               "velocity of the centre of mass at time 0", "[0, 0, 0]"),
      optional("angular_velocity", vector_of(3, dimension::angular_velocity, any()),
               "angular velocity at time 0, in world axes", "[0, 0, 0]"),
      optional("motion", motion_type(), "how it moves", "dynamic"),
      optional("repeat", repeat_type(), "a grid of copies"),
      optional("flexible", flexible_type(), "makes the body elastic", "the body is rigid"),
      optional("boundary", boundary_type(),
               "how finely contact sees the surface of a flexible body",
               "its own faces; of order 2, five cells along the longest side"),
      optional("deformation", deformation_type(),
               "of a flexible body: F at time 0, row by row, in place of `orientation`; of order 2 "
               "also all 10 columns of R",
               "none"),
      optional("deformation_rate", deformation_type(),
               "of a flexible body: the rate of F, or of R, at time 0, in place of "
               "`angular_velocity`",
               "none"),
      optional("color", color_type(), "colour in pictures"),
  };
}

}  // namespace

Type position_type() {
  return vector_of(3, dimension::length, any());
}
Type direction_type() {
  return vector_of(3, dimension::none, any());
}

Type orientation_type() {
  const Record axis_angle{"turn about an axis",
                          "A turn about an axis.",
                          {required("axis", direction_type(), "axis of the turn"),
                           required("angle", angle(), "angle of the turn")},
                          true};
  const Record euler{
      "three turns",
      "Turns about the fixed axes x, then y, then z.",
      {required("euler", vector_of(3, dimension::angle, any()), "[roll, pitch, yaw]")},
      true};
  return one_of(
      "[w, x, y, z], {axis: [x, y, z], angle: number}, or {euler: [roll, pitch, yaw]}",
      {vector_of(4, dimension::none, any()), record(share(axis_angle)), record(share(euler))});
}

std::shared_ptr<const Record> body_record() {
  static const auto shared = [] {
    Record body{"body", "A body: what it is made of, where it is and how it moves.", {}, true};
    body.keys.push_back(required("name", text("a name"), "name, different from all others"));
    for (Key& key : substance_keys()) body.keys.push_back(std::move(key));
    for (Key& key : pose_and_motion_keys()) body.keys.push_back(std::move(key));
    return share(std::move(body));
  }();
  return shared;
}

const std::vector<std::pair<std::string, std::string>>& color_names() {
  static const std::vector<std::pair<std::string, std::string>> names = {
      {"black", "#000000"},   {"silver", "#c0c0c0"},  {"gray", "#808080"},  {"grey", "#808080"},
      {"white", "#ffffff"},   {"maroon", "#800000"},  {"red", "#ff0000"},   {"purple", "#800080"},
      {"fuchsia", "#ff00ff"}, {"magenta", "#ff00ff"}, {"green", "#008000"}, {"lime", "#00ff00"},
      {"olive", "#808000"},   {"yellow", "#ffff00"},  {"navy", "#000080"},  {"blue", "#0000ff"},
      {"teal", "#008080"},    {"aqua", "#00ffff"},    {"cyan", "#00ffff"},  {"orange", "#ffa500"},
  };
  return names;
}

}  // namespace abut::scene::format
