// Mechanisms of bars, hinges and slides, with more rows than freedoms, against their geometry and
// against the equation of their one freedom.

#include <cmath>
#include <numbers>

#include "abut/diagnostics.h"
#include "support/bars.h"
#include "support/constants.h"
#include "support/reference_ode.h"
#include "support/scene_run.h"

namespace abut {
namespace {

using abut::test::pi;

// Crank from the origin at the angle f above the x axis, rod to a block on the x axis. Turning
// about -y by f lifts the crank.
class SliderCrank : public ::testing::Test {
 protected:
  static constexpr double crank = 0.3, rod = 0.8;
  static constexpr double crank_mass = 1, rod_mass = 0.7, block_mass = 2;

  static double place_of_block(double f) {
    const double height = crank * std::sin(f);
    return crank * std::cos(f) + std::sqrt(rod * rod - height * height);
  }
  // The rod's angle below the x axis towards the block, and its derivative by f.
  static double rod_angle(double f) { return std::asin(crank / rod * std::sin(f)); }
  static double rod_slope(double f) { return crank * std::cos(f) / (rod * std::cos(rod_angle(f))); }
  // dx/df of the block.
  static double block_slope(double f) {
    return -crank * std::sin(f) - rod * std::sin(rod_angle(f)) * rod_slope(f);
  }
  // Twice the kinetic energy for f' = 1.
  static double inertia(double f) {
    const double u = rod_slope(f);
    // The rod's centre is half of it beyond the crank's pin.
    const double vx = -crank * std::sin(f) - 0.5 * rod * std::sin(rod_angle(f)) * u;
    const double vz = crank * std::cos(f) - 0.5 * rod * std::cos(rod_angle(f)) * u;
    return test::bar_moment(crank_mass, crank) + crank_mass * crank * crank / 4 +
           test::bar_moment(rod_mass, rod) * u * u + rod_mass * (vx * vx + vz * vz) +
           block_mass * block_slope(f) * block_slope(f);
  }

  static model::Model engine(double f) {
    model::Model model = test::empty_model(3);
    model.record.rate = 100;
    const Vec3 pin = crank * Vec3(std::cos(f), 0, std::sin(f)), wrist(place_of_block(f), 0, 0);
    model.bodies = {test::bar("crank", Vec3::Zero(), pin, crank_mass),
                    test::bar("rod", pin, wrist, rod_mass),
                    test::body_of(shape::Box{Vec3(0.2, 0.1, 0.1)}, block_mass / 0.002)};
    model.bodies[2].name = "block";
    model.bodies[2].pose.position = wrist;
    test::join(model, JointType::hinge, world, 0, Vec3::Zero());
    test::join(model, JointType::hinge, 0, 1, pin);
    test::join(model, JointType::hinge, 1, 2, wrist);
    test::join(model, JointType::prismatic, world, 2, wrist, Vec3::UnitX());
    return model;
  }
};

TEST_F(SliderCrank, MovesItsBlockAsTheCrankSays) {
  model::Model model = engine(0);  // in a dead centre of the block, not of the crank
  model.gravity = Vec3(0, 0, -9.81);
  model.joints[0].motor = JointMotor{-6};
  const test::Ran ran = test::run_of(model);
  test::expect_sound(ran);
  for (const auto& frame : ran.sink.frames) {
    if (frame.kind == record::FrameKind::before) continue;
    const double f = 6 * frame.time;
    ASSERT_NEAR(frame.bodies[2].centre_of_mass.x(), place_of_block(f), 1e-9) << frame.time;
    ASSERT_NEAR(frame.bodies[2].velocity.x(), 6 * block_slope(f), 1e-8) << frame.time;
    ASSERT_NEAR(frame.bodies[0].angular_velocity.y(), -6, 1e-13);
    ASSERT_LT(frame.bodies[2].angular_velocity.norm(), 1e-12);
  }
  // The motor sets in at full speed: like any inelastic impact on something that does not yield,
  // that loses as much energy as the mechanism gains.
  EXPECT_NEAR(ran.summary.dissipated_by_impacts, 0.5 * inertia(0) * 36, 1e-12);
}

// Left alone its energy I(f) f'^2 / 2 is constant, which gives the speed for each angle.
TEST_F(SliderCrank, RunsFreelyWithConstantEnergy) {
  const double start = 0.5, speed = 6;
  model::Model model = engine(start);
  test::turn_about(model.bodies[0], Vec3::Zero(), -speed);
  test::turn_about(model.bodies[1], Vec3::Zero(), rod_slope(start) * speed);
  const double u = rod_slope(start);
  model.bodies[1].velocity =
      speed * Vec3(-crank * std::sin(start) - 0.5 * rod * std::sin(rod_angle(start)) * u, 0,
                   crank * std::cos(start) - 0.5 * rod * std::cos(rod_angle(start)) * u);
  model.bodies[2].velocity = Vec3(speed * block_slope(start), 0, 0);
  const test::Ran ran = test::run_of(model);
  test::expect_sound(ran);
  EXPECT_NEAR(ran.summary.work, 0, 1e-14);
  EXPECT_NEAR(ran.summary.dissipated_by_impacts, 0, 1e-14);  // the speeds fit the joints
  for (const auto& frame : ran.sink.frames) {
    const Vec3 along = frame.bodies[0].orientation * Vec3::UnitX();
    const double f = std::atan2(along.z(), along.x());
    const double now = speed * std::sqrt(inertia(start) / inertia(f));
    ASSERT_NEAR(-frame.bodies[0].angular_velocity.y() / now, 1, 1e-9) << frame.time;
    ASSERT_NEAR(frame.bodies[2].centre_of_mass.x(), place_of_block(f), 1e-12);
  }
}

// A crank and a rocker on the ground, joined by a coupler: four hinges leave two times three rows
// more than the plane needs.
class FourBar : public ::testing::Test {
 protected:
  struct Lengths {
    double ground, crank, coupler, rocker;
  };

