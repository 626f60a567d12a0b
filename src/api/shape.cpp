#include <fmt/format.h>

#include <cmath>

#include "api/shape_geometry.h"
#include "geometry/convex_hull.h"
#include "geometry/implicit_surface.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"
#include "geometry/parametric_surface.h"

namespace abut {
namespace {

// Sizes the scene format allows, m.
constexpr double smallest_size = 1e-8;
constexpr double largest_size = 1e6;

void require_size(std::string_view what, double size) {
  if (!(size >= smallest_size && size <= largest_size))
    throw InputError({}, fmt::format("{} is {}, but must lie between {} and {} m", what, size,
                                     smallest_size, largest_size));
}

void require_radius_and_height(const char* shape, double radius, double height) {
  require_size(fmt::format("the radius of a {}", shape), radius);
  require_size(fmt::format("the height of a {}", shape), height);
}

void require_sizes(const char* what, const Vec3& sizes) {
  for (int i = 0; i < 3; ++i) require_size(what, sizes[i]);
}

std::shared_ptr<const Shape::Geometry> make(shape::Geometry geometry) {
  return std::make_shared<const Shape::Geometry>(Shape::Geometry{std::move(geometry)});
}

shape::Geometry closed_surface(geometry::PolygonMesh mesh, const std::string& file) {
  std::vector<Diagnostic> faults;
  for (const geometry::MeshProblem& problem : geometry::check_closed_surface(mesh))
    if (problem.severity == Severity::error)
      faults.push_back({Severity::error, {file, 0, 0}, problem.message});
  if (!faults.empty()) throw InputError(std::move(faults));
  return shape::Mesh{std::make_shared<const geometry::PolygonMesh>(std::move(mesh))};
}

math::Expression parsed_formula(const std::string& text,
                                const std::vector<std::string>& variables) {
  auto parsed = math::Expression::parse(text, variables);
  if (const auto* error = std::get_if<math::ExpressionError>(&parsed))
    throw InputError({}, fmt::format("`{}` is not a formula: {}", text, error->message));
  return std::get<math::Expression>(std::move(parsed));
}

/// Throws what is wrong with it.
shape::Geometry user_surface(const geometry::CheckedSurface& checked) {
  std::vector<Diagnostic> faults;
  for (const geometry::SurfaceFinding& finding : checked.findings)
    if (finding.severity == Severity::error)
      faults.push_back({Severity::error, {}, finding.message});
  if (!faults.empty()) throw InputError(std::move(faults));
  const Vec3 size = checked.surface->box().upper - checked.surface->box().lower;
  require_sizes("a side of the solid within a surface", size);
  return shape::UserSurface{checked.surface};
}

}  // namespace

Shape Shape::sphere(double radius) {
  require_size("the radius of a sphere", radius);
  return Shape(make(shape::Sphere{radius, false}));
}

Shape Shape::ellipsoid(const Vec3& radii) {
  require_sizes("a radius of an ellipsoid", radii);
  return Shape(make(shape::Ellipsoid{radii, false}));
}

Shape Shape::superellipsoid(const Vec3& radii, double e1, double e2) {
  require_sizes("a radius of a superellipsoid", radii);
  if (!(e1 > 0 && e1 <= 2 && e2 > 0 && e2 <= 2))
    throw InputError({},
                     fmt::format("the exponents of a superellipsoid are {} and {}, but must lie "
                                 "in (0, 2]: there it is convex",
                                 e1, e2));
  return Shape(make(shape::Superellipsoid{radii, e1, e2, false}));
}

Shape Shape::capsule(double radius, double height) {
  require_radius_and_height("capsule", radius, height);
  return Shape(make(shape::Capsule{radius, height}));
}

Shape Shape::cylinder(double radius, double height) {
  require_radius_and_height("cylinder", radius, height);
  return Shape(make(shape::Cylinder{radius, height}));
}

Shape Shape::cone(double radius, double height) {
  require_radius_and_height("cone", radius, height);
  return Shape(make(shape::Cone{radius, height}));
}

Shape Shape::torus(double radius, double tube) {
  require_size("the radius of a torus", radius);
  require_size("the tube of a torus", tube);
  if (tube >= radius)
    throw InputError({}, fmt::format("the tube of a torus is {} m, but must be thinner than its "
                                     "radius of {} m",
                                     tube, radius));
  return Shape(make(shape::Torus{radius, tube}));
}

Shape Shape::box(const Vec3& size) {
  require_sizes("an edge of a box", size);
  return Shape(make(shape::Box{size}));
}

Shape Shape::plane(const Vec3& normal, double offset) {
  if (!normal.allFinite() || normal.norm() == 0 || !std::isfinite(offset))
    throw InputError({}, "a plane needs a finite offset and a finite normal that is not zero");
  return Shape(make(shape::Plane{normal.normalized(), offset}));
}

Shape Shape::convex(const std::vector<Vec3>& points, double rounding) {
  if (rounding != 0) require_size("the rounding of a convex shape", rounding);
  return Shape(make(shape::Convex{
      std::make_shared<const geometry::PolygonMesh>(geometry::convex_hull(points)), rounding}));
}

Shape Shape::mesh(const std::vector<Vec3>& vertices, const std::vector<std::vector<int>>& faces) {
  return Shape(make(closed_surface({vertices, faces}, "")));
}

Shape Shape::mesh_file(const std::string& path, double scale) {
  geometry::PolygonMesh mesh = geometry::read_mesh_file(path);
  if (!(scale > 0 && std::isfinite(scale)))
    throw InputError({path, 0, 0}, fmt::format("the scale is {}, but must be positive", scale));
  for (Vec3& vertex : mesh.vertices) vertex *= scale;
  return Shape(make(closed_surface(std::move(mesh), path)));
}

Shape Shape::implicit(const std::string& function, const Vec3& lower, const Vec3& upper) {
  return Shape(make(user_surface(geometry::ImplicitSurface::make(
      geometry::enclosed(parsed_formula(function, {"x", "y", "z"})), {lower, upper}))));
}

Shape Shape::implicit(std::shared_ptr<const ImplicitFunction> function, const Vec3& lower,
                      const Vec3& upper) {
  if (!function) throw InputError({}, "an implicit shape needs a function");
  return Shape(make(user_surface(
      geometry::ImplicitSurface::make(geometry::enclosed(std::move(function)), {lower, upper}))));
}

Shape Shape::parametric(const std::array<std::string, 3>& xyz, const std::array<double, 2>& u,
                        const std::array<double, 2>& v) {
  const std::vector<std::string> variables = {"u", "v"};
  return Shape(make(user_surface(geometry::ParametricSurface::make(
      geometry::enclosed(std::array{parsed_formula(xyz[0], variables),
                                    parsed_formula(xyz[1], variables),
                                    parsed_formula(xyz[2], variables)}),
      {u, v}))));
}

Shape Shape::parametric(std::shared_ptr<const ParametricFunction> function,
                        const std::array<double, 2>& u, const std::array<double, 2>& v) {
  if (!function) throw InputError({}, "a parametric shape needs a function");
  return Shape(make(user_surface(
      geometry::ParametricSurface::make(geometry::enclosed(std::move(function)), {u, v}))));
}

}  // namespace abut
