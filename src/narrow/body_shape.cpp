#include "narrow/body_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <variant>

#include "base/overloaded.h"
#include "geometry/closed_surface.h"
#include "geometry/mesh_boundary.h"
#include "narrow/mesh_cells.h"
#include "narrow/solid_id.h"

namespace abut::narrow {
namespace {

using geometry::ConvexPolyhedron;

Solid rounded(SolidKind kind, ConvexPolyhedron core, double radius) {
  Solid solid;
  solid.kind = kind;
  solid.core = std::move(core);
  solid.rounding = radius;
  return solid;
}

// Exponents between which a superellipsoid is told from a box and from a double pyramid
// (dimensionless): nearer to 0 or 2 its radii of curvature run over more decades than there are
// digits.
constexpr double least_exponent = 0.3;
constexpr double largest_exponent = 1.9;

bool is_strictly_convex(const shape::Superellipsoid& s) {
  return std::min(s.e1, s.e2) >= least_exponent && std::max(s.e1, s.e2) <= largest_exponent;
}

Solid curved(geometry::ConvexSurface surface) {
  Solid solid;
  solid.kind = SolidKind::curved;
  solid.core = ConvexPolyhedron::from_point();
  solid.surface = std::make_shared<const geometry::ConvexSurface>(std::move(surface));
  return solid;
}

Solid bowl(geometry::ConvexSurface cavity) {
  Solid solid = curved(std::move(cavity));
  solid.kind = SolidKind::bowl;
  return solid;
}

Solid ring(const shape::Torus& torus) {
  Solid solid = rounded(SolidKind::ring, ConvexPolyhedron::from_point(), torus.tube);
  solid.circle = torus.radius;
  return solid;
}

/// Whether its triangles can be numbered as cells, of which there are no more.
bool has_countable_cells(const geometry::PolygonMesh& mesh) {
  std::size_t triangles = 0;
  for (const std::vector<int>& face : mesh.faces) triangles += face.size() - 2;
  return triangles <= static_cast<std::size_t>(most_cells);
}

bool is_supported(const shape::Geometry& geometry) {
  return std::visit(
      base::Overloaded{
          [](const shape::Plane&) { return true; }, [](const shape::Capsule&) { return true; },
          [](const shape::Box&) { return true; }, [](const shape::Convex&) { return true; },
          [](const shape::Cylinder&) { return true; }, [](const shape::Cone&) { return true; },
          [](const shape::Sphere&) { return true; }, [](const shape::Ellipsoid&) { return true; },
          [](const shape::Torus&) { return true; },
          [](const shape::Mesh& m) { return has_countable_cells(*m.surface); },
          [](const shape::Superellipsoid& s) { return is_strictly_convex(s); },
          [](const shape::UserSurface& s) { return s.surface->is_convex(); },
          [](const auto&) { return false; }},
      geometry);
}

/// The cells are added by who knows the part.
Solid mesh(const geometry::MeshBoundary& boundary) {
  Solid solid = rounded(SolidKind::mesh, ConvexPolyhedron::from_point(), 0);
  solid.position = boundary.centre();
  return solid;
}

/// In the frame of the part.
Solid solid_of(const shape::Geometry& geometry) {
  return std::visit(
      base::Overloaded{
          [](const shape::Plane& plane) {
            Solid solid = rounded(SolidKind::plane, ConvexPolyhedron::from_point(), 0);
            solid.normal = plane.normal;
            solid.position = plane.offset * plane.normal;
            return solid;
          },
          [](const shape::Sphere& sphere) {
            if (sphere.inverted)
              return bowl(geometry::ConvexSurface::ellipsoid(Vec3::Constant(sphere.radius)));
            return rounded(SolidKind::sphere, ConvexPolyhedron::from_point(), sphere.radius);
          },
          [](const shape::Torus& torus) { return ring(torus); },
          [](const shape::Mesh& m) { return mesh(*geometry::boundary_of(m.surface)); },
          [](const shape::Capsule& capsule) {
            return rounded(SolidKind::capsule, ConvexPolyhedron::from_segment(capsule.height),
                           capsule.radius);
          },
          [](const shape::Box& box) {
            return rounded(SolidKind::polyhedron, ConvexPolyhedron::from_box(box.size), 0);
          },
          [](const shape::Convex& convex) {
            return rounded(SolidKind::polyhedron, ConvexPolyhedron::from_hull(*convex.hull),
                           convex.rounding);
          },
          [](const shape::Cylinder& c) {
            return curved(geometry::ConvexSurface::cylinder(c.radius, c.height));
          },
          [](const shape::Cone& c) {
            return curved(geometry::ConvexSurface::cone(c.radius, c.height));
          },
          [](const shape::Ellipsoid& e) {
            geometry::ConvexSurface surface = geometry::ConvexSurface::ellipsoid(e.radii);
            return e.inverted ? bowl(std::move(surface)) : curved(std::move(surface));
          },
          [](const shape::Superellipsoid& s) {
            geometry::ConvexSurface surface =
                geometry::ConvexSurface::superellipsoid(s.radii, s.e1, s.e2);
            return s.inverted ? bowl(std::move(surface)) : curved(std::move(surface));
          },
          [](const shape::UserSurface& s) {
            Solid solid = curved(geometry::ConvexSurface::of_surface(s.surface));
            solid.position = s.surface->centre();
            return solid;
          },
          [](const auto&) -> Solid {
            throw std::invalid_argument("no distance to this shape is known");
          }},
      geometry);
}

}  // namespace

double Solid::bounding_radius() const {
  if (!is_bounded()) return std::numeric_limits<double>::infinity();
  if (cells) return cells->boundary().radius();
  return surface ? surface->outer_radius() : core.radius() + circle + rounding;
}

Vec3 Solid::on_circle(double angle) const {
  return {circle * std::cos(angle), circle * std::sin(angle), 0};
}

bool BodyShape::supports(const model::Body& body) {
  const auto is_mesh = [](const shape::Part& part) {
    return std::holds_alternative<shape::Mesh>(part.geometry);
  };
  if (body.parts.size() > most_parts_with_cells &&
      std::any_of(body.parts.begin(), body.parts.end(), is_mesh))
    return false;
  return std::all_of(body.parts.begin(), body.parts.end(),
                     [](const shape::Part& part) { return is_supported(part.geometry); });
}

BodyShape::BodyShape(const model::Body& body) {
  if (!supports(body)) throw std::invalid_argument("no distance to a part of this body is known");
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    const shape::Part& part = body.parts[i];
    // Kept until the cells have it, so that it is made once.
    std::shared_ptr<const geometry::MeshBoundary> boundary;
    if (const auto* mesh = std::get_if<shape::Mesh>(&part.geometry))
      boundary = geometry::boundary_of(mesh->surface);
    Solid solid = solid_of(part.geometry);
    solid.part = static_cast<int>(i);
    if (boundary) solid.cells = std::make_shared<const MeshCells>(boundary, solid.part, part.pose);
    solid.orientation = part.pose.orientation.normalized();
    const Vec3 in_part = solid.position + solid.core.centre();
    solid.position = part.pose.position + solid.orientation * in_part;
    solids_.push_back(std::move(solid));
  }
}

const Solid& BodyShape::solid(int id) const {
  return is_cell(id) ? solids_[part_of(id)].cells->solid(cell_of(id)) : solids_[id];
}

bool BodyShape::has_cells() const {
  return std::any_of(solids_.begin(), solids_.end(),
                     [](const Solid& solid) { return solid.kind == SolidKind::mesh; });
}

Placed placed(const Solid& solid, const Vec3& offset, const Quat& body_orientation) {
  const Quat unit = body_orientation.normalized();
  return {&solid, (unit * solid.orientation).toRotationMatrix(), offset + unit * solid.position};
}

}  // namespace abut::narrow
