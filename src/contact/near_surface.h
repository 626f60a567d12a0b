#pragma once
// The features of a part that come near the plane of contact.

#include "base/few.h"
#include "contact/contact_set.h"
#include "contact/plane_vector.h"
#include "narrow/body_shape.h"

namespace abut::contact {

/// Coordinates about a place of contact: two in the plane, and the height along its normal.
struct Chart {
  Vec3 origin = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  ///< columns: two directions in the plane, the normal

  Chart(const Vec3& at, const Vec3& normal);
  Vec3 operator()(const Vec3& x) const { return axes.transpose() * (x - origin); }
  Vec3 inverse(const Vec2& at, double height) const {
    return origin + axes * Vec3(at.x(), at.y(), height);
  }
};

/// See Tolerances::sag, as a part of the touching distance (dimensionless): an eighth of the gap at
/// which contacts rest. The ends of a line are held there, and its middle must not be below.
inline constexpr double told_sag = 0.025;

/// How closely places are told apart, m.
struct Tolerances {
  double height = 0;   ///< how much the gap may exceed the smallest one within a region
  double lateral = 0;  ///< places in the plane that are no farther apart are one

  /// Straight lines that are rounded, and cross, are told from lines that touch all along by how
  /// much farther apart their ends are than their crossing.
  double sag() const { return told_sag * height; }

  /// From the touching distance and the sizes of the parts.
  Tolerances(const narrow::Solid& a, const narrow::Solid& b, double touching_distance);
};

/// Features as the chart sees them. Heights are those of the surface, rounding included.
struct NearVertex {
  int index = 0;
  Vec2 at = Vec2::Zero();
  double height = 0;
};
struct NearEdge {
  int index = 0;
  Vec2 start = Vec2::Zero();
  Vec2 end = Vec2::Zero();
  double start_height = 0;
  double end_height = 0;
};
struct NearFace {
  int index = 0;
  Few<Vec2, 6> corners;  ///< counter-clockwise about the chart's normal; none: everywhere
  double height = 0;     ///< at the origin of the chart
  Vec2 slope = Vec2::Zero();

  double height_at(const Vec2& at) const { return height + slope.dot(at); }
  /// Whether the place is in the face, or outside by no more than `margin` (m).
  bool contains(const Vec2& at, double margin) const;
};

enum class Side { lower, upper };  ///< of a, which is above the plane; of b, which is below

/// Everything whose height differs from the extreme one by no more than the tolerance: vertices,
/// edges cut to what fulfils this, and the faces at the vertices, whole.
struct NearSurface {
  const narrow::Solid* solid = nullptr;
  Few<NearVertex, 8> vertices;
  Few<NearEdge, 12> edges;
  Few<NearFace, 6> faces;

  NearSurface(const narrow::Placed& part, Side side, const Chart& chart,
              const Tolerances& tolerances);

 private:
  /// Of all vertices of the core, as the chart sees them.
  using Places = Few<Vec3, 16>;
  void flood(const narrow::Placed& part, double sign, const Chart& chart, const Places& places,
             double tolerance);
  void add_edges(const Places& seen, double sign, const Tolerances& tolerances);
  void add_faces(const narrow::Placed& part, double sign, const Chart& chart, const Places& seen);
};

}  // namespace abut::contact
