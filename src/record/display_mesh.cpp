#include "record/display_mesh.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/overloaded.h"
#include "geometry/closed_surface.h"
#include "record/polyhedron_mesh.h"
#include "record/rounded_mesh.h"
#include "record/surface_grid.h"

namespace abut::record {
namespace {

Vec3 on_circle(double u) {
  return {std::cos(full_turn * u), std::sin(full_turn * u), 0};
}

/// A direction by longitude u and latitude v, both in [0, 1].
Vec3 on_sphere(double u, double v) {
  const double latitude = std::numbers::pi * (v - 0.5);
  return std::cos(latitude) * on_circle(u) + Vec3(0, 0, std::sin(latitude));
}

DisplayMesh unit_sphere(int detail) {
  DisplayMesh mesh;
  add_grid(mesh, {detail, detail / 2}, [](double u, double v) {
    const Vec3 p = on_sphere(u, v);
    return SurfacePoint{p, p};
  });
  return mesh;
}

/// Radius 1, height 1 (along z, centred).
DisplayMesh unit_cylinder(int detail) {
  DisplayMesh mesh;
  add_grid(mesh, {detail, 1}, [](double u, double v) {
    return SurfacePoint{on_circle(u) + Vec3(0, 0, v - 0.5), on_circle(u)};
  });
  add_disc(mesh, -0.5, false, detail);
  add_disc(mesh, 0.5, true, detail);
  return mesh;
}

/// Radius 1, height 1, apex up. The normal of x^2 + y^2 = (1/2 - z)^2 is (x, y, r)/r at radius r.
DisplayMesh unit_cone(int detail) {
  DisplayMesh mesh;
  add_grid(mesh, {detail, 8}, [](double u, double v) {
    return SurfacePoint{(1 - v) * on_circle(u) + Vec3(0, 0, v - 0.5), on_circle(u) + Vec3::UnitZ()};
  });
  add_disc(mesh, -0.5, false, detail);
  return mesh;
}

/// In units of the radius.
DisplayMesh capsule(double height, int detail) {
  DisplayMesh mesh;
  const int along = detail / 2;  // even, so that one ring of cells is the middle
  add_grid(mesh, {detail, along + 1}, [height, along](double u, double v) {
    // One ring of cells in the middle is the cylinder, the others are the caps.
    const double ring = v * (along + 1);
    const bool upper = ring > 0.5 * along + 0.5;
    const Vec3 n = on_sphere(u, (upper ? ring - 1 : ring) / along);
    return SurfacePoint{n + Vec3(0, 0, upper ? height / 2 : -height / 2), n};
  });
  return mesh;
}

/// In units of the greater radius.
DisplayMesh torus(double tube, int detail) {
  DisplayMesh mesh;
  add_grid(mesh, {2 * detail, detail / 2}, [tube](double u, double v) {
    const Vec3 out = on_circle(u);
    const Vec3 n = std::cos(full_turn * v) * out + Vec3(0, 0, std::sin(full_turn * v));
    return SurfacePoint{out + tube * n, n};
  });
  return mesh;
}

/// sign(x) |x|^e
double signed_power(double x, double e) {
  return std::copysign(std::pow(std::abs(x), e), x);
}

/// The surface of radii 1: z = s(sin b)^e1, and (x, y) = c(cos b)^e1 ((cos a)^e2, (sin a)^e2) with
/// signed powers. Its normal has the same form with the exponents 2 - e1 and 2 - e2. The parameters
/// bunch up where the surface is flat (e < 1) if taken evenly, so the angle is spread by
/// tan(angle') = tan(angle)^(1/e), which spaces the points evenly in direction.
DisplayMesh superellipsoid(double e1, double e2, int detail) {
  const auto spread = [](double angle, double e) {
    const double x = std::cos(angle), y = std::sin(angle);
    return std::atan2(signed_power(y, 1 / e), signed_power(x, 1 / e));
  };
  DisplayMesh mesh;
  add_grid(mesh, {2 * detail, detail}, [&](double u, double v) {
    const double a = spread(full_turn * u, e2);
    const double b = spread(std::numbers::pi * (v - 0.5), e1);
    const auto form = [&](double p1, double p2) {
      const double ring = signed_power(std::cos(b), p1);
      return Vec3(ring * signed_power(std::cos(a), p2), ring * signed_power(std::sin(a), p2),
                  signed_power(std::sin(b), p1));
    };
    const Vec3 p = form(e1, e2);
    const Vec3 n = form(2 - e1, 2 - e2);
    return SurfacePoint{p, n.allFinite() && n.norm() > 0 ? n : p};
  });
  return mesh;
}

DisplayMesh user_surface(const geometry::ClosedSurface& surface, int detail) {
  geometry::SurfaceMesh mesh = surface.mesh(detail);
  return {std::move(mesh.points), std::move(mesh.normals), std::move(mesh.triangles), {}};
}

DisplayMesh unit_box() {
  const geometry::PolygonMesh box{
      {{-0.5, -0.5, -0.5},
       {0.5, -0.5, -0.5},
       {0.5, 0.5, -0.5},
       {-0.5, 0.5, -0.5},
       {-0.5, -0.5, 0.5},
       {0.5, -0.5, 0.5},
       {0.5, 0.5, 0.5},
       {-0.5, 0.5, 0.5}},
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 4, 7, 3}, {1, 2, 6, 5}}};
  return polyhedron_mesh(box, true);
}