  // Where coupler and rocker meet, above the line from the crank's pin to the rocker's pivot.
  static Vec3 contact_event(const Lengths& l, double f) {
    const Vec3 pin = l.crank * Vec3(std::cos(f), 0, std::sin(f)), pivot(l.ground, 0, 0);
    const Vec3 d = pivot - pin;
    const double distance = d.norm();
    const double along =
        (l.coupler * l.coupler - l.rocker * l.rocker + distance * distance) / (2 * distance);
    const double above = std::sqrt(std::max(0.0, l.coupler * l.coupler - along * along));
    return pin + along / distance * d + above / distance * Vec3(-d.z(), 0, d.x());
  }

  static model::Model linkage(const Lengths& l, double f) {
    model::Model model = test::empty_model(5);
    model.record.rate = 100;
    model.gravity = Vec3(0, 0, -9.81);
    const Vec3 pin = l.crank * Vec3(std::cos(f), 0, std::sin(f)), end = contact_event(l, f);
    const Vec3 pivot(l.ground, 0, 0);
    model.bodies = {test::bar("crank", Vec3::Zero(), pin, 1), test::bar("coupler", pin, end, 1),
                    test::bar("rocker", pivot, end, 1)};
    test::join(model, JointType::hinge, world, 0, Vec3::Zero());
    test::join(model, JointType::hinge, 0, 1, pin);
    test::join(model, JointType::hinge, 1, 2, end);
    test::join(model, JointType::hinge, world, 2, pivot);
    return model;
  }

  static double angle_of(const BodyState& bar) {
    const Vec3 along = bar.orientation * Vec3::UnitX();
    return std::atan2(along.z(), along.x());
  }

