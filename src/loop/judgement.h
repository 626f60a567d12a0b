#pragma once
// Whether a run that came to its end kept what its settings promise.

#include <set>
#include <string>

#include "broad/sweep_and_prune.h"
#include "model/model.h"
#include "record/frame.h"

namespace abut::loop {

/// What a run saw of its errors beyond its summary.
struct Seen {
  std::set<broad::Pair> unresolved;  ///< pairs whose contact had to be told and could not be
  double widest_joint = 0;           ///< largest gap of a joint, as a fraction of its size
  double energy_returned = 0;        ///< of what was dissipated, relative (record/energy_audit.h)
  double energy_in_motion = 1;       ///< or exchanged, at most, relative
};

/// What was not kept, in words; empty where all was.
std::string broken_promises(const model::Model& model, const record::Summary& summary,
                            const Seen& seen);

}  // namespace abut::loop
