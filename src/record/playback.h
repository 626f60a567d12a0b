#pragma once
// A recorded run in the form that the player in report.html reads: a header in JSON and chunks of
// binary arrays (playback_chunk.h). docs/guide/playback-format.md describes both for readers.

#include <string>
#include <vector>

#include "model/model.h"
#include "record/run_reader.h"

namespace abut::record {

struct Playback {
  std::string header;                 ///< JSON
  std::vector<std::string> chunks;    ///< shapes, series, events, and frames in the order of time
  std::vector<std::string> thinning;  ///< what is not there; empty: nothing is missing
};

/// `model` is the one that was run: the record tells how its bodies move, the model what they look
/// like. Throws InputError where the run cannot be read or is one of another model.
Playback make_playback(const RunReader& run, const model::Model& model);

}  // namespace abut::record
