#include "geometry/mesh_mend.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "geometry/duplicate_faces.h"
#include "geometry/mesh_edges.h"
#include "geometry/mesh_shells.h"
#include "geometry/mesh_weld.h"
#include "geometry/polygon.h"

namespace abut::geometry {
namespace {

using FaceList = std::vector<std::vector<int>>;
using Edge = std::pair<int, int>;

Edge edge_between(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

bool has_usable_corners(const PolygonMesh& mesh, const std::vector<int>& face) {
  return face.size() >= 3 && std::all_of(face.begin(), face.end(), [&](int corner) {
           return corner >= 0 && corner < static_cast<int>(mesh.vertices.size()) &&
                  mesh.vertices[corner].allFinite();
         });
}

/// The mesh without the vertices that no face uses.
PolygonMesh compacted(const PolygonMesh& mesh) {
  std::vector<int> own_index(mesh.vertices.size());
  std::iota(own_index.begin(), own_index.end(), 0);
  return with_representatives(mesh, own_index);
}

/// Precondition: every vertex is finite.
PolygonMesh welded(const PolygonMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3& vertex : mesh.vertices) box.extend(vertex);
  const double distance = mesh.vertices.empty() ? 0 : weld_tolerance * box.diagonal().norm();
  return with_representatives(mesh, first_near_points(mesh.vertices, distance));
}

/// Leaves out corners that follow themselves and spikes (a corner between two equal ones).
std::vector<int> without_repetitions(const std::vector<int>& face) {
  std::vector<int> result;
  for (const int corner : face) {
    if (!result.empty() && result.back() == corner) continue;
    if (result.size() >= 2 && result[result.size() - 2] == corner) {
      result.pop_back();
      continue;
    }
    result.push_back(corner);
  }
  for (;;) {
    const std::size_t n = result.size();
    if (n >= 2 && result.front() == result.back()) {
      result.pop_back();
    } else if (n >= 3 && result[n - 2] == result[0]) {
      result.resize(n - 2);
    } else if (n >= 3 && result[n - 1] == result[1]) {
      result.erase(result.begin(), result.begin() + 2);
    } else {
      return result;
    }
  }
}

/// The corner of a degenerate triangle that lies between the other two.
int middle_corner(const std::vector<Vec3>& points, const std::vector<int>& triangle) {
  int middle = 0;
  double longest = -1;
  for (int i = 0; i < 3; ++i) {
    const double opposite = (points[triangle[(i + 1) % 3]] - points[triangle[(i + 2) % 3]]).norm();
    if (opposite > longest) {
      longest = opposite;
      middle = i;
    }
  }
  return middle;
}

/// A triangle without area closes the gap between one long side and two short ones. To drop it
/// without leaving a gap, its middle corner becomes one of the neighbour along the long side.
class DegenerateTriangles {
 public:
  explicit DegenerateTriangles(PolygonMesh& mesh) : mesh_(mesh) {
    for (const EdgeUse& use : edge_uses(mesh.faces))
      at_edge_[{use.low, use.high}].push_back(use.face);
  }

  /// Clears the faces that it can take away.
  void dissolve() {
    for (int f = 0; f < static_cast<int>(mesh_.faces.size()); ++f) {
      const std::vector<int> face = mesh_.faces[f];
      if (face.size() != 3 || !is_degenerate(mesh_.vertices, face)) continue;
      const int m = middle_corner(mesh_.vertices, face);
      if (give_corner_to_neighbour(f, face[(m + 2) % 3], face[m], face[(m + 1) % 3])) {
        mesh_.faces[f].clear();
      }
    }
  }

 private:
  bool give_corner_to_neighbour(int dropped, int from, int middle, int to) {
    for (const int f : at_edge_[edge_between(from, to)]) {
      std::vector<int>& face = mesh_.faces[f];
      if (f == dropped || std::find(face.begin(), face.end(), middle) != face.end()) continue;
      for (std::size_t i = 0; i < face.size(); ++i) {
        const int a = face[i];
        const int b = face[(i + 1) % face.size()];
        if (edge_between(a, b) != edge_between(from, to)) continue;
        face.insert(face.begin() + static_cast<std::ptrdiff_t>(i) + 1, middle);
        at_edge_[edge_between(from, middle)].push_back(f);
        at_edge_[edge_between(middle, to)].push_back(f);
        return true;
      }
    }
    return false;
  }

