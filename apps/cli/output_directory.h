#pragma once
// The directory that results go to.

#include <filesystem>

namespace abut::cli {

/// Makes the directory and those above it. Throws InputError where it cannot be had.
void create_output_directory(const std::filesystem::path& directory);

/// Removes the results of an earlier run, so that none can be taken for part of the new one.
/// Throws record::WriteError.
void remove_old_results(const std::filesystem::path& directory);

}  // namespace abut::cli
