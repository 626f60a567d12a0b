#pragma once
// Which points of contact bodies feel that are meshes: see geometry/mesh_boundary.h.
//
// Every pair of cells that is near has a nearest place, which is one of the boundary too unless
// others cells beside it are nearer still: at a reflex edge, at a cut within a face, or on the far
// side of a wall. Along the normal of its own face a cell is felt up to its border.

#include <vector>

#include "contact/contact_set.h"
#include "contact/hidden_points.h"
#include "narrow/pair.h"

namespace abut::contact {

/// Leaves out points that are not felt, where another normal does no better; which regions have any
/// left.
std::vector<bool> leave_out_unfelt(const ShapeAt& a, const ShapeAt& b, double touching_distance,
                                   const TurnedRegion& turned, std::vector<ContactRegion>& regions);

/// How far apart places may be that are one, m, and unit normals.
struct RepeatedPlaces {
  double distance = 0;
  double turn = 0;
  bool is_smooth = false;  ///< a part is, whose places are known less well
};
RepeatedPlaces repeated_places(const ShapeAt& a, const ShapeAt& b, double touching_distance);

/// Leaves out points that another region has at the same place with the same normal: cells have
/// their corners in common. Of two points the one stays that lies within its feature, as the
/// separation of its parts tells: a face that is felt up to its border has lost what has rolled
/// beyond that, and the edge what has come over a face.
void leave_out_repeated(const RepeatedPlaces& places,
                        const std::vector<narrow::Separation>& separations,
                        std::vector<ContactRegion>& regions);

}  // namespace abut::contact
