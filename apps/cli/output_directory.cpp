#include "output_directory.h"

#include <fmt/format.h>

#include <system_error>

#include "abut/diagnostics.h"
#include "record/write_error.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* results[] = {"run.h5",       "summary.json", "states.csv", "events.csv",
                                   "contacts.csv", "energy.csv",   "joints.csv", "flexible.csv",
                                   "run.glb",      "report.html"};

}  // namespace

void create_output_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  std::error_code ignored;
  if (fs::is_directory(directory, ignored)) return;
  const std::string reason = error ? error.message() : "something else has this name";
  throw InputError(
      Location{directory.string(), 0, 0},
      fmt::format("the output directory cannot be created: {}; choose another with -o", reason));
}

void remove_old_results(const fs::path& directory) {
  for (const std::string name : results) {
    for (const fs::path& path : {directory / name, directory / (name + ".partial")}) {
      std::error_code error;
      fs::remove(path, error);
      if (error) throw record::WriteError(path, "an older file is in the way: " + error.message());
    }
  }
}

}  // namespace abut::cli