  PolygonMesh& mesh_;
  std::map<Edge, std::vector<int>> at_edge_;  ///< may list faces that have left
};

void drop_degenerate_faces(PolygonMesh& mesh) {
  for (std::vector<int>& face : mesh.faces) face = without_repetitions(face);
  std::erase_if(mesh.faces, [](const std::vector<int>& face) { return face.size() < 3; });
  DegenerateTriangles(mesh).dissolve();
  std::erase_if(mesh.faces, [&](const std::vector<int>& face) {
    return face.empty() || is_degenerate(mesh.vertices, face);
  });
}

/// Of faces on each other, one stays if it is needed to close the surface, that is if the other
/// faces at its edges are odd in number; otherwise all go, as at a wall between two solids.
void drop_duplicate_faces(FaceList& faces) {
  const std::vector<int> first = first_faces_with_same_corners(faces);
  std::map<int, int> copies;
  for (const int f : first) ++copies[f];
  std::map<Edge, int> uses;
  for (const EdgeUse& use : edge_uses(faces)) ++uses[{use.low, use.high}];
  FaceList kept;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (first[f] != static_cast<int>(f)) continue;
    const int count = copies[first[f]];
    const int others = uses[edge_between(faces[f][0], faces[f][1])] - count;
    if (count == 1 || others % 2 == 1) kept.push_back(faces[f]);
  }
  faces = std::move(kept);
}

void split_bent_faces(PolygonMesh& mesh) {
  FaceList faces;
  for (std::vector<int>& face : mesh.faces) {
    const auto triangles =
        is_planar(mesh.vertices, face) ? std::nullopt : triangulated(mesh.vertices, face);
    if (!triangles) {
      faces.push_back(std::move(face));
      continue;
    }
    for (const auto& [a, b, c] : *triangles) faces.push_back({a, b, c});
  }
  mesh.faces = std::move(faces);
}

/// Turns faces so that neighbours across edges of two faces agree, starting from the first face of
/// each piece.
void orient_consistently(FaceList& faces) {
  struct Neighbour {
    int face;
    bool agrees;
  };
  std::vector<std::vector<Neighbour>> neighbours(faces.size());
  for_each_edge(edge_uses(faces), [&](std::span<const EdgeUse> edge) {
    if (edge.size() != 2 || edge[0].face == edge[1].face) return;
    const bool agrees = edge[0].upwards != edge[1].upwards;
    neighbours[edge[0].face].push_back({edge[1].face, agrees});
    neighbours[edge[1].face].push_back({edge[0].face, agrees});
  });
  enum class State { unknown, kept, turned };
  std::vector<State> state(faces.size(), State::unknown);
  for (int start = 0; start < static_cast<int>(faces.size()); ++start) {
    if (state[start] != State::unknown) continue;
    state[start] = State::kept;
    std::vector<int> open = {start};
    while (!open.empty()) {
      const int f = open.back();
      open.pop_back();
      for (const Neighbour& neighbour : neighbours[f]) {
        if (state[neighbour.face] != State::unknown) continue;
        const bool turned = (state[f] == State::turned) == neighbour.agrees;
        state[neighbour.face] = turned ? State::turned : State::kept;
        open.push_back(neighbour.face);
      }
    }
  }
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (state[f] == State::turned) std::reverse(faces[f].begin(), faces[f].end());
  }
}

void turn_outwards(PolygonMesh& mesh) {
  std::vector<MeshTriangle> triangles;
  for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f) {
    const auto pieces = triangulated(mesh.vertices, mesh.faces[f]);
    if (!pieces) continue;
    for (const std::array<int, 3>& corners : *pieces) triangles.push_back({corners, f});
  }
  const Shells shells = shells_of(mesh.faces);
  const std::vector<bool> wrong = wrongly_facing(mesh.vertices, triangles, shells);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    if (wrong[shells.of_face[f]]) std::reverse(mesh.faces[f].begin(), mesh.faces[f].end());
  }
}

}  // namespace

PolygonMesh mended(const PolygonMesh& mesh) {
  PolygonMesh result = mesh;
  std::erase_if(result.faces,
                [&](const std::vector<int>& face) { return !has_usable_corners(mesh, face); });
  result = welded(compacted(result));
  drop_degenerate_faces(result);
  drop_duplicate_faces(result.faces);
  split_bent_faces(result);
  drop_duplicate_faces(result.faces);  // a piece of a bent face may lie on another
  orient_consistently(result.faces);
  turn_outwards(result);
  return compacted(result);
}

}  // namespace abut::geometry
