#pragma once
// Whether a run that came to its end kept what its settings promise.

#include <set>
#include <string>

#include "broad/sweep_and_prune.h"
#include "model/model.h"
#include "record/frame.h"

namespace abut::loop {

/// What was not kept, in words; empty where all was. `unresolved` are the pairs whose contact had
/// to be told and could not be; `widest_joint` is the largest gap of a joint, as a fraction of its
/// size.
std::string broken_promises(const model::Model& model, const record::Summary& summary,
                            const std::set<broad::Pair>& unresolved, double widest_joint);

}  // namespace abut::loop
