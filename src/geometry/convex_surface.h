#pragma once
// Curved convex solids through their support functions.
//
// The support function of a convex solid C is h(m) = max over x in C of m . x. It is convex, and of
// degree one in m. Where it is differentiable,
//     x(m) = grad h(m)     is the point of C that lies farthest along m,
//     W(m) = hess h(m)     says how this point moves when the normal turns: dx = W dm.
// For unit m, W is symmetric with W m = 0, and its other eigenvalues are the principal radii of
// curvature of the surface at x(m): r, r for a ball, 0, 0 at a corner. Radii, unlike curvatures,
// add: the solid C + (ball of radius r) has the radii W + r, and two solids at a distance d have
// the relative radii W_a + W_b + d. That is what makes this form exact at any distance.
//
// A solid with edges is the convex hull of *atoms* with smooth support functions (a cylinder is
// the hull of two circles, a cone of a circle and a point): its support function is the largest
// of theirs.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "abut/types.h"

namespace abut::geometry {

/// Where a surface has the outward normal m, and how it is curved there.
struct SurfacePatch {
  Vec3 point = Vec3::Zero();
  Mat3 radii = Mat3::Zero();  ///< W, m
};

class ClosedSurface;

/// A convex solid with a support function that is smooth, or nearly: of a circle it is not along
/// the circle's axis, of a superellipsoid with an exponent below 1 not in the planes of symmetry.
class SupportAtom {
 public:
  static const SupportAtom& origin();  ///< the point 0
  static SupportAtom at_point(const Vec3& at);
  /// A disc about `at`, across the z axis.
  static SupportAtom circle(const Vec3& at, double radius);
  static SupportAtom ellipsoid(const Vec3& radii);
  /// ((x/a)^(2/e2) + (y/b)^(2/e2))^(e2/e1) + (z/c)^(2/e1) <= 1, 0 < e1, e2 < 2.
  static SupportAtom superellipsoid(const Vec3& radii, double e1, double e2);
  /// A surface of the user's own, about its centre. Precondition: surface->is_convex().
  static SupportAtom of_surface(std::shared_ptr<const ClosedSurface> surface);

  /// h(m), m of any length.
  double height(const Vec3& m) const;
  /// x(m), m of any length but zero.
  Vec3 support(const Vec3& m) const { return patch_of(m, nullptr); }
  /// For unit m. Radii are cut off at about `largest_radius_factor` times the size of the solid: a
  /// flat spot is told by radii that large.
  SurfacePatch patch(const Vec3& m) const;
  /// The unit normal where a step along the surface leads from the place with the unit normal m, to
  /// first order. Unlike the place as a function of the normal it is smooth at flat spots.
  /// Precondition: neither a point nor a circle.
  Vec3 normal_beside(const Vec3& m, const Vec3& step) const;
  /// The unit normal of the scaled copy of the surface that goes through a point other than 0.
  /// Precondition: an ellipsoid or superellipsoid.
  Vec3 normal_through(const Vec3& point) const;

  bool is_circle() const { return kind_ == Kind::circle; }
  bool is_point() const { return kind_ == Kind::point; }
  bool is_ellipsoid() const { return kind_ == Kind::ellipsoid; }
  bool is_superellipsoid() const { return kind_ == Kind::superellipsoid; }
  /// The surface of the user's own that it is; null otherwise.
  const ClosedSurface* surface() const { return surface_.get(); }
  const Vec3& half_axes() const { return radii_; }  ///< of an ellipsoid or superellipsoid
  /// With s the components of m times the half axes, a superellipsoid has the support function
  /// |(|(s_x, s_y)|_q, s_z)|_p: these norms' p and q.
  std::array<double, 2> dual_exponents() const { return {q1_, q2_}; }
  /// Bounds of all radii of curvature, m: none is smaller than the first or larger than the second.
  double least_radius() const;
  double largest_radius() const;
  const Vec3& centre() const { return centre_; }
  double outer_radius() const { return outer_; }  ///< of a ball about the centre around it

 private:
  enum class Kind : std::uint8_t { point, circle, ellipsoid, superellipsoid, surface };

  Vec3 patch_of(const Vec3& m, Mat3* radii) const;
  Vec3 superellipsoid_patch(const Vec3& m, Mat3* radii) const;

  Kind kind_ = Kind::point;
  Vec3 centre_ = Vec3::Zero();
  Vec3 radii_ = Vec3::Zero();
  double q1_ = 2, q2_ = 2;  ///< exponents of the dual norm
  double outer_ = 0;
  std::shared_ptr<const ClosedSurface> surface_;
};

/// Radii of curvature are cut off at about this multiple of the size of the solid (dimensionless):
/// beyond it a surface cannot be told from a flat one, since a normal known to 1e-16 leaves its
/// point uncertain by 1e-10 of the size.
inline constexpr double largest_radius_factor = 1e6;

/// Sine of the angle between a circle's axis and the normal from which on its radius of curvature
/// is cut off (dimensionless). Along a circle the lowest point is known to a rounding over this
/// angle: at 1e-11 to 1e-5 rad, which moves it by that fraction of the radius within the circle's
/// plane and changes no height.
inline constexpr double least_rim_sine = 1e-11;

/// The normals m with m . axis = level: those of the lines on a surface. A cylinder or cone has one
/// such circle of normals, every edge of a polyhedron an arc of one.
struct NormalCircle {
  Vec3 axis = Vec3::UnitZ();  ///< unit
  double level = 0;           ///< between -1 and 1
};

class ConvexSurface {
 public:
  /// Straight lines on the surface: along each normal of the circle one between two atoms.
  struct Lines {
    NormalCircle normals;
    int from = 0, to = 0;
  };
  /// A flat end: the disc of an atom that is a circle.
  struct Disc {
    Vec3 normal = Vec3::UnitZ();
    int atom = 0;
  };

  static ConvexSurface ellipsoid(const Vec3& radii);
  static ConvexSurface superellipsoid(const Vec3& radii, double e1, double e2);
  /// One atom alone.
  static ConvexSurface of(const SupportAtom& atom);
  /// About the surface's centre. Precondition: surface->is_convex().
  static ConvexSurface of_surface(std::shared_ptr<const ClosedSurface> surface);
  /// Along z, centred. The atoms are the upper and the lower rim.
  static ConvexSurface cylinder(double radius, double height);
  /// Along z, centred. The atoms are the rim of the base, at -height/2, and the apex.
  static ConvexSurface cone(double radius, double height);

  double height(const Vec3& m) const;
  Vec3 support(const Vec3& m) const;
  int farthest_atom(const Vec3& m) const;

  std::span<const SupportAtom> atoms() const { return atoms_; }
  std::span<const Lines> lines() const { return lines_; }
  std::span<const Disc> discs() const { return discs_; }
  /// Whether it has neither edges nor corners nor flat parts.
  bool is_smooth() const { return discs_.empty(); }
  /// The flat end that an atom is the rim of; -1: none.
  int disc_of(int atom) const;
  double outer_radius() const { return outer_; }  ///< of a ball about the origin around it
  double inner_radius() const { return inner_; }  ///< of one within it

 private:
  std::vector<SupportAtom> atoms_;
  std::vector<Lines> lines_;
  std::vector<Disc> discs_;
  double outer_ = 0;
  double inner_ = 0;
};

}  // namespace abut::geometry
