#pragma once
// Shortest vectors between points, segments and triangles, for any kind of number: exact where the
// numbers are rational.

#include <algorithm>
#include <array>

#include "verify/triple.h"

namespace abut::verify {

template <class T>
using SegmentOf = std::array<Triple<T>, 2>;
template <class T>
using TriangleOf = std::array<Triple<T>, 3>;

/// Keeps the shortest of the vectors it is offered.
template <class T>
class Shortest {
 public:
  void offer(const Triple<T>& vector) {
    const T length = squared_norm(vector);
    if (found_ && !(length < squared_length_)) return;
    found_ = true;
    vector_ = vector;
    squared_length_ = length;
  }
  const Triple<T>& vector() const { return vector_; }
  const T& squared_length() const { return squared_length_; }

 private:
  bool found_ = false;
  Triple<T> vector_;
  T squared_length_{0};
};

template <class T>
Triple<T> from_point_to_segment(const Triple<T>& p, const SegmentOf<T>& s) {
  const Triple<T> along = s[1] - s[0];
  const T length = squared_norm(along);
  if (!(length > 0)) return s[0] - p;
  const T where = T(dot(Triple<T>(p - s[0]), along) / length);
  const T kept = std::clamp(where, T(0), T(1));
  return s[0] + kept * along - p;
}

/// The shortest vector from segment s to segment t. It joins an end of one with the other, or it is
/// the common perpendicular, whose feet are at a and b with
///   (s0 + a u - t0 - b v) . u = 0 and (s0 + a u - t0 - b v) . v = 0.
template <class T>
Triple<T> from_segment_to_segment(const SegmentOf<T>& s, const SegmentOf<T>& t) {
  Shortest<T> shortest;
  const T minus_one(-1);
  for (const Triple<T>& end : s) shortest.offer(from_point_to_segment(end, t));
  for (const Triple<T>& end : t) shortest.offer(minus_one * from_point_to_segment(end, s));
  const Triple<T> u = s[1] - s[0], v = t[1] - t[0], w = s[0] - t[0];
  const T uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const T determinant = T(uu * vv - uv * uv);
  if (determinant > 0) {
    const T a = T((uv * vw - vv * uw) / determinant);
    const T b = T((uu * vw - uv * uw) / determinant);
    if (a >= 0 && a <= 1 && b >= 0 && b <= 1) {
      shortest.offer(t[0] + b * v - s[0] - a * u);
    }
  }
  return shortest.vector();
}

/// The shortest vector from a point to a triangle: to its sides, or perpendicular to its plane if
/// the foot lies within.
template <class T>
Triple<T> from_point_to_triangle(const Triple<T>& p, const TriangleOf<T>& t) {
  Shortest<T> shortest;
  for (int i = 0; i < 3; ++i) {
    shortest.offer(from_point_to_segment(p, SegmentOf<T>{t[i], t[(i + 1) % 3]}));
  }
  const Triple<T> normal = cross(Triple<T>(t[1] - t[0]), Triple<T>(t[2] - t[0]));
  const T area = squared_norm(normal);
  if (!(area > 0)) return shortest.vector();
  for (int i = 0; i < 3; ++i) {
    const Triple<T> side = t[(i + 1) % 3] - t[i];
    if (dot(cross(side, Triple<T>(p - t[i])), normal) < 0) return shortest.vector();
  }
  const T height = T(dot(Triple<T>(p - t[0]), normal) / area);
  shortest.offer(T(-height) * normal);
  return shortest.vector();
}

/// The shortest vector from a segment to a triangle that it does not pierce.
template <class T>
Triple<T> from_segment_to_triangle(const SegmentOf<T>& s, const TriangleOf<T>& t) {
  Shortest<T> shortest;
  for (const Triple<T>& end : s) shortest.offer(from_point_to_triangle(end, t));
  for (int i = 0; i < 3; ++i) {
    shortest.offer(from_segment_to_segment(s, SegmentOf<T>{t[i], t[(i + 1) % 3]}));
  }
  return shortest.vector();
}

/// The shortest vector between triangles that do not cross each other.
template <class T>
Triple<T> from_triangle_to_triangle(const TriangleOf<T>& s, const TriangleOf<T>& t) {
  Shortest<T> shortest;
  for (int i = 0; i < 3; ++i) {
    shortest.offer(from_segment_to_triangle(SegmentOf<T>{s[i], s[(i + 1) % 3]}, t));
    shortest.offer(T(-1) * from_point_to_triangle(t[i], s));
  }
  return shortest.vector();
}

}  // namespace abut::verify
