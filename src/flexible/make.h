#pragma once
// Bodies that bend, from shapes and materials.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "flexible/bending_body.h"
#include "shape/shape.h"

namespace abut::flexible {

/// Of a St. Venant-Kirchhoff solid.
struct SolidMaterial {
  double young = 0;    ///< Pa
  double poisson = 0;  ///< in (-1, 1/2)
  double damping = 0;  ///< s: the stress is that of E + damping dE/dt
};

/// How fine the boundary is; the default where neither is given.
struct BoundaryDetail {
  std::optional<std::array<int, 3>> cells;  ///< boxes: cells along the edges
  std::optional<double> edge;               ///< m: longest edge of a triangle
};

/// A solid made of parts posed in the body frame, densities theirs. Precondition: no part is
/// unbounded, order 1 or 2.
std::shared_ptr<const BendingBody> make_solid(int order, const std::vector<shape::Part>& parts,
                                              const SolidMaterial& material,
                                              const BoundaryDetail& detail);

struct SheetShape {
  double size_x = 0, size_y = 0;  ///< m
  int cells_x = 1, cells_y = 1;
  double stretch = 0, shear = 0, bend = 0;  ///< N/m
  double damping = 0;                       ///< N s/m
  double thickness = 0;                     ///< m
  double density = 0.2;                     ///< kg/m^2
};
std::shared_ptr<const BendingBody> make_sheet(const SheetShape& sheet);

}  // namespace abut::flexible
