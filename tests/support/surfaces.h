#pragma once
// Surfaces from formulas, for tests.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "geometry/implicit_surface.h"
#include "geometry/parametric_surface.h"

namespace abut::test {

inline math::Expression formula(const std::string& text,
                                const std::vector<std::string>& variables) {
  auto parsed = math::Expression::parse(text, variables);
  if (const auto* error = std::get_if<math::ExpressionError>(&parsed)) {
    ADD_FAILURE() << text << ": " << error->message;
    return {};
  }
  return std::get<math::Expression>(parsed);
}

inline geometry::CheckedSurface implicit(const std::string& function, const Vec3& lower,
                                         const Vec3& upper) {
  return geometry::ImplicitSurface::make(geometry::enclosed(formula(function, {"x", "y", "z"})),
                                         {lower, upper});
}

inline geometry::CheckedSurface parametric(const std::array<std::string, 3>& xyz,
                                           const std::array<double, 2>& u,
                                           const std::array<double, 2>& v) {
  const std::vector<std::string> uv = {"u", "v"};
  return geometry::ParametricSurface::make(
      geometry::enclosed(std::array{formula(xyz[0], uv), formula(xyz[1], uv), formula(xyz[2], uv)}),
      {u, v});
}

inline std::string text_of(const geometry::CheckedSurface& checked) {
  std::string text;
  for (const auto& finding : checked.findings)
    text +=
        (finding.severity == Severity::error ? "error: " : "warning: ") + finding.message + "\n";
  return text;
}

/// The surface, which must have passed without a word.
inline std::shared_ptr<const geometry::ClosedSurface> proven(
    const geometry::CheckedSurface& checked) {
  EXPECT_EQ(text_of(checked), "");
  EXPECT_TRUE(checked.surface);
  return checked.surface;
}

}  // namespace abut::test
