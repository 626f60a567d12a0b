#pragma once
// Smooth surfaces over a grid of two parameters. Included by .cpp files only.

#include <functional>
#include <numbers>

#include "record/display_mesh.h"

namespace abut::record {

/// A point of a surface and the outward normal there, of any length.
struct SurfacePoint {
  Vec3 position;
  Vec3 normal;
};

struct GridSize {
  int u = 0, v = 0;  ///< cells along each parameter
};

/// Adds the surface (u, v) -> point with u, v in [0, 1], counter-clockwise where u runs eastward
/// and v northward as seen from outside. Cells that shrink to a line or a point are left out.
void add_grid(DisplayMesh& mesh, GridSize size,
              const std::function<SurfacePoint(double u, double v)>& surface);

/// Adds a disc of radius 1 about (0, 0, z) that faces up or down, and its rim as a crease.
void add_disc(DisplayMesh& mesh, double z, bool faces_up, int segments);

inline constexpr double full_turn = 2 * std::numbers::pi;

}  // namespace abut::record
