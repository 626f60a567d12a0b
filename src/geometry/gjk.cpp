#include "geometry/gjk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::geometry {
namespace {

/// The distance is found when its bounds differ by less than this part of it (dimensionless): far
/// above rounding, far below what features are told apart by.
constexpr double relative_tolerance = 1e-14;
/// Rounding of a coordinate of A - B in the unit of rounding_scale() (dimensionless): a rotation, a
/// sum and a difference.
constexpr double coordinate_rounding = 8 * std::numeric_limits<double>::epsilon();
/// Polyhedra of 1,000 vertices need 20 iterations; only cycling in rounding errors needs more.
constexpr int iteration_limit = 128;
/// A tetrahedron whose volume is below this times the product of three of its edges is flat
/// (dimensionless): rounding may have decided on which side of its faces the origin is.
constexpr double flat_volume = 1e-13;

/// A face of a simplex: which corners, with which weights, and how far from the origin.
struct Candidate {
  int count = 0;
  std::array<int, 4> corners = {};
  std::array<double, 4> weights = {};
  double squared_distance = std::numeric_limits<double>::infinity();
};

Candidate nearest_on_vertex(int i, const Vec3& p) {
  return {1, {i}, {1.0}, p.squaredNorm()};
}

Candidate nearest_on_segment(const Simplex& s, int i, int j) {
  const Vec3& p = s.corners[i].w;
  const Vec3& q = s.corners[j].w;
  const Vec3 d = q - p;
  const double along = -p.dot(d);
  if (along <= 0) return nearest_on_vertex(i, p);
  if (q.dot(d) <= 0) return nearest_on_vertex(j, q);
  const double t = along / d.squaredNorm();
  return {2, {i, j}, {1 - t, t}, ((1 - t) * p + t * q).squaredNorm()};
}

void keep_nearer(Candidate& best, const Candidate& other) {
  if (other.squared_distance < best.squared_distance) best = other;
}

/// The barycentric coordinates of the projection of the origin are the areas of the triangles that
/// it makes with the sides. Where one is not positive, the nearest point is on such a side.
Candidate nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3& p = s.corners[i].w;
  const Vec3& q = s.corners[j].w;
  const Vec3& r = s.corners[k].w;
  const Vec3 normal = (q - p).cross(r - p);
  const double u = normal.dot(q.cross(r - q));
  const double v = normal.dot(r.cross(p - r));
  const double w = normal.dot(p.cross(q - p));
  const double sum = u + v + w;
  Candidate best;
  if (u > 0 && v > 0 && w > 0) {
    const double a = u / sum;
    const double b = v / sum;
    const double c = w / sum;
    best = {3, {i, j, k}, {a, b, c}, (a * p + b * q + c * r).squaredNorm()};
    return best;
  }
  if (!(u > 0)) keep_nearer(best, nearest_on_segment(s, j, k));
  if (!(v > 0)) keep_nearer(best, nearest_on_segment(s, k, i));
  if (!(w > 0)) keep_nearer(best, nearest_on_segment(s, i, j));
  return best;
}

/// Whether the origin is on the other side of the plane through i, j, k than the corner l.
bool is_beyond(const Simplex& s, int i, int j, int k, int l) {
  const Vec3& p = s.corners[i].w;
  const Vec3 normal = (s.corners[j].w - p).cross(s.corners[k].w - p);
  const double corner_height = normal.dot(s.corners[l].w - p);
  return -normal.dot(p) * corner_height <= 0;
}

bool is_flat(const Simplex& s) {
  const Vec3 d1 = s.corners[1].w - s.corners[0].w;
  const Vec3 d2 = s.corners[2].w - s.corners[0].w;
  const Vec3 d3 = s.corners[3].w - s.corners[0].w;
  return std::abs(d1.dot(d2.cross(d3))) <= flat_volume * d1.norm() * d2.norm() * d3.norm();
}

Candidate nearest_on_tetrahedron(const Simplex& s) {
  const bool flat = is_flat(s);
  Candidate best;
  bool inside = true;
  const auto try_face = [&](int i, int j, int k, int opposite) {
    if (!flat && !is_beyond(s, i, j, k, opposite)) return;
    inside = false;
    keep_nearer(best, nearest_on_triangle(s, i, j, k));
  };
  try_face(0, 1, 2, 3);
  try_face(0, 1, 3, 2);
  try_face(0, 2, 3, 1);
  try_face(1, 2, 3, 0);
  if (inside) return {4, {0, 1, 2, 3}, {0.25, 0.25, 0.25, 0.25}, 0};
  return best;
}

/// The vertices of A - B, found from one to the next.
class Difference {
 public:
  Difference(const ConvexPolyhedron& a, const ConvexPolyhedron& b, const RelativePose& pose)
      : a_(a), b_(b), pose_(pose) {}

