#pragma once
// Pictures and films of a run, drawn by the page that people see.

#include <filesystem>

#include "options.h"
#include "record/run_reader.h"

namespace abut::cli {

/// Writes run.png or run.mp4 into `directory`, in one piece. Throws InputError where the format is
/// unknown or a program that is needed is not there, and std::runtime_error where it fails.
void export_pictures(const record::RunReader& run, const ExportCommand& command,
                     const std::filesystem::path& directory);

}  // namespace abut::cli
