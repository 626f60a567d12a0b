#include "loop/judgement.h"

#include <functional>
#include <limits>
#include <string>

#include "abut/diagnostics.h"
#include "loop/run.h"
#include "support/models.h"

namespace abut::loop {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

model::Model one_ball() {
  model::Model model = test::empty_model(0.2);
  model.bodies = {test::body_of(shape::Sphere{0.5})};
  return model;
}

record::Summary good() {
  record::Summary summary;
  summary.energy_error = 1e-10;
  summary.min_gap = 1e-10;
  return summary;
}

std::string judged(const std::function<void(record::Summary&)>& spoil) {
  record::Summary summary = good();
  spoil(summary);
  return broken_promises(one_ball(), summary, {});
}

TEST(Judgement, NamesWhatIsWorseThanPromised) {
  using S = record::Summary;
  EXPECT_EQ(judged([](S&) {}), "");
  EXPECT_NE(judged([](S& s) { s.energy_error = 2e-6; }).find("energy error"), std::string::npos);
  EXPECT_NE(judged([](S& s) { s.energy_error = not_a_number; }).find("energy"), std::string::npos);
  EXPECT_NE(judged([](S& s) { s.momentum_error = 2e-6; }).find("momentum"), std::string::npos);
  EXPECT_NE(judged([](S& s) { s.lcp_residual_max = 2e-6; }).find("complem"), std::string::npos);
  EXPECT_NE(judged([](S& s) { s.min_gap = -1e-9; }).find("overlapped by 1e-09"), std::string::npos);
  EXPECT_NE(judged([](S& s) { s.position_rounding = 0.1; }).find("origin"), std::string::npos);
}

TEST(Judgement, JointsAreClosed) {
  const auto judged_with = [](double widest, double stepped) {
    record::Summary summary = good();
    summary.stepped_fraction = stepped;
    return broken_promises(one_ball(), summary, {{}, widest});
  };
  EXPECT_EQ(judged_with(1e-7, 0), "");
  EXPECT_NE(judged_with(1e-5, 0).find("joints were open"), std::string::npos);
  EXPECT_EQ(judged_with(1e-5, 1), "");
  EXPECT_NE(judged_with(1e-2, 1).find("joints were open"), std::string::npos);
}

// The book of stepped bodies is closed by what is missing in it.
TEST(Judgement, WhatWasDissipatedStaysSo) {
  record::Summary summary = good();
  summary.stepped_fraction = 1;
  EXPECT_EQ(broken_promises(one_ball(), summary, {{}, 0, 1e-3}), "");
  EXPECT_NE(broken_promises(one_ball(), summary, {{}, 0, 0.1}).find("came back"),
            std::string::npos);
}

TEST(Judgement, ACoarseToleranceAllowsMore) {
  model::Model model = one_ball();
  model.solver.tolerance = 1e-6;
  record::Summary summary = good();
  summary.energy_error = 9e-4;
  EXPECT_EQ(broken_promises(model, summary, {}), "");
  summary.energy_error = 2e-3;
  EXPECT_NE(broken_promises(model, summary, {}), "");
}

TEST(Judgement, SpringsMayOverlap) {
  model::Model model = one_ball();
  model.solver.contact = model::ContactModel::penalty;
  record::Summary summary = good();
  summary.min_gap = -1e-3;
  EXPECT_EQ(broken_promises(model, summary, {}), "");
}

TEST(Judgement, FarFromTheOriginARunIsSuspect) {
  model::Model model = one_ball();
  test::KeepingSink sink;
  model.bodies[0].pose.position = Vec3(1e6, 0, 0);
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::complete);
  EXPECT_NEAR(sink.summaries.back().position_rounding, 1.2e-10, 0.1e-10);  // 2^-33
  model.bodies[0].pose.position = Vec3(1e15, 0, 0);
  EXPECT_EQ(run(model, sink, {}).status, RunStatus::suspect);
  EXPECT_EQ(sink.summaries.back().position_rounding, 0.125);
}

// A scripted body that crosses four metres in no time.
TEST(Judgement, StatesThatAreNotFiniteEndTheRun) {
  model::Model model = one_ball();
  body::KeyframeScript script;
  script.interpolation = body::Interpolation::linear;
  script.keyframes = {{0, {Vec3(5, 0, 0), Quat::Identity()}}, {1e-310, {}}};
  model.bodies.push_back(test::body_of(shape::Sphere{0.5}));
  model.bodies[1].name = "flash";
  model.bodies[1].motion = body::Script(script);
  test::KeepingSink sink;
  std::string message;
  try {
    run(model, sink, {});
  } catch (const SimulationError& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("flash is not finite"), std::string::npos) << message;
  EXPECT_EQ(sink.summaries.at(0).status, RunStatus::failed);
}

}  // namespace
}  // namespace abut::loop
