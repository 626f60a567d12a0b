#pragma once
// Which pairs of cells a contact of meshes keeps apart: all that touch in its plane, not only those
// it was found on.

#include <vector>

#include "contact/contact.h"
#include "narrow/pair.h"

namespace abut::contact {

/// Lets contacts hold all cells that touch in their planes, not only those they were found on.
/// Precondition: the contacts are those of the two bodies at these poses of the body frames, and
/// flat ones have been reduced.
void hold_cells_beside(narrow::PairQuery& query, const model::Body& body_a, const Pose& pose_a,
                       const model::Body& body_b, const Pose& pose_b, double touching_distance,
                       std::vector<Contact>& contacts);

}  // namespace abut::contact
