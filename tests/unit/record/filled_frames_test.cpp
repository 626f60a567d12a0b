// Frames of some bodies: what the file holds, what a reader gets, and what is put in for eyes.

#include "record/filled_frames.h"

#include "record/frame_stream.h"
#include "record/run_writer.h"
#include "synthetic_run.h"

namespace abut::record {
namespace {

constexpr double g = 10;

/// Two balls in free flight, and one that stands still but for the event at 0.5 s.
BodyState flying(double t, double speed) {
  BodyState state;
  state.centre_of_mass = Vec3(speed * t, 0, 1 - 0.5 * g * t * t);
  state.velocity = Vec3(speed, 0, -g * t);
  state.orientation = Quat(Eigen::AngleAxisd(speed * t, Vec3::UnitZ()));
  state.angular_velocity = Vec3(0, 0, speed);
  state.acceleration = Vec3(0, 0, -g);
  // The centre of mass of the synthetic bodies is not the origin of their frames.
  state.position = state.centre_of_mass - state.orientation * Vec3(0.1, 0.2, 0.3);
  return state;
}

BodyState struck(double t) {
  BodyState state;
  state.velocity = Vec3(0, t < 0.5 ? 0.0 : 2.0, 0);
  state.centre_of_mass = Vec3(0, t < 0.5 ? 0.0 : 2 * (t - 0.5), 0);
  state.position = state.centre_of_mass - Vec3(0.1, 0.2, 0.3);
  return state;
}

ContactState contact_of(BodyIndex a, const Vec3& point) {
  ContactState contact;
  contact.body_a = a;
  contact.body_b = world;
  contact.point = point;
  return contact;
}

class PartialFrames : public testing::Test {
 protected:
  PartialFrames() {
    RunWriter writer(directory_ / "run.h5");
    writer.begin(synthetic::model_with(3));
    const auto whole = [&](double t) {
      Frame frame;
      frame.time = t;
      frame.bodies = {flying(t, 1), struck(t), flying(t, -2)};
      frame.contacts = {contact_of(0, frame.bodies[0].centre_of_mass - Vec3::UnitZ())};
      return frame;
    };
    writer.frame(whole(0));
    for (const FrameKind kind : {FrameKind::before, FrameKind::after}) {
      Frame frame;
      frame.time = 0.5;
      frame.kind = kind;
      frame.only = {1};
      frame.bodies.resize(3);
      frame.bodies[1] = struck(0.5);
      if (kind == FrameKind::before) frame.bodies[1].velocity.setZero();
      frame.contacts = {contact_of(1, Vec3(7, 7, 7))};
      writer.frame(frame);
    }
    writer.frame(whole(0.8));
    writer.end(Summary());
  }

  const synthetic::TemporaryDirectory directory_;
};

TEST_F(PartialFrames, TheFileHoldsWhatWasTold) {
  const RunReader run(directory_ / "run.h5");
  const auto stamps = run.stamps();
  ASSERT_EQ(stamps.size(), 4u);
  EXPECT_EQ(stamps[0].states, 3u);
  EXPECT_EQ(stamps[1].states, 1u);
  const auto stored = run.stored(1, 2);
  EXPECT_EQ(stored[0].told, (std::vector<BodyIndex>{1}));
  EXPECT_EQ(stored[1].states[0].velocity, Vec3(0, 2, 0));
  EXPECT_EQ(run.last_whole_frame(2), 0u);
  EXPECT_EQ(run.last_whole_frame(3), 3u);
}

TEST_F(PartialFrames, AReaderGetsTheOthersAsTheyWereToldLast) {
  const RunReader run(directory_ / "run.h5");
  const Frame frame = run.frame(2);
  EXPECT_FALSE(frame.is_whole());
  EXPECT_TRUE(frame.tells_of(1));
  EXPECT_FALSE(frame.tells_of(0));
  EXPECT_EQ(frame.told_count(), 1u);
  EXPECT_EQ(frame.bodies[1].velocity, Vec3(0, 2, 0));
  EXPECT_EQ(frame.bodies[2].velocity, flying(0, -2).velocity);
  EXPECT_TRUE(run.frame(3).is_whole());
  int frames = 0;
  for_each_frame(run, [&](const Frame& one) { frames += one.time == 0.5 ? 10 : 1; });
  EXPECT_EQ(frames, 22);
}

TEST_F(PartialFrames, WhatIsNotToldIsPutInBetween) {
  const RunReader run(directory_ / "run.h5");
  FilledFrames frames(run);
  for (std::size_t i = 0; i < 4; ++i) {
    const Frame& frame = frames.at(i);
    ASSERT_TRUE(frame.is_whole());
    // A parabola is a cubic, and the turn is even: nothing is lost.
    for (const auto& [body, speed] : {std::pair{0, 1.0}, std::pair{2, -2.0}}) {
      const BodyState is = frame.bodies[body], must = flying(frame.time, speed);
      EXPECT_NEAR((is.centre_of_mass - must.centre_of_mass).norm(), 0, 1e-14);
      EXPECT_NEAR((is.position - must.position).norm(), 0, 1e-14);
      EXPECT_NEAR((is.velocity - must.velocity).norm(), 0, 1e-14);
      EXPECT_NEAR(is.orientation.angularDistance(must.orientation), 0, 1e-7);
    }
    // The contact of the first ball goes with it, and that of the struck one is its own.
    ASSERT_EQ(frame.contacts.size(), i == 1 || i == 2 ? 2u : 1u);
    EXPECT_NEAR((frame.contacts[0].point - frame.bodies[0].centre_of_mass + Vec3::UnitZ()).norm(),
                0, 1e-14);
  }
  EXPECT_EQ(FilledFrames(run).at(1).bodies[1].velocity, Vec3::Zero());
  EXPECT_EQ(FilledFrames(run).at(2).bodies[1].velocity, Vec3(0, 2, 0));
}

}  // namespace
}  // namespace abut::record
