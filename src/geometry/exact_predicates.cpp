// The only file that includes CGAL: its kernel of exact predicates, which decides in floating point
// where that is certain and in rational arithmetic elsewhere.

#include "geometry/exact_predicates.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

namespace abut::geometry {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

Kernel::Point_2 point(const Vec2& p) {
  return {p.x(), p.y()};
}
Kernel::Point_3 point(const Vec3& p) {
  return {p.x(), p.y(), p.z()};
}
Kernel::Triangle_3 triangle(const Triangle& t) {
  return {point(t[0]), point(t[1]), point(t[2])};
}

}  // namespace

int orientation_2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  return CGAL::orientation(point(a), point(b), point(c));
}

int orientation_3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return CGAL::orientation(point(a), point(b), point(c), point(d));
}

bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  return CGAL::collinear(point(a), point(b), point(c));
}

bool on_same_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return CGAL::coplanar_orientation(point(a), point(b), point(c), point(d)) == CGAL::POSITIVE;
}

bool triangles_meet(const Triangle& s, const Triangle& t) {
  return CGAL::do_intersect(triangle(s), triangle(t));
}

bool segment_meets_triangle(const Vec3& a, const Vec3& b, const Triangle& t) {
  return CGAL::do_intersect(Kernel::Segment_3(point(a), point(b)), triangle(t));
}

}  // namespace abut::geometry
