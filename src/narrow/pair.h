#pragma once
// How far apart two bodies are, and why: the distance of unions of spheres, capsules, boxes,
// convex polyhedra, curved solids, rings, bowls, meshes and planes, with the witness of the last
// answer remembered.

#include <memory>
#include <vector>

#include "abut/types.h"
#include "geometry/feature.h"
#include "model/model.h"

namespace abut::narrow {

using geometry::Feature;
using geometry::FeatureKind;

/// What is known of two bodies at one instant. Rounding leaves the gap uncertain by up to about
/// 1e-13 times the bodies' extent and distance.
struct Separation {
  double gap = 0;               ///< m: > 0 distance, <= 0 overlap (minus the penetration depth)
  Vec3 normal = Vec3::UnitZ();  ///< unit, from b to a; of an overlap, where a leaves b soonest
  Vec3 point_a = Vec3::Zero();  ///< nearest points (deepest ones for an overlap), world
  Vec3 point_b = Vec3::Zero();
  int part_a = -1;  ///< which parts of the bodies, or cells of them; -1 if a body has none
  int part_b = -1;
  Feature feature_a;
  Feature feature_b;
  bool converged = true;  ///< false: a limit was met, and gap is only a safe lower bound
};

/// Counts since the query was made.
struct PairStatistics {
  long queries = 0;         ///< of part pairs, pairs that their bounding spheres rule out excepted
  long witness_hits = 0;    ///< answered by the remembered features
  long witness_misses = 0;  ///< had to be searched for
  long gjk_calls = 0;
  long gjk_iterations = 0;
  long limits_met = 0;  ///< searched for in vain up to a limit: answered by a safe lower bound

  PairStatistics& operator+=(const PairStatistics& other);
};

class BodyShape;
class PartPair;

/// The distance of one pair of bodies that are near each other. Owns the remembered witnesses, so
/// it is cheapest when asked about poses that change little from call to call.
class PairQuery {
 public:
  /// Whether every part of one body can be compared with every part of the other.
  static bool supports(const model::Body& a, const model::Body& b);
  static bool supports(const BodyShape& a, const BodyShape& b);

  /// Precondition: supports(a, b). Throws std::invalid_argument otherwise.
  PairQuery(const model::Body& a, const model::Body& b);
  /// The same with shapes that are shared by many pairs (narrow/body_shape.h).
  PairQuery(std::shared_ptr<const BodyShape> a, std::shared_ptr<const BodyShape> b);
  PairQuery(PairQuery&&) noexcept;
  PairQuery& operator=(PairQuery&&) noexcept;
  ~PairQuery();

  /// The smallest separation over all parts. Poses are those of the body frames. Bodies without
  /// parts are infinitely far apart.
  Separation separation(const Pose& a, const Pose& b) { return nearest(a, b, true); }

  /// The same of bodies that are apart; of such as overlap any way out, not the shortest one, where
  /// that costs less.
  Separation separation_or_overlap(const Pose& a, const Pose& b) { return nearest(a, b, false); }

  /// The separation of every pair of parts with a gap of at most `distance` (m), in the order of
  /// the parts of a, then of b; of parts that are not convex, every local minimum.
  std::vector<Separation> separations_within(const Pose& a, const Pose& b, double distance);

  /// A lower bound of the gap: from the remembered witness where it still separates by more than
  /// `enough` (m), exact otherwise.
  double gap_lower_bound(const Pose& a, const Pose& b, double enough);

  const BodyShape& shape_a() const { return *a_; }
  const BodyShape& shape_b() const { return *b_; }
  const PairStatistics& statistics() const { return statistics_; }

 private:
  struct PlacedBodies;
  Separation nearest(const Pose& a, const Pose& b, bool tells_depth);

  std::shared_ptr<const BodyShape> a_;
  std::shared_ptr<const BodyShape> b_;
  std::unique_ptr<PlacedBodies> bodies_;
  std::vector<std::unique_ptr<PartPair>> pairs_;  ///< of each part of a with each of b
  std::size_t nearest_ = 0;                       ///< the pair that was nearest last time
  PairStatistics statistics_;
};

}  // namespace abut::narrow
