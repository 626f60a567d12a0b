#pragma once
// How well places and normals at cells of a mesh are known. Included by .cpp files only.

#include "base/limits.h"

namespace abut::contact {

// Difference of unit vectors that are one normal: what a face of a metre is off by at the contact
// distance is less.
inline constexpr double own_normal = 1e-6;

// Roundings of coordinates relative to the size of the bodies (dimensionless).
inline constexpr double point_rounding = 64 * epsilon;

// Places are told apart beyond this multiple of the tolerance of regions.
inline constexpr double same_place = 4;

// Places of a smooth part that are one, as its nearest points are known: of its size, and between
// unit normals (dimensionless). Where it touches two faces at a time their normals differ by more.
inline constexpr double same_curved_place = 1e-6, same_curved_normal = 1e-4;

}  // namespace abut::contact
