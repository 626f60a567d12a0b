#include "geometry/implicit_surface.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/implicit_mesh.h"

namespace abut::geometry {
namespace {

// Newton steps along a ray; nearly always four or five are enough, and halving does the rest.
constexpr int most_ray_steps = 200;

// Cells along the longest side of a solid that no point sees as a whole, for its integrals.
// If two of them disagree, finer ones are tried.
constexpr std::array<int, 5> integral_cells = {9, 12, 17, 25, 40};

/// Of a symmetric positive definite matrix.
Mat3 root_of(const Mat3& matrix) {
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(matrix);
  return axes.eigenvectors() * axes.eigenvalues().cwiseSqrt().asDiagonal() *
         axes.eigenvectors().transpose();
}

}  // namespace

CheckedSurface ImplicitSurface::make(std::shared_ptr<const EnclosedField> field,
                                     const Aabb& bounds) {
  CheckedSurface result;
  const ImplicitVerdict verdict = check_implicit(*field, bounds);
  result.findings = verdict.findings;
  if (!verdict.sound) return result;
  std::shared_ptr<const ImplicitSurface> surface(new ImplicitSurface(std::move(field), verdict));
  const VolumeIntegrals& integrals = surface->integrals();
  if (!(integrals.volume > 0) || !std::isfinite(integrals.volume)) {
    result.findings.push_back({Severity::error, SurfaceFinding::About::function,
                               "the volume of the solid could not be computed"});
    return result;
  }
  if (!(integrals.relative_change <= integral_accuracy))
    result.findings.push_back(
        {Severity::warning, SurfaceFinding::About::function,
         fmt::format("volume and inertia of the solid are known to a part of {:.1g} only",
                     integrals.relative_change)});
  result.surface = std::move(surface);
  return result;
}

ImplicitSurface::ImplicitSurface(std::shared_ptr<const EnclosedField> field,
                                 const ImplicitVerdict& verdict)
    : field_(std::move(field)),
      region_(verdict.region),
      star_shaped_(verdict.star_shaped),
      star_centre_(verdict.centre) {
  const VolumeIntegrals integrals = star_shaped_ ? integrate_star() : integrate_any(verdict.box);
  SurfacePlace anywhere;
  if (star_shaped_) {
    const Vec3 d = verdict.box.upper - star_centre_;
    anywhere.point = star_centre_ + reach_along(d) * d;
  }
  const Vec3 centre = verdict.convex ? integrals.centroid : star_centre_;
  finish(integrals, centre, verdict.box, verdict.convex, anywhere);
}

std::optional<math::SeriesJet> ImplicitSurface::field_along(
    const std::array<math::Series, 3>& path) const {
  std::array<math::Series, 3> from_origin = path;
  for (int k = 0; k < 3; ++k)
    from_origin[k] = from_origin[k] + math::Series(math::Interval(centre()[k]));
  return field_->over_path(from_origin);
}

SurfaceFrame ImplicitSurface::frame_at(const SurfacePlace& place) const {
  const FieldSample f = field_->at(place.point);
  const double length = f.gradient.norm();
  SurfaceFrame frame;
  frame.point = place.point;
  frame.normal = f.gradient / length;
  const Mat3 across = Mat3::Identity() - frame.normal * frame.normal.transpose();
  const Mat3 turned = across * f.hessian / length;
  frame.bending = turned * across;
  frame.offset = f.value / length;
  frame.drift = turned * frame.normal;
  return frame;
}

SurfacePlace ImplicitSurface::moved(const SurfacePlace& place, const Vec3& step) const {
  return {place.point + step, 0, 0};
}

SurfacePlace ImplicitSurface::moved_along(const SurfacePlace& place, const Vec3& step) const {
  const Vec3 d = place.point + step - star_centre_;
  return {star_centre_ + reach_along(d) * d, 0, 0};
}

// Newton's method within a bracket, from the border of the region if nothing better is known.
double ImplicitSurface::reach_along(const Vec3& d) const {
  double outside = std::numeric_limits<double>::infinity(), inside = 0;
  for (int i = 0; i < 3; ++i) {
    if (d[i] > 0) outside = std::min(outside, (region_.upper[i] - star_centre_[i]) / d[i]);
    if (d[i] < 0) outside = std::min(outside, (region_.lower[i] - star_centre_[i]) / d[i]);
  }
  double s = std::min(1.0, 0.5 * outside);
  for (int i = 0; i < most_ray_steps; ++i) {
    const FieldSample f = field_->at(star_centre_ + s * d);
    if (f.value == 0) break;
    (f.value < 0 ? inside : outside) = s;
    double next = s - f.value / f.gradient.dot(d);
    if (!(next > inside && next < outside)) next = 0.5 * (inside + outside);
    const double change = std::abs(next - s);
    s = next;
    if (change <= std::numeric_limits<double>::epsilon() * s) break;
  }
  return s;
}

// Each face of a cube about the centre, stretched, is a rectangle (a, b); the ray through it is
// d = L e(a, b) with e linear in a and b and det(e, e_a, e_b) = 1, so that the cone element is
// s^3 det L.
VolumeIntegrals ImplicitSurface::integrate_star() const {
  const Mat3 stretch = rough_shape();
  const std::vector<Rectangle> faces(6, Rectangle{{-1, -1}, {1, 1}});
  const double determinant = std::abs(stretch.determinant());
  return integrate_cones(faces, star_centre_, [&](std::size_t face, double a, double b) {
    Vec3 e;
    const int axis = static_cast<int>(face) / 2;
    e[axis] = face % 2 == 0 ? 1 : -1;
    e[(axis + 1) % 3] = a;
    e[(axis + 2) % 3] = b;
    const Vec3 d = stretch * e;
    const double s = reach_along(d);
    return ConeElement{s * d, s * s * s * determinant};
  });
}

// A sum over some hundred rays: a roundish solid becomes this one by the square root of its second
// moments.
Mat3 ImplicitSurface::rough_shape() const {
  const Vec3 half = 0.5 * (region_.upper - region_.lower);
  Mat3 second = Mat3::Zero();
  double volume = 0;
  constexpr int rays = 8;
  for (int face = 0; face < 6; ++face)
    for (int i = 0; i < rays * rays; ++i) {
      const int row = i / rays, column = i % rays;
      Vec3 e;
      e[face / 2] = face % 2 == 0 ? 1 : -1;
      e[(face / 2 + 1) % 3] = (2.0 * column + 1) / rays - 1;
      e[(face / 2 + 2) % 3] = (2.0 * row + 1) / rays - 1;
      const Vec3 d = e.cwiseProduct(half);
      const double s = reach_along(d);
      volume += s * s * s / 3;
      second += s * s * s * s * s / 5 * d * d.transpose();
    }
  return root_of(second / volume);
}

// Over triangles of different size until two agree: they do only if both have the right topology.
VolumeIntegrals ImplicitSurface::integrate_any(const Aabb& box) const {
  const double size = (box.upper - box.lower).norm();
  VolumeIntegrals last;
  for (const int cells : integral_cells) {
    VolumeIntegrals now = integrate_lifted(*field_, triangulated(*field_, box, cells));
    const double change =
        std::max(std::abs(now.volume - last.volume) / std::abs(now.volume),
                 (now.second - last.second).norm() / (std::abs(now.volume) * size * size));
    now.relative_change = std::isfinite(change) ? std::max(change, now.relative_change) : 1;
    last = now;
    if (last.relative_change <= integral_accuracy) break;
  }
  return last;
}

SurfaceMesh ImplicitSurface::mesh(int detail) const {
  if (!star_shaped_) return triangulated(*field_, box(), detail);
  const Mat3 stretch = root_of(integrals().second / integrals().volume);
  SurfaceMesh mesh;
  const int around = detail, along = detail / 2;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i <= around; ++i) {
      const double longitude = 2 * std::numbers::pi * i / around;
      const double latitude = std::numbers::pi * (static_cast<double>(j) / along - 0.5);
      const Vec3 d = stretch * Vec3(std::cos(latitude) * std::cos(longitude),
                                    std::cos(latitude) * std::sin(longitude), std::sin(latitude));
      const Vec3 p = star_centre_ + reach_along(d) * d;
      mesh.points.push_back(p);
      mesh.normals.push_back(field_->at(p).gradient.normalized());
    }
  const auto index = [&](int i, int j) { return static_cast<std::uint32_t>(j * (around + 1) + i); };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      if (j > 0) mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      if (j < along - 1)
        mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  return mesh;
}

}  // namespace abut::geometry
