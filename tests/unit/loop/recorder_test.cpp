// Frames and books of a ball in free fall beside a scripted one, against closed forms.

#include "loop/recorder.h"

#include "support/models.h"

namespace abut::loop {
namespace {

using record::FrameKind;

struct Fall {
  model::Model model = test::empty_model(1);
  integrate::Scripts scripts;
  base::ThreadPool pool{1};
  test::KeepingSink sink;

  Fall() {
    model.gravity = Vec3(0, 0, -10);
    model.bodies.assign(2, test::body_of(shape::Sphere{0.5}));
    model.bodies[0].velocity = Vec3(1, 0, 0);
    body::KeyframeScript script;
    script.interpolation = body::Interpolation::linear;
    script.keyframes = {{0, {Vec3(5, 0, 0), Quat::Identity()}},
                        {0.5, {Vec3(5, 0, 2), Quat::Identity()}}};
    model.bodies[1].motion = body::Script(script);
    scripts = integrate::make_scripts(model);
  }
};

TEST(Recorder, AFrameHoldsAllBodiesAndTheEnergies) {
  Fall fall;
  Paths paths(fall.model, fall.scripts);
  Recorder recorder(fall.model, fall.scripts, paths, fall.sink, fall.pool);
  EXPECT_EQ(recorder.recorded_until(), -1);
  paths.begin();
  paths.cover_all(0, 1, fall.pool);
  recorder.record_frame(0, FrameKind::sample);
  recorder.record_frame(0.5, FrameKind::before);
  EXPECT_EQ(recorder.recorded_until(), 0);
  recorder.record_frame(0.5, FrameKind::after);
  EXPECT_EQ(recorder.recorded_until(), 0.5);
  ASSERT_EQ(fall.sink.frames.size(), 3u);
  const record::Frame &before = fall.sink.frames[1], &after = fall.sink.frames[2];
  EXPECT_NEAR((after.bodies[0].position - Vec3(0.5, 0, -1.25)).norm(), 0, 1e-13);
  EXPECT_NEAR((after.bodies[0].velocity - Vec3(1, 0, -5)).norm(), 0, 1e-13);
  EXPECT_NEAR((before.bodies[1].velocity - Vec3(0, 0, 4)).norm(), 0, 1e-13);  // the script halts
  EXPECT_EQ(after.bodies[1].velocity, Vec3::Zero());
  const double mass = fall.model.bodies[0].mass.mass;
  EXPECT_NEAR(after.energy.kinetic, 0.5 * mass * 26, 1e-12 * mass);
  EXPECT_NEAR(after.energy.potential, -12.5 * mass, 1e-12 * mass);
  record::Summary summary;
  recorder.sum_up(summary);
  recorder.end(summary);
  EXPECT_NEAR(summary.energy_initial, 0.5 * mass, 1e-12 * mass);
  EXPECT_NEAR(summary.energy_final, summary.energy_initial, 1e-12 * mass);
  EXPECT_LT(summary.energy_error, 1e-14);
  EXPECT_LT(summary.momentum_error, 1e-14);
  EXPECT_EQ(fall.sink.summaries.size(), 1u);
}

// A path that nothing happens to is not evaluated twice at an instant. One whose support jumps in
// velocity is: its damper pulls otherwise after it, though the path goes on.
TEST(Recorder, ForcesThatJumpAreToldOnBothSides) {
  Fall fall;
  const double damping = 3;
  fall.model.forces = {model::Spring{
      {model::Anchor{0, Vec3::Zero()}, model::Anchor{1, Vec3::Zero()}}, 1, 0, damping}};
  Paths paths(fall.model, fall.scripts);
  Recorder recorder(fall.model, fall.scripts, paths, fall.sink, fall.pool);
  paths.begin();
  paths.cover_all(0, 0.5, fall.pool);
  recorder.record_frame(0.5, FrameKind::before);
  recorder.record_frame(0.5, FrameKind::after);
  const BodyState& before = fall.sink.frames[0].bodies[0];
  const BodyState& after = fall.sink.frames[1].bodies[0];
  EXPECT_EQ(before.position, after.position);
  // The support's velocity falls by 4 m/s along z, so the damper's force by that along its line.
  const Vec3 line = (Vec3(5, 0, 2) - before.position).normalized();
  const Vec3 jump = -damping * 4 * line.z() / fall.model.bodies[0].mass.mass * line;
  EXPECT_GT(jump.norm(), 1e-3);
  EXPECT_NEAR((after.acceleration - before.acceleration - jump).norm(), 0, 1e-12);
}

TEST(Recorder, PathsThatBeginAnewAtAnInstantAreToldAnew) {
  Fall fall;
  Paths paths(fall.model, fall.scripts);
  Recorder recorder(fall.model, fall.scripts, paths, fall.sink, fall.pool);
  paths.begin();
  paths.cover_all(0, 1, fall.pool);
  recorder.record_frame(0.25, FrameKind::before);
  ContactEvent contact_event;
  contact_event.time = 0.25;
  contact_event.bodies = {0};
  contact_event.states = {paths.state_of(0, 0.25)};
  Outcome outcome;
  outcome.states = contact_event.states;
  outcome.states[0].velocity = Vec3(0, 7, 0);
  paths.replace(contact_event, outcome);
  recorder.record_frame(0.25, FrameKind::after);
  EXPECT_NEAR((fall.sink.frames[0].bodies[0].velocity - Vec3(1, 0, -2.5)).norm(), 0, 1e-13);
  EXPECT_EQ(fall.sink.frames[1].bodies[0].velocity, Vec3(0, 7, 0));
  const double mass = fall.model.bodies[0].mass.mass;
  EXPECT_NEAR(fall.sink.frames[1].energy.kinetic, 0.5 * mass * 49, 1e-12 * mass);
}

TEST(Recorder, JointImpulsesBelongToTheNextFrameAfterEvents) {
  Fall fall;
  Paths paths(fall.model, fall.scripts);
  Recorder recorder(fall.model, fall.scripts, paths, fall.sink, fall.pool);
  paths.begin();
  JointState jolt;
  jolt.is_impulse = true;
  recorder.note_joint_impulses({jolt});
  for (const FrameKind kind : {FrameKind::before, FrameKind::after, FrameKind::after})
    recorder.record_frame(0, kind);
  EXPECT_EQ(fall.sink.frames[0].joints.size(), 0u);
  EXPECT_EQ(fall.sink.frames[1].joints.size(), 1u);
  EXPECT_EQ(fall.sink.frames[2].joints.size(), 0u);
}

// Two balls in free fall, one of which is struck: the frames of that tell of it alone, and of the
// energies of both.
TEST(Recorder, FramesOfAnInstantTellOfThoseItConcerns) {
  Fall fall;
  fall.model.bodies.push_back(fall.model.bodies[0]);
  fall.model.bodies[2].pose.position = Vec3(50, 0, 0);
  fall.scripts = integrate::make_scripts(fall.model);
  Paths paths(fall.model, fall.scripts);
  Recorder recorder(fall.model, fall.scripts, paths, fall.sink, fall.pool, false);
  paths.begin();
  paths.cover_all(0, 1, fall.pool);
  recorder.record_frame(0, FrameKind::sample);
  recorder.open_instant(0.25, false);
  ContactEvent contact_event;
  contact_event.time = 0.25;
  contact_event.bodies = {2};
  contact_event.states = {paths.state_of(2, 0.25)};
  Outcome outcome;
  outcome.states = contact_event.states;
  outcome.states[0].velocity = Vec3(0, 7, 0);
  Event event;
  event.time = 0.25;
  event.body_a = 2;
  recorder.record_event(event);
  EXPECT_TRUE(fall.sink.events.empty());  // it comes after the frame before it
  recorder.concern(contact_event.bodies);
  paths.replace(contact_event, outcome);
  recorder.close_instant();
  EXPECT_FALSE(recorder.is_instant_open());
  ASSERT_EQ(fall.sink.frames.size(), 3u);
  ASSERT_EQ(fall.sink.events.size(), 1u);
  const record::Frame &before = fall.sink.frames[1], &after = fall.sink.frames[2];
  EXPECT_EQ(before.kind, FrameKind::before);
  EXPECT_EQ(after.kind, FrameKind::after);
  EXPECT_EQ(before.only, std::vector<BodyIndex>{2});
  EXPECT_EQ(after.only, std::vector<BodyIndex>{2});
  EXPECT_NEAR((before.bodies[2].velocity - Vec3(1, 0, -2.5)).norm(), 0, 1e-13);
  EXPECT_EQ(after.bodies[2].velocity, Vec3(0, 7, 0));
  const double mass = fall.model.bodies[0].mass.mass;
  EXPECT_NEAR(before.energy.kinetic, 2 * 0.5 * mass * 7.25, 1e-12 * mass);
  EXPECT_NEAR(after.energy.kinetic, 0.5 * mass * (7.25 + 49), 1e-12 * mass);
  EXPECT_NEAR(after.energy.potential, 2 * mass * 10 * -0.3125, 1e-11 * mass);
  EXPECT_EQ(recorder.recorded_until(), 0);  // of all bodies
}

// An instant that is not got over leaves what was before it, of all bodies.
TEST(Recorder, WhatIsBrokenOffIsRecordedUpToThere) {
  Fall fall;
  Paths paths(fall.model, fall.scripts);
  Recorder recorder(fall.model, fall.scripts, paths, fall.sink, fall.pool, false);
  paths.begin();
  paths.cover_all(0, 1, fall.pool);
  recorder.record_frame(0, FrameKind::sample);
  recorder.open_instant(0.25, false);
  recorder.record_event({});
  recorder.break_off();
  ASSERT_EQ(fall.sink.frames.size(), 2u);
  EXPECT_TRUE(fall.sink.frames[1].is_whole());
  EXPECT_EQ(fall.sink.frames[1].kind, FrameKind::before);
  EXPECT_EQ(fall.sink.events.size(), 1u);
}

}  // namespace
}  // namespace abut::loop
