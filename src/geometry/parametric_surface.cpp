#include "geometry/parametric_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace abut::geometry {
namespace {

// In units of the range of the second parameter: no place is nearer to a pole than
// `least_distance`, within `interpolated` the bending is interpolated, within `polar` steps are
// polar.
constexpr double least_distance = 1e-9;
constexpr double interpolated = 2e-6;
constexpr double polar = 0.25;

double wrapped(double x, const std::array<double, 2>& range) {
  const double period = range[1] - range[0];
  double t = (x - range[0]) / period;
  t -= std::floor(t);
  return range[0] + t * period;
}

}  // namespace

/// The basis dual to the tangents: how the parameters change along a step.
struct ParametricSurface::Tangents {
  Vec3 normal, dual_u, dual_v;

  Tangents(const SurfaceSample& s, double orientation)
      : normal((orientation * s.u.cross(s.v)).normalized()),
        dual_u(s.v.cross(normal)),
        dual_v(normal.cross(s.u)) {
    dual_u /= dual_u.dot(s.u);
    dual_v /= dual_v.dot(s.v);
  }
};

CheckedSurface ParametricSurface::make(std::shared_ptr<const EnclosedChart> chart,
                                       const ParameterDomain& domain) {
  CheckedSurface result;
  const ParametricVerdict verdict = check_parametric(*chart, domain);
  result.findings = verdict.findings;
  if (!verdict.sound) return result;
  std::shared_ptr<const ParametricSurface> surface(
      new ParametricSurface(std::move(chart), domain, verdict));
  const double change = surface->integrals().relative_change;
  if (!(change <= integral_accuracy))
    result.findings.push_back(
        {Severity::warning, SurfaceFinding::About::function,
         fmt::format("volume and inertia of the solid are known to a part of {:.1g} only",
                     change)});
  result.surface = std::move(surface);
  return result;
}

ParametricSurface::ParametricSurface(std::shared_ptr<const EnclosedChart> chart,
                                     const ParameterDomain& domain,
                                     const ParametricVerdict& verdict)
    : chart_(std::move(chart)),
      domain_(domain),
      exchanged_(verdict.exchanged),
      is_ring_(verdict.is_ring),
      orientation_(verdict.orientation),
      around_(verdict.exchanged ? domain.v : domain.u),
      along_(verdict.exchanged ? domain.u : domain.v) {
  const VolumeIntegrals integrals = integrate(verdict.centre);
  const SurfacePlace anywhere = placed(around_[0], along_[0] + 0.3 * (along_[1] - along_[0]));
  finish(integrals, integrals.centroid, verdict.box, verdict.convex, anywhere);
}

SurfaceSample ParametricSurface::at(double around, double along) const {
  return sampled(*chart_, around, along, exchanged_);
}

SurfacePlace ParametricSurface::placed(double around, double along) const {
  return {at(around, along).point, around, along};
}

// dn . dx = -x_ij . n du_i du_j.
SurfaceFrame ParametricSurface::plain_frame(double around, double along) const {
  const SurfaceSample s = at(around, along);
  const Tangents t(s, orientation_);
  SurfaceFrame frame;
  frame.point = s.point;
  frame.normal = t.normal;
  frame.bending =
      -s.uu.dot(t.normal) * t.dual_u * t.dual_u.transpose() -
      s.uv.dot(t.normal) * (t.dual_u * t.dual_v.transpose() + t.dual_v * t.dual_u.transpose()) -
      s.vv.dot(t.normal) * t.dual_v * t.dual_v.transpose();
  return frame;
}

