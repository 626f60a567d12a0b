#pragma once
// Which Abut this is, for outputs.

#include <string_view>

namespace abut::record {

/// As in `0.1.0`.
std::string_view program_version();

}  // namespace abut::record
