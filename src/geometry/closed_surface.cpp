#include "geometry/closed_surface.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/limits.h"

namespace abut::geometry {
namespace {

// Lengths and curvatures below are those of the roundish image, whose radius is about 1/2.

// Curvatures below this are taken for it while a place is searched for: at a flat spot a step stays
// finite.
constexpr double least_bending = 1e-12;

// From the table Newton's method needs three or four steps. Towards a flat spot each step only
// shortens the way by a third.
constexpr int most_newton_steps = 150;
// Steps below this that do not shrink any more are rounding.
constexpr double rounding_step = 1e-9;
// A step that leads farther than the image is wide has no meaning.
constexpr double longest_step = 3;

constexpr int most_climbs = 300;
constexpr int most_shortenings = 50;
// Where the normal is farther from m than this (cosine), the way up is followed, not Newton's.
constexpr double sideways = 0.2;

// Allowance for rounding in boxes and radii that must contain the solid (dimensionless).
constexpr double rounding_margin = 1e-12;

// Directions for the inner radius are a table's, so it is taken smaller by this factor.
constexpr double inner_safety = 0.9;

struct TangentPlane {
  Vec3 p, q;

  explicit TangentPlane(const Vec3& n) : p(n.unitOrthogonal()), q(n.cross(p)) {}
};

// The tensor across n whose eigenvalues are f(those of `tensor`).
template <class Function>
Mat3 mapped_across(const Vec3& n, const Mat3& tensor, const Function& f) {
  const TangentPlane plane(n);
  const double a = plane.p.dot(tensor * plane.p), b = plane.p.dot(tensor * plane.q),
               c = plane.q.dot(tensor * plane.q);
  const double mean = 0.5 * (a + c), half = 0.5 * (a - c);
  const double spread = std::hypot(half, b);
  Eigen::Vector2d axis(1, 0);
  if (spread > 0) {
    axis = half >= 0 ? Eigen::Vector2d(half + spread, b) : Eigen::Vector2d(b, spread - half);
    axis.normalize();
  }
  const Vec3 large = axis.x() * plane.p + axis.y() * plane.q;
  const Vec3 small = n.cross(large);
  // The smaller eigenvalue from the determinant, so that nothing cancels.
  const double high = mean + spread;
  const double low = mean > 0 ? (a * c - b * b) / high : mean - spread;
  return f(high) * large * large.transpose() + f(low) * small * small.transpose();
}

Mat3 radii_of(const SurfaceFrame& image) {
  return mapped_across(image.normal, image.bending,
                       [](double c) { return 1 / std::max(std::abs(c), least_bending); });
}

}  // namespace

// What the frame becomes in the roundish image. Of the Hessian of a function behind it, divided by
// its slope, C + drift n^T + n drift^T is known and what is missing is along L^T n, so that it
// drops out.
SurfaceFrame ClosedSurface::rounded(const SurfaceFrame& frame) const {
  SurfaceFrame image;
  const Vec3 normal = stretch_.transpose() * frame.normal;
  const double length = normal.norm();
  image.normal = normal / length;
  image.offset = frame.offset / length;
  const Mat3 across = Mat3::Identity() - image.normal * image.normal.transpose();
  const Vec3 up = stretch_ * image.normal;
  image.bending = across * (stretch_.transpose() * frame.bending * stretch_) * across / length;
  image.drift = across *
                (stretch_.transpose() * (frame.bending * up + frame.drift * frame.normal.dot(up))) /
                length;
  return image;
}

ClosedSurface::Found ClosedSurface::newton(const Vec3& m, SurfacePlace place) const {
  Found found;
  const Vec3 wanted = (stretch_.transpose() * m).normalized();
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_newton_steps; ++i) {
    const SurfaceFrame frame = frame_at(place);
    const SurfaceFrame image = rounded(frame);
    const double cosine = wanted.dot(image.normal);
    if (!(cosine > sideways)) return found;
    const Vec3 aside = wanted - cosine * image.normal;
    const Vec3 step = radii_of(image) * (aside / cosine + image.offset * image.drift) -
                      image.offset * image.normal;
    const double length = step.norm();
    if (!(length <= longest_step)) return found;
    found.frame = frame;
    found.place = place;
    // The last step is taken in space: to first order it leads to where the normal is m.
    found.point = frame.point + stretch_ * step;
    if (length <= 2 * epsilon || (length <= rounding_step && length >= 0.5 * last)) {
      found.converged = true;
      return found;
    }
    place = moved(place, stretch_ * step);
    last = length;
  }
  // Towards a flat spot: not finished, but nearer than can make a difference to the height.
  found.converged = last <= 1e-5;
  return found;
}