/// Meshes of one family differ by proportions; the key holds these to the last bit.
std::string key_of(const char* family, double a, double b = 0) {
  return fmt::format("{} {:a} {:a}", family, a, b);
}

/// Bodies made by `repeat` share their polyhedron.
std::string key_of(const char* family, const geometry::PolygonMesh* polyhedron) {
  return fmt::format("{} {}", family, fmt::ptr(polyhedron));
}

}  // namespace

int display_detail(std::size_t part_count) {
  if (part_count <= 100) return 64;
  return part_count <= 400 ? 44 : 28;
}

std::optional<DisplayShape> display_shape(const shape::Geometry& geometry, int detail) {
  using Result = std::optional<DisplayShape>;
  return std::visit(
      base::Overloaded{
          [](const shape::Plane&) -> Result { return std::nullopt; },
          [detail](const shape::Sphere& s) -> Result {
            return DisplayShape{"sphere", Vec3::Constant(s.radius),
                                [detail] { return unit_sphere(detail); }};
          },
          [detail](const shape::Ellipsoid& s) -> Result {
            return DisplayShape{"sphere", s.radii, [detail] { return unit_sphere(detail); }};
          },
          [detail](const shape::Superellipsoid& s) -> Result {
            return DisplayShape{key_of("superellipsoid", s.e1, s.e2), s.radii,
                                [s, detail] { return superellipsoid(s.e1, s.e2, detail); }};
          },
          [detail](const shape::Capsule& s) -> Result {
            const double height = s.height / s.radius;
            return DisplayShape{key_of("capsule", height), Vec3::Constant(s.radius),
                                [height, detail] { return capsule(height, detail); }};
          },
          [detail](const shape::Cylinder& s) -> Result {
            return DisplayShape{"cylinder", {s.radius, s.radius, s.height}, [detail] {
                                  return unit_cylinder(detail);
                                }};
          },
          [detail](const shape::Cone& s) -> Result {
            return DisplayShape{
                "cone", {s.radius, s.radius, s.height}, [detail] { return unit_cone(detail); }};
          },
          [detail](const shape::Torus& s) -> Result {
            const double tube = s.tube / s.radius;
            return DisplayShape{key_of("torus", tube), Vec3::Constant(s.radius),
                                [tube, detail] { return torus(tube, detail); }};
          },
          [](const shape::Box& s) -> Result {
            return DisplayShape{"box", s.size, unit_box};
          },
          [detail](const shape::Convex& s) -> Result {
            if (s.rounding > 0)
              return DisplayShape{
                  key_of("convex", s.hull.get()) + fmt::format(" {:a}", s.rounding), Vec3::Ones(),
                  [s, detail] { return rounded_mesh(*s.hull, s.rounding, detail); }};
            return DisplayShape{key_of("convex", s.hull.get()), Vec3::Ones(),
                                [s] { return polyhedron_mesh(*s.hull, true); }};
          },
          [detail](const shape::UserSurface& s) -> Result {
            return DisplayShape{fmt::format("surface {}", fmt::ptr(s.surface.get())), Vec3::Ones(),
                                [s, detail] { return user_surface(*s.surface, detail); }};
          },
          [](const shape::Mesh& s) -> Result {
            return DisplayShape{key_of("mesh", s.surface.get()), Vec3::Ones(),
                                [s] { return polyhedron_mesh(*s.surface, false); }};
          }},
      geometry);
}

std::size_t MeshLibrary::index_of(const DisplayShape& shape) {
  const auto [entry, is_new] = indices_.try_emplace(shape.key, meshes_.size());
  if (is_new) meshes_.push_back(shape.mesh());
  return entry->second;
}

}  // namespace abut::record
