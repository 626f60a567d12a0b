#pragma once
// The run that a command is to read.

#include <filesystem>
#include <string>

namespace abut::cli {

/// The run file meant by a directory or by the file itself. Throws InputError where a directory
/// holds none.
std::filesystem::path find_run_file(const std::string& run);

}  // namespace abut::cli
