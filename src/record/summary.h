#pragma once
// The certificate of a run as summary.json and as text for a terminal.

#include <filesystem>
#include <string>
#include <string_view>

#include "record/frame.h"

namespace abut::record {

/// The text of summary.json. Numbers that are not finite are written as null.
std::string summary_json(const Summary& summary, std::string_view scene_name);

/// The reverse of summary_json; null reads as NaN. Throws InputError naming `origin`.
Summary parse_summary(std::string_view json, const std::string& origin);

/// Writes summary.json in one piece: a reader sees the old file or the new one, never a part.
/// Throws WriteError.
void write_summary(const std::filesystem::path& path, std::string_view json);

/// A few lines for people: what happened, and what the run can be trusted for.
std::string format_summary(const Summary& summary, std::string_view scene_name);

}  // namespace abut::record
