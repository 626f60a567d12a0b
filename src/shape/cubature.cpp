// A rule is exact for degree 4 if it is so for every direction it is a product of:
//   along a segment      Gauss, n points, degree 2 n - 1;
//   in a disc            equidistant angles, five or more, for trigonometric degree 4, times Gauss
//                        along the radius, where the weight r makes the degree 5;
//   in a solid of discs  Gauss along z, where a disc of radius a(z) adds a^2 and the polynomials
//                        even powers of a up to 4: degree 6 where a^2 is quadratic in z;
//   in a triangle        the six points of Strang and Fix (degree 4);
//   in a tetrahedron     that triangle times the distance t from one corner, with the weight t^2.
// A polyhedron is the signed sum of the tetrahedra that a point forms with the triangles of its
// surface.

#include "shape/cubature.h"

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>

namespace abut::shape {
namespace {

using std::numbers::pi;
using Points = std::vector<CubaturePoint>;

struct Abscissa {
  double t = 0;       ///< in [0, 1]
  double weight = 0;  ///< all add up to 1
};

std::array<Abscissa, 3> gauss3() {
  const double d = std::sqrt(0.6) / 2;
  return {{{0.5 - d, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + d, 5.0 / 18}}};
}

std::array<Abscissa, 4> gauss4() {
  const double s = 2.0 / 7 * std::sqrt(1.2), root = std::sqrt(30.0);
  const double inner = std::sqrt(3.0 / 7 - s) / 2, outer = std::sqrt(3.0 / 7 + s) / 2;
  const double much = (18 + root) / 72, little = (18 - root) / 72;
  return {{{0.5 - outer, little}, {0.5 - inner, much}, {0.5 + inner, much}, {0.5 + outer, little}}};
}

/// Equidistant points on a circle: an even number above 5, so that they are symmetric.
constexpr int circle_points = 8;

/// Calls add(x, y, weight) for a disc of radius a about the origin.
template <class Add>
void over_disc(double a, const Add& add) {
  for (const Abscissa& along : gauss3()) {
    const double r = a * along.t;
    const double weight = 2 * pi / circle_points * r * a * along.weight;
    for (int i = 0; i < circle_points; ++i) {
      const double angle = 2 * pi * i / circle_points;
      add(r * std::cos(angle), r * std::sin(angle), weight);
    }
  }
}

/// Adds the discs of radius a(t) at z = from + t (to - from), t from 0 to 1; a^2 is quadratic.
template <class Radius>
void add_discs(double from, double to, const Radius& radius, Points& points) {
  for (const Abscissa& along : gauss4()) {
    const double z = from + along.t * (to - from);
    over_disc(radius(along.t), [&](double x, double y, double weight) {
      points.push_back({{x, y, z}, weight * along.weight * (to - from)});
    });
  }
}

Points scaled(Points points, const Vec3& factors) {
  for (CubaturePoint& p : points) {
    p.point = p.point.cwiseProduct(factors).eval();
    p.weight *= factors.prod();
  }
  return points;
}

/// Two halves, so that it is symmetric about its middle; each has a^2 = 1 - t^2.
Points unit_ball() {
  Points points;
  const auto radius = [](double t) { return std::sqrt((1 - t) * (1 + t)); };
  add_discs(0, 1, radius, points);
  const std::size_t half = points.size();
  for (std::size_t i = 0; i < half; ++i)
    points.push_back(
        {{points[i].point.x(), points[i].point.y(), -points[i].point.z()}, points[i].weight});
  return points;
}

/// int x^i y^j z^k over the superellipsoid of radii 1, for even exponents, by the substitution of
/// solid_moments.cpp: Dirichlet's integral over the section of radius 1,
///   4 (e2/2)^2 Gamma(a) Gamma(b) / Gamma(a + b + 1),   a = (i+1) e2/2, b = (j+1) e2/2,
/// times, since the section at z has the radius (1 - v)^(e1/2) with v = z^(2/e1),
///   2 (e1/2) int v^(c-1) (1 - v)^(d-1) dv,   c = (k+1) e1/2, d = (i+j+2) e1/2 + 1.
double superellipsoid_integral(double e1, double e2, int i, int j, int k) {
  const double a = (i + 1) * e2 / 2, b = (j + 1) * e2 / 2;
  const double section = e2 * e2 * std::tgamma(a) * std::tgamma(b) / std::tgamma(a + b + 1);
  const double c = (k + 1) * e1 / 2, d = (i + j + 2) * e1 / 2 + 1;
  return section * e1 * std::tgamma(c) * std::tgamma(d) / std::tgamma(c + d);
}

/// A solid that is symmetric about the three planes has as many even moments up to degree 4 as this
/// rule has weights: the origin, two distances on each axis and four points in each plane.
/// Precondition: `integral(i, j, k)` for even exponents.
template <class Integral>
Points symmetric_rule(const Integral& integral) {
  Points points;
  const auto moment = [&](int a, int power_a, int b, int power_b) {
    std::array<int, 3> powers = {0, 0, 0};
    powers[static_cast<std::size_t>(a)] += power_a;
    powers[static_cast<std::size_t>(b)] += power_b;
    return integral(powers[0], powers[1], powers[2]);
  };
  std::array<double, 3> second = {0, 0, 0};  // of the points in the planes; the fourth is the same
  for (int a = 0; a < 3; ++a) {
    for (int b = a + 1; b < 3; ++b) {
      const double weight = moment(a, 2, b, 2) / 4;
      for (const int sign_a : {-1, 1})
        for (const int sign_b : {-1, 1})
          points.push_back({sign_a * Vec3::Unit(a) + sign_b * Vec3::Unit(b), weight});
      second[static_cast<std::size_t>(a)] += 4 * weight;
      second[static_cast<std::size_t>(b)] += 4 * weight;
    }
  }
  // At 1 and 1/2: 2 (u + v/4) = m2 and 2 (u + v/16) = m4 for what is left.
  for (int a = 0; a < 3; ++a) {
    const double m2 = moment(a, 2, a, 0) - second[static_cast<std::size_t>(a)];
    const double m4 = moment(a, 4, a, 0) - second[static_cast<std::size_t>(a)];
    const double v = 8.0 / 3 * (m2 - m4), u = m2 / 2 - v / 4;
    for (const int sign : {-1, 1}) {
      points.push_back({sign * Vec3::Unit(a), u});
      points.push_back({sign * 0.5 * Vec3::Unit(a), v});
    }
  }
  double rest = integral(0, 0, 0);
  for (const CubaturePoint& p : points) rest -= p.weight;
  points.push_back({Vec3::Zero(), rest});
  return points;
}

/// Weights of the corners and the share of the area, of a rule of degree 4 in a triangle.
struct TrianglePoint {
  Vec3 corners;
  double weight;
};

std::array<TrianglePoint, 6> triangle_rule() {
  const double root = std::sqrt(10.0), deep = std::sqrt(38 - 44 * std::sqrt(0.4));
  const double far = std::sqrt(213125 - 53320 * root);
  const double a = (8 - root + deep) / 18, b = (8 - root - deep) / 18;
  const double weight_a = (620 + far) / 3720, weight_b = (620 - far) / 3720;
  std::array<TrianglePoint, 6> rule;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 p = Vec3::Constant(a), q = Vec3::Constant(b);
    p[static_cast<Eigen::Index>(i)] = 1 - 2 * a;
    q[static_cast<Eigen::Index>(i)] = 1 - 2 * b;
    rule[i] = {p, weight_a};
    rule[i + 3] = {q, weight_b};
  }
  return rule;
}

Vec3 middle_of_box(std::span<const Vec3> points) {
  Vec3 low = points.front(), high = low;
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return low + (high - low) / 2;
}

Points of_polyhedron(const geometry::PolygonMesh& mesh) {
  Points points;
  if (mesh.vertices.empty()) return points;
  const Vec3 apex = middle_of_box(mesh.vertices);
  const auto rule = triangle_rule();
  const auto at = [&](int v) -> Vec3 { return mesh.vertices[static_cast<std::size_t>(v)] - apex; };
  for (const std::vector<int>& face : mesh.faces) {
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      Mat3 corners;
      corners << at(face[0]), at(face[i]), at(face[i + 1]);
      const double volume = corners.col(0).dot(corners.col(1).cross(corners.col(2))) / 6;
      for (const Abscissa& t : gauss4())
        for (const TrianglePoint& p : rule)
          points.push_back(
              {apex + t.t * (corners * p.corners), 3 * volume * t.t * t.t * t.weight * p.weight});
    }
  }
  return points;
}

