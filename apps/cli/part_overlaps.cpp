#include "part_overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "narrow/pair.h"
#include "shape/moments.h"

namespace abut::cli {
namespace {

/// Parts overlap if they do so by more than this times their size (dimensionless): what is meant to
/// touch, but was computed or written with ten digits, is no overlap.
constexpr double relative_depth = 1e-9;

/// What the parts make of the inertia is recognised up to this fraction (dimensionless).
constexpr double inertia_rounding = 1e-9;

/// Whether the scene gives the inertia, so that no volume is counted for it. The parts' densities
/// make up the body's mass in either case.
bool has_own_inertia(const model::Body& body) {
  const Mat3 of_parts = shape::moments_of(body.parts).inertia;
  return (body.mass.inertia - of_parts).norm() > inertia_rounding * of_parts.norm();
}

struct Piece {
  model::Body body;  ///< of this part alone
  double radius = 0;
};

bool overlap(const Piece& a, const Piece& b) {
  const Vec3 between = a.body.parts[0].pose.position - b.body.parts[0].pose.position;
  if (between.norm() > a.radius + b.radius || !narrow::PairQuery::supports(a.body, b.body)) {
    return false;
  }
  narrow::PairQuery query(a.body, b.body);
  return query.separation({}, {}).gap < -relative_depth * std::min(a.radius, b.radius);
}

void examine(const model::Body& body, const Location& place, std::vector<Diagnostic>& found) {
  std::vector<Piece> pieces;
  for (const shape::Part& part : body.parts) {
    model::Body single;
    single.parts = {part};
    pieces.push_back({std::move(single), shape::bounding_radius({part}, part.pose.position)});
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t k = i + 1; k < pieces.size(); ++k) {
      if (!overlap(pieces[i], pieces[k])) continue;
      found.push_back({Severity::warning, place,
                       fmt::format("parts {} and {} of body {} overlap; their common volume counts "
                                   "twice in its mass, so move them apart or give `mass` and "
                                   "`inertia`",
                                   i + 1, k + 1, body.name)});
    }
  }
}

}  // namespace

std::vector<Diagnostic> part_overlaps(const model::Model& model,
                                      const std::vector<Location>& places) {
  std::vector<Diagnostic> found;
  std::set<std::string> grids;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const model::Body& body = model.bodies[i];
    if (!body.is_dynamic() || body.parts.size() < 2 || has_own_inertia(body)) continue;
    const std::size_t bracket = body.name.find('[');
    if (bracket != std::string::npos && !grids.insert(body.name.substr(0, bracket)).second)
      continue;
    examine(body, places[i], found);
  }
  return found;
}

}  // namespace abut::cli