SurfacePlace ClosedSurface::climb(const Vec3& m, SurfacePlace place) const {
  const Vec3 wanted = (stretch_.transpose() * m).normalized();
  for (int i = 0; i < most_climbs; ++i) {
    const SurfaceFrame now = frame_at(place);
    const SurfaceFrame image = rounded(now);
    const double cosine = wanted.dot(image.normal);
    const Vec3 aside = wanted - cosine * image.normal;
    if (cosine > 0 && aside.norm() <= 1e-9) break;
    // At the lowest point the first step goes anywhere.
    const bool lowest = cosine < 0 && aside.norm() < 1e-6;
    Vec3 step = lowest ? Vec3(image.normal.unitOrthogonal()) : Vec3(aside.normalized());
    if (cosine > sideways) {
      step = radii_of(image) * aside / cosine;
      step *= std::min(1.0, 1 / step.norm());
    }
    const double height = m.dot(now.point);
    bool improved = false;
    for (int k = 0; k < most_shortenings && !improved; ++k, step *= 0.5) {
      const SurfacePlace next = moved_along(place, stretch_ * step);
      improved = m.dot(next.point) > height || (lowest && k == 0);
      if (improved) place = next;
    }
    if (!improved) break;
  }
  return place;
}

ClosedSurface::Found ClosedSurface::farthest(const Vec3& m, const SurfacePlace& start) const {
  Found found = newton(m, start);
  if (found.converged) return found;
  const SurfacePlace top = climb(m, start);
  found = newton(m, top);
  if (found.converged) return found;
  found.place = top;
  found.frame = frame_at(top);
  found.point = found.frame.point;
  return found;
}

std::optional<math::SeriesJet> ClosedSurface::field_along(
    const std::array<math::Series, 3>&) const {
  return std::nullopt;
}

SurfacePatch ClosedSurface::patch(const Vec3& m) const {
  const Found found = farthest(m, starts_[directions_.cell_of(m)]);
  SurfacePatch patch;
  patch.point = found.point - centre_;
  const double floor = 1 / (largest_radius_factor * outer_);
  patch.radii =
      mapped_across(m, found.frame.bending, [&](double c) { return 1 / std::max(c, floor); });
  return patch;
}

Vec3 ClosedSurface::normal_beside(const Vec3& m, const Vec3& step) const {
  const Found found = farthest(m, starts_[directions_.cell_of(m)]);
  return frame_at(moved(found.place, step)).normal;
}

void ClosedSurface::fill_table(const SurfacePlace& anywhere) {
  // A roundish solid becomes this one by the square root of its second moments.
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(integrals_.second / integrals_.volume);
  stretch_ = axes.eigenvectors() * axes.eigenvalues().cwiseSqrt().asDiagonal();
  directions_ = DirectionTable(stretch_);
  starts_.resize(DirectionTable::size);
  SurfacePlace start = anywhere;
  for (std::size_t cell = 0; cell < DirectionTable::size; ++cell) {
    start = farthest(directions_.middle_of(cell), start).place;
    starts_[cell] = start;
  }
}

void ClosedSurface::finish(const VolumeIntegrals& integrals, const Vec3& centre,
                           const Aabb& rough_box, bool is_convex, const SurfacePlace& anywhere) {
  integrals_ = integrals;
  centre_ = centre;
  box_ = rough_box;
  is_convex_ = is_convex;
  const auto corner = [&] { return (box_.upper - centre_).cwiseMax(centre_ - box_.lower).norm(); };
  outer_ = corner();
  if (!is_convex_) return;
  fill_table(anywhere);
  const double margin = rounding_margin * (outer_ + centre_.norm());
  for (int i = 0; i < 3; ++i) {
    box_.lower[i] = centre_[i] + patch(-Vec3::Unit(i)).point[i] - margin;
    box_.upper[i] = centre_[i] + patch(Vec3::Unit(i)).point[i] + margin;
  }
  outer_ = corner();
  inner_ = outer_;
  for (std::size_t cell = 0; cell < DirectionTable::size; ++cell) {
    const Vec3 m = directions_.middle_of(cell);
    inner_ = std::min(inner_, m.dot(patch(m).point));
  }
  inner_ *= inner_safety;
}

}  // namespace abut::geometry
