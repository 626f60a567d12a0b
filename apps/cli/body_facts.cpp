#include "body_facts.h"

#include <algorithm>
#include <array>

namespace abut::cli {
namespace {

/// In the body frame.
std::optional<shape::Moments> moments_of(const model::Body& body) {
  if (body.mass.mass > 0) {
    return shape::Moments{body.mass.volume, body.mass.mass, body.mass.central.position,
                          body.mass.inertia};
  }
  const bool unbounded =
      std::any_of(body.parts.begin(), body.parts.end(),
                  [](const shape::Part& part) { return shape::is_unbounded(part.geometry); });
  if (unbounded) return std::nullopt;
  return shape::moments_of(body.parts);
}

BendingFacts bending_facts_of(const flexible::BendingBody& body) {
  constexpr std::array kinds{"affine", "quadratic", "sheet"};
  return {kinds[static_cast<std::size_t>(body.kind)], body.columns(),
          static_cast<int>(body.boundary.triangles().size()), flexible::natural_periods(body)};
}

}  // namespace

BodyFacts facts_of(const model::Body& body) {
  constexpr std::array motions{"dynamic", "fixed", "scripted"};
  BodyFacts facts{body.name, motions[body.motion.index()], moments_of(body),
                  static_cast<int>(body.parts.size()), std::nullopt};
  if (body.bends()) facts.bending = bending_facts_of(*body.bending->body);
  if (facts.moments) facts.moments = shape::transformed(*facts.moments, body.pose);
  return facts;
}

}  // namespace abut::cli
