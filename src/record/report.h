#pragma once
// report.html: a run as one page that opens anywhere, without a network, and can be mailed.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/playback.h"
#include "record/run_reader.h"

namespace abut::record {

/// What the page does not hold.
struct ReportNotes {
  bool has_player = true;             ///< false: Abut was built without the player
  std::vector<std::string> thinning;  ///< what was left out to keep the page small
};

/// Writes the page in one piece: a reader sees the old file or the new one, never a part. `model`
/// is the one that was run. Throws WriteError, or InputError where the run cannot be read.
ReportNotes write_report(const RunReader& run, const model::Model& model,
                         const std::filesystem::path& path);

/// The page as text, for a program that serves it: it connects to the address `live` beside its own
/// and hears more of the run there. Nothing where Abut was built without the player.
std::optional<std::string> served_page(const Playback& playback);

}  // namespace abut::record
