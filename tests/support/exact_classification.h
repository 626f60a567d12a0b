#pragma once
// Where points and segments are relative to a triangulated solid, by looking at everything in
// rational arithmetic: a twin of geometry/brep_index that shares nothing with it but the names of
// the entities.

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <vector>

#include "geometry/brep_entities.h"

namespace abut::test {

class ExactClassifier {
 public:
  using Number = mpq_class;
  using Point = std::array<Number, 3>;

  explicit ExactClassifier(const geometry::BrepEntities& solid) : solid_(solid) {
    for (const Vec3& p : solid.points) points_.push_back(exact(p));
    for (const auto& c : solid.triangles) {
      corners_.push_back({points_[c[0]], points_[c[1]], points_[c[2]]});
      const auto& t = corners_.back();
      normals_.push_back(cross(minus(t[1], t[0]), minus(t[2], t[0])));
    }
  }

  static Point exact(const Vec3& p) { return {Number(p.x()), Number(p.y()), Number(p.z())}; }

  Where at(const Point& x) const {
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (points_[i] == x) return solid_.where_of_point[i];
    for (std::size_t s = 0; s < solid_.side_ends.size(); ++s)
      if (is_on_side(x, s)) return solid_.where_of_side[s];
    for (std::size_t t = 0; t < solid_.triangles.size(); ++t)
      if (is_on_triangle(x, t)) return solid_.where_of_triangle[t];
    std::mt19937 random(1);
    for (;;) {
      std::uniform_int_distribution<int> any(-1000, 1000);
      const Point ray = {Number(any(random)), Number(any(random)), Number(any(random))};
      if (const auto inside = is_inside_along(x, ray))
        return {*inside ? Locus::in : Locus::out, -1};
    }
  }

  /// Every parameter at which the segment may pass from one entity to another is tried, and what
  /// changes nothing is left out.
  SegmentClassification of(const Vec3& from, const Vec3& to) const {
    const Point p = exact(from), q = exact(to);
    const std::vector<Number> all = parameters(p, q);
    SegmentClassification found;
    Where behind;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Where here = at(between(p, q, all[i]));
      const bool is_last = i + 1 == all.size();
      const Where ahead = is_last ? Where{} : at(between(p, q, (all[i] + all[i + 1]) / 2));
      const bool is_nothing_new = i > 0 && !is_last && here == behind && here == ahead;
      behind = ahead;
      if (is_nothing_new) continue;
      const Point x = between(p, q, all[i]);
      found.points.push_back({here, {x[0].get_d(), x[1].get_d(), x[2].get_d()}, all[i].get_d()});
      if (!is_last) found.stretches.push_back(ahead);
    }
    return found;
  }

 private:
  static Point minus(const Point& a, const Point& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  static Number dot(const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  static Point cross(const Point& a, const Point& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static Point between(const Point& p, const Point& q, const Number& t) {
    const Point d = minus(q, p);
    return {p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]};
  }
  static bool is_zero(const Point& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

  template <std::size_t count>
  static bool is_in_box(const Point& x, const std::array<Point, count>& corners) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax_element(corners.begin(), corners.end(),
                              [&](const Point& a, const Point& b) { return a[axis] < b[axis]; });
      if (x[axis] < (*low)[axis] || x[axis] > (*high)[axis]) return false;
    }
    return true;
  }

  bool is_on_side(const Point& x, std::size_t s) const {
    const Point &a = points_[solid_.side_ends[s][0]], &b = points_[solid_.side_ends[s][1]];
    const Point to_a = minus(a, x), to_b = minus(b, x);
    return is_zero(cross(to_a, to_b)) && dot(to_a, to_b) < 0;
  }

  bool is_on_triangle(const Point& x, std::size_t t) const {
    const auto& c = corners_[t];
    const Point& n = normals_[t];
    if (!is_in_box(x, c) || dot(n, minus(x, c[0])) != 0) return false;
    for (std::size_t i = 0; i < 3; ++i)
      if (dot(n, cross(minus(c[(i + 1) % 3], c[i]), minus(x, c[i]))) <= 0) return false;
    return true;
  }

  // Solves x + s ray = c0 + u (c1 - c0) + v (c2 - c0) by Cramer's rule; nothing where the ray meets
  // a border or runs along a triangle's plane.
  std::optional<bool> is_inside_along(const Point& x, const Point& ray) const {
    bool inside = false;
    for (std::size_t t = 0; t < solid_.triangles.size(); ++t) {
      const auto& c = corners_[t];
      const Point from = minus(x, c[0]);
      const Number determinant = -dot(ray, normals_[t]);
      if (determinant == 0) return std::nullopt;
      const Number s = dot(from, normals_[t]) / determinant;
      if (s < 0) continue;
      const Point a = minus(c[1], c[0]), b = minus(c[2], c[0]);
      const Number u = -dot(ray, cross(from, b)) / determinant;
      const Number v = -dot(ray, cross(a, from)) / determinant;
      if (u < 0 || v < 0 || u + v > 1) continue;
      if (u == 0 || v == 0 || u + v == 1) return std::nullopt;
      inside = !inside;
    }
    return inside;
  }

  std::vector<Number> parameters(const Point& p, const Point& q) const {
    const Point d = minus(q, p);
    std::vector<Number> all = {0, 1};
    const auto add = [&](const Number& t, const auto& corners) {
      if (t > 0 && t < 1 && is_in_box(between(p, q, t), corners)) all.push_back(t);
    };
    for (std::size_t t = 0; t < solid_.triangles.size(); ++t) {
      const Point& n = normals_[t];
      const Number rate = dot(n, d);
      if (rate != 0) add(dot(n, minus(corners_[t][0], p)) / rate, corners_[t]);
    }
    for (const auto& [low, high] : solid_.side_ends) {
      const Point along = minus(points_[high], points_[low]);
      const Point n = cross(d, along);
      if (!is_zero(n))
        add(dot(cross(minus(points_[low], p), along), n) / dot(n, n),
            std::array{points_[low], points_[high]});
    }
    for (const Point& x : points_) add(dot(minus(x, p), d) / dot(d, d), std::array<Point, 1>{x});
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  const geometry::BrepEntities& solid_;
  std::vector<Point> points_;
  std::vector<std::array<Point, 3>> corners_;  // of the triangles
  std::vector<Point> normals_;                 // of any length
};

}  // namespace abut::test
