#pragma once
// A model of what comes after an instant of a run: what goes on from there if something about the
// scene is changed. Nothing but the frame is carried over, so that a continuation is defined by the
// model, the instant and the change.

#include <utility>
#include <vector>

#include "model/model.h"
#include "record/frame.h"

namespace abut::loop {

/// Pairs of bodies that do not touch yet, because a joint that held them broke while they overlap.
using PartingPairs = std::vector<std::pair<BodyIndex, BodyIndex>>;

/// Bodies are where `now` has them. Times count from there: scripts go on, impulses that are past
/// are left out, the duration is what is left of it. `broken` joints (by index) are left out.
model::Model continued(const model::Model& model, const record::Frame& now,
                       const std::vector<bool>& broken, const PartingPairs& parting);

}  // namespace abut::loop