  static std::string failure_of(const model::Model& model, test::KeepingSink& sink) {
    try {
      loop::run(model, sink, {});
    } catch (const SimulationError& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(FourBar, RocksAsTheCrankTurns) {
  const Lengths lengths{1, 0.3, 0.8, 0.6};
  model::Model model = linkage(lengths, 1);
  model.joints[0].motor = JointMotor{-3};
  const test::Ran ran = test::run_of(model);
  test::expect_sound(ran);
  for (const auto& frame : ran.sink.frames) {
    if (frame.kind == record::FrameKind::before) continue;
    const Vec3 end = contact_event(lengths, 1 + 3 * frame.time);
    const double exact = std::atan2(end.z(), end.x() - lengths.ground);
    ASSERT_NEAR(std::remainder(angle_of(frame.bodies[2]) - exact, 2 * pi), 0, 1e-9);
  }
}

TEST_F(FourBar, FallsFreelyWithItsBooksClosed) {
  const Lengths lengths{1, 0.3, 0.8, 0.6};
  const test::Ran ran = test::run_of(linkage(lengths, 1));
  test::expect_sound(ran);
  EXPECT_EQ(ran.summary.work, 0);
  for (const auto& frame : ran.sink.frames) {
    const Vec3 end = contact_event(lengths, angle_of(frame.bodies[0]));
    const double exact = std::atan2(end.z(), end.x() - lengths.ground);
    ASSERT_NEAR(std::remainder(angle_of(frame.bodies[2]) - exact, 2 * pi), 0, 1e-11);
  }
}

// A motor that nothing can stop turns the crank to where coupler and rocker are stretched.
TEST_F(FourBar, EndsWhereItCannotReach) {
  const Lengths lengths{1, 0.8, 0.5, 0.4};
  model::Model model = linkage(lengths, 0.3);
  model.joints[0].motor = JointMotor{-1};
  test::KeepingSink sink;
  const std::string failure = failure_of(model, sink);
  EXPECT_NE(failure.find("crank, coupler, rocker"), std::string::npos) << failure;
  EXPECT_NE(failure.find("the joints cannot follow"), std::string::npos) << failure;
  // The triangle of ground, crank and coupler + rocker: the law of cosines gives the last angle.
  const double last = std::acos((1 + 0.64 - 0.81) / (2 * 0.8));
  ASSERT_EQ(sink.summaries.size(), 1u);
  EXPECT_EQ(sink.summaries[0].status, RunStatus::failed);
  EXPECT_NEAR(sink.summaries[0].duration, last - 0.3, 0.01);
  for (const auto& frame : sink.frames)
    for (const JointState& joint : frame.joints) ASSERT_LT(joint.gap, 1e-12);
}

// A parallelogram that comes to lie flat can go on as one, or cross its bars. Whether it goes on or
// ends the run there, no joint opens and the books stay closed.
TEST_F(FourBar, ComesToLieFlat) {
  const Lengths lengths{1, 0.4, 1, 0.4};
  for (const bool is_driven : {false, true}) {
    model::Model model = linkage(lengths, 1);
    if (is_driven)
      model.joints[0].motor = JointMotor{-3};
    else
      model.gravity = Vec3::Zero();
    test::turn_about(model.bodies[0], Vec3::Zero(), -3);
    test::KeepingSink sink;
    const std::string failure = failure_of(model, sink);
    if (!failure.empty()) {
      EXPECT_NE(failure.find("dead centre"), std::string::npos) << failure;
    }
    EXPECT_LT(sink.summaries[0].energy_error, 1e-9);
    EXPECT_LT(sink.summaries[0].momentum_error, 1e-9);
    for (const auto& frame : sink.frames)
      for (const JointState& joint : frame.joints) ASSERT_LT(joint.gap, 1e-12);
  }
}

TEST_F(FourBar, BeginsFlat) {
  model::Model model = linkage({1, 0.4, 1, 0.4}, 0.0);
  model.gravity = Vec3::Zero();
  test::turn_about(model.bodies[0], Vec3::Zero(), -3);
  test::turn_about(model.bodies[2], Vec3(1, 0, 0), -3);
  model.bodies[1].velocity = Vec3(0, 0, 1.2);
  model.duration = 1;  // less than half a turn: it is flat at the start only
  const test::Ran ran = test::run_of(model);
  EXPECT_LT(ran.summary.energy_error, 1e-9);
  EXPECT_LT(ran.summary.momentum_error, 1e-9);
  EXPECT_LT(test::largest_gap(ran), 1e-12);
  for (const auto& frame : ran.sink.frames) {
    ASSERT_NEAR(angle_of(frame.bodies[0]), 3 * frame.time, 1e-6);
    ASSERT_NEAR(angle_of(frame.bodies[2]), 3 * frame.time, 1e-6);
  }
}

}  // namespace
}  // namespace abut
