#pragma once
// Where meshes and unions touch, as regions of the whole solids (Bouma and Vanecek 1991, definition
// 2): named by their vertices, edges and faces instead of the cells of their boundaries, regions of
// the same two entities in one plane as one, and none that only borders a larger one. Faces of
// flush parts that share an edge are one face, too.

#include <vector>

#include "contact/contact_set.h"
#include "model/model.h"

namespace abut::contact {

/// Precondition: the regions are those that find_regions() tells of the two bodies at this touching
/// distance (m). Features of meshes are counted as geometry/brep_entities.h counts them.
std::vector<ContactRegion> entity_regions(const narrow::PairQuery& query, const model::Body& a,
                                          const model::Body& b, std::vector<ContactRegion> regions,
                                          double touching_distance);

}  // namespace abut::contact
