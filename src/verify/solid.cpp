#include "verify/solid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/overloaded.h"
#include "geometry/closed_surface.h"
#include "geometry/convex_hull.h"
#include "geometry/mesh_shells.h"
#include "geometry/polygon.h"
#include "shape/extent.h"
#include "verify/user_reach.h"

namespace abut::verify {
namespace {

using geometry::PolygonMesh;

/// Allowance for rounding when a box is turned into another frame, in units of its size: a dozen
/// operations of half an ulp each, generously.
constexpr double box_margin = 64 * 2.220446049250313e-16;

/// From the sum over the triangles of the face, which rounding in one of them hardly disturbs.
Vec3 normal_of(const std::vector<int>& face, const std::vector<Vec3>& points) {
  const auto corner = [&](std::size_t i) { return points[static_cast<std::size_t>(face[i])]; };
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 2; i < face.size(); ++i) {
    sum += (corner(i - 1) - corner(0)).cross(corner(i) - corner(0));
  }
  return sum.normalized();
}

void add_topology(Solid& solid) {
  std::map<std::pair<int, int>, int> face_of_side;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const auto& face = solid.faces[f];
    for (std::size_t i = 0; i < face.size(); ++i) {
      face_of_side[{face[i], face[(i + 1) % face.size()]}] = static_cast<int>(f);
      if (i >= 2) solid.triangles.push_back({face[0], face[i - 1], face[i]});
    }
    solid.normals.push_back(normal_of(face, solid.points));
  }
  for (const auto& [side, left] : face_of_side) {
    const auto [from, to] = side;
    if (from > to) continue;
    const auto twin = face_of_side.find({to, from});
    if (twin != face_of_side.end()) solid.edges.push_back({from, to, left, twin->second});
  }
}

Solid polyhedron(const PolygonMesh& mesh) {
  Solid solid;
  solid.kind = SolidKind::hull;
  solid.points = mesh.vertices;
  solid.faces = mesh.faces;
  add_topology(solid);
  return solid;
}

Solid box_solid(const shape::Box& box) {
  PolygonMesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vec3 signs((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5,
                     (i & 4) != 0 ? 0.5 : -0.5);
    mesh.vertices.emplace_back(signs.cwiseProduct(box.size));
  }
  mesh.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return polyhedron(mesh);
}

Solid rounded(std::vector<Vec3> points, double radius) {
  Solid solid;
  solid.kind = SolidKind::hull;
  solid.points = std::move(points);
  solid.radius = radius;
  return solid;
}

double extent_of(const std::vector<Vec3>& points) {
  double extent = 0;
  for (const Vec3& p : points) {
    extent = std::max(extent, (p - points.front()).cwiseAbs().maxCoeff());
  }
  return extent;
}

/// Faces of hulls and meshes with more than three corners are planar up to rounding only.
Solid hull_solid(const PolygonMesh& hull, double rounding = 0) {
  Solid solid = polyhedron(hull);
  solid.radius = rounding;
  const bool all_triangles = solid.triangles.size() == solid.faces.size();
  solid.flatness = all_triangles ? 0 : geometry::facet_tolerance * extent_of(hull.vertices);
  return solid;
}

/// Whether no corner lies above the plane of a face, up to rounding.
bool is_convex(const Solid& solid) {
  const double allowed = geometry::facet_tolerance * extent_of(solid.points);
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const Vec3& corner = solid.points[static_cast<std::size_t>(solid.faces[f].front())];
    for (const Vec3& p : solid.points) {
      if (solid.normals[f].dot(p - corner) > allowed) return false;
    }
  }
  return true;
}

PolygonMesh shell_of(const PolygonMesh& mesh, const geometry::Shells& shells, int shell) {
  PolygonMesh piece;
  std::map<int, int> index;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    if (shells.of_face[f] != shell) continue;
    auto& face = piece.faces.emplace_back();
    for (const int corner : mesh.faces[f]) {
      const auto [it, is_new] = index.try_emplace(corner, static_cast<int>(piece.vertices.size()));
      if (is_new) piece.vertices.push_back(mesh.vertices[static_cast<std::size_t>(corner)]);
      face.push_back(it->second);
    }
  }
  return piece;
}

/// A surface that is not convex, with its facets cut into triangles.
Solid mesh_solid(const PolygonMesh& mesh) {
  Solid solid;
  solid.kind = SolidKind::mesh;
  solid.points = mesh.vertices;
  bool all_triangles = true;
  std::vector<geometry::Box3> boxes;
  for (const std::vector<int>& face : mesh.faces) {
    all_triangles = all_triangles && face.size() == 3;
    for (const auto& triangle :
         geometry::triangulated(mesh.vertices, face)
             .value_or(std::vector<std::array<int, 3>>{{face[0], face[1], face[2]}})) {
      solid.triangles.push_back(triangle);
      geometry::Box3 box;
      for (const int v : triangle) box.extend(mesh.vertices[static_cast<std::size_t>(v)]);
      boxes.push_back(box);
    }
  }
  solid.tree = std::make_shared<const geometry::BoxTree>(std::move(boxes));
  solid.flatness = all_triangles ? 0 : geometry::facet_tolerance * extent_of(mesh.vertices);
  return solid;
}

