#pragma once
// The surface f(x, y, z) = 0 around the points where f is negative.

#include "geometry/closed_surface.h"
#include "geometry/implicit_check.h"
#include "geometry/surface_function.h"

namespace abut::geometry {

class ImplicitSurface final : public ClosedSurface {
 public:
  /// Checks the function first; see implicit_check.h.
  static CheckedSurface make(std::shared_ptr<const EnclosedField> field, const Aabb& bounds);

  std::string_view kind() const override { return "implicit"; }
  SurfaceMesh mesh(int detail) const override;
  std::optional<math::SeriesJet> field_along(
      const std::array<math::Series, 3>& path) const override;

  const EnclosedField& field() const { return *field_; }
  const Aabb& region() const { return region_; }

 private:
  ImplicitSurface(std::shared_ptr<const EnclosedField> field, const ImplicitVerdict& verdict);

  SurfaceFrame frame_at(const SurfacePlace& place) const override;
  SurfacePlace moved(const SurfacePlace& place, const Vec3& step) const override;
  SurfacePlace moved_along(const SurfacePlace& place, const Vec3& step) const override;

  /// The s > 0 at which star_centre_ + s d is on the surface.
  double reach_along(const Vec3& d) const;
  VolumeIntegrals integrate_star() const;
  VolumeIntegrals integrate_any(const Aabb& box) const;
  Mat3 rough_shape() const;

  std::shared_ptr<const EnclosedField> field_;
  Aabb region_;
  bool star_shaped_ = false;
  Vec3 star_centre_ = Vec3::Zero();
};

}  // namespace abut::geometry
