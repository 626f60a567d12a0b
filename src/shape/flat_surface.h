#pragma once
// The surface of a shape whose faces are all flat.

#include <memory>

#include "shape/shape.h"

namespace abut::shape {

/// Of a box (faces -x, +x, -y, +y, -z, +z), a hull without rounding or a mesh; null of all others.
std::shared_ptr<const geometry::PolygonMesh> flat_surface(const Geometry& geometry);

}  // namespace abut::shape
