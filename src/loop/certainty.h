#pragma once
// Whether what an island does is certain: its forces and impulses obey the laws of contact and of
// motion. Where they do not, nobody could find any that do, and what the island does is undecided.

#include <vector>

#include "integrate/island_path.h"
#include "loop/contact_event.h"
#include "model/model.h"

namespace abut::loop {

/// Whether what a frame tells of an island, with the states of all bodies, obeys them: contacts are
/// open by a gap and push, friction is within its cones, what sticks does not slip, and where
/// nothing but weight and contacts acts bodies accelerate as these say.
bool is_lawful(const model::Model& model, const integrate::Island& island,
               const std::vector<BodyState>& states, const integrate::Snapshot& told);

/// Whether the momenta of the bodies of a contact event change by the impulses of its contacts,
/// where nothing else acts.
bool is_balanced(const model::Model& model, const ContactEvent& contact_event,
                 const Outcome& outcome);

}  // namespace abut::loop
