#include "geometry/mesh_check.h"

#include <algorithm>

#include "geometry/duplicate_faces.h"
#include "geometry/mesh_edges.h"
#include "geometry/mesh_problem_text.h"
#include "geometry/mesh_shells.h"
#include "geometry/mesh_weld.h"
#include "geometry/polygon.h"
#include "geometry/self_intersection.h"

namespace abut::geometry {
namespace {

/// Collects what is wrong: the first of each kind and the number of them all.
class Findings {
 public:
  /// The problem to describe if this is the first of its kind, otherwise nothing.
  MeshProblem* add(MeshProblemKind kind, std::size_t times = 1) {
    for (MeshProblem& problem : problems_) {
      if (problem.kind != kind) continue;
      problem.count += times;
      return nullptr;
    }
    problems_.push_back({});
    problems_.back().kind = kind;
    problems_.back().count = times;
    return &problems_.back();
  }

  bool has(MeshProblemKind kind) const { return count(kind) > 0; }

  std::size_t count(MeshProblemKind kind) const {
    for (const MeshProblem& problem : problems_) {
      if (problem.kind == kind) return problem.count;
    }
    return 0;
  }

  bool empty() const { return problems_.empty(); }
  std::vector<MeshProblem>& problems() { return problems_; }

 private:
  std::vector<MeshProblem> problems_;
};

class SurfaceCheck {
 public:
  explicit SurfaceCheck(const PolygonMesh& mesh) : mesh_(mesh), points_(mesh.vertices) {}

  std::vector<MeshProblem> run() {
    check_data();
    if (findings_.empty()) {
      weld();
      check_faces();
      check_duplicates();
      check_edges();
      check_crossings();
      check_facing();
      check_vertices();
    }
    describe_all();
    return std::move(findings_.problems());
  }

 private:
  void add(MeshProblemKind kind, std::vector<int> faces, std::vector<int> vertices,
           const Vec3& point, double bend = 0) {
    MeshProblem* problem = findings_.add(kind);
    if (problem == nullptr) return;
    problem->faces = std::move(faces);
    problem->vertices = std::move(vertices);
    problem->point = point;
    problem->bend = bend;
  }

  void check_data() {
    if (mesh_.faces.empty()) findings_.add(MeshProblemKind::no_faces);
    for (int f = 0; f < static_cast<int>(mesh_.faces.size()); ++f) {
      const std::vector<int>& face = mesh_.faces[f];
      if (face.size() < 3) add(MeshProblemKind::bad_index, {f}, face, Vec3::Zero());
      for (const int corner : face) {
        if (corner < 0 || corner >= static_cast<int>(points_.size())) {
          add(MeshProblemKind::bad_index, {f}, {corner}, Vec3::Zero());
        }
      }
    }
    for (int v = 0; v < static_cast<int>(points_.size()); ++v) {
      if (!points_[v].allFinite()) add(MeshProblemKind::non_finite_vertex, {}, {v}, points_[v]);
    }
  }

  void weld() {
    representative_ = first_equal_points(points_);
    faces_ = mesh_.faces;
    for (std::vector<int>& face : faces_) {
      for (int& corner : face) corner = representative_[corner];
    }
  }

  // Each face by itself; those that are polygons with an area become triangles.
  void check_faces() {
    usable_.assign(faces_.size(), false);
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      const std::vector<int>& face = faces_[f];
      if (is_degenerate(points_, face)) {
        add(MeshProblemKind::degenerate_face, {f}, face, centre_of(points_, face));
        continue;
      }
      if (!is_planar(points_, face)) {
        add(MeshProblemKind::nonplanar_face, {f}, face, centre_of(points_, face),
            bend_of(points_, face));
      }
      const auto triangles = triangulated(points_, face);
      if (!triangles) {
        add(MeshProblemKind::crossing_face, {f}, face, centre_of(points_, face));
        continue;
      }
      usable_[f] = true;
      for (const std::array<int, 3>& corners : *triangles) triangles_.push_back({corners, f});
    }
  }

