// Any bytes as a scene: the loader must take them or throw InputError, and touch no file.
//
// The first line may be an override for the rest, in the form `#set path=value`.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scene/loader.h"

namespace {

/// A closed surface for every file name, except that some names are broken files.
abut::geometry::PolygonMesh no_file(const std::string& path, abut::geometry::Faces) {
  if (path.ends_with("x")) throw abut::InputError({path, 1, 1}, "cannot be read");
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

/// Grids of a million bodies are legal and slow; they would hide everything else.
bool asks_for_many_bodies(std::string_view text) {
  if (text.find("repeat") == std::string_view::npos) return false;
  int digits = 0;
  for (const char c : text) {
    const bool exponent = digits > 0 && (c == 'e' || c == 'E');
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (exponent) return true;
    if (digits >= 3) return true;
    // 1e5, 9*9*9 and 9^9 are short ways to write many.
    if (c == '*' || c == '^') return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (asks_for_many_bodies(text)) return 0;
  std::vector<std::string> overrides;
  if (text.starts_with("#set ")) overrides.push_back(text.substr(5, text.find('\n') - 5));
  try {
    abut::scene::load_scene_text(text, "fuzz.yaml", overrides, no_file);
  } catch (const abut::InputError& error) {
    if (error.diagnostics().empty()) __builtin_trap();
    for (const auto& diagnostic : error.diagnostics()) {
      if (diagnostic.message.empty() || diagnostic.message.find('\n') != std::string::npos) {
        __builtin_trap();
      }
    }
  }
  return 0;
}
