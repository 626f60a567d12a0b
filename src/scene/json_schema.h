#pragma once
// The scene format as a JSON Schema, for editors that complete and underline.

#include <string>

namespace abut::scene {

/// JSON Schema, draft 2020-12, made from the tables of format.h. It accepts what the checker
/// accepts, up to the contents of formulas and quantities, which it takes as text.
std::string json_schema();

}  // namespace abut::scene
