// The points within r of a convex polyhedron K fall into K itself, a prism of height r over every
// face, a sector of a cylinder along every edge, and a sector of a ball at every corner (Steiner's
// decomposition). Each is x = p + s n, with p on the face, edge or corner, n in its set of outward
// normals N, and s between 0 and r; the volume element is s^k ds dn dp with k the dimension of N.
// With the integrals over the feature F and its normals
//     F0 = |F|,  F1 = int p,  F2 = int p p^T,      N0 = |N|,  N1 = int n,  N2 = int n n^T,
// and S_j = r^(k + 1 + j) / (k + 1 + j), a piece has
//     int 1     = S_0 F0 N0,
//     int x     = S_0 F1 N0 + S_1 F0 N1,
//     int x x^T = S_0 F2 N0 + S_1 (F1 N1^T + N1 F1^T) + S_2 F0 N2.
//
// At a face N is one normal, at an edge an arc of a great circle, at a corner the spherical polygon
// between the normals of its faces, whose sides are arcs with the edges e_i as poles. The
// components of n are spherical harmonics of degree 1, those of n n^T - 1/3 of degree 2, for which
// Laplace Y = -l (l + 1) Y, so Gauss's theorem on the sphere leads to the polygon's sides:
//     N1 = -1/2 sum phi_i nu_i,
//     N2 = N0/3 - 1/6 sum (nu_i a_i^T + a_i nu_i^T),   a_i = (n_i + n_(i+1)) tan(phi_i / 2),
// with nu_i the outward normal of the side within the sphere (the pole, up to its sign), phi_i its
// angle and a_i the integral of n along it.

#include "shape/rounded_moments.h"

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "shape/polyhedron_moments.h"

namespace abut::shape {
namespace {

using geometry::PolygonMesh;

/// Integrals of 1, x and x x^T.
struct Integrals {
  double zeroth = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  Integrals& operator+=(const Integrals& other) {
    zeroth += other.zeroth;
    first += other.first;
    second += other.second;
    return *this;
  }
};

/// A piece x = p + s n; k is the dimension of the normals.
Integrals piece(const Integrals& feature, const Integrals& normals, int k, double r) {
  const auto s = [&](int j) { return std::pow(r, k + 1 + j) / (k + 1 + j); };
  Integrals result;
  result.zeroth = s(0) * feature.zeroth * normals.zeroth;
  result.first = s(0) * normals.zeroth * feature.first + s(1) * feature.zeroth * normals.first;
  const Mat3 mixed = feature.first * normals.first.transpose();
  result.second = s(0) * normals.zeroth * feature.second + s(1) * (mixed + mixed.transpose()) +
                  s(2) * feature.zeroth * normals.second;
  return result;
}

Integrals at_point(const Vec3& p) {
  return {1, p, p * p.transpose()};
}

Integrals of_segment(const Vec3& p, const Vec3& q) {
  const double length = (q - p).norm();
  const Vec3 sum = p + q;
  const Mat3 squares = p * p.transpose() + q * q.transpose() + sum * sum.transpose();
  return {length, length / 2 * sum, length / 6 * squares};
}

Integrals of_triangle(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& normal) {
  const double area = 0.5 * (q - p).cross(r - p).dot(normal);
  const Vec3 sum = p + q + r;
  const Mat3 squares =
      p * p.transpose() + q * q.transpose() + r * r.transpose() + sum * sum.transpose();
  return {area, area / 3 * sum, area / 12 * squares};
}

/// The angle between unit vectors, accurate when it is small.
double angle_between(const Vec3& n, const Vec3& m) {
  return std::atan2(n.cross(m).norm(), n.dot(m));
}

/// The integral of n along the arc.
Vec3 along_arc(const Vec3& n, const Vec3& m, double angle) {
  return std::tan(angle / 2) * (n + m);
}

/// Normals of an edge: the arc from n to m. With b the middle of the arc and c across it in its
/// plane, int n n^T = (phi + sin phi)/2 b b^T + (phi - sin phi)/2 c c^T.
Integrals of_arc(const Vec3& n, const Vec3& m) {
  const double angle = angle_between(n, m);
  if (angle == 0) return {};
  const Vec3 b = (n + m).normalized(), c = (m - n).normalized();
  const double sine = std::sin(angle);
  return {angle, along_arc(n, m, angle),
          0.5 * (angle + sine) * b * b.transpose() + 0.5 * (angle - sine) * c * c.transpose()};
}

/// The solid angle of the triangle between unit vectors (van Oosterom and Strackee 1983).
double solid_angle(const Vec3& p, const Vec3& q, const Vec3& r) {
  return 2 * std::atan2(p.dot(q.cross(r)), 1 + p.dot(q) + q.dot(r) + r.dot(p));
}

/// Normals of a corner: the polygon with these corners, counter-clockwise from outside.
Integrals of_polygon(const std::vector<Vec3>& normals) {
  Integrals result;
  Mat3 sides = Mat3::Zero();
  for (std::size_t i = 1; i + 1 < normals.size(); ++i)
    result.zeroth += solid_angle(normals[0], normals[i], normals[i + 1]);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const Vec3 &n = normals[i], &m = normals[(i + 1) % normals.size()];
    const double angle = angle_between(n, m);
    if (angle == 0) continue;
    const Vec3 outward = -n.cross(m).normalized();
    const Mat3 mixed = outward * along_arc(n, m, angle).transpose();
    result.first -= 0.5 * angle * outward;
    sides += mixed + mixed.transpose();
  }
  result.second = result.zeroth / 3 * Mat3::Identity() - sides / 6;
  return result;
}

/// The hull with its centroid at the origin, and what is next to what.
class Surface {
 public:
  Surface(const PolygonMesh& hull, const Vec3& origin) : hull_(hull) {
    for (const Vec3& vertex : hull.vertices) points_.push_back(vertex - origin);
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const std::vector<int>& face = hull.faces[f];
      Vec3 area = Vec3::Zero();
      for (std::size_t i = 0; i < face.size(); ++i) {
        const int from = face[i], to = face[(i + 1) % face.size()];
        area += (points_[from] - points_[face[0]]).cross(points_[to] - points_[face[0]]);
        left_of_[{from, to}] = static_cast<int>(f);
        next_at_[{from, static_cast<int>(f)}] = face[(i + face.size() - 1) % face.size()];
      }
      normals_.push_back(area.normalized());
    }
  }

