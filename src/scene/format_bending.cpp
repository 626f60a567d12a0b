// Bodies that bend: elastic solids and sheets.
#include "scene/format.h"

namespace abut::scene::format {
namespace {

/// Moduli and stiffnesses beyond this are no material's: diamond has 1e12 Pa.
constexpr double largest_stiffness = 1e15;

constexpr Dimension area_density{-2, 1, 0, 0};

/// Cells of a sheet along a side, and of a boundary along an edge.
constexpr double most_sheet_cells = 500;
constexpr double most_boundary_cells = 100;

Type spring_stiffness() {
  return number(dimension::stiffness, at_least(0, largest_stiffness));
}

Type node_type() {
  return tuple_of(2, integer(0, most_sheet_cells));
}

Type attach_type() {
  return list_of(record(share({"seam",
                               "A node of a sheet that is sewn to a body.",
                               {required("node", node_type(), "[i, j] of the node"),
                                required("body", text("the name of a body"), "what it is sewn to")},
                               true})));
}

}  // namespace

Type flexible_type() {
  return record(share(
      {"flexible",
       "An elastic body: its points move by a polynomial of degree 1 or 2 of their places at rest, "
       "and a St. Venant-Kirchhoff energy holds it together.",
       {optional("order", integer(1, 2), "degree of the deformation", "1"),
        required("young", number(dimension::pressure, positive(largest_stiffness)),
                 "Young's modulus"),
        optional("poisson", number(dimension::none, {-1, 0.5, true}),
                 "Poisson's ratio, above -1 and below 0.5", "0.3"),
        optional("damping", number(dimension::time, at_least(0, largest_stiffness)),
                 "time by which the rate of strain adds to the strain in the stress", "0"),
        optional("boundary", boundary_type(), "the same as the body's `boundary`"),
        optional("deformation", deformation_type(), "the same as the body's `deformation`"),
        optional("deformation_rate", deformation_type(),
                 "the same as the body's `deformation_rate`")},
       true}));
}

Type boundary_type() {
  return record(
      share({"boundary",
             "The triangles by which a flexible body touches others.",
             {optional("cells", tuple_of(3, integer(1, most_boundary_cells)),
                       "of boxes: squares along the edges in x, y and z, each of two triangles"),
              optional("edge", number(dimension::length, sizes()), "longest edge of a triangle")},
             true}));
}

Type deformation_type() {
  return tuple_of(3, list_of(number(dimension::none, any()), 3));
}

std::shared_ptr<const Record> sheet_record() {
  return share(
      {"sheet",
       "A flexible surface in the xy plane of the body frame, centred: point masses at the corners "
       "of its cells, joined by springs.",
       {required("size", vector_of(2, dimension::length, sizes()), "edge lengths along x and y"),
        required("cells", tuple_of(2, integer(1, most_sheet_cells)), "cells along x and y"),
        required("stretch", spring_stiffness(), "springs along the edges of cells"),
        optional("shear", spring_stiffness(), "springs along both diagonals of cells", "0"),
        optional("bend", spring_stiffness(), "springs across two cells in a row", "0"),
        optional("damping", number(dimension::damping, at_least(0, largest_stiffness)),
                 "dampers along all springs", "0"),
        optional("thickness", number(dimension::length, sizes()),
                 "contact is at half of it from the surface, on both sides", "0.001"),
        optional("density", number(area_density, positive(largest_number)),
                 "mass per area; here or as the body's `density`", "0.2"),
        optional("pins", list_of(node_type()), "nodes [i, j] fixed to the world where they start",
                 "none"),
        optional("attach", attach_type(), "nodes sewn to bodies where they start", "none")},
       true});
}

}  // namespace abut::scene::format