SurfaceFrame ParametricSurface::frame_at(const SurfacePlace& place) const {
  SurfaceFrame frame = plain_frame(place.u, place.v);
  if (is_ring_) return frame;
  const double range = along_[1] - along_[0];
  const bool low = place.v - along_[0] < along_[1] - place.v;
  const double distance = low ? place.v - along_[0] : along_[1] - place.v;
  if (distance >= interpolated * range) return frame;
  const double off = low ? along_[0] + interpolated * range : along_[1] - interpolated * range;
  const double opposite = wrapped(place.u + 0.5 * (around_[1] - around_[0]), around_);
  const double share = 0.5 * (1 + distance / (interpolated * range));
  frame.bending =
      share * plain_frame(place.u, off).bending + (1 - share) * plain_frame(opposite, off).bending;
  return frame;
}

SurfacePlace ParametricSurface::moved(const SurfacePlace& place, const Vec3& step) const {
  const SurfaceSample s = at(place.u, place.v);
  const Tangents t(s, orientation_);
  const double du = t.dual_u.dot(step), dv = t.dual_v.dot(step);
  if (is_ring_) return placed(wrapped(place.u + du, around_), wrapped(place.v + dv, along_));
  const double range = along_[1] - along_[0];
  const bool low = place.v - along_[0] < along_[1] - place.v;
  const double distance = low ? place.v - along_[0] : along_[1] - place.v;
  if (distance >= polar * range) {
    // Not beyond a pole at once.
    const double v =
        std::clamp(place.v + dv, along_[0] + 0.1 * distance, along_[1] - 0.1 * distance);
    return placed(wrapped(place.u + du, around_), v);
  }
  const double full_turn = 2 * std::numbers::pi;
  const double angle = full_turn * du / (around_[1] - around_[0]);
  const double outward = distance + (low ? dv : -dv), aside = distance * angle;
  const double to = std::clamp(std::hypot(outward, aside), least_distance * range, 0.9 * range);
  const double turn = std::atan2(aside, outward);
  return placed(wrapped(place.u + turn / full_turn * (around_[1] - around_[0]), around_),
                low ? along_[0] + to : along_[1] - to);
}

SurfacePlace ParametricSurface::moved_along(const SurfacePlace& place, const Vec3& step) const {
  return moved(place, step);
}

VolumeIntegrals ParametricSurface::integrate(const Vec3& c) const {
  // A few rectangles from the start: a single one may look the same as its quarters by symmetry.
  std::vector<Rectangle> rectangles;
  constexpr int parts = 3;
  for (int i = 0; i < parts; ++i)
    for (int j = 0; j < parts; ++j) {
      const auto part = [&](const std::array<double, 2>& range, int k) {
        return range[0] + (range[1] - range[0]) * k / parts;
      };
      rectangles.push_back(
          {{part(around_, i), part(along_, j)}, {part(around_, i + 1), part(along_, j + 1)}});
    }
  return integrate_cones(rectangles, c, [&](std::size_t, double u, double v) {
    const SurfaceSample s = at(u, v);
    const Vec3 arm = s.point - c;
    return ConeElement{arm, orientation_ * arm.dot(s.u.cross(s.v))};
  });
}

SurfaceMesh ParametricSurface::mesh(int detail) const {
  SurfaceMesh mesh;
  const int rows = detail / 2;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= detail; ++i) {
      const double u = around_[0] + (around_[1] - around_[0]) * i / detail;
      double t = static_cast<double>(j) / rows;
      mesh.points.push_back(at(u, along_[0] + t * (along_[1] - along_[0])).point);
      if (!is_ring_) t = std::clamp(t, interpolated, 1 - interpolated);
      mesh.normals.push_back(
          Tangents(at(u, along_[0] + t * (along_[1] - along_[0])), orientation_).normal);
    }
  const auto index = [&](int i, int j) { return static_cast<std::uint32_t>(j * (detail + 1) + i); };
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (orientation_ < 0) std::swap(b, c);
    mesh.triangles.push_back({a, b, c});
  };
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < detail; ++i) {
      if (is_ring_ || j > 0) add(index(i, j), index(i + 1, j), index(i + 1, j + 1));
      if (is_ring_ || j < rows - 1) add(index(i, j), index(i + 1, j + 1), index(i, j + 1));
    }
  return mesh;
}

}  // namespace abut::geometry
