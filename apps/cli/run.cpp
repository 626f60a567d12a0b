// `abut run`: simulates a scene and leaves the results in a directory.

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>

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

void write_pictures(const record::RunReader& run, const model::Model& model,
                    const fs::path& directory) {
  record::write_report(run, model, directory / "report.html");
  record::write_glb(run, model, directory / "run.glb");
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
  if (command.csv) record::export_csv(record::RunReader(file), directory);
  if (!command.no_report) write_pictures(record::RunReader(file), loaded.model, directory);

  if (command.json) {
    print(json);
  } else if (!command.quiet) {
    print(record::format_summary(outcome.summary, loaded.model.name));
  }
  tell_outcome(outcome, directory, command.quiet);
  return outcome.summary.status == record::RunStatus::complete ? exit_fine : exit_failed;
}

}  // namespace abut::cli
