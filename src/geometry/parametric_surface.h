#pragma once
// The closed surface x(u, v).
//
// Inside, the first parameter is the one that goes around; the second goes around too (a ring), or
// from pole to pole. At a pole x_u vanishes. Around it (u, v) are polar coordinates, and steps are
// taken in the plane that they belong to; the pole itself is not evaluated, but a place very near,
// from which the last step of Newton's method leads on in space. The bending there is interpolated
// between two opposite places a little farther off.

#include "geometry/closed_surface.h"
#include "geometry/parametric_check.h"

namespace abut::geometry {

class ParametricSurface final : public ClosedSurface {
 public:
  /// Checks the functions first; see parametric_check.h.
  static CheckedSurface make(std::shared_ptr<const EnclosedChart> chart,
                             const ParameterDomain& domain);

  std::string_view kind() const override { return "parametric"; }
  SurfaceMesh mesh(int detail) const override;

  const EnclosedChart& chart() const { return *chart_; }
  const ParameterDomain& domain() const { return domain_; }

 private:
  ParametricSurface(std::shared_ptr<const EnclosedChart> chart, const ParameterDomain& domain,
                    const ParametricVerdict& verdict);

  SurfaceFrame frame_at(const SurfacePlace& place) const override;
  SurfacePlace moved(const SurfacePlace& place, const Vec3& step) const override;
  SurfacePlace moved_along(const SurfacePlace& place, const Vec3& step) const override;

  struct Tangents;
  SurfaceSample at(double around, double along) const;
  SurfaceFrame plain_frame(double around, double along) const;
  SurfacePlace placed(double around, double along) const;
  VolumeIntegrals integrate(const Vec3& c) const;

  std::shared_ptr<const EnclosedChart> chart_;
  ParameterDomain domain_;
  bool exchanged_ = false, is_ring_ = false;
  double orientation_ = 1;
  std::array<double, 2> around_ = {0, 1}, along_ = {0, 1};
};

}  // namespace abut::geometry