  Simplex::Corner corner(int i, int j) const {
    return {pose_ * a_.vertices()[i] - b_.vertices()[j], i, j};
  }
  /// The lowest along `direction`.
  Simplex::Corner lowest(const Vec3& direction, int hint_a, int hint_b) const {
    const Vec3 direction_a = -(pose_.rotation.transpose() * direction);
    return corner(a_.support(direction_a, hint_a), b_.support(direction, hint_b));
  }

 private:
  const ConvexPolyhedron& a_;
  const ConvexPolyhedron& b_;
  const RelativePose& pose_;
};

Simplex first_simplex(const Difference& difference, const Simplex& start, const Vec3& direction) {
  Simplex simplex;
  simplex.count = start.count;
  for (int i = 0; i < start.count; ++i) {
    simplex.corners[i] = difference.corner(start.corners[i].a, start.corners[i].b);
  }
  if (simplex.count == 0) {
    simplex.corners[0] = difference.lowest(direction, -1, -1);
    simplex.count = 1;
  }
  reduce_to_nearest(simplex);
  return simplex;
}

bool contains(const Simplex& simplex, const Simplex::Corner& corner) {
  for (int i = 0; i < simplex.count; ++i) {
    if (simplex.corners[i].a == corner.a && simplex.corners[i].b == corner.b) return true;
  }
  return false;
}

}  // namespace

Vec3 Simplex::nearest() const {
  Vec3 v = weights[0] * corners[0].w;
  for (int i = 1; i < count; ++i) v += weights[i] * corners[i].w;
  return v;
}

void reduce_to_nearest(Simplex& simplex) {
  Candidate best;
  switch (simplex.count) {
    case 1:
      best = nearest_on_vertex(0, simplex.corners[0].w);
      break;
    case 2:
      best = nearest_on_segment(simplex, 0, 1);
      break;
    case 3:
      best = nearest_on_triangle(simplex, 0, 1, 2);
      break;
    default:
      best = nearest_on_tetrahedron(simplex);
  }
  const std::array<Simplex::Corner, 4> old = simplex.corners;
  simplex.count = best.count;
  simplex.weights = best.weights;
  for (int i = 0; i < best.count; ++i) simplex.corners[i] = old[best.corners[i]];
}

Vec3 direction_to(const Simplex& simplex, const Vec3& nearest) {
  const Vec3& p = simplex.corners[0].w;
  Vec3 direction = nearest;
  if (simplex.count == 2) {
    const Vec3 along = (simplex.corners[1].w - p).normalized();
    direction -= direction.dot(along) * along;
    direction.normalize();
    direction -= direction.dot(along) * along;
  } else if (simplex.count == 3) {
    const Vec3& q = simplex.corners[1].w;
    const Vec3& r = simplex.corners[2].w;
    direction = triangle_area(p, q, r);
    if (direction.dot(p) < 0) direction = -direction;
  }
  const double length = direction.stableNorm();
  return length > 0 ? Vec3(direction / length) : Vec3(nearest.stableNormalized());
}

double rounding_scale(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                      const RelativePose& a_in_b) {
  return a.radius() + b.radius() + a_in_b.translation.norm();
}

GjkResult gjk(const ConvexPolyhedron& a, const ConvexPolyhedron& b, const RelativePose& a_in_b,
              const Simplex& start) {
  const Difference difference(a, b, a_in_b);
  const double rounding = coordinate_rounding * rounding_scale(a, b, a_in_b);
  GjkResult result;
  result.lower = -std::numeric_limits<double>::infinity();
  result.simplex = first_simplex(difference, start, a_in_b.translation);
  Vec3 v = result.simplex.nearest();
  int hint_a = result.simplex.corners[0].a;
  int hint_b = result.simplex.corners[0].b;
  for (; result.iterations < iteration_limit; ++result.iterations) {
    result.upper = v.stableNorm();
    if (result.simplex.count == 4 || result.upper <= rounding) {
      result.status = GjkStatus::overlap;
      return result;
    }
    result.status = GjkStatus::apart;

    // 1. The bounds, and whether they leave anything to gain.
    const Vec3 direction = direction_to(result.simplex, v);
    const Simplex::Corner w = difference.lowest(direction, hint_a, hint_b);
    const double height = direction.dot(w.w);
    result.lower = std::max(result.lower, height);
    if (result.upper - height <= relative_tolerance * result.upper + rounding) return result;
    if (contains(result.simplex, w)) return result;

    // 2. The simplex with the new corner. Without progress, rounding has the last word.
    Simplex next = result.simplex;
    next.corners[next.count++] = w;
    reduce_to_nearest(next);
    v = next.nearest();
    if (next.count < 4 && !(v.stableNorm() < result.upper)) return result;
    result.simplex = next;
    hint_a = w.a;
    hint_b = w.b;
  }
  result.status = GjkStatus::limit;
  return result;
}

}  // namespace abut::geometry
