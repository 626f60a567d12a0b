#pragma once
// The surfaces of shapes as triangles with shared corners, fine enough for the body to bend.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "flexible/make.h"
#include "shape/shape.h"

namespace abut::flexible {

/// Corners on the surface of the solid, each once; triangles counter-clockwise from outside.
struct Surface {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// What a surface has to be like.
struct Fineness {
  std::optional<std::array<int, 3>> cells;  ///< of boxes
  double longest_edge = 0;                  ///< m; infinite: flat faces stay as they are
  bool mesh_too = false;                    ///< meshes are refined as well, not taken as they are
};

/// Halves all edges that `too_long` says are, at `middle`, until none is. Triangles beside keep
/// their corners in common.
void refine(Surface& surface, const std::function<bool(const Vec3&, const Vec3&)>& too_long,
            const std::function<Vec3(const Vec3&, const Vec3&)>& middle);

/// In the shape's own frame. Precondition: shape::has_cubature(geometry).
Surface surface_of(const shape::Geometry& geometry, const Fineness& fineness);

}  // namespace abut::flexible