  Integrals rounding(double r) const {
    Integrals sum;
    for (std::size_t f = 0; f < hull_.faces.size(); ++f)
      sum += piece(of_face(f), at_point(normals_[f]), 0, r);
    for (const auto& [ends, left] : left_of_) {
      if (ends.first > ends.second) continue;
      const int right = left_of_.at({ends.second, ends.first});
      sum += piece(of_segment(points_[ends.first], points_[ends.second]),
                   of_arc(normals_[left], normals_[right]), 1, r);
    }
    for (const auto& [edge, face] : left_of_) {
      if (!is_first(edge)) continue;
      sum +=
          piece(at_point(points_[edge.first]), of_polygon(normals_around(edge.first, face)), 2, r);
    }
    return sum;
  }

 private:
  using Edge = std::pair<int, int>;

  /// Whether it is the first of the edges that leave its corner.
  bool is_first(const Edge& edge) const {
    const auto first = left_of_.lower_bound({edge.first, -1});
    return first->first == edge;
  }
  Integrals of_face(std::size_t f) const {
    const std::vector<int>& face = hull_.faces[f];
    Integrals sum;
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      sum += of_triangle(points_[face[0]], points_[face[i]], points_[face[i + 1]], normals_[f]);
    return sum;
  }
  /// Of the faces at a corner, counter-clockwise from outside: over the edge by which the boundary
  /// of a face comes to the corner lies the next one.
  std::vector<Vec3> normals_around(int corner, int first) const {
    std::vector<Vec3> normals;
    int face = first;
    do {
      normals.push_back(normals_[face]);
      face = left_of_.at({corner, next_at_.at({corner, face})});
    } while (face != first && normals.size() <= normals_.size());
    return normals;
  }

  const PolygonMesh& hull_;
  std::vector<Vec3> points_;
  std::vector<Vec3> normals_;
  std::map<Edge, int> left_of_;                 // by directed edge: the face to the left
  std::map<std::pair<int, int>, int> next_at_;  // by corner and face: the corner before it
};

}  // namespace

SecondMoments rounded_second_moments(const PolygonMesh& hull, double rounding) {
  const SecondMoments core = second_moments_of(hull);
  if (!(rounding > 0)) return core;
  // About the core's centroid, so that a hull far from the origin loses nothing.
  const Integrals shell = Surface(hull, core.centroid).rounding(rounding);
  SecondMoments whole;
  whole.volume = core.volume + shell.zeroth;
  const Vec3 shift = shell.first / whole.volume;
  whole.centroid = core.centroid + shift;
  whole.second = core.second + shell.second - whole.volume * shift * shift.transpose();
  return whole;
}

}  // namespace abut::shape
