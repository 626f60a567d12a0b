// The points within r of a convex polyhedron are the polyhedron and, without overlap,
//   on every face    a prism of height r:      x = p + s n,   p in the face, s from 0 to r;
//   at every edge    a sector of a cylinder:   x = p + rho u, u on the arc between the normals of
//                    the two faces, with the weight rho;
//   at every vertex  a sector of a ball:       x = v + rho u, u among the normals of the vertex,
//                    with the weight rho^2.
// The directions u at a vertex form a polygon on the unit sphere whose sides are the arcs of its
// edges and whose corners are the normals of its faces (Steiner's formula, with moments).
//
// Arc of an edge along the unit vector e, of the angle theta between the normals n1 and n2:
//   int 1 = theta,   int u = tan(theta/2) (n1 + n2),
//   int u u^T = theta/2 (m m^T + k k^T) + sin(theta)/2 (m m^T - k k^T)
// with m along n1 + n2 and k = e x m.
//
// Spherical polygon of area Omega: for constant vectors a and b, and a_T the part of a along the
// sphere, div a_T = -2 u.a and div((u.b) a_T) = a.b - 3 (u.a)(u.b). Integrated over the polygon
// they leave its border, where the outward direction is the constant unit vector e of the edge,
// seen from the vertex:
//   int u = -1/2 sum theta e,   int u u^T = 1/3 (Omega 1 - sum e (int_arc u)^T).
// The polygon turns at its corners by the angles of the faces at the vertex, so Omega is 2 pi less
// their sum (Gauss, Bonnet).

#include "shape/rounded_moments.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "shape/polyhedron_moments.h"

namespace abut::shape {
namespace {

using geometry::PolygonMesh;

/// Integrals of 1, x and x x^T about some origin.
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

Mat3 both_ways(const Vec3& a, const Vec3& b) {
  return a * b.transpose() + b * a.transpose();
}

/// Of x = p + rho u for p in one set, u in another and rho from 0 to r with the weight
/// rho^(power - 1).
Integrals swept(const Integrals& places, const Integrals& directions, double r, int power) {
  const double r0 = std::pow(r, power) / power;
  const double r1 = std::pow(r, power + 1) / (power + 1);
  const double r2 = std::pow(r, power + 2) / (power + 2);
  return {r0 * places.zeroth * directions.zeroth,
          r0 * places.first * directions.zeroth + r1 * places.zeroth * directions.first,
          r0 * places.second * directions.zeroth + r1 * both_ways(places.first, directions.first) +
              r2 * places.zeroth * directions.second};
}

Integrals at_point(const Vec3& p) {
  return {1, p, p * p.transpose()};
}

/// int x x^T = L/6 (p p^T + q q^T + (p + q)(p + q)^T).
Integrals over_segment(const Vec3& p, const Vec3& q) {
  const double length = (q - p).norm();
  const Vec3 s = p + q;
  return {length, 0.5 * length * s,
          length / 6 * (p * p.transpose() + q * q.transpose() + s * s.transpose())};
}

/// int x x^T = A/12 (p p^T + q q^T + r r^T + s s^T), s = p + q + r.
Integrals over_triangle(const Vec3& p, const Vec3& q, const Vec3& r) {
  const double area = 0.5 * (q - p).cross(r - p).norm();
  const Vec3 s = p + q + r;
  return {
      area, area / 3 * s,
      area / 12 * (p * p.transpose() + q * q.transpose() + r * r.transpose() + s * s.transpose())};
}

/// What rounding adds to the polyhedron, about a given origin.
class Shell {
 public:
  Shell(const PolygonMesh& hull, double rounding, const Vec3& origin)
      : hull_(hull), rounding_(rounding), origin_(origin), directions_(hull.vertices.size()) {
    for (Integrals& of_vertex : directions_) of_vertex.zeroth = 2 * std::numbers::pi;
  }

  Integrals operator()() {
    for (const std::vector<int>& face : hull_.faces) add_face(face);
    for (const auto& [edge, normals] : normals_) add_edge(edge, normals);
    for (std::size_t v = 0; v < directions_.size(); ++v) add_vertex(v);
    return sum_;
  }

 private:
  Vec3 at(int vertex) const { return hull_.vertices[static_cast<std::size_t>(vertex)] - origin_; }
  Integrals& directions(int vertex) { return directions_[static_cast<std::size_t>(vertex)]; }

  void add_face(const std::vector<int>& face) {
    Vec3 area = Vec3::Zero();
    Integrals places;
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      const Vec3 p = at(face[0]), q = at(face[i]), r = at(face[i + 1]);
      area += (q - p).cross(r - p);
      places += over_triangle(p, q, r);
    }
    const Vec3 normal = area.normalized();
    sum_ += swept(places, at_point(normal), rounding_, 1);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int here = face[i], next = face[(i + 1) % face.size()];
      const int before = face[(i + face.size() - 1) % face.size()];
      const Vec3 on = at(next) - at(here), back = at(before) - at(here);
      directions(here).zeroth -= std::atan2(on.cross(back).norm(), on.dot(back));
      normals_[std::minmax(here, next)][here < next ? 0 : 1] = normal;
    }
  }

  void add_edge(const std::pair<int, int>& edge, const std::array<Vec3, 2>& normals) {
    const Vec3 p = at(edge.first), q = at(edge.second);
    const Vec3 e = (q - p).normalized();
    const double theta =
        std::atan2(normals[0].cross(normals[1]).norm(), normals[0].dot(normals[1]));
    Integrals arc;
    arc.zeroth = theta;
    arc.first = std::tan(theta / 2) * (normals[0] + normals[1]);
    const Vec3 m = (normals[0] + normals[1]).normalized(), k = e.cross(m);
    const Mat3 mm = m * m.transpose(), kk = k * k.transpose();
    arc.second = theta / 2 * (mm + kk) + std::sin(theta) / 2 * (mm - kk);
    sum_ += swept(over_segment(p, q), arc, rounding_, 2);
    for (const auto& [vertex, outward] :
         {std::pair(edge.first, e), std::pair(edge.second, Vec3(-e))}) {
      directions(vertex).first -= theta / 2 * outward;
      directions(vertex).second -= outward * arc.first.transpose() / 3;
    }
  }

  void add_vertex(std::size_t v) {
    Integrals of_normals = directions_[v];
    of_normals.second += of_normals.zeroth / 3 * Mat3::Identity();
    of_normals.second = (0.5 * (of_normals.second + of_normals.second.transpose())).eval();
    sum_ += swept(at_point(hull_.vertices[v] - origin_), of_normals, rounding_, 3);
  }

  const PolygonMesh& hull_;
  double rounding_;
  Vec3 origin_;
  std::map<std::pair<int, int>, std::array<Vec3, 2>> normals_;  ///< of the faces at an edge
  std::vector<Integrals> directions_;                           ///< by vertex
  Integrals sum_;
};

}  // namespace

SecondMoments rounded_moments_of(const PolygonMesh& hull, double rounding) {
  const SecondMoments core = second_moments_of(hull);
  SecondMoments whole;
  // About the core's centroid, then about that of the whole: nothing large is subtracted.
  const Integrals shell = Shell(hull, rounding, core.centroid)();
  whole.volume = core.volume + shell.zeroth;
  const Vec3 shift = shell.first / whole.volume;
  whole.centroid = core.centroid + shift;
  whole.second = core.second + core.volume * shift * shift.transpose() +
                 Shell(hull, rounding, whole.centroid)().second;
  return whole;
}

}  // namespace abut::shape
