#pragma once
// The elements of a surface that bodies touch with.

#include <cstdint>

namespace abut::geometry {

enum class FeatureKind : std::uint8_t {
  vertex,
  edge,
  face,
  smooth,  ///< the surface of a sphere, a capsule or a curved solid, the side of a cylinder or cone
  rim_place,  ///< a material point of a rim
};

/// `index` counts the vertices, edges or faces of a ConvexPolyhedron. Of a cylinder or cone the
/// rims are edges, the apex is a vertex, both counted as its atoms, and the flat ends are faces,
/// counted as its discs (convex_surface.h); places on a rim are numbered by rim_place_index.
struct Feature {
  FeatureKind kind = FeatureKind::vertex;
  int index = 0;

  bool operator==(const Feature&) const = default;
};

/// Places that are told apart on a rim: a ten-thousandth of a radian.
inline constexpr int places_per_rim = 65536;

inline int rim_place_index(int atom, int place) {
  return atom * places_per_rim + place;
}

}  // namespace abut::geometry
