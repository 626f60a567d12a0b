// Mass properties of rounded hulls: against the divergence theorem over their surface, by
// quadrature, and against the closed form of a rounded box.

#include "shape/rounded_moments.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "geometry/convex_hull.h"
#include "support/seeds.h"

using namespace abut;
using namespace abut::shape;
using std::numbers::pi;

namespace {

/// Gauss's nodes and weights on (0, 1), by Newton's method on Legendre polynomials.
std::vector<std::array<double, 2>> gauss(int n) {
  std::vector<std::array<double, 2>> rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int k = 0; k < 50; ++k) {
      double p = 1, before = 0;
      for (int j = 1; j <= n; ++j)
        before = std::exchange(p, ((2 * j - 1) * x * p - (j - 1) * before) / j);
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    rule.push_back({0.5 * (1 + x), 1 / ((1 - x * x) * slope * slope)});
  }
  return rule;
}

/// Sums of x.n / 3, x x.n / 4 and x x^T x.n / 5 over the surface.
struct Surface {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  void add(const Vec3& x, const Vec3& area) {
    const double flux = x.dot(area);
    volume += flux / 3;
    first += flux / 4 * x;
    second += flux / 5 * x * x.transpose();
  }
};

/// Integrates over a patch given on the unit square, which tells its places and area elements.
template <class Patch>
void integrate(Surface& sum, const Patch& patch) {
  static const auto rule = gauss(16);
  for (const auto& [u, wu] : rule)
    for (const auto& [v, wv] : rule) {
      const auto [x, area] = patch(u, v);
      sum.add(x, wu * wv * area);
    }
}

struct Element {
  Vec3 x, area;
};

/// A triangle with one corner blown up to a side.
void add_triangle(Surface& sum, const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 normal = (q - p).cross(r - p);
  integrate(sum, [&](double u, double v) {
    return Element{p + u * ((1 - v) * (q - p) + v * (r - p)), u * normal};
  });
}

/// The part of a sphere about c within the cone over the triangle of unit vectors a, b, d: the
/// solid angle of an element dA of the flat triangle at the place y is y.dA / |y|^3. Large
/// triangles come near the centre, and are cut.
void add_cap(Surface& sum, const Vec3& c, double r, const Vec3& a, const Vec3& b, const Vec3& d) {
  if (std::max({(a - b).norm(), (b - d).norm(), (d - a).norm()}) > 0.7) {
    const Vec3 ab = (a + b).normalized(), bd = (b + d).normalized(), da = (d + a).normalized();
    add_cap(sum, c, r, a, ab, da);
    add_cap(sum, c, r, ab, b, bd);
    add_cap(sum, c, r, da, bd, d);
    return add_cap(sum, c, r, ab, bd, da);
  }
  const Vec3 normal = (b - a).cross(d - a);
  integrate(sum, [&](double u, double v) {
    const Vec3 y = a + u * ((1 - v) * (b - a) + v * (d - a));
    const Vec3 n = y.normalized();
    const double angle = u * std::abs(y.dot(normal)) / std::pow(y.norm(), 3);
    return Element{c + r * n, r * r * angle * n};
  });
}

Surface surface_of(const geometry::PolygonMesh& hull, double r) {
  Surface sum;
  std::vector<Vec3> normals;
  std::map<std::pair<int, int>, int> left;
  for (const auto& face : hull.faces) {
    const Vec3 o = hull.vertices[face[0]];
    Vec3 normal = Vec3::Zero();
    for (std::size_t i = 2; i < face.size(); ++i)
      normal += (hull.vertices[face[i - 1]] - o).cross(hull.vertices[face[i]] - o);
    normal.normalize();
    for (std::size_t i = 2; i < face.size(); ++i)
      add_triangle(sum, o + r * normal, hull.vertices[face[i - 1]] + r * normal,
                   hull.vertices[face[i]] + r * normal);
    for (std::size_t i = 0; i < face.size(); ++i)
      left[{face[i], face[(i + 1) % face.size()]}] = static_cast<int>(normals.size());
    normals.push_back(normal);
  }
  for (const auto& [side, face] : left) {
    const auto [from, to] = side;
    if (from > to) continue;
    const Vec3 p = hull.vertices[from], along = hull.vertices[to] - p;
    const Vec3 n = normals[left.at({to, from})], axis = along.normalized();
    const double angle = std::atan2(axis.dot(n.cross(normals[face])), n.dot(normals[face]));
    integrate(sum, [&](double u, double v) {
      const Vec3 turned = std::cos(v * angle) * n + std::sin(v * angle) * axis.cross(n);
      return Element{p + u * along + r * turned, along.norm() * r * std::abs(angle) * turned};
    });
  }
  for (const auto& [start, unused] : left) {
    // Once per vertex: a fan of triangles over the normals of its faces, in order.
    const int vertex = start.first;
    if (left.lower_bound({vertex, -1})->first != start) continue;
    std::vector<Vec3> around;
    int face = left.at(start);
    do {
      around.push_back(normals[face]);
      const auto& f = hull.faces[face];
      const auto here = std::find(f.begin(), f.end(), vertex) - f.begin();
      face = left.at({vertex, f[(here + f.size() - 1) % f.size()]});
    } while (face != left.at(start));
    for (std::size_t i = 2; i < around.size(); ++i)
      add_cap(sum, hull.vertices[vertex], r, around[0], around[i - 1], around[i]);
  }
  return sum;
}

