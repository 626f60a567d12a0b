#pragma once
// What a pair of parts can be asked, whatever their shapes; one file per kind of pair in pairs/.

#include <memory>
#include <optional>
#include <vector>

#include "narrow/body_shape.h"
#include "narrow/drift.h"
#include "narrow/pair.h"

namespace abut::narrow {

class PartPair {
 public:
  virtual ~PartPair() = default;
  /// Points are in the frame in which the solids are placed; of parts only cells of meshes are
  /// named.
  virtual Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) = 0;
  /// The same of parts that are apart; of such as overlap any way out, not the shortest one, where
  /// that costs less.
  virtual Separation separation_or_overlap(const Placed& a, const Placed& b,
                                           PairStatistics& statistics) {
    return separation(a, b, statistics);
  }
  /// Appends every local minimum of the distance with a gap of at most `distance` (m). Convex
  /// parts have one.
  virtual void separations(const Placed& a, const Placed& b, double distance,
                           PairStatistics& statistics, std::vector<Separation>& found) {
    const Separation only = separation(a, b, statistics);
    if (!(only.gap > distance)) found.push_back(only);
  }
  /// The same for places that can come near: of meshes only these. How far apart they are at most.
  virtual double separations_ahead(const Placed& a, const Placed& b, const Ahead& ahead,
                                   PairStatistics& statistics, std::vector<Separation>& found) {
    separations(a, b, ahead.reach, statistics, found);
    return ahead.reach;
  }
  /// A lower bound of the gap that costs less, where there is one.
  virtual std::optional<double> lower_bound(const Placed&, const Placed&) { return std::nullopt; }
};

/// Null if the kinds of the solids cannot be compared: the table in part_pair.cpp.
std::unique_ptr<PartPair> make_part_pair(const Solid& a, const Solid& b);
bool is_supported(const Solid& a, const Solid& b);

std::unique_ptr<PartPair> make_plane_solid();
std::unique_ptr<PartPair> make_sphere_sphere();
std::unique_ptr<PartPair> make_sphere_capsule();
std::unique_ptr<PartPair> make_capsule_capsule();
std::unique_ptr<PartPair> make_polyhedron_solid();
std::unique_ptr<PartPair> make_curved_solid();
std::unique_ptr<PartPair> make_plane_curved();
std::unique_ptr<PartPair> make_bowl_points();
std::unique_ptr<PartPair> make_bowl_curved();
std::unique_ptr<PartPair> make_bowl_rims();
std::unique_ptr<PartPair> make_ring_solid();
std::unique_ptr<PartPair> make_mesh_solid();

/// The separation of two balls, or of parts of surfaces that are rounded about two points.
/// `fallback` is the normal to take where the points coincide.
Separation rounded_points(const Vec3& a, double rounding_a, const Vec3& b, double rounding_b,
                          const Vec3& fallback);

}  // namespace abut::narrow
