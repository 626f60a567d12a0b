#pragma once
// Who meets at an instant: a body, its island, and all that touches them.

#include <set>
#include <vector>

#include "loop/contact_event.h"
#include "loop/detection.h"
#include "loop/paths.h"

namespace abut::loop {

/// What is known before it is looked who meets.
struct Known {
  const std::vector<bool>& broken;  ///< by joint of the model: left out
  const Verdicts& verdicts;
};

/// The contact event of a dynamic body at t, with everything that touches, and every limit that is
/// met. Contacts whose stick gave way begin to slip; impulses are left to the caller.
ContactEvent gather(const model::Model& model, const Paths& paths, Detection& detection,
                    BodyIndex body, double t, const Known& known);

/// The dynamic bodies that the model puts in touch with something, or joins.
std::set<BodyIndex> bodies_in_touch(const Paths& paths, Detection& detection);

}  // namespace abut::loop
