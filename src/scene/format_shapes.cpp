// The shapes: one key each, with its parameters.
#include "scene/format.h"

namespace abut::scene::format {
namespace {

Type shape(Record parameters) {
  return record(share(std::move(parameters)));
}

Key size_of(std::string name, std::string help) {
  return required(std::move(name), number(dimension::length, sizes()), std::move(help));
}

Key inverted() {
  return optional("inverted", flag(),
                  "the solid is outside: a bowl, for fixed or scripted bodies only", "false");
}

Key radii() {
  return required("radii", vector_of(3, dimension::length, sizes()), "half axes along x, y and z");
}

Key points_file() {
  return optional("file", text("the path of an OBJ, STL, PLY or glTF file"),
                  "mesh file, relative to the scene file");
}

Key scale() {
  return optional(
      "scale",
      one_of("a number, or a list of 3 numbers", {number(dimension::none, positive(1e9)),
                                                  vector_of(3, dimension::none, positive(1e9))}),
      "factor for all coordinates, or one for each axis", "1");
}

std::vector<Key> solids_of_revolution() {
  return {
      optional("capsule",
               shape({"capsule",
                      "All points near a segment along z.",
                      {size_of("radius", "radius of the cylinder and of its round ends"),
                       size_of("height", "length of the cylindrical part, without the ends")},
                      true}),
               "cylinder with round ends, along z"),
      optional(
          "cylinder",
          shape({"cylinder",
                 "Along z, centred.",
                 {size_of("radius", "radius of the cylinder"), size_of("height", "height along z")},
                 true}),
          "cylinder along z, centred"),
      optional(
          "cone",
          shape({"cone",
                 "Along z, centred; the apex is at the top.",
                 {size_of("radius", "radius of the base"), size_of("height", "height along z")},
                 true}),
          "cone along z, its apex at +height/2"),
      optional("torus",
               shape({"torus",
                      "A ring around the z axis.",
                      {size_of("radius", "from the axis to the centre of the tube"),
                       size_of("tube", "radius of the tube, less than `radius`")},
                      true}),
               "ring around the z axis"),
  };
}

std::vector<Key> quadrics() {
  return {
      optional("plane",
               shape({"plane",
                      "The half-space of all points x with normal . x <= offset.",
                      {optional("normal", direction_type(), "outward direction", "[0, 0, 1]"),
                       optional("offset", number(dimension::length, any()),
                                "distance from the origin along the normal", "0")},
                      true}),
               "half-space, for fixed or scripted bodies only"),
      optional(
          "sphere",
          shape({"sphere", "A ball.", {size_of("radius", "radius of the ball"), inverted()}, true}),
          "ball"),
      optional("ellipsoid", shape({"ellipsoid", "An ellipsoid.", {radii(), inverted()}, true}),
               "ellipsoid"),
      optional("superellipsoid",
               shape({"superellipsoid",
                      "((x/a)^(2/e2) + (y/b)^(2/e2))^(e2/e1) + (z/c)^(2/e1) <= 1.",
                      {radii(),
                       required("exponents", vector_of(2, dimension::none, at_least(0.01, 2)),
                                "[e1, e2]: e1 rounds the profile along z, e2 the cross-section"),
                       inverted()},
                      true}),
               "ellipsoid with adjustable roundness"),
  };
}

std::vector<Key> polyhedra() {
  return {
      optional("box",
               shape({"box",
                      "A cuboid, centred.",
                      {required("size", vector_of(3, dimension::length, sizes()),
                                "edge lengths along x, y and z")},
                      true}),
               "cuboid, centred"),
      optional("convex",
               shape({"convex",
                      "The convex hull of points, given here or in a file.",
                      {optional("points", list_of(position_type(), 4), "the points"), points_file(),
                       scale(),
                       optional("rounding", number(dimension::length, at_least(0, largest_size)),
                                "radius of balls around all points of the hull, which round its "
                                "edges and corners and make it larger on all sides",
                                "0")},
                      true}),
               "convex hull of points"),
      optional(
          "mesh",
          shape({"mesh",
                 "A closed surface of planar polygons, counter-clockwise from outside, given "
                 "here or in a file.",
                 {points_file(), optional("vertices", list_of(position_type(), 4), "corners"),
                  optional("faces", list_of(list_of(integer(0, 1e9), 3), 4),
                           "for each face the indices of its corners, counted from 0"),
                  scale(),
                  optional("mend", flag(),
                           "repair small faults of the surface instead of refusing it", "false")},
                 true}),
          "closed polyhedral surface"),
  };
}

std::vector<Key> user_surfaces() {
  const Type interval = vector_of(2, dimension::none, any());
  return {
      optional("implicit",
               shape({"implicit",
                      "All points where a function is negative. The surface must be smooth, in one "
                      "piece and closed within the bounds; it touches others if it is convex.",
                      {required("function", formula({"x", "y", "z"}), "negative inside"),
                       required("bounds", tuple_of(2, position_type()),
                                "two corners of a box around the solid, the lower one first")},
                      true}),
               "solid where a function is negative"),
      optional(
          "parametric",
          shape({"parametric",
                 "What a surface given by functions of two parameters encloses. Opposite sides "
                 "of the ranges must meet, or shrink to a point each; it touches others if it "
                 "is convex.",
                 {required("x", formula({"u", "v"}), "x of the surface"),
                  required("y", formula({"u", "v"}), "y of the surface"),
                  required("z", formula({"u", "v"}), "z of the surface"),
                  required("u", interval, "range of u"), required("v", interval, "range of v")},
                 true}),
          "solid within a surface given by functions of two parameters"),
  };
}

std::vector<Key> sheets() {
  return {optional("sheet", record(sheet_record()), "flexible surface, a body of its own")};
}

Record make_shapes() {
  Record shapes{
      "shape", "What a body, or a part of it, is made of: exactly one of these keys.", {}, true};
  for (auto* group : {quadrics, solids_of_revolution, polyhedra, user_surfaces, sheets}) {
    for (Key& key : group()) shapes.keys.push_back(std::move(key));
  }
  return shapes;
}

}  // namespace

std::shared_ptr<const Record> shape_record() {
  static const auto shared = share(make_shapes());
  return shared;
}

}  // namespace abut::scene::format
