#include "geometry/mesh_problem_text.h"

#include <fmt/core.h>

namespace abut::geometry {
namespace {

std::string place(const Vec3& p) {
  return fmt::format("({:.9g}, {:.9g}, {:.9g})", p.x(), p.y(), p.z());
}

/// `, one of 12` where there are more than the one that is described.
std::string one_of(const MeshProblem& problem) {
  if (problem.count <= 1) return "";
  const bool gave_up =
      problem.kind == MeshProblemKind::self_intersection && problem.count >= most_crossings;
  return fmt::format(", one of {}{}", problem.count, gave_up ? " or more" : "");
}

/// `from vertex 3 (0, 0, 0) to vertex 5 (1, 0, 0)`.
std::string edge_text(const MeshProblem& problem, const PolygonMesh& mesh) {
  const int a = problem.vertices[0];
  const int b = problem.vertices[1];
  return fmt::format("from vertex {} {} to vertex {} {}", a, place(mesh.vertices[a]), b,
                     place(mesh.vertices[b]));
}

std::string bad_index_text(const MeshProblem& problem, const PolygonMesh& mesh) {
  const int face = problem.faces[0];
  const std::size_t corners = mesh.faces[face].size();
  if (corners < 3) {
    return fmt::format("face {} has {} corners{}, but must have at least 3; complete or remove it",
                       face, corners, one_of(problem));
  }
  return fmt::format(
      "face {} has the corner {}{}, but there are {} vertices, counted from 0; mend "
      "the index",
      face, problem.vertices[0], one_of(problem), mesh.vertices.size());
}

std::string open_edge_text(const MeshProblem& problem, const PolygonMesh& mesh) {
  const std::string who = problem.faces.size() == 1
                              ? fmt::format("face {} has no neighbour", problem.faces[0])
                              : fmt::format("face {} and {} others, an odd number, meet",
                                            problem.faces[0], problem.faces.size() - 1);
  return fmt::format(
      "the surface is not closed: {} at the edge {}{}; add or remove faces, or set "
      "'mend: true' if vertices that should be one differ by rounding",
      who, edge_text(problem, mesh), one_of(problem));
}

std::string face_text(const MeshProblem& problem) {
  const int face = problem.faces[0];
  const std::string at = place(problem.point);
  const std::string more = one_of(problem);
  switch (problem.kind) {
    case MeshProblemKind::degenerate_face:
      return fmt::format(
          "face {} at {} has no area or a corner twice in a row{}; remove it, or set 'mend: "
          "true'",
          face, at, more);
    case MeshProblemKind::nonplanar_face:
      return fmt::format(
          "face {} at {} is bent by {:.3g} m{}; split it into triangles, give its "
          "corners with more digits, or set 'mend: true'",
          face, at, problem.bend, more);
    case MeshProblemKind::crossing_face:
      return fmt::format(
          "sides of face {} at {} cross or touch each other{}; list its corners in "
          "order around it, or split it",
          face, at, more);
    default:
      return fmt::format(
          "face {} at {} has the same corners as face {}{}; remove one or both, or "
          "set 'mend: true'",
          problem.faces[1], at, face, more);
  }
}

}  // namespace

std::string describe(const MeshProblem& problem, const PolygonMesh& mesh) {
  const std::string at = place(problem.point);
  const std::string more = one_of(problem);
  switch (problem.kind) {
    case MeshProblemKind::no_faces:
      return "the mesh has no faces; list the corners of each face";
    case MeshProblemKind::bad_index:
      return bad_index_text(problem, mesh);
    case MeshProblemKind::non_finite_vertex:
      return fmt::format("vertex {} is {}{}, but must be finite; mend or remove it",
                         problem.vertices[0], at, more);
    case MeshProblemKind::degenerate_face:
    case MeshProblemKind::nonplanar_face:
    case MeshProblemKind::crossing_face:
    case MeshProblemKind::duplicate_face:
      return face_text(problem);
    case MeshProblemKind::open_edge:
      return open_edge_text(problem, mesh);
    case MeshProblemKind::inconsistent_orientation:
      return fmt::format(
          "faces {} and {} turn opposite sides outwards at their common edge {}{}; "
          "reverse the corners of one of them, or set 'mend: true'",
          problem.faces[0], problem.faces[1], edge_text(problem, mesh), more);
    case MeshProblemKind::self_intersection:
      return fmt::format(
          "faces {} and {} near {} cross or touch each other{}; move them apart, or "
          "unite the pieces they belong to",
          problem.faces[0], problem.faces[1], at, more);
    case MeshProblemKind::inside_out:
      return fmt::format(
          "the surface that face {} at {} belongs to is inside out{}; list the "
          "corners of its faces counter-clockwise seen from outside the solid, or "
          "set 'mend: true'",
          problem.faces[0], at, more);
    case MeshProblemKind::coincident_vertices:
      return fmt::format("vertices {} and {} are both at {}{}; they are taken as one",
                         problem.vertices[0], problem.vertices[1], at, more);
    case MeshProblemKind::unused_vertex:
      break;
  }
  return fmt::format("vertex {} at {} belongs to no face{}; it is ignored", problem.vertices[0], at,
                     more);
}

}  // namespace abut::geometry
