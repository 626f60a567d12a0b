#pragma once
// What every mesh reader must do with any bytes: give a mesh or throw abut::InputError. Small
// meshes go on through the check and the mending, which must survive whatever a reader lets pass.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "abut/diagnostics.h"
#include "geometry/convex_hull.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"
#include "geometry/mesh_mend.h"
#include "shape/polyhedron_moments.h"

namespace fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline void check_mesh(const abut::geometry::PolygonMesh& mesh) {
  constexpr std::size_t most_faces = 200;
  constexpr std::size_t most_vertices = 400;
  if (mesh.faces.size() > most_faces || mesh.vertices.size() > most_vertices) return;
  for (const abut::geometry::MeshProblem& problem : abut::geometry::check_closed_surface(mesh)) {
    require(problem.count > 0 && !problem.message.empty());
  }
  const abut::geometry::PolygonMesh better = abut::geometry::mended(mesh);
  // What is mended stays so in every respect that mending promises.
  for (const abut::geometry::MeshProblem& problem : abut::geometry::check_closed_surface(better)) {
    require(problem.kind != abut::geometry::MeshProblemKind::bad_index);
    require(problem.kind != abut::geometry::MeshProblemKind::non_finite_vertex);
    require(problem.kind != abut::geometry::MeshProblemKind::unused_vertex);
    require(problem.kind != abut::geometry::MeshProblemKind::duplicate_face);
  }
  abut::shape::second_moments_of(better);
  try {
    require(abut::geometry::convex_hull(mesh.vertices).faces.size() >= 4);
  } catch (const abut::InputError&) {
    // Points without a volume have no hull.
  }
}

template <class Parser>
int run(Parser parse, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check_mesh(parse(bytes, "input", abut::geometry::Faces::required));
  } catch (const abut::InputError& error) {
    require(!error.diagnostics().empty());
  }
  return 0;
}

}  // namespace fuzz
