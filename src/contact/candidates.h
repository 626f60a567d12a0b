#pragma once
// The places at which features of two parts are closest: the region's hull is spanned by them.
//
// The distance of the surfaces is linear where a face faces a face, so the extreme places of a
// region are corners of one part over the other, or crossings of two edges.

#include <vector>

#include "contact/near_surface.h"

namespace abut::contact {

/// Features are those of the cores: even a sphere has a vertex.
struct Candidate {
  Vec2 at = Vec2::Zero();
  double height = 0;  ///< halfway between the surfaces
  double gap = 0;
  Feature a;
  Feature b;
};

/// Those with a gap of at most `largest_gap`, in no particular order; places may repeat.
std::vector<Candidate> find_candidates(const NearSurface& a, const NearSurface& b,
                                       double largest_gap, const Tolerances& tolerances);

/// Of rounded edges that cross at a small angle, the ends are hardly farther apart than the
/// crossing: where it is by more than `sag` (m), they do not touch.
void leave_crossing_alone(std::vector<Candidate>& candidates, double sag);

}  // namespace abut::contact