/// One piece per shell. A shell within another bounds a cavity and faces inwards, so it does not
/// pass for convex.
std::vector<Solid> mesh_solids(const shape::Mesh& mesh) {
  const geometry::Shells shells = geometry::shells_of(mesh.surface->faces);
  std::vector<Solid> solids;
  for (int shell = 0; shell < shells.count; ++shell) {
    solids.push_back(hull_solid(shell_of(*mesh.surface, shells, shell)));
    if (!is_convex(solids.back())) return {mesh_solid(*mesh.surface)};
  }
  return solids;
}

Solid sphere_solid(const shape::Sphere& sphere) {
  Solid solid = rounded({Vec3::Zero()}, sphere.radius);
  if (sphere.inverted) solid.kind = SolidKind::bowl;
  return solid;
}

Solid curved(CurvedKind kind, const Vec3& radii, bool inverted = false, double e1 = 1,
             double e2 = 1) {
  Solid solid;
  // A superellipsoid with an exponent of 2 has corners, and no finite exponent of its dual.
  if (e1 >= 2 || e2 >= 2) return solid;
  solid.kind = inverted ? SolidKind::cavity : SolidKind::curved;
  solid.curved = kind;
  solid.radii = radii;
  solid.e1 = e1;
  solid.e2 = e2;
  return solid;
}

Solid ring(const shape::Torus& torus) {
  Solid solid;
  solid.kind = SolidKind::ring;
  solid.radii = Vec3(torus.radius, torus.radius, 0);
  solid.radius = torus.tube;
  return solid;
}

Solid user_solid(const shape::UserSurface& s) {
  Solid solid;
  if (!s.surface->is_convex()) return solid;
  solid.kind = SolidKind::curved;
  solid.curved = CurvedKind::user;
  solid.user = s.surface;
  solid.samples = samples_of(*s.surface);
  return solid;
}

Solid half_space(const shape::Plane& plane) {
  Solid solid;
  solid.kind = SolidKind::half_space;
  solid.normal = plane.normal;
  solid.offset = plane.offset;
  return solid;
}

std::vector<Solid> solids_in_part(const shape::Geometry& geometry) {
  using Solids = std::vector<Solid>;
  return std::visit(
      base::Overloaded{
          [](const shape::Plane& plane) { return Solids{half_space(plane)}; },
          [](const shape::Sphere& sphere) { return Solids{sphere_solid(sphere)}; },
          [](const shape::Capsule& capsule) {
            const Vec3 end(0, 0, 0.5 * capsule.height);
            return Solids{rounded({-end, end}, capsule.radius)};
          },
          [](const shape::Box& box) { return Solids{box_solid(box)}; },
          [](const shape::Convex& convex) {
            return Solids{hull_solid(*convex.hull, convex.rounding)};
          },
          [](const shape::Mesh& mesh) { return mesh_solids(mesh); },
          [](const shape::Torus& torus) { return Solids{ring(torus)}; },
          [](const shape::Ellipsoid& e) {
            return Solids{curved(CurvedKind::ellipsoid, e.radii, e.inverted)};
          },
          [](const shape::Superellipsoid& s) {
            return Solids{curved(CurvedKind::superellipsoid, s.radii, s.inverted, s.e1, s.e2)};
          },
          [](const shape::Cylinder& c) {
            return Solids{curved(CurvedKind::cylinder, Vec3(c.radius, c.radius, 0.5 * c.height))};
          },
          [](const shape::Cone& c) {
            return Solids{curved(CurvedKind::cone, Vec3(c.radius, c.radius, 0.5 * c.height))};
          },
          [](const shape::UserSurface& s) { return Solids{user_solid(s)}; },
          [](const auto&) { return Solids{Solid{}}; }},
      geometry);
}

/// The box of the whole part: of a mesh with several shells, that of all of them.
geometry::Aabb box_in_body(const shape::Part& part) {
  if (shape::is_unbounded(part.geometry)) return geometry::Aabb::whole();
  const geometry::Aabb box = shape::box_of(part.geometry);
  const Mat3 rotation = part.pose.orientation.normalized().toRotationMatrix();
  const Vec3 half = 0.5 * (box.upper - box.lower);
  const Vec3 centre = part.pose.position + rotation * (0.5 * (box.lower + box.upper));
  const Vec3 turned = rotation.cwiseAbs() * half;
  const double size = half.norm() + box.lower.norm() + part.pose.position.norm();
  return geometry::inflated({centre - turned, centre + turned}, box_margin * size);
}

}  // namespace

std::vector<Solid> solids_of(const model::Body& body) {
  std::vector<Solid> solids;
  for (const shape::Part& part : body.parts) {
    const geometry::Aabb box = box_in_body(part);
    for (Solid& solid : solids_in_part(part.geometry)) {
      solid.shape = shape::name_of(part.geometry);
      if (box.is_bounded()) {
        solid.reach = box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
      } else {
        solid.reach =
            part.pose.position.norm() + solid.radius + solid.radii.norm() + std::abs(solid.offset);
      }
      solid.pose = part.pose;
      solid.box = box;
      solids.push_back(std::move(solid));
    }
  }
  return solids;
}

}  // namespace abut::verify
