#pragma once
// The player (apps/viewer), built into the program.

#include <string_view>

namespace abut::record {

/// The whole page, with styles and scripts in it. Empty where Abut was built without it.
std::string_view viewer_page();

}  // namespace abut::record
