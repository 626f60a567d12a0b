#pragma once
// By what a mesh that a run keeps is known again.

#include <string>

#include "geometry/polygon_mesh.h"

namespace abut::record {

/// Of its vertices and faces, 16 hexadecimal digits.
std::string fingerprint(const geometry::PolygonMesh& mesh);

}  // namespace abut::record
