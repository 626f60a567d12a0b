#pragma once
// Where bodies could touch while they move on.

#include <vector>

#include "contact/contact_set.h"
#include "narrow/ahead_query.h"

namespace abut::contact {

/// Regions of what bodies can reach: like find_reachable_regions.
std::vector<ContactRegion> find_regions_ahead(narrow::AheadQuery& query, const Pose& pose_a,
                                              const Pose& pose_b, const narrow::Ahead& ahead,
                                              double seam);

}  // namespace abut::contact
