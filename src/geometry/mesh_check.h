#pragma once
// Is a mesh the surface of a solid? If not: what is wrong, where, and how to mend it.
//
// A surface passes if its faces are simple planar polygons, every edge is used as often in one
// direction as in the other, faces meet in common edges and corners only, and all face outwards.
// Any genus, several pieces, cavities (inner shells that face inwards), and pieces that meet in an
// edge or a corner are legal. Vertices at exactly the same place count as one.

#include <cstddef>
#include <string>
#include <vector>

#include "abut/diagnostics.h"
#include "geometry/polygon_mesh.h"

namespace abut::geometry {

enum class MeshProblemKind {
  no_faces,
  bad_index,  ///< a corner that is no vertex, or a face of fewer than 3 corners
  non_finite_vertex,
  degenerate_face,  ///< without area, or with a corner twice in a row
  nonplanar_face,   ///< bent by more than planarity_tolerance of geometry/polygon.h allows

  crossing_face,   ///< a polygon whose sides cross or touch each other
  duplicate_face,  ///< the same corners as another face
  open_edge,
  inconsistent_orientation,  ///< two neighbours use their common edge in the same direction
  self_intersection,
  inside_out,
  coincident_vertices,  ///< a warning: they are taken as one
  unused_vertex         ///< a warning: it is ignored
};

/// All problems of one kind together; the place is that of the first.
struct MeshProblem {
  MeshProblemKind kind = MeshProblemKind::no_faces;
  Severity severity = Severity::error;
  std::size_t count = 0;      ///< how many of this kind there are
  std::vector<int> faces;     ///< of the first, counted from 0
  std::vector<int> vertices;  ///< of the first, counted from 0
  Vec3 point = Vec3::Zero();  ///< where the first is
  double bend = 0;            ///< how far the first face is from planar, m
  std::string message;        ///< what is wrong, where, how many of its kind, how to mend it
};

/// Pairs of crossing triangles beyond this number are not looked for: the mesh is broken, and
/// counting them could cost the square of its size.
inline constexpr std::size_t most_crossings = 1000;

/// Everything that is wrong with the mesh, errors before warnings; empty for a faultless closed
/// surface.
std::vector<MeshProblem> check_closed_surface(const PolygonMesh& mesh);

/// True if one of the problems is an error.
bool has_error(const std::vector<MeshProblem>& problems);

}  // namespace abut::geometry
