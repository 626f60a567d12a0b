#pragma once
// Who meets at an instant: a body, its cluster, and all that touches them.

#include <set>
#include <vector>

#include "loop/detection.h"
#include "loop/meeting.h"
#include "loop/paths.h"

namespace abut::loop {

/// The meeting of a dynamic body at t, with everything that touches, and every limit that is met.
/// `broken` joints (by joint of the model) are left out; blows and released contacts are left to
/// the caller.
Meeting gather(const model::Model& model, const Paths& paths, Detection& detection, BodyIndex body,
               double t, const std::vector<bool>& broken);

/// The dynamic bodies that the model puts in touch with something, or joins.
std::set<BodyIndex> bodies_in_touch(const Paths& paths, Detection& detection);

}  // namespace abut::loop