  void check_duplicates() {
    const std::vector<int> original = first_faces_with_same_corners(faces_);
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      if (original[f] == f || !usable_[f]) continue;
      add(MeshProblemKind::duplicate_face, {original[f], f}, faces_[f],
          centre_of(points_, faces_[f]));
      usable_[f] = false;
    }
  }

  void check_edges() {
    for_each_edge(edge_uses(faces_), [&](std::span<const EdgeUse> edge) {
      if (balance_of(edge) == 0) return;
      std::vector<int> faces;
      for (const EdgeUse& use : edge) faces.push_back(use.face);
      const bool odd = edge.size() % 2 == 1;
      const Vec3 middle = points_[edge[0].low] / 2 + points_[edge[0].high] / 2;
      add(odd ? MeshProblemKind::open_edge : MeshProblemKind::inconsistent_orientation,
          std::move(faces), {edge[0].low, edge[0].high}, middle);
    });
  }

  void check_crossings() {
    std::vector<MeshTriangle> distinct;
    for (const MeshTriangle& triangle : triangles_) {
      if (usable_[triangle.face]) distinct.push_back(triangle);
    }
    for (const auto& [a, b] : crossing_faces(points_, distinct, most_crossings)) {
      add(MeshProblemKind::self_intersection, {a, b}, {},
          centre_of(points_, faces_[a]) / 2 + centre_of(points_, faces_[b]) / 2);
    }
  }

  // Which way is outside is known only for a surface that has an inside, and how shells are nested
  // only if they do not cross.
  void check_facing() {
    for (const MeshProblemKind kind :
         {MeshProblemKind::open_edge, MeshProblemKind::inconsistent_orientation,
          MeshProblemKind::crossing_face, MeshProblemKind::duplicate_face}) {
      if (findings_.has(kind)) return;
    }
    const Shells shells = shells_of(faces_);
    if (shells.count > 1 && findings_.has(MeshProblemKind::self_intersection)) return;
    const std::vector<bool> wrong = wrongly_facing(points_, triangles_, shells);
    for (int s = 0; s < shells.count; ++s) {
      if (!wrong[s]) continue;
      const auto first = std::find(shells.of_face.begin(), shells.of_face.end(), s);
      const int f = static_cast<int>(first - shells.of_face.begin());
      add(MeshProblemKind::inside_out, {f}, {}, centre_of(points_, faces_[f]));
    }
  }

  void check_vertices() {
    std::vector<bool> used(points_.size(), false);
    for (const std::vector<int>& face : mesh_.faces) {
      for (const int corner : face) used[corner] = true;
    }
    for (int v = 0; v < static_cast<int>(points_.size()); ++v) {
      if (!used[v]) {
        add(MeshProblemKind::unused_vertex, {}, {v}, points_[v]);
      } else if (representative_[v] != v) {
        add(MeshProblemKind::coincident_vertices, {}, {representative_[v], v}, points_[v]);
      }
    }
  }

  void describe_all() {
    for (MeshProblem& problem : findings_.problems()) {
      const bool harmless = problem.kind == MeshProblemKind::coincident_vertices ||
                            problem.kind == MeshProblemKind::unused_vertex;
      problem.severity = harmless ? Severity::warning : Severity::error;
      problem.message = describe(problem, mesh_);
    }
  }

  const PolygonMesh& mesh_;
  const std::vector<Vec3>& points_;
  std::vector<int> representative_;
  std::vector<std::vector<int>> faces_;  ///< with equal vertices replaced by the first of them
  std::vector<bool> usable_;             ///< for the test of crossings
  std::vector<MeshTriangle> triangles_;
  Findings findings_;
};

}  // namespace

std::vector<MeshProblem> check_closed_surface(const PolygonMesh& mesh) {
  return SurfaceCheck(mesh).run();
}

bool has_error(const std::vector<MeshProblem>& problems) {
  return std::any_of(problems.begin(), problems.end(), [](const MeshProblem& problem) {
    return problem.severity == Severity::error;
  });
}

}  // namespace abut::geometry
