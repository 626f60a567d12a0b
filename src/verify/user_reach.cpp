#include "verify/user_reach.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "geometry/implicit_surface.h"
#include "geometry/parametric_surface.h"

namespace abut::verify {
namespace {

using geometry::ImplicitSurface;
using geometry::ParametricSurface;

constexpr int most_steps = 60;
// Normals that differ by this (rad) from the direction are as good as it.
constexpr double good_normal = 1e-13;
// Steps of a search by trying, in units of the range of a parameter: from a cell of the samples to
// where the height does not change any more.
constexpr double first_try = 0.03;
constexpr double last_try = 1e-9;
// A side of the parameters whose points are this near to each other, in units of the size, is a
// pole.
constexpr double pole_size = 1e-9;
// Samples around and along.
constexpr int samples_around = 48;
constexpr int samples_along = 24;

struct Top {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  double above = 0;  // how far the point may be off the surface, m
};

const Solid::Sample& highest_sample(const Solid& solid, const Vec3& m) {
  const Solid::Sample* best = &solid.samples.front();
  for (const Solid::Sample& sample : solid.samples)
    if (m.dot(sample.point) > m.dot(best->point)) best = &sample;
  return *best;
}

std::optional<Top> top_of_equation(const ImplicitSurface& surface, const Solid::Sample& start,
                                   const Vec3& m) {
  Vec3 x = start.point;
  double slope = surface.field().at(x).gradient.norm();
  std::optional<Top> best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_steps; ++i) {
    const FieldSample f = surface.field().at(x);
    const double length = f.gradient.norm();
    const Vec3 n = f.gradient / length;
    const double residual = (m - n).norm() + std::abs(f.value) / (length * surface.outer_radius());
    if (!std::isfinite(residual)) break;
    if (residual < least) {
      least = residual;
      best = Top{x, n, std::abs(f.value) / length};
    }
    if (residual <= good_normal) break;
    Eigen::Matrix4d jacobian = Eigen::Matrix4d::Zero();
    jacobian.topLeftCorner<3, 3>() = f.hessian;
    jacobian.topRightCorner<3, 1>() = -m;
    jacobian.bottomLeftCorner<1, 3>() = f.gradient.transpose();
    Eigen::Vector4d right;
    right << f.gradient - slope * m, f.value;
    const Eigen::Vector4d step = jacobian.partialPivLu().solve(right);
    // Far away a step may be too long; shorter ones still turn the normal.
    const double shorter =
        std::min(1.0, 0.3 * surface.outer_radius() / std::max(step.head<3>().norm(), 1e-300));
    x -= shorter * step.head<3>();
    slope -= shorter * step[3];
  }
  return best;
}

class ParameterSearch {
 public:
  ParameterSearch(const ParametricSurface& surface, const Vec3& inside)
      : surface_(surface), inside_(inside) {}

  Vec3 outward(const SurfaceSample& s, const Vec3& like) const {
    Vec3 n = s.u.cross(s.v);
    if (!(n.norm() > 0)) return like;
    n.normalize();
    return n.dot(s.point - inside_) < 0 ? Vec3(-n) : n;
  }

  std::optional<Top> by_newton(const Solid::Sample& start, const Vec3& m) const {
    double u = start.u, v = start.v;
    for (int i = 0; i < most_steps; ++i) {
      const SurfaceSample s = surface_.chart().at(u, v);
      const Vec3 n = outward(s, Vec3::Zero());
      if ((m - n).norm() <= good_normal) return Top{s.point, n, 0};
      Eigen::Matrix2d jacobian;
      jacobian << m.dot(s.uu), m.dot(s.uv), m.dot(s.uv), m.dot(s.vv);
      const Eigen::Vector2d step = jacobian.inverse() * Eigen::Vector2d(m.dot(s.u), m.dot(s.v));
      if (!step.allFinite() || step.norm() > 1) return std::nullopt;
      if (step.norm() < 1e-16 && (m - n).norm() < 1e3 * good_normal) return Top{s.point, n, 0};
      u = wrapped(u - step.x(), surface_.domain().u);
      v = wrapped(v - step.y(), surface_.domain().v);
    }
    return std::nullopt;
  }

  // The height is level at the top, so that what is missing there is second order in the last step.
  // Around a pole the steps are those of the plane whose polar coordinates the parameters are.
  Vec3 by_trying(const Solid::Sample& start, const Vec3& m) const {
    const auto &ru = surface_.domain().u, &rv = surface_.domain().v;
    const double s = (start.u - ru[0]) / (ru[1] - ru[0]);
    const double t = (start.v - rv[0]) / (rv[1] - rv[0]);
    const auto at = [&](double a, double b) {
      return surface_.chart().at(ru[0] + a * (ru[1] - ru[0]), rv[0] + b * (rv[1] - rv[0])).point;
    };
    const auto whole = [](double x) { return x - std::floor(x); };
    const auto polar = [&](double p, double q) {
      return std::pair(whole(std::atan2(q, p) / (2 * M_PI)), std::min(std::hypot(p, q), 0.5));
    };
    const auto start_at = [](double turn, double off) {
      return Eigen::Vector2d(off * std::cos(2 * M_PI * turn), off * std::sin(2 * M_PI * turn));
    };
    using Chart = std::function<Vec3(double, double)>;
    Chart chart = [&](double p, double q) { return at(whole(p), whole(q)); };
    Eigen::Vector2d from(s, t);
    for (const double end : {0.0, 1.0}) {
      const auto off = [end](double x) { return end == 0 ? x : 1 - x; };
      const double size = surface_.outer_radius();
      const bool pole_v = (at(0.1, end) - at(0.6, end)).norm() <= pole_size * size &&
                          (at(0.1, end) - at(0.3, end)).norm() <= pole_size * size;
      const bool pole_u = (at(end, 0.1) - at(end, 0.6)).norm() <= pole_size * size &&
                          (at(end, 0.1) - at(end, 0.3)).norm() <= pole_size * size;
      if (pole_v && off(t) <= 0.5) {
        from = start_at(s, off(t));
        chart = [&, off](double p, double q) {
          const auto [turn, distance] = polar(p, q);
          return at(turn, off(distance));
        };
      } else if (pole_u && off(s) <= 0.5) {
        from = start_at(t, off(s));
        chart = [&, off](double p, double q) {
          const auto [turn, distance] = polar(p, q);
          return at(off(distance), turn);
        };
      }
    }
    return climbed(chart, from, m);
  }

