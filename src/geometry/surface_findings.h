#pragma once
// What the checks of users' surfaces have found so far, and what they agree on.

#include <string>
#include <utility>
#include <vector>

#include "geometry/closed_surface.h"

namespace abut::geometry {

// A curvature is negative if it is below minus this, in units of 1/size (dimensionless): at a flat
// spot rounding leaves less.
inline constexpr double curvature_rounding = 1e-7;
// Curvatures up to this, in units of 1/size, are flat (dimensionless). A surface that is flat at
// more than this part of the samples has flat faces or straight lines, on which a contact is no
// point.
inline constexpr double flatness = 1e-6;
inline constexpr double most_flat = 0.02;

class SurfaceFindings {
 public:
  void error(SurfaceFinding::About about, std::string message) {
    list_.push_back({Severity::error, about, std::move(message)});
    failed_ = true;
  }
  void warn(std::string message) {
    list_.push_back({Severity::warning, SurfaceFinding::About::function, std::move(message)});
  }
  bool failed() const { return failed_; }
  std::vector<SurfaceFinding> take() { return std::move(list_); }

 private:
  std::vector<SurfaceFinding> list_;
  bool failed_ = false;
};

}  // namespace abut::geometry
