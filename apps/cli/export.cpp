// `abut export`: a recorded run in other formats.

#include <fmt/format.h>

#include <filesystem>

#include "messages.h"
#include "options.h"
#include "output_directory.h"
#include "pictures.h"
#include "record/csv.h"
#include "record/glb.h"
#include "record/run_reader.h"
#include "recorded_scene.h"
#include "run_input.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

void export_glb(const record::RunReader& run, const ExportCommand& command,
                const fs::path& directory) {
  const auto thinning =
      record::write_glb(run, recorded_model(run, command.mesh_folder), directory / "run.glb");
  for (const std::string& sentence : thinning) tell_note("run.glb holds " + sentence);
}

}  // namespace

int execute(const ExportCommand& command) {
  const fs::path file = find_run_file(command.run);
  const record::RunReader run(file);
  const fs::path directory =
      command.directory.empty() ? fs::absolute(file).parent_path() : fs::path(command.directory);
  create_output_directory(directory);
  if (command.format == "csv") {
    record::export_csv(run, directory);
  } else if (command.format == "glb") {
    export_glb(run, command, directory);
  } else {
    export_pictures(run, command, directory);
  }
  if (run.facts().status != record::RunStatus::complete) {
    tell_note(fmt::format("the run did not reach its end; exported its {} frames and {} events",
                          run.frame_count(), run.event_count()));
  }
  return exit_fine;
}

}  // namespace abut::cli
