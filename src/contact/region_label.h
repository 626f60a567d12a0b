#pragma once
// Names of what touches: the features of points, and of whole regions.

#include <vector>

#include "contact/candidates.h"
#include "contact/planar_hull.h"

namespace abut::contact {

/// A feature of a solid's core as a label tells it: spheres and capsules are smooth.
Feature name_in(const narrow::Solid& solid, const Feature& of_core);

/// The smallest features that hold every vertex of the region's hull.
ContactLabel region_label(const std::vector<Candidate>& candidates, const PlanarHull& hull,
                          const narrow::Solid& a, const narrow::Solid& b);

}  // namespace abut::contact
