// Surfaces given by formulas: parsed, checked, shared.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "geometry/implicit_surface.h"
#include "geometry/parametric_surface.h"
#include "scene/builder.h"
#include "scene/format.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

using geometry::CheckedSurface;
using geometry::SurfaceFinding;

/// The checker has parsed the text before, so it is a formula.
math::Expression parsed(const Node& node, const std::vector<std::string>& variables) {
  return std::get<math::Expression>(math::Expression::parse(node.text, variables));
}

bool has_legal_size(const geometry::ClosedSurface& surface, const Mark& mark, Builder& builder) {
  const Vec3 size = surface.box().upper - surface.box().lower;
  if (size.minCoeff() >= format::smallest_size && size.maxCoeff() <= format::largest_size)
    return true;
  builder.problems.error(
      mark, fmt::format("the solid measures {:.4g} m by {:.4g} m by {:.4g} m, but "
                        "sizes must lie between {} and {} m",
                        size.x(), size.y(), size.z(), format::smallest_size, format::largest_size));
  return false;
}

/// Tells what was found, at the formula or at the bounds it is about.
std::optional<shape::Geometry> told(const CheckedSurface& checked, const Mark& function,
                                    const Mark& bounds, Builder& builder) {
  for (const SurfaceFinding& finding : checked.findings) {
    const Mark& mark = finding.about == SurfaceFinding::About::bounds ? bounds : function;
    if (finding.severity == Severity::error)
      builder.problems.error(mark, finding.message);
    else
      builder.problems.warning(mark, finding.message);
  }
  if (!checked.surface || !has_legal_size(*checked.surface, bounds, builder)) return std::nullopt;
  if (!checked.surface->is_convex())
    builder.problems.warning(
        function,
        "the solid is not strictly convex, so where it touches others cannot be "
        "told yet; its bodies may pass through each other");
  return shape::UserSurface{checked.surface};
}

}  // namespace

std::optional<shape::Geometry> build_implicit(const Node& node, Builder& builder) {
  const Node& function = *node.find("function");
  const Node& bounds = *node.find("bounds");
  const geometry::Aabb box{read_vec3(bounds.items[0]), read_vec3(bounds.items[1])};
  const double largest = std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
  if (!(largest <= format::largest_size)) {
    builder.problems.error(bounds.mark,
                           fmt::format("the bounds reach to {:.4g} m, but no farther than {} m is "
                                       "legal; draw them closely around the solid",
                                       largest, format::largest_size));
    return std::nullopt;
  }
  const std::string key =
      fmt::format("implicit {} {:a} {:a} {:a} {:a} {:a} {:a}", function.text, box.lower.x(),
                  box.lower.y(), box.lower.z(), box.upper.x(), box.upper.y(), box.upper.z());
  const auto [entry, is_new] = builder.surfaces.try_emplace(key);
  if (is_new)
    entry->second =
        geometry::ImplicitSurface::make(geometry::enclosed(parsed(function, {"x", "y", "z"})), box);
  return told(entry->second, function.mark, bounds.mark, builder);
}

std::optional<shape::Geometry> build_parametric(const Node& node, Builder& builder) {
  const auto range = [&](const char* name) {
    const Node& ends = *node.find(name);
    return std::array{ends.items[0].number, ends.items[1].number};
  };
  const geometry::ParameterDomain domain{range("u"), range("v")};
  const std::array formulas = {node.find("x"), node.find("y"), node.find("z")};
  const std::string key =
      fmt::format("parametric {}, {}, {} {:a} {:a} {:a} {:a}", formulas[0]->text, formulas[1]->text,
                  formulas[2]->text, domain.u[0], domain.u[1], domain.v[0], domain.v[1]);
  const auto [entry, is_new] = builder.surfaces.try_emplace(key);
  if (is_new) {
    const std::vector<std::string> variables = {"u", "v"};
    entry->second = geometry::ParametricSurface::make(
        geometry::enclosed(std::array{parsed(*formulas[0], variables),
                                      parsed(*formulas[1], variables),
                                      parsed(*formulas[2], variables)}),
        domain);
  }
  return told(entry->second, formulas[0]->mark, node.find("u")->mark, builder);
}

}  // namespace abut::scene