 private:
  // Steps to eight sides, shorter where none leads higher, longer where one does.
  static Vec3 climbed(const std::function<Vec3(double, double)>& chart, Eigen::Vector2d place,
                      const Vec3& m) {
    Vec3 point = chart(place.x(), place.y());
    double start = 0;
    for (double step = first_try; step > last_try; start += 2.4) {
      bool better = false;
      for (int k = 0; k < 8; ++k) {
        const double angle = start + M_PI / 4 * k;
        const Eigen::Vector2d next =
            place + step * Eigen::Vector2d(std::cos(angle), std::sin(angle));
        const Vec3 p = chart(next.x(), next.y());
        if (!(m.dot(p) > m.dot(point))) continue;
        point = p;
        place = next;
        better = true;
      }
      step *= better ? 1.5 : 0.5;
    }
    return point;
  }

  static double wrapped(double x, const std::array<double, 2>& range) {
    const double t = (x - range[0]) / (range[1] - range[0]);
    return range[0] + (t - std::floor(t)) * (range[1] - range[0]);
  }

  const ParametricSurface& surface_;
  Vec3 inside_;
};

double diameter(const geometry::ClosedSurface& surface) {
  return (surface.box().upper - surface.box().lower).norm();
}

}  // namespace

std::vector<Solid::Sample> samples_of(const geometry::ClosedSurface& surface) {
  std::vector<Solid::Sample> samples;
  if (const auto* parametric = dynamic_cast<const ParametricSurface*>(&surface)) {
    const ParameterSearch search(*parametric, surface.centre());
    for (int i = 0; i <= samples_around; ++i)
      for (int j = 0; j <= samples_along; ++j) {
        const auto &ru = parametric->domain().u, &rv = parametric->domain().v;
        const double u = ru[0] + (ru[1] - ru[0]) * i / samples_around;
        const double v = rv[0] + (rv[1] - rv[0]) * j / samples_along;
        const SurfaceSample s = parametric->chart().at(u, v);
        const Vec3 arm = s.point - surface.centre();
        samples.push_back({s.point, search.outward(s, arm.normalized()), u, v});
      }
    return samples;
  }
  const geometry::SurfaceMesh mesh = surface.mesh(samples_around);
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
    samples.push_back({mesh.points[i], mesh.normals[i], 0, 0});
  return samples;
}

double user_reach(const Solid& solid, const Vec3& m) {
  const geometry::ClosedSurface& surface = *solid.user;
  const Solid::Sample& start = highest_sample(solid, m);
  if (const auto* implicit = dynamic_cast<const ImplicitSurface*>(&surface)) {
    const std::optional<Top> top = top_of_equation(*implicit, start, m);
    if (top) return m.dot(top->point) + (m - top->normal).norm() * diameter(surface) + top->above;
    return m.dot(start.point) + (m - start.normal).norm() * diameter(surface);
  }
  const auto& parametric = dynamic_cast<const ParametricSurface&>(surface);
  const ParameterSearch search(parametric, surface.centre());
  if (const std::optional<Top> top = search.by_newton(start, m))
    return m.dot(top->point) + (m - top->normal).norm() * diameter(surface);
  return m.dot(search.by_trying(start, m));
}

// Above the plane through the sample that it is farthest above, or below all of them; planes
// through samples leave corners, which are cut off by those along the best normal so far.
double user_level(const Solid& solid, const Vec3& p) {
  if (const auto* implicit = dynamic_cast<const ImplicitSurface*>(solid.user.get())) {
    const FieldSample f = implicit->field().at(p);
    if (!implicit->region().contains(p)) return 1;
    return f.value / std::abs(implicit->field().at(solid.user->centre()).value);
  }
  Vec3 n = Vec3::UnitZ();
  double level = -std::numeric_limits<double>::infinity();
  for (const Solid::Sample& sample : solid.samples) {
    const double above = sample.normal.dot(p - sample.point);
    if (above <= level) continue;
    level = above;
    n = sample.normal;
  }
  for (double turn = 0.1; turn > 1e-6; turn *= 0.5) {
    const Vec3 a = n.unitOrthogonal(), b = n.cross(a), centre = n;
    for (int k = 0; k < 6; ++k) {
      const double angle = M_PI / 3 * k;
      const Vec3 m = (centre + turn * (std::cos(angle) * a + std::sin(angle) * b)).normalized();
      const double above = m.dot(p) - user_reach(solid, m);
      if (above <= level) continue;
      level = above;
      n = m;
    }
  }
  return level / solid.user->outer_radius();
}

}  // namespace abut::verify
