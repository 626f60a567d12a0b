#pragma once
// Every bounded shape once, for tests that hold for all of them.

#include <memory>
#include <vector>

#include "shape/shape.h"
#include "unit/geometry/mesh_samples.h"

namespace samples {

inline std::shared_ptr<const PolygonMesh> shared(PolygonMesh mesh) {
  return std::make_shared<const PolygonMesh>(std::move(mesh));
}

/// All bounded shapes with lengths in multiples of `unit`.
inline std::vector<abut::shape::Geometry> bounded_shapes(double unit) {
  namespace shape = abut::shape;
  const double u = unit;
  return {
      shape::Sphere{0.7 * u},
      shape::Ellipsoid{Vec3(0.5, 0.8, 1.3) * u},
      shape::Superellipsoid{Vec3(0.5, 0.8, 1.3) * u, 0.4, 1.7},
      shape::Superellipsoid{Vec3(0.9, 0.6, 0.3) * u, 1.2, 0.3},
      shape::Capsule{0.4 * u, 1.1 * u},
      shape::Cylinder{0.6 * u, 0.5 * u},
      shape::Cone{0.6 * u, 1.4 * u},
      shape::Torus{1.1 * u, 0.3 * u},
      shape::Box{Vec3(0.3, 0.9, 2.1) * u},
      shape::Convex{shared(moved(octahedron(1), Vec3(0.1, 0.2, -0.3) * u, Quat::Identity(), u))},
      shape::Convex{shared(moved(octahedron(1), Vec3(0.2, 0.1, 0.3) * u, Quat::Identity(), u)),
                    0.2 * u},
      shape::Mesh{shared(moved(tetrahedron(), Vec3(0.4, -0.2, 0.3) * u, Quat::Identity(), u))}};
}

}  // namespace samples
