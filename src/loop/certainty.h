#pragma once
// Whether what an island does is certain: its forces and impulses obey the laws of contact and of
// motion. Where they do not, nobody could find any that do, and what the island does is undecided.

#include <vector>

#include "integrate/cluster_path.h"
#include "loop/meeting.h"
#include "model/model.h"

namespace abut::loop {

/// Whether what a frame tells of a cluster, with the states of all bodies, obeys them: contacts are
/// open by a gap and push, friction is within its cones, what sticks does not slip, and where
/// nothing but weight and contacts acts bodies accelerate as these say.
bool is_lawful(const model::Model& model, const integrate::Cluster& cluster,
               const std::vector<BodyState>& states, const integrate::Snapshot& told);

/// Whether the momenta of the bodies of a meeting change by the impulses of its contacts, where
/// nothing else acts.
bool is_balanced(const model::Model& model, const Meeting& meeting, const Outcome& outcome);

}  // namespace abut::loop
