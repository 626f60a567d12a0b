#pragma once
// The reference page of the guide, written from the tables of format.h.

#include <string>

namespace abut::scene {

/// Markdown: every key with type, unit, range, default and meaning, and the list of units.
std::string reference_page();

}  // namespace abut::scene
