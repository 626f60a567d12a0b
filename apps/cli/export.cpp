// `abut export`: a recorded run in other formats.

#include <fmt/format.h>

#include <filesystem>

#include "messages.h"
#include "options.h"
#include "output_directory.h"
#include "record/csv.h"
#include "record/run_reader.h"
#include "run_input.h"

namespace abut::cli {

int execute(const ExportCommand& command) {
  if (command.format != "csv") {
    tell_error(fmt::format("format '{}' is not supported yet; use --to csv", command.format));
    return exit_usage;
  }
  namespace fs = std::filesystem;
  const fs::path file = find_run_file(command.run);
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
