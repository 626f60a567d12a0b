#pragma once
// What the program says, and to whom: results to stdout, everything else to stderr.

#include <string_view>
#include <vector>

#include "abut/diagnostics.h"

namespace abut::cli {

/// `abut: error: message` on stderr.
void tell_error(std::string_view message);
/// `abut: message` on stderr.
void tell_note(std::string_view message);
/// One line each on stderr.
void tell_diagnostics(const std::vector<Diagnostic>& diagnostics);

/// Writes a result to stdout. Throws std::runtime_error where it does not arrive.
void print(std::string_view text);

}  // namespace abut::cli
