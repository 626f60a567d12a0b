#include "geometry/exact_fraction.h"

namespace abut::geometry {

FractionPoint exact_point(const Vec3& p) {
  return {Fraction(p.x()), Fraction(p.y()), Fraction(p.z())};
}

Vec3 rounded(const FractionPoint& p) {
  return {p[0].get_d(), p[1].get_d(), p[2].get_d()};
}

Fraction exact_area(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Fraction ax(a.x()), ay(a.y());
  return (Fraction(b.x()) - ax) * (Fraction(c.y()) - ay) -
         (Fraction(b.y()) - ay) * (Fraction(c.x()) - ax);
}

Fraction exact_volume(const FractionPoint& a, const FractionPoint& b, const FractionPoint& c,
                      const FractionPoint& d) {
  FractionPoint u, v, w;
  for (std::size_t i = 0; i < 3; ++i) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
    w[i] = d[i] - a[i];
  }
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

Fraction exact_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return exact_volume(exact_point(a), exact_point(b), exact_point(c), exact_point(d));
}

FractionPoint exact_between(const Vec3& p, const Vec3& q, const Fraction& t) {
  const FractionPoint from = exact_point(p), to = exact_point(q);
  FractionPoint x;
  for (std::size_t i = 0; i < 3; ++i) x[i] = from[i] + t * (to[i] - from[i]);
  return x;
}

}  // namespace abut::geometry
