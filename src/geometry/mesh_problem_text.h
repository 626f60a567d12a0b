#pragma once
// What to tell the user about a problem of a mesh.

#include <string>

#include "geometry/mesh_check.h"

namespace abut::geometry {

/// One line: what is wrong, where, how many of its kind there are, and how to mend it.
std::string describe(const MeshProblem& problem, const PolygonMesh& mesh);

}  // namespace abut::geometry
