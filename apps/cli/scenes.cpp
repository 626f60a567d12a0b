// `abut scenes`: what ships.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "messages.h"
#include "options.h"
#include "shipped_scenes.h"

namespace abut::cli {
namespace {

/// The first comment of a scene file, or else its name.
std::string subject_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) return line.substr(2);
    if (name.empty() && line.starts_with("name: ")) name = line.substr(6);
  }
  return name;
}

}  // namespace

int execute(const ScenesCommand& command) {
  if (!command.name.empty()) {
    const auto scene = shipped_scene(command.name);
    if (!scene) {
      tell_error(
          fmt::format("no scene '{}' ships; `abut scenes` lists those that do", command.name));
      return exit_usage;
    }
    print(scene->path.string() + "\n");
    return exit_fine;
  }
  const auto scenes = shipped_scenes();
  if (scenes.empty()) {
    tell_error("no scenes found; set ABUT_SCENES to the directory that holds them");
    return exit_usage;
  }
  std::size_t width = 0;
  for (const ShippedScene& scene : scenes) width = std::max(width, scene.name.size());
  std::string text;
  for (const ShippedScene& scene : scenes) {
    text += fmt::format("{:<{}}  {}\n", scene.name, width, subject_of(scene.path));
  }
  print(text);
  return exit_fine;
}

}  // namespace abut::cli
