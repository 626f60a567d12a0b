#pragma once
// A chart over the unit square, with its parameters exchanged if the second one goes around.

#include <fmt/format.h>

#include <array>
#include <string>

#include "geometry/parametric_check.h"

namespace abut::geometry {

class SquareChart {
 public:
  SquareChart(const EnclosedChart& chart, const ParameterDomain& domain)
      : chart_(chart), domain_(domain) {}

  bool exchanged = false;

  const EnclosedChart& chart() const { return chart_; }
  const ParameterDomain& domain() const { return domain_; }
  const std::array<double, 2>& around() const { return exchanged ? domain_.v : domain_.u; }
  const std::array<double, 2>& along() const { return exchanged ? domain_.u : domain_.v; }

  SurfaceSample at(double s, double t) const {
    return sampled(chart_, within(around(), s), within(along(), t), exchanged);
  }
  /// For messages, in the user's own parameters.
  std::string place(double s, double t) const {
    const double a = within(around(), s), b = within(along(), t);
    return fmt::format("u = {:.6g}, v = {:.6g}", exchanged ? b : a, exchanged ? a : b);
  }

 private:
  static double within(const std::array<double, 2>& range, double t) {
    return range[0] + t * (range[1] - range[0]);
  }

  const EnclosedChart& chart_;
  ParameterDomain domain_;
};

/// Along the outward or inward normal, as long as the area element.
inline Vec3 normal(const SurfaceSample& s) {
  return s.u.cross(s.v);
}

}  // namespace abut::geometry
