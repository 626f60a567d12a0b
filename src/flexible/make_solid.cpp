// Affine and quadratic bodies from the shapes they have at rest.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "flexible/basis.h"
#include "flexible/make.h"
#include "flexible/solid_elasticity.h"
#include "flexible/surface.h"
#include "geometry/aabb.h"
#include "math/compensated_sum.h"
#include "math/dense.h"
#include "shape/cubature.h"
#include "shape/extent.h"

namespace abut::flexible {
namespace {

using Cubature = std::vector<shape::CubaturePoint>;

/// Cells along the longest side of a quadratic body where the scene asks for nothing else: a block
/// of proportions 3 : 3 : 5 is divided as that of Baraff and Witkin's figure 5.
constexpr double default_cells = 5;

/// Relative: keeps sides that divide evenly from being divided once more by rounding.
constexpr double even_division = 1e-12;

/// Where polynomials have their coordinates: at the middle of the volume, in units of its extent.
Scale scale_of(const Cubature& volume, double extent) {
  std::array<math::CompensatedSum, 4> sums;
  for (const shape::CubaturePoint& p : volume) {
    sums[0].add(p.weight);
    for (std::size_t i = 0; i < 3; ++i)
      sums[i + 1].add(p.weight * p.point[static_cast<Eigen::Index>(i)]);
  }
  Scale scale;
  scale.size = extent;
  for (std::size_t i = 0; i < 3; ++i)
    scale.middle[static_cast<Eigen::Index>(i)] = sums[i + 1].value() / sums[0].value();
  return scale;
}

/// int rho Z(q) Z(q)^T; of each part with its own density.
Matrix scaled_mass(Kind kind, const std::vector<Cubature>& parts,
                   const std::vector<shape::Part>& shapes, const Scale& scale) {
  const int n = column_count(kind);
  std::vector<math::CompensatedSum> sums(static_cast<std::size_t>(n * n));
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const shape::CubaturePoint& p : parts[part]) {
      const Vector z = basis_at(kind, scale.normalised(p.point));
      const double mass = shapes[part].density * p.weight;
      for (int k = 0; k < n; ++k)
        for (int l = 0; l <= k; ++l)
          sums[static_cast<std::size_t>(k * n + l)].add(mass * z[k] * z[l]);
    }
  }
  Matrix mass(n, n);
  for (int k = 0; k < n; ++k)
    for (int l = 0; l <= k; ++l)
      mass(k, l) = mass(l, k) = sums[static_cast<std::size_t>(k * n + l)].value();
  return mass;
}

Matrix symmetrised(const Matrix& m) {
  return 0.5 * (m + m.transpose());
}

ColumnMass column_mass(Kind kind, const Matrix& scaled, const Scale& scale) {
  const Matrix t = basis_change(kind, scale), back = inverse_basis_change(kind, scale);
  Vector one = Vector::Zero(scaled.rows());
  one[one.size() - 1] = 1;
  return {symmetrised(t * scaled * t.transpose()),
          symmetrised(back.transpose() * math::inverse(scaled) * back), one};
}

geometry::Aabb box_around(const std::vector<shape::Part>& parts) {
  geometry::Aabb all;
  for (const shape::Part& part : parts) {
    const geometry::Aabb box = shape::box_of(part.geometry);
    const Mat3 rotation = part.pose.orientation.toRotationMatrix();
    const Vec3 half = rotation.cwiseAbs() * (box.upper - box.lower) / 2;
    const Vec3 middle = part.pose.position + rotation * (box.lower + box.upper) / 2;
    all = geometry::merged(all, {middle - half, middle + half});
  }
  return all;
}

Fineness fineness_of(int order, const BoundaryDetail& detail, double longest_side) {
  Fineness fineness;
  fineness.cells = detail.cells;
  fineness.mesh_too = detail.edge.has_value();
  // The diagonal of a square cell.
  const double usual = std::numbers::sqrt2 * longest_side / default_cells * (1 + even_division);
  fineness.longest_edge =
      detail.edge.value_or(order == 1 ? std::numeric_limits<double>::infinity() : usual);
  return fineness;
}

Boundary boundary_of(Kind kind, const std::vector<shape::Part>& parts, const Fineness& fineness) {
  Boundary boundary;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const Surface surface = surface_of(parts[part].geometry, fineness);
    const int first = boundary.vertex_count();
    const Pose& pose = parts[part].pose;
    for (const Vec3& v : surface.vertices) {
      const Vec3 p = pose.position + pose.orientation * v;
      boundary.add_vertex(p, weights_at(kind, p));
    }
    for (const auto& t : surface.triangles)
      boundary.add_triangle({first + t[0], first + t[1], first + t[2]}, static_cast<int>(part));
  }
  return boundary;
}

}  // namespace

std::shared_ptr<const BendingBody> make_solid(int order, const std::vector<shape::Part>& parts,
                                              const SolidMaterial& material,
                                              const BoundaryDetail& detail) {
  auto body = std::make_shared<BendingBody>();
  body->kind = order == 1 ? Kind::affine : Kind::quadratic;
  body->parts = parts;
  const geometry::Aabb box = box_around(parts);
  body->extent = (box.upper - box.lower).maxCoeff() / 2;

  std::vector<Cubature> of_parts;
  Cubature volume;
  for (const shape::Part& part : parts) {
    of_parts.push_back(shape::cubature_of(part));
    volume.insert(volume.end(), of_parts.back().begin(), of_parts.back().end());
  }
  const Scale scale = scale_of(volume, body->extent);
  body->centroid = scale.middle;
  body->mass = column_mass(body->kind, scaled_mass(body->kind, of_parts, parts, scale), scale);
  body->elasticity = std::make_shared<SolidElasticity>(body->kind, volume, scale, material);
  body->boundary = boundary_of(body->kind, parts, fineness_of(order, detail, 2 * body->extent));
  return body;
}

}  // namespace abut::flexible
