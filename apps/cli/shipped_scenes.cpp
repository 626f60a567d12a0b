#include "shipped_scenes.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

/// Where scenes lie: where the user says; beside an installed program, also a moved one; in the
/// source tree the program was built from; where it was to be installed.
fs::path scenes_directory() {
  if (const char* chosen = std::getenv("ABUT_SCENES")) return chosen;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& candidate :
       {program.parent_path().parent_path() / "share/abut/scenes", fs::path(ABUT_SCENES_SOURCE),
        fs::path(ABUT_SCENES_INSTALLED)}) {
    if (fs::is_directory(candidate, error)) return candidate;
  }
  return {};
}

}  // namespace

std::vector<ShippedScene> shipped_scenes() {
  std::vector<ShippedScene> scenes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(scenes_directory(), error)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".yaml" || !entry.is_regular_file(error)) continue;
    scenes.push_back({path.stem().string(), path});
  }
  std::sort(scenes.begin(), scenes.end(),
            [](const ShippedScene& a, const ShippedScene& b) { return a.name < b.name; });
  return scenes;
}

std::optional<ShippedScene> shipped_scene(const std::string& name) {
  for (ShippedScene& scene : shipped_scenes()) {
    if (scene.name == name) return std::move(scene);
  }
  return std::nullopt;
}

}  // namespace abut::cli
