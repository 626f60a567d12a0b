// `abut run`: simulates a scene and leaves the results in a directory.

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "base/stop.h"
#include "interrupt.h"
#include "loop/run.h"
#include "messages.h"
#include "options.h"
#include "output_directory.h"
#include "progress.h"
#include "record/csv.h"
#include "record/glb.h"
#include "record/report.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record/summary.h"
#include "scene/loader.h"
#include "scene_input.h"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

/// How the simulation ended; a write error is none of these and passes as an exception.
struct Outcome {
  record::Summary summary;
  std::string failure;  ///< empty: it did not fail
};

Outcome simulate(const model::Model& model, const fs::path& file, const RunCommand& command,
                 const InterruptGuard& interrupt) {
  record::RunWriter writer(file);
  Progress progress(model.duration, command.quiet);
  loop::RunOptions options;
  options.threads = command.threads;
  options.interrupt = interrupt.flag();
  options.whole_frames = false;
  options.progress = [&](double time) { progress.at(time); };
  Outcome outcome;
  try {
    outcome.summary = loop::run(model, writer, options);
  } catch (const SimulationError& error) {
    outcome.failure = error.what();
    outcome.summary = record::RunReader(file).summary().value_or(record::Summary());
  }
  progress.finish();
  return outcome;
}

/// What went wrong, if anything, and where to find what was recorded.
void tell_outcome(const Outcome& outcome, const fs::path& directory, bool quiet) {
  if (!outcome.failure.empty()) {
    tell_error(outcome.failure);
    tell_note(fmt::format("what was recorded is in {}", directory.string()));
  } else if (outcome.summary.status == record::RunStatus::interrupted) {
    tell_error(fmt::format("interrupted at t = {:.6g} s; what was recorded is in {}",
                           outcome.summary.duration, directory.string()));
  } else if (outcome.summary.status == record::RunStatus::suspect) {
    tell_error(fmt::format("the result is suspect: {}", outcome.summary.message));
    tell_note(fmt::format("results in {}", directory.string()));
  } else if (!quiet) {
    tell_note(fmt::format("results in {}", directory.string()));
  }
}

// How long tables and report may take once somebody wants to end: those of most runs are done.
constexpr std::chrono::milliseconds interrupt_patience(500);

/// Tables, report and animation: whether there was time for all of them.
bool write_views(const fs::path& file, const model::Model& model, const RunCommand& command,
                 const InterruptGuard& interrupt) {
  if (!command.csv && command.no_report) return true;
  const fs::path directory = file.parent_path();
  const record::RunReader run(file);
  const base::StopWish wish = [&] { return interrupt.is_older_than(interrupt_patience); };
  const base::StopScope scope(&wish);
  try {
    if (command.csv) record::export_csv(run, directory);
    if (command.no_report) return true;
    record::write_report(run, model, directory / "report.html");
    record::write_glb(run, model, directory / "run.glb");
    return true;
  } catch (const base::Stopped&) {
    return false;
  }
}

}  // namespace

int execute(const RunCommand& command) {
  const fs::path path = find_scene(command.scene);
  const scene::LoadedScene loaded = scene::load_scene_file(path.string(), command.overrides);
  tell_diagnostics(loaded.warnings);

  const fs::path directory =
      command.directory.empty() ? fs::path("out") / path.stem() : fs::path(command.directory);
  create_output_directory(directory);
  remove_old_results(directory);

  // Until all results are written, so that they are complete for what was simulated.
  const InterruptGuard interrupt;
  const fs::path file = directory / "run.h5";
  const Outcome outcome = simulate(loaded.model, file, command, interrupt);
  const std::string json = record::summary_json(outcome.summary, loaded.model.name);
  record::write_summary(directory / "summary.json", json);
  const bool has_views = write_views(file, loaded.model, command, interrupt);

  if (command.json) {
    print(json);
  } else if (!command.quiet) {
    print(record::format_summary(outcome.summary, loaded.model.name));
  }
  tell_outcome(outcome, directory, command.quiet);
  if (!has_views) tell_error("interrupted: not all of tables, report and animation are written");
  return has_views && outcome.summary.status == record::RunStatus::complete ? exit_fine
                                                                            : exit_failed;
}

}  // namespace abut::cli
