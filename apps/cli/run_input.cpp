#include "run_input.h"

#include <system_error>

#include "abut/diagnostics.h"

namespace abut::cli {

std::filesystem::path find_run_file(const std::string& run) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(run, error)) return run;
  fs::path file = fs::path(run) / "run.h5";
  if (!fs::exists(file, error)) {
    throw InputError(Location{run, 0, 0},
                     "the directory holds no run.h5; give the directory of a run, or its run.h5");
  }
  return file;
}

}  // namespace abut::cli