void expect_equal(const SecondMoments& found, const Surface& sum, double relative) {
  const Vec3 centroid = sum.first / sum.volume;
  const Mat3 second = sum.second - sum.volume * centroid * centroid.transpose();
  const double size = std::sqrt(second.trace() / sum.volume);
  EXPECT_NEAR(found.volume, sum.volume, relative * sum.volume);
  EXPECT_LT((found.centroid - centroid).norm(), relative * size);
  EXPECT_LT((found.second - second).norm(), relative * second.trace());
}

}  // namespace

TEST(RoundedMoments, EqualThoseOfTheSurface) {
  std::mt19937 random(abut::test::seed(7, abut::test::few_rounds));
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const int corners : {4, 6, 9}) {
    std::vector<Vec3> points;
    for (int i = 0; i < corners; ++i)
      points.emplace_back(uniform(random), 0.5 * uniform(random), 2 * uniform(random));
    const geometry::PolygonMesh hull = geometry::convex_hull(points);
    for (const double rounding : {0.01, 0.3, 5.0}) {
      SCOPED_TRACE(testing::Message() << corners << " corners, rounding " << rounding);
      expect_equal(rounded_moments_of(hull, rounding), surface_of(hull, rounding), 1e-9);
    }
  }
}

// The box a x b x c, 6 slabs, 12 quarters of cylinders, 8 eighths of a ball: along x the slabs at
// +-a/2 and the ends of the quarters and eighths.
TEST(RoundedMoments, OfABox) {
  const Vec3 s(0.7, 1.1, 1.6);
  const double r = 0.25;
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(0.5 * s.cwiseProduct(Vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1,
                                                (i & 4) != 0 ? 1 : -1)));
  const SecondMoments found = rounded_moments_of(geometry::convex_hull(corners), r);
  const double a = s.x(), b = s.y(), c = s.z();
  EXPECT_NEAR(found.volume,
              a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) +
                  4.0 / 3 * pi * r * r * r,
              1e-14 * found.volume * 10);
  EXPECT_LT(found.centroid.norm(), 1e-15);
  // int x^2: what spans all of x (the box, slabs across y and z, cylinders along x), and what is
  // beyond a/2: with t = x - a/2, areas times int (a/2 + t)^2.
  const auto beyond = [&](double zeroth, double first, double second) {
    return a * a / 4 * zeroth + a * first + second;
  };
  const double across = b * c + 2 * r * (b + c) + pi * r * r;
  const double spanning = a * a * a / 12 * across;
  const double slabs = 2 * b * c * beyond(r, r * r / 2, r * r * r / 3);
  // A half cylinder's section: int 1, t, t^2.
  const double quarters =
      2 * (b + c) * beyond(pi * r * r / 2, 2 * r * r * r / 3, pi * r * r * r * r / 8);
  const double ball = 4.0 / 3 * pi * r * r * r;
  const double eighths = beyond(ball, 2 * pi * std::pow(r, 4) / 4, ball * r * r / 5);
  EXPECT_NEAR(found.second(0, 0), spanning + slabs + quarters + eighths, 1e-13);
  EXPECT_LT(std::abs(found.second(0, 1)), 1e-15);
}
