// `abut verify`: checks a recorded run by other means than those that made it.

#include "verify/verify.h"

#include <vector>

#include "base/stop.h"
#include "interrupt.h"
#include "messages.h"
#include "options.h"
#include "progress.h"
#include "record/run_reader.h"
#include "run_input.h"
#include "verify/report.h"

namespace abut::cli {

int execute(const VerifyCommand& command) {
  const record::RunReader run(find_run_file(command.run));
  verify::Options options;
  options.allowed_depth = command.allowed_depth;
  options.energy_tolerance = command.energy_tolerance;
  options.mesh_folder = command.mesh_folder;
  const std::vector<record::FrameStamp> stamps = run.stamps();
  Progress progress(stamps.empty() ? 0 : stamps.back().time, false, "verified");
  const InterruptGuard interrupt;
  options.interrupt = interrupt.flag();
  options.progress = [&](double time) { progress.at(time); };
  verify::Report report;
  try {
    report = verify::verify(run, options);
  } catch (const base::Stopped&) {
    progress.clear();
    tell_error("interrupted: what was verified up to here is not told");
    return exit_failed;
  }
  progress.clear();
  print(command.json ? report_json(report) : report_text(report));
  if (!report.passed()) return exit_failed;
  return report.is_proven() ? exit_fine : exit_unproven;
}

}  // namespace abut::cli
