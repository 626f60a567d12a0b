#pragma once
// Smooth closed surfaces of the user's own: what they enclose, and where they have a given normal.
//
// A surface passes its checks (implicit_check, parametric_check) before an object of this class is
// made; from then on it is immutable, and every answer is a pure function of the question.
//
// Support points. At a place of the surface let n be the outward normal and C its *bending*: the
// symmetric tensor across n with dn = C dx (the shape operator; its eigenvalues are the principal
// curvatures). A convex surface lies farthest along m where n = m. To turn n into m a step t across
// n must fulfil
//     C t = m_t / (m . n),   m_t = m - (m . n) n:
// Newton's method, from the place that a table holds for directions nearby. On a strictly convex
// surface any place with n = m is the one, so what has converged is right, wherever it started; if
// it does not converge, a search with a line search on m . x climbs from anywhere. The radii of
// curvature W of convex_surface.h are the inverse of C across n.
//
// A long thin solid makes this a long way. So it is searched as its image y = L^-1 x that is
// roundish (L is the square root of its second moments): normals become L^T n, bendings P L^T C L P
// / |L^T n|, and the direction L^T m.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/diagnostics.h"
#include "abut/types.h"
#include "geometry/aabb.h"
#include "geometry/convex_surface.h"
#include "geometry/direction_table.h"
#include "geometry/surface_integrals.h"
#include "math/series.h"

namespace abut::geometry {

/// A place on a surface, or near it; `u` and `v` where it has parameters.
struct SurfacePlace {
  Vec3 point = Vec3::Zero();
  double u = 0, v = 0;
};

/// What the surface is like at a place.
struct SurfaceFrame {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, outward
  Mat3 bending = Mat3::Zero();  ///< C, 1/m
  double offset = 0;            ///< of the point above the surface, to first order, m
  Vec3 drift = Vec3::Zero();    ///< how the normal turns on the way along itself, 1/m
};

/// Triangles for eyes only, counter-clockwise from outside, with the exact normals at their
/// corners.
struct SurfaceMesh {
  std::vector<Vec3> points;
  std::vector<Vec3> normals;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

class ClosedSurface {
 public:
  virtual ~ClosedSurface() = default;
  ClosedSurface(const ClosedSurface&) = delete;
  ClosedSurface& operator=(const ClosedSurface&) = delete;

  /// The key in scene files: `implicit` or `parametric`.
  virtual std::string_view kind() const = 0;
  /// About `detail` cells around it.
  virtual SurfaceMesh mesh(int detail) const = 0;

  bool is_convex() const { return is_convex_; }
  const Vec3& centre() const { return centre_; }  ///< a point inside
  const Aabb& box() const { return box_; }        ///< contains the solid
  const VolumeIntegrals& integrals() const { return integrals_; }
  double outer_radius() const { return outer_; }  ///< of a ball about the centre around it
  double inner_radius() const { return inner_; }  ///< of one within it; of convex ones only

  /// Where the surface has the unit normal m, relative to the centre. Precondition: is_convex().
  SurfacePatch patch(const Vec3& m) const;
  /// The function whose zeros are the surface, along a path relative to the centre. Nothing of
  /// surfaces that are given otherwise than by a formula for it.
  virtual std::optional<math::SeriesJet> field_along(const std::array<math::Series, 3>& path) const;
  /// The normal where a step along the surface leads from there, to first order.
  Vec3 normal_beside(const Vec3& m, const Vec3& step) const;

 protected:
  ClosedSurface() = default;

  virtual SurfaceFrame frame_at(const SurfacePlace& place) const = 0;
  /// Goes by `step`, to first order; the place need not be on the surface exactly.
  virtual SurfacePlace moved(const SurfacePlace& place, const Vec3& step) const = 0;
  /// The same, and back onto the surface.
  virtual SurfacePlace moved_along(const SurfacePlace& place, const Vec3& step) const = 0;

  /// To be called last, once the functions above work. `anywhere` is a place to start from.
  void finish(const VolumeIntegrals& integrals, const Vec3& centre, const Aabb& rough_box,
              bool is_convex, const SurfacePlace& anywhere);

 private:
  struct Found {
    SurfacePlace place;
    SurfaceFrame frame;
    Vec3 point = Vec3::Zero();
    bool converged = false;
  };
  SurfaceFrame rounded(const SurfaceFrame& frame) const;
  Found newton(const Vec3& m, SurfacePlace place) const;
  SurfacePlace climb(const Vec3& m, SurfacePlace place) const;
  Found farthest(const Vec3& m, const SurfacePlace& start) const;
  void fill_table(const SurfacePlace& anywhere);

  bool is_convex_ = false;
  Vec3 centre_ = Vec3::Zero();
  Aabb box_;
  VolumeIntegrals integrals_;
  double outer_ = 0;
  double inner_ = 0;
  Mat3 stretch_ = Mat3::Identity();  ///< L
  DirectionTable directions_;
  std::vector<SurfacePlace> starts_;  ///< by cell of `directions_`
};

/// What the checks have to say, and about which part of the description.
struct SurfaceFinding {
  enum class About : std::uint8_t { function, bounds };
  Severity severity = Severity::error;
  About about = About::function;
  std::string message;
};

/// The surface, or nothing if a finding is an error.
struct CheckedSurface {
  std::shared_ptr<const ClosedSurface> surface;
  std::vector<SurfaceFinding> findings;
};

}  // namespace abut::geometry
