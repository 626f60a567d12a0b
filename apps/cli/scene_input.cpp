#include "scene_input.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "abut/diagnostics.h"
#include "shipped_scenes.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& message) {
  throw InputError(Location{path.string(), 0, 0}, message);
}

void check_readable(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    refuse(path, "this is a directory, not a scene file; give the path of a YAML file");
  }
  if (!fs::exists(path, error)) refuse(path, "this is a link to a file that does not exist");
  // Anything else, such as a pipe, gives its text only once and is left to the loader.
  if (!fs::is_regular_file(path, error)) return;
  errno = 0;
  const std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "cannot be read: " + std::generic_category().message(errno));
  if (fs::file_size(path, error) == 0) {
    throw InputError(Location{path.string(), 1, 1},
                     "the file is empty; a scene needs at least abut, duration and bodies");
  }
}

}  // namespace

fs::path find_scene(const std::string& name) {
  std::error_code error;
  fs::path path = name;
  if (!fs::exists(fs::symlink_status(path, error))) {
    const auto shipped = shipped_scene(name);
    if (!shipped) {
      refuse(path,
             "there is no such file, and no scene of that name ships; `abut scenes` lists "
             "those that do");
    }
    path = shipped->path;
  }
  check_readable(path);
  return path;
}

}  // namespace abut::cli
