#pragma once
// Finds the scene that a command names.

#include <filesystem>
#include <string>

namespace abut::cli {

/// The file of that name, or the shipped scene. Throws InputError where there is nothing that can
/// be read: no such file, a directory, no permission, an empty file.
std::filesystem::path find_scene(const std::string& name);

}  // namespace abut::cli
