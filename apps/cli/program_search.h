#pragma once
// Other programs that commands may use.

#include <filesystem>
#include <initializer_list>
#include <optional>

namespace abut::cli {

/// The first of these names that is a program in a folder of the PATH.
std::optional<std::filesystem::path> find_program(std::initializer_list<const char*> names);

}  // namespace abut::cli
