#pragma once
// Random pairs of triangles (segments and points are their first corners) that are hard for
// distance kernels, and a proof of optimality for what the kernels return.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "geometry/distance_feature.h"
#include "support/dense.h"

namespace abut::test {

struct TrianglePair {
  geometry::Triangle first, second;
  double scale = 1;  ///< the largest coordinate
};

class TrianglePairs {
 public:
  explicit TrianglePairs(std::uint64_t seed) : random_(seed) {}

  TrianglePair next() {
    TrianglePair pair{triangle(), triangle(), 1};
    switch (whole(0, 5)) {
      case 0:
        pair.second = moved(pair.first, point());
        break;  // parallel
      case 1:
        pair.second[0] = pair.first[static_cast<std::size_t>(whole(0, 2))];
        break;  // shared
      case 2:
        pair.second[1] = 0.5 * (pair.first[0] + pair.first[1]);
        break;  // corner on a side
      case 3:
        flatten(pair.first);
        break;
      case 4:
        flatten(pair.second);
        break;
      default:
        break;
    }
    const double size = std::pow(10.0, whole(-3, 3));
    const Vec3 far = whole(0, 3) == 0 ? Vec3(300, -200, 100) : Vec3(0, 0, 0);
    for (geometry::Triangle* t : {&pair.first, &pair.second}) {
      for (Vec3& x : *t) {
        x = size * (x + far);
        pair.scale = std::max(pair.scale, x.cwiseAbs().maxCoeff());
      }
    }
    return pair;
  }

 private:
  int whole(int lower, int upper) {
    return std::uniform_int_distribution<int>(lower, upper)(random_);
  }
  double real() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Vec3 point() {
    if (on_grid_) return Vec3(whole(-2, 2), whole(-2, 2), whole(-2, 2));
    return Vec3(real(), real(), real());
  }
  geometry::Triangle triangle() {
    on_grid_ = whole(0, 1) == 0;
    return {point(), point(), point()};
  }
  static geometry::Triangle moved(geometry::Triangle t, const Vec3& by) {
    for (Vec3& x : t) x += by;
    return t;
  }
  /// Collinear, nearly collinear, or a point.
  void flatten(geometry::Triangle& t) {
    const int kind = whole(0, 3);
    if (kind == 3) t[1] = t[0];
    t[2] = t[0] + real() * 2 * (t[1] - t[0]);
    if (kind == 0) t[2] += 1e-9 * point();
    if (kind == 1) t[2] += 1e-15 * point();
  }

  std::mt19937_64 random_;
  bool on_grid_ = false;
};

/// How much shorter than `distance` the hulls of a and b might be apart, given the closest points p
/// and q: along d = p - q everything of a is beyond min d.a_i, everything of b before max d.b_j, so
/// the true distance is at least their difference over |d|.
inline double optimality_gap(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& p,
                             const Vec3& q) {
  const double distance = (p - q).norm();
  if (distance == 0) return 0;
  const Vec3 d = (p - q) / distance;
  double lowest = d.dot(a[0] - q), highest = d.dot(b[0] - q);
  for (const Vec3& x : a) lowest = std::min(lowest, d.dot(x - q));
  for (const Vec3& x : b) highest = std::max(highest, d.dot(x - q));
  return distance - (lowest - highest);
}

/// The distance of two hulls by brute force: for every choice of corners on either side, the
/// closest points of the flats through them (least squares), where these lie within the corners'
/// hulls.
inline double distance_by_enumeration(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  const auto chosen = [](const std::vector<Vec3>& all, unsigned mask) {
    std::vector<Vec3> some;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((mask >> i & 1u) != 0) some.push_back(all[i]);
    }
    return some;
  };
  double best = (a[0] - b[0]).norm();
  for (unsigned i = 1; i < 1u << a.size(); ++i) {
    for (unsigned j = 1; j < 1u << b.size(); ++j) {
      const std::vector<Vec3> p = chosen(a, i), q = chosen(b, j);
      const auto m = static_cast<Eigen::Index>(p.size()), n = static_cast<Eigen::Index>(q.size());
      Matrix sides(3, m + n - 2);  // p_k - p_0, then q_0 - q_k
      for (Eigen::Index k = 1; k < m; ++k) sides.col(k - 1) = p[static_cast<std::size_t>(k)] - p[0];
      for (Eigen::Index k = 1; k < n; ++k) {
        sides.col(m + k - 2) = q[0] - q[static_cast<std::size_t>(k)];
      }
      if (sides.cols() == 0) {
        best = std::min(best, (p[0] - q[0]).norm());
        continue;
      }
      const Vector l = least_norm_solution(sides, q[0] - p[0]);
      if (l.minCoeff() < 0 || l.head(m - 1).sum() > 1 || l.tail(n - 1).sum() > 1) continue;
      best = std::min(best, (p[0] - q[0] + sides * l).norm());
    }
  }
  return best;
}

/// How far the point is from the feature of the polygon (or, with two corners, segment) it is said
/// to lie on. The interior stands for the whole triangle.
inline double distance_from_feature(const geometry::PointOnFeature& on,
                                    const std::vector<Vec3>& corners) {
  const Vec3& a = corners[static_cast<std::size_t>(on.index)];
  const Vec3& b = corners[(static_cast<std::size_t>(on.index) + 1) % corners.size()];
  if (on.feature == geometry::SimplexFeature::vertex) return (on.point - a).norm();
  if (on.feature == geometry::SimplexFeature::edge) {
    const double s = std::clamp((on.point - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    return (on.point - a - s * (b - a)).norm();
  }
  return distance_by_enumeration({on.point}, corners);
}

}  // namespace abut::test
