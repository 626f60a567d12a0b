#include "geometry/triangle_passage.h"

#include <algorithm>

namespace abut::geometry {
namespace {

constexpr int next_corner(int i) {
  return (i + 1) % 3;
}

// By the signs of a place relative to the three sides, positive inside.
PartOfTriangle part_by_signs(const std::array<int, 3>& signs) {
  if (std::any_of(signs.begin(), signs.end(), [](int s) { return s < 0; })) return {};
  const auto zeros = std::count(signs.begin(), signs.end(), 0);
  if (zeros == 0) return {true, TrianglePart::inside, 0};
  for (int i = 0; i < 3; ++i) {
    if (zeros == 1 && signs[i] == 0) return {true, TrianglePart::side, i};
    if (zeros == 2 && signs[i] != 0) return {true, TrianglePart::corner, (i + 2) % 3};
  }
  return {};
}

// A triangle and points in its plane, seen along an axis that the plane does not hold.
class FlatView {
 public:
  explicit FlatView(const Triangle& triangle) {
    for (axis_ = 0; axis_ < 3; ++axis_) {
      for (int i = 0; i < 3; ++i) corners_[i] = seen(triangle[i]);
      sense_ = orientation_2d(corners_[0], corners_[1], corners_[2]);
      if (sense_ != 0) return;
    }
  }

  Vec2 seen(const Vec3& p) const { return {p[(axis_ + 1) % 3], p[(axis_ + 2) % 3]}; }
  const Vec2& corner(int i) const { return corners_[i]; }
  /// Which side of side i a point is on: 1 is inside.
  int beside(int i, const Vec2& p) const {
    return sense_ * orientation_2d(corners_[i], corners_[next_corner(i)], p);
  }
  PartOfTriangle part(const Vec2& p) const {
    return part_by_signs({beside(0, p), beside(1, p), beside(2, p)});
  }

 private:
  int axis_ = 0;
  int sense_ = 0;
  std::array<Vec2, 3> corners_;
};

// Of a corner on the line through p and q.
Fraction fraction_at(const Vec2& p, const Vec2& q, const Vec2& corner) {
  const int axis = p.x() != q.x() ? 0 : 1;
  const Fraction from(p[axis]);
  return (Fraction(corner[axis]) - from) / (Fraction(q[axis]) - from);
}

TrianglePassage in_the_plane(const Vec3& p3, const Vec3& q3, const Triangle& triangle) {
  const FlatView view(triangle);
  const Vec2 p = view.seen(p3), q = view.seen(q3);
  TrianglePassage passage;
  const auto add = [&](TrianglePart part, int index, Fraction t) {
    passage.places[static_cast<std::size_t>(passage.count++)] = {part, index, std::move(t)};
  };
  if (const PartOfTriangle at = view.part(p); at.is_on) add(at.part, at.index, 0);
  if (const PartOfTriangle at = view.part(q); at.is_on) add(at.part, at.index, 1);
  std::array<int, 3> off_line;  // which side of the segment's line a corner is on
  for (int i = 0; i < 3; ++i) off_line[i] = orientation_2d(p, q, view.corner(i));
  for (int i = 0; i < 3 && passage.count < 2; ++i) {
    if (off_line[i] == 0) {
      Fraction t = fraction_at(p, q, view.corner(i));
      if (t > 0 && t < 1) add(TrianglePart::corner, i, std::move(t));
    }
    if (off_line[i] * off_line[next_corner(i)] < 0 && view.beside(i, p) * view.beside(i, q) < 0) {
      const Vec2 &a = view.corner(i), &b = view.corner(next_corner(i));
      const Fraction to_p = exact_area(a, b, p), to_q = exact_area(a, b, q);
      add(TrianglePart::side, i, Fraction(to_p / (to_p - to_q)));
    }
  }
  for (int i = 0; i < 3; ++i)
    if (off_line[i] == 0 && off_line[next_corner(i)] == 0) {
      passage.between = TrianglePart::side;
      passage.between_side = i;
    }
  return passage;
}

}  // namespace

PartOfTriangle part_at(const Vec3& p, const Triangle& triangle) {
  const FlatView view(triangle);
  return view.part(view.seen(p));
}

TrianglePassage passage_through(const Vec3& p, const Vec3& q, const Triangle& t) {
  TrianglePassage passage;
  passage.before = orientation_3d(t[0], t[1], t[2], p);
  passage.after = orientation_3d(t[0], t[1], t[2], q);
  if (passage.before * passage.after > 0) return passage;
  if (passage.before == 0 && passage.after == 0) return in_the_plane(p, q, t);
  // Which way the line turns about each side. Upwards through the plane it turns positively about
  // all of them, if it passes inside.
  const int upwards = passage.after > passage.before ? 1 : -1;
  std::array<int, 3> turns;
  for (int i = 0; i < 3; ++i) turns[i] = upwards * orientation_3d(p, q, t[i], t[next_corner(i)]);
  const PartOfTriangle at = part_by_signs(turns);
  if (!at.is_on) return passage;
  const Fraction to_p = exact_volume(t[0], t[1], t[2], p), to_q = exact_volume(t[0], t[1], t[2], q);
  passage.count = 1;
  passage.places[0] = {at.part, at.index, Fraction(to_p / (to_p - to_q))};
  return passage;
}

}  // namespace abut::geometry
