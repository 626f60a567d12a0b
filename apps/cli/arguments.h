#pragma once
// From argv to a command.

#include <variant>

#include "options.h"

namespace abut::cli {

/// The command asked for, or the exit code where help, the version or a usage error has been
/// printed already.
std::variant<Command, int> parse_arguments(int argc, char** argv);

}  // namespace abut::cli
