// `abut report`: one page with player, plots and certificate of a recorded run.

#include "record/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "messages.h"
#include "options.h"
#include "record/run_reader.h"
#include "recorded_scene.h"
#include "run_input.h"

namespace abut::cli {

int execute(const ReportCommand& command) {
  namespace fs = std::filesystem;
  const fs::path file = find_run_file(command.run);
  const record::RunReader run(file);
  const fs::path page = command.output.empty() ? fs::absolute(file).parent_path() / "report.html"
                                               : fs::path(command.output);
  const record::ReportNotes notes =
      record::write_report(run, recorded_model(run, command.mesh_folder), page);
  if (!notes.has_player)
    tell_note("this program was built without the player; the page has the numbers only");
  for (const std::string& sentence : notes.thinning)
    tell_note("left out to keep the page small: it holds " + sentence);
  return exit_fine;
}

}  // namespace abut::cli