struct CubatureOf {
  Points operator()(const Sphere& s) const { return scaled(unit_ball(), Vec3::Constant(s.radius)); }
  Points operator()(const Ellipsoid& s) const { return scaled(unit_ball(), s.radii); }
  Points operator()(const Superellipsoid& s) const {
    return scaled(symmetric_rule([&](int i, int j, int k) {
                    return superellipsoid_integral(s.e1, s.e2, i, j, k);
                  }),
                  s.radii);
  }
  Points operator()(const Capsule& s) const {
    Points points;
    const auto cap = [&](double t) { return s.radius * std::sqrt(t * (2 - t)); };
    add_discs(
        -s.height / 2, s.height / 2, [&](double) { return s.radius; }, points);
    add_discs(-s.height / 2 - s.radius, -s.height / 2, cap, points);
    add_discs(s.height / 2 + s.radius, s.height / 2, cap, points);
    const std::size_t upper = 2 * points.size() / 3;  // that cap was gone through downwards
    for (std::size_t i = upper; i < points.size(); ++i) points[i].weight *= -1;
    return points;
  }
  Points operator()(const Cylinder& s) const {
    Points points;
    add_discs(
        -s.height / 2, s.height / 2, [&](double) { return s.radius; }, points);
    return points;
  }
  Points operator()(const Cone& s) const {
    Points points;
    add_discs(
        -s.height / 2, s.height / 2, [&](double t) { return s.radius * (1 - t); }, points);
    return points;
  }
  Points operator()(const Torus& s) const {
    Points points;
    over_disc(s.tube, [&](double u, double z, double weight) {
      const double rho = s.radius + u;
      for (int i = 0; i < circle_points; ++i) {
        const double angle = 2 * pi * i / circle_points;
        points.push_back({{rho * std::cos(angle), rho * std::sin(angle), z},
                          weight * rho * 2 * pi / circle_points});
      }
    });
    return points;
  }
  Points operator()(const Box& s) const {
    Points points;
    for (const Abscissa& x : gauss3())
      for (const Abscissa& y : gauss3())
        for (const Abscissa& z : gauss3())
          points.push_back({Vec3(x.t - 0.5, y.t - 0.5, z.t - 0.5).cwiseProduct(s.size),
                            x.weight * y.weight * z.weight * s.size.prod()});
    return points;
  }
  Points operator()(const Convex& s) const { return of_polyhedron(*s.hull); }
  Points operator()(const Mesh& s) const { return of_polyhedron(*s.surface); }
  template <class Other>
  Points operator()(const Other&) const {
    throw std::logic_error("this shape has no cubature");
  }
};

}  // namespace

bool has_cubature(const Geometry& geometry) {
  if (is_unbounded(geometry) || std::holds_alternative<UserSurface>(geometry)) return false;
  const auto* convex = std::get_if<Convex>(&geometry);
  return convex == nullptr || convex->rounding == 0;
}

std::vector<CubaturePoint> cubature_of(const Geometry& geometry) {
  return std::visit(CubatureOf{}, geometry);
}

std::vector<CubaturePoint> cubature_of(const Part& part) {
  std::vector<CubaturePoint> points = cubature_of(part.geometry);
  const Mat3 rotation = part.pose.orientation.toRotationMatrix();
  for (CubaturePoint& p : points) p.point = (part.pose.position + rotation * p.point).eval();
  return points;
}

}  // namespace abut::shape
