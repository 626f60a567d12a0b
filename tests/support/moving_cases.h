#pragma once
// Random motions of four points that are hard for moving contact: exact coincidences, motion in a
// plane or on a line, touches that do not lead through, degenerate triangles, and all of these
// missed by one unit in the last place.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "geometry/moving_contact.h"

namespace abut::test {

using FourPoints = std::array<geometry::MovingPoint, 4>;

class MovingCases {
 public:
  explicit MovingCases(std::uint64_t seed) : random_(seed) {}

  /// Point, then triangle.
  FourPoints point_triangle() { return disturbed(base(false)); }
  /// Two edges.
  FourPoints edge_edge() { return disturbed(base(true)); }

 private:
  int whole(int lower, int upper) {
    return std::uniform_int_distribution<int>(lower, upper)(random_);
  }
  double real() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Vec3 grid_point(int most) {
    return {1.0 * whole(-most, most), 1.0 * whole(-most, most), 1.0 * whole(-most, most)};
  }

  FourPoints base(bool edges) {
    switch (whole(0, 6)) {
      case 0:
        return on_grid(1, 3);
      case 1:
        return on_grid(3, 3);
      case 2:
        return on_grid(3, 2);  // in the plane z = 0
      case 3:
        return on_grid(4, 1);  // on the line y = z = 0
      case 4:
        return free();
      case 5:
        return edges ? contact_event_edges() : met_triangle();
      default:
        return edges ? grazing_edges() : grazing_point();
    }
  }

  FourPoints on_grid(int most, int dimensions) {
    FourPoints points;
    for (geometry::MovingPoint& p : points) {
      p = {grid_point(most), grid_point(most)};
      for (int k = dimensions; k < 3; ++k) p.start[k] = p.end[k] = 0;
    }
    return points;
  }

  FourPoints free() {
    FourPoints points;
    for (geometry::MovingPoint& p : points) {
      p = {Vec3(real(), real(), real()), Vec3(real(), real(), real())};
    }
    return points;
  }

  /// Times and weights with few bits, so that the constructions below are exact.
  double hit_time() { return std::array{0.25, 0.5, 1.0}[static_cast<std::size_t>(whole(0, 2))]; }
  static Vec3 at(const geometry::MovingPoint& p, double t) {
    return p.start + t * (p.end - p.start);
  }
  /// Sends p through x at time t.
  static void aim(geometry::MovingPoint& p, const Vec3& x, double t) {
    p.end = p.start + (x - p.start) / t;
  }

  FourPoints met_triangle() {
    FourPoints p = on_grid(4, 3);
    const double t = hit_time();
    const int u = whole(0, 4), v = whole(0, 4 - u);
    aim(p[0], at(p[1], t) * (4 - u - v) / 4 + at(p[2], t) * u / 4 + at(p[3], t) * v / 4, t);
    return p;
  }

  FourPoints contact_event_edges() {
    FourPoints p = on_grid(4, 3);
    const double t = hit_time();
    const int u = whole(0, 4), v = std::array{1, 2, 4}[static_cast<std::size_t>(whole(0, 2))];
    const Vec3 x = at(p[0], t) * (4 - u) / 4 + at(p[1], t) * u / 4;
    aim(p[3], at(p[2], t) + (x - at(p[2], t)) * 4 / v, t);
    return p;
  }

  /// The plane z = k x (2 t - 1) tilts while a point moves at x = 2 t - 1: it stays on one side and
  /// touches half way through, where the cubic has a double zero.
  geometry::MovingPoint on_tilting_plane(double x, double y, double k) {
    return {{x, y, -k * x}, {x, y, k * x}};
  }
  FourPoints grazing_point() {
    const double k = whole(1, 3);
    const double y = whole(-1, 1);
    return turned({geometry::MovingPoint{{-1, y, 0}, {1, y, 0}},
                   on_tilting_plane(-whole(1, 3), -whole(0, 3), k),
                   on_tilting_plane(whole(1, 3), -whole(0, 3), k),
                   on_tilting_plane(whole(-1, 1), whole(0, 3), k)});
  }
  FourPoints grazing_edges() {
    const double k = whole(1, 3);
    const double y0 = -whole(0, 2), y1 = whole(0, 2), y = whole(-1, 1);
    return turned({geometry::MovingPoint{{-1, y0, 0}, {1, y0, 0}},
                   geometry::MovingPoint{{-1, y1, 0}, {1, y1, 0}},
                   on_tilting_plane(-whole(0, 2), y, k), on_tilting_plane(whole(0, 2), y, k)});
  }
  /// Exchanges axes and mirrors, and adds a common motion: all exact.
  FourPoints turned(FourPoints points) {
    std::array<int, 3> axes{0, 1, 2};
    std::shuffle(axes.begin(), axes.end(), random_);
    const Vec3 start = grid_point(2), end = grid_point(2);
    for (geometry::MovingPoint& p : points) {
      p = {Vec3(p.start[axes[0]], -p.start[axes[1]], p.start[axes[2]]) + start,
           Vec3(p.end[axes[0]], -p.end[axes[1]], p.end[axes[2]]) + end};
    }
    return points;
  }

  /// As it is; or far from the origin; or degenerate; or off by little; or small, or large.
  FourPoints disturbed(FourPoints points) {
    const int kind = whole(0, 9);
    if (kind == 5) points[static_cast<std::size_t>(whole(0, 3))] = points[3];
    for (geometry::MovingPoint& p : points) {
      for (Vec3* x : {&p.start, &p.end}) {
        if (kind == 6) *x += Vec3(1048576, -33554432, 3);
        if (kind == 7) *x = *x * 0x1p-200;
        if (kind == 8) *x = *x * 0x1p150;
        if (kind == 9) *x = *x * 0.1 + Vec3(0.7, 0.3, 0.1);  // rounds
      }
    }
    if (kind == 3 || kind == 4 || kind == 6) disturb_one(points, kind == 4 ? 1 << whole(1, 20) : 1);
    return points;
  }
  void disturb_one(FourPoints& points, int units) {
    geometry::MovingPoint& p = points[static_cast<std::size_t>(whole(0, 3))];
    double& x = (whole(0, 1) == 0 ? p.start : p.end)[whole(0, 2)];
    x += units * (whole(0, 1) == 0 ? -1 : 1) * 0x1p-52 * std::max(1.0, std::abs(x));
  }

  std::mt19937_64 random_;
};

}  // namespace abut::test
