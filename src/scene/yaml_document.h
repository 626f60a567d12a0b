#pragma once
// Reads YAML text into nodes, and refuses what a scene must not contain.
//
// yaml-cpp does the parsing. It takes duplicate keys silently, counts places from 0 and can be
// driven into great depth or size by hostile text; this file sees to all of that.

#include <optional>
#include <string_view>

#include "scene/node.h"
#include "scene/problems.h"

namespace abut::scene {

/// Lists and maps within each other; no scene needs more than ten.
inline constexpr int maximum_depth = 32;
/// Values in a document. Enough for a mesh of a million vertices written into the scene.
inline constexpr std::size_t maximum_nodes = 20'000'000;
/// Values that stand in a document only because aliases repeat them. A few aliases of aliases could
/// otherwise fill the memory from a text of a hundred characters.
inline constexpr std::size_t maximum_alias_nodes = 1'000'000;

/// Parses one document. Faults go to `problems`; without a result the text could not be read on.
std::optional<Node> parse_yaml(std::string_view text, Problems& problems);

/// The same for the value of override number `index`, whose marks will carry that number.
std::optional<Node> parse_override_value(std::string_view text, int index, Problems& problems);

}  // namespace abut::scene
