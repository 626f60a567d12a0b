#pragma once
// The elements of a surface that bodies touch with.

#include <cstdint>

namespace abut::geometry {

enum class FeatureKind : std::uint8_t {
  vertex,
  edge,
  face,
  smooth,  ///< the surface of a sphere, a capsule or a curved solid
};

/// `index` counts the vertices, edges or faces of a ConvexPolyhedron.
struct Feature {
  FeatureKind kind = FeatureKind::vertex;
  int index = 0;

  bool operator==(const Feature&) const = default;
};

}  // namespace abut::geometry
