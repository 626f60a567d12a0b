#include "verify/verify.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "verify/balance_check.h"
#include "verify/contact_check.h"
#include "verify/energy_check.h"
#include "verify/motion_check.h"
#include "verify/overlap_check.h"
#include "verify/scene_check.h"

namespace abut::verify {
namespace {

using Checks = std::vector<std::unique_ptr<Check>>;

Checks checks_of(const record::RunFacts& facts, const RebuiltScene& scene, const Options& options) {
  Checks checks;
  auto scene_check = std::make_unique<SceneCheck>(facts, scene);
  const model::Model* model = scene_check->same_bodies() ? &*scene.model : nullptr;
  checks.push_back(std::move(scene_check));
  checks.push_back(std::make_unique<MotionCheck>(facts.bodies));
  if (model != nullptr) {
    checks.push_back(std::make_unique<OverlapCheck>(*model, options.allowed_depth));
  }
  checks.push_back(
      std::make_unique<ContactCheck>(facts.bodies, facts.joints.size(), options.allowed_depth));
  checks.push_back(std::make_unique<EnergyCheck>(facts.bodies, model, options.energy_tolerance));
  if (model != nullptr) checks.push_back(std::make_unique<BalanceCheck>(facts.bodies, *model));
  return checks;
}

void read_frames(const record::RunReader& run, const Checks& checks) {
  const std::size_t block = run.frames_per_block();
  for (std::size_t first = 0; first < run.frame_count(); first += block) {
    const std::size_t count = std::min(block, run.frame_count() - first);
    for (const record::Frame& frame : run.frames(first, count)) {
      for (const auto& check : checks) check->frame(frame);
    }
  }
}

}  // namespace

Report verify(const record::RunReader& run, const Options& options) {
  const RebuiltScene scene = rebuild(run.facts(), options.mesh_folder);
  const Checks checks = checks_of(run.facts(), scene, options);
  read_frames(run, checks);

  Report report;
  report.scene_name = run.facts().scene_name;
  report.status = to_string(run.facts().status);
  report.frames = run.frame_count();
  for (const auto& check : checks) {
    report.checks.push_back({check->name(), check->measured(), check->fault_count()});
    const auto& faults = check->first_faults();
    report.faults.insert(report.faults.end(), faults.begin(), faults.end());
    for (const auto& [what, count] : check->not_checked()) report.not_checked[what] += count;
  }
  return report;
}

}  // namespace abut::verify
