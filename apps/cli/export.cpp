// `abut export`: a recorded run in other formats.

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "abut/diagnostics.h"
#include "messages.h"
#include "options.h"
#include "output_directory.h"
#include "record/csv.h"
#include "record/run_reader.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

/// The run file meant by a directory or by the file itself.
fs::path run_file(const std::string& run) {
  std::error_code error;
  if (!fs::is_directory(run, error)) return run;
  fs::path file = fs::path(run) / "run.h5";
  if (!fs::exists(file, error)) {
    throw InputError(Location{run, 0, 0},
                     "the directory holds no run.h5; give the directory of a run, or its run.h5");
  }
  return file;
}

}  // namespace

int execute(const ExportCommand& command) {
  if (command.format != "csv") {
    tell_error(fmt::format("format '{}' is not supported yet; use --to csv", command.format));
    return exit_usage;
  }
  const fs::path file = run_file(command.run);
  const record::RunReader run(file);
  const fs::path directory =
      command.directory.empty() ? fs::absolute(file).parent_path() : fs::path(command.directory);
  create_output_directory(directory);
  record::export_csv(run, directory);
  if (run.facts().status != record::RunStatus::complete) {
    tell_note(fmt::format("the run did not reach its end; exported its {} frames and {} events",
                          run.frame_count(), run.event_count()));
  }
  return exit_fine;
}

}  // namespace abut::cli
