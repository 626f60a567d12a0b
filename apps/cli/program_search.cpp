#include "program_search.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace abut::cli {

std::optional<std::filesystem::path> find_program(std::initializer_list<const char*> names) {
  namespace fs = std::filesystem;
  const char* path = std::getenv("PATH");
  for (const char* name : names) {
    std::string_view folders = path ? path : "";
    while (!folders.empty()) {
      const std::size_t colon = std::min(folders.find(':'), folders.size());
      fs::path program = fs::path(folders.substr(0, colon)) / name;
      folders.remove_prefix(std::min(colon + 1, folders.size()));
      std::error_code error;
      if (fs::is_regular_file(program, error) && ::access(program.c_str(), X_OK) == 0)
        return program;
    }
  }
  return std::nullopt;
}

}  // namespace abut::cli
