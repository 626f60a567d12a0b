#pragma once
// Where two bodies are near each other, or can come near while they move on: what PairQuery tells
// of an instant, ahead of time. Of meshes only cells are looked at that can come near.

#include <memory>
#include <vector>

#include "narrow/body_shape.h"
#include "narrow/drift.h"
#include "narrow/pair.h"

namespace abut::narrow {

class AheadQuery {
 public:
  /// Precondition: PairQuery::supports(*a, *b).
  AheadQuery(std::shared_ptr<const BodyShape> a, std::shared_ptr<const BodyShape> b);
  AheadQuery(AheadQuery&&) noexcept;
  AheadQuery& operator=(AheadQuery&&) noexcept;
  ~AheadQuery();

  struct Found {
    std::vector<Separation> separations;  ///< as PairQuery::separations_within has them
    double reach = 0;                     ///< how far apart they are at most, m
  };
  /// Poses are those of the body frames; the drift is told in a frame with its origin at body b and
  /// the axes of the world.
  Found separations(const Pose& a, const Pose& b, const Ahead& ahead);

  const BodyShape& shape_a() const { return *a_; }
  const BodyShape& shape_b() const { return *b_; }

 private:
  std::shared_ptr<const BodyShape> a_;
  std::shared_ptr<const BodyShape> b_;
  std::vector<std::unique_ptr<PartPair>> pairs_;  ///< of each part of a with each of b
};

}  // namespace abut::narrow
