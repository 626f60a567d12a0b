#include "verify/verify.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "base/stop.h"
#include "model/promises.h"
#include "record/frame_stream.h"
#include "verify/balance_check.h"
#include "verify/bending_check.h"
#include "verify/contact_check.h"
#include "verify/energy_check.h"
#include "verify/event_check.h"
#include "verify/friction_check.h"
#include "verify/jump_check.h"
#include "verify/motion_check.h"
#include "verify/overlap_check.h"
#include "verify/scene_check.h"
#include "verify/summary_check.h"

namespace abut::verify {
namespace {

/// How far depths that are computed in two ways may differ (dimensionless): no more than rounding
/// of coordinates leaves of a depth of a ten thousandth of them.
constexpr double depth_rounding = 1e-9;

using Checks = std::vector<std::unique_ptr<Check>>;

/// Springs are compressed by overlaps. How deep these went is in the summary; deeper ones are
/// faults all the same.
AllowedDepth allowed_depth(const record::RunReader& run, const RebuiltScene& scene,
                           const Options& options) {
  AllowedDepth allowed{options.allowed_depth, false};
  if (!scene.model || scene.model->solver.contact != model::ContactModel::penalty) return allowed;
  allowed.by_springs = true;
  const std::optional<Summary> summary = run.summary();
  // A run that did not end has no summary: nothing is known of how deep it may have gone.
  const double told = summary ? summary->max_penetration : infinity;
  allowed.depth = std::max(allowed.depth, (1 + depth_rounding) * told);
  return allowed;
}

/// Of a run that was stepped: the part of the largest energy in motion or exchanged.
double step_allowance(const record::RunReader& run) {
  const std::optional<Summary> summary = run.summary();
  if (!summary || !(summary->stepped_fraction > 0)) return 0;
  record::EnergyAudit audit;
  record::for_each_frame(run, [&](const record::Frame& frame) { audit.add(frame.energy); });
  return model::largest_promise * audit.in_motion();
}

Checks checks_of(const record::RunReader& run, const RebuiltScene& scene, const Options& options) {
  const record::RunFacts& facts = run.facts();
  const AllowedDepth allowed = allowed_depth(run, scene, options);
  Checks checks;
  auto scene_check = std::make_unique<SceneCheck>(facts, scene);
  const model::Model* model = scene_check->same_bodies() ? &*scene.model : nullptr;
  checks.push_back(std::move(scene_check));
  checks.push_back(std::make_unique<MotionCheck>(facts.bodies));
  if (model != nullptr) {
    checks.push_back(std::make_unique<OverlapCheck>(*model, allowed));
    if (std::any_of(model->bodies.begin(), model->bodies.end(),
                    [](const model::Body& body) { return body.bends(); }))
      checks.push_back(std::make_unique<BendingCheck>(*model));
  }
  checks.push_back(
      std::make_unique<ContactCheck>(facts.bodies, facts.joints.size(), allowed.depth));
  const double energy = options.energy_tolerance.value_or(
      model::promised_balance(model != nullptr ? model->solver : model::SolverSettings{}, false));
  checks.push_back(std::make_unique<EnergyCheck>(facts.bodies, model, energy, step_allowance(run)));
  if (model != nullptr) {
    checks.push_back(std::make_unique<BalanceCheck>(facts.bodies, *model));
    checks.push_back(std::make_unique<FrictionCheck>(*model, SteppedTimes(run)));
    checks.push_back(std::make_unique<EventCheck>(run, *model, SteppedTimes(run)));
    checks.push_back(std::make_unique<JumpCheck>(run, *model, SteppedTimes(run)));
  }
  checks.push_back(std::make_unique<SummaryCheck>(run, model));
  return checks;
}

}  // namespace

Report verify(const record::RunReader& run, const Options& options) {
  const base::StopWish wish = [&] {
    return options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
  };
  const base::StopScope scope(&wish);
  const RebuiltScene scene = rebuild(run.facts(), options.mesh_folder);
  const Checks checks = checks_of(run, scene, options);
  record::for_each_frame(run, [&](const record::Frame& frame) {
    for (const auto& check : checks) {
      base::stop_if_wished();
      check->frame(frame);
    }
    if (options.progress) options.progress(frame.time);
  });
  for (const auto& check : checks) check->finish();

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
