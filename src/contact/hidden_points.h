#pragma once
// Which points of contact bodies feel that have several parts: see narrow/outer_surface.h.
//
// A part that hides a place of another one is itself at least as near to the other body, so that it
// has a region of its own. Points are left out in the order of how high others rise above them, the
// highest first, and not for parts whose own points were left out for theirs: of faces that are
// flush up to rounding each may rise above the other, and one must stay.
//
// Where parts touch at the border of a face, every normal between those of the features separates
// them, and the one that was found may be that of a hidden face. Then the faces that meet there are
// asked for one that separates the parts as well and is not hidden.
//
// Parts that are apart are told of by everything within reach of the plane between them. Where the
// places nearest to it are hidden, that plane is none of the body's: of the others those stay that
// have its normal themselves.

#include <functional>
#include <optional>
#include <vector>

#include "contact/contact_set.h"
#include "narrow/body_shape.h"

namespace abut::contact {

/// A body where it is now.
struct ShapeAt {
  const narrow::BodyShape* shape = nullptr;
  Pose pose;
};

/// The region of the same two parts along another normal, if that separates them as well.
using TurnedRegion =
    std::function<std::optional<ContactRegion>(std::size_t region, const Vec3& normal)>;

/// `seam` (m): how far from a part a place may be that counts as held by it.
void leave_out_hidden(const ShapeAt& a, const ShapeAt& b, double seam, const TurnedRegion& turned,
                      std::vector<ContactRegion>& regions);

}  // namespace abut::contact
