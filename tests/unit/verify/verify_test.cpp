#include "verify/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "handmade_run.h"
#include "support/sizes.h"
#include "verify/energy_check.h"

namespace {

using abut::Vec3;
using abut::model::Model;
using abut::record::FrameKind;
using abut::verify::Report;
using handmade::Frames;
using handmade::model_of;
using handmade::verified;

std::string faults_in(const Report& report) {
  std::string names;
  for (const auto& check : report.checks) {
    if (check.faults > 0) names += (names.empty() ? "" : " ") + check.name;
  }
  return names;
}

/// The names of the checks that find a fault once `spoil` has been at the run of the resting box.
std::string faults_after(const std::function<void(Frames&)>& spoil) {
  const Model model = model_of(handmade::resting_scene);
  Frames frames = handmade::resting_frames(model);
  spoil(frames);
  return faults_in(verified(model, frames));
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST(Verify, FindsNoFaultInARestingBox) {
  const Model model = model_of(handmade::resting_scene);
  const Report report = verified(model, handmade::resting_frames(model));
  EXPECT_TRUE(report.passed()) << report_text(report);
  EXPECT_EQ(report.frames, 3U);
  EXPECT_TRUE(report.not_checked.empty());
  std::vector<std::string> names;
  for (const auto& check : report.checks) names.push_back(check.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"scene", "motion", "overlap", "contacts", "energy", "forces",
                                      "friction", "events", "impulses", "summary"}));
}

// The box moves by a picometre in one frame only, and everything else is made to fit.
TEST(Verify, FindsAPicometreOfOverlapInOneFrame) {
  const auto move = [](double height) {
    return [height](Frames& frames) {
      auto& frame = frames[1];
      frame.bodies[1].position.z() += height;
      frame.bodies[1].centre_of_mass.z() += height;
      frame.energy.potential += 20 * height;
    };
  };
  EXPECT_EQ(faults_after(move(1e-12)), "");
  EXPECT_EQ(faults_after(move(-1e-12)), "overlap");
  EXPECT_EQ(faults_after(move(-1e-6)), "overlap energy");  // it rises again without work
}

TEST(Verify, LooksAtFramesBeforeEventsToo) {
  const auto add_event = [](double height) {
    return [height](Frames& frames) {
      auto before = frames[1], after = frames[1];
      before.kind = FrameKind::before;
      after.kind = FrameKind::after;
      before.bodies[1].position.z() += height;
      before.bodies[1].centre_of_mass.z() += height;
      before.energy.potential += 20 * height;
      frames = {frames[0], before, after, frames[2]};
    };
  };
  EXPECT_EQ(faults_after(add_event(0)), "");
  EXPECT_EQ(faults_after(add_event(-1e-12)), "overlap");
}

TEST(Verify, AllowsWhatItIsToldToAllow) {
  const Model model = model_of(handmade::resting_scene);
  Frames frames = handmade::resting_frames(model);
  frames[2].bodies[1].position.z() -= 5e-10;
  frames[2].bodies[1].centre_of_mass.z() -= 5e-10;
  frames[2].energy.potential -= 20 * 5e-10;
  abut::verify::Options options;
  options.allowed_depth = 4.9e-10;
  EXPECT_EQ(faults_in(verified(model, frames, options)), "overlap");
  options.allowed_depth = 5.1e-10;
  EXPECT_EQ(faults_in(verified(model, frames, options)), "");
}

TEST(Verify, FindsWhatIsWrongWithMotion) {
  EXPECT_EQ(faults_after([](Frames& f) { f[1].time = 2; }), "motion");
  EXPECT_EQ(faults_after([](Frames& f) { f[1].kind = FrameKind::before; }), "motion");
  EXPECT_EQ(faults_after([](Frames& f) { f[2].bodies[1].orientation.w() = 1 + 1e-12; }), "motion");
  EXPECT_EQ(faults_after([](Frames& f) { f[2].bodies[1].velocity.x() = not_a_number; }), "motion");
  EXPECT_EQ(faults_after([](Frames& f) { f[2].bodies[0].position.z() = -1; }), "motion");
  const auto shift_centre = [](Frames& f) { f[2].bodies[1].centre_of_mass.x() = 1e-9; };
  EXPECT_NE(faults_after(shift_centre).find("motion"), std::string::npos);
}

TEST(Verify, FindsWhatIsWrongWithTheStart) {
  const auto start_higher = [](Frames& f) {
    for (auto& frame : f) {
      frame.bodies[1].position.z() += 1e-6;
      frame.bodies[1].centre_of_mass.z() += 1e-6;
      frame.energy.potential += 20e-6;
    }
  };
  EXPECT_EQ(faults_after(start_higher), "scene");
  EXPECT_EQ(faults_after([](Frames& f) { f.erase(f.begin()); }), "scene");
}

TEST(Verify, FindsWhatIsWrongWithContacts) {
  EXPECT_EQ(faults_after([](Frames& f) { f[0].contacts[2].gap = -1e-12; }), "contacts");
  EXPECT_EQ(faults_after([](Frames& f) { f[0].contacts[2].body_b = 7; }),
            "contacts friction events");
  const auto pull = [](Frames& f) {
    auto& c = f[1].contacts;
    c[0].normal_force = c[3].normal_force = -1;
    c[1].normal_force = c[2].normal_force = 11;
  };
  EXPECT_EQ(faults_after(pull), "contacts");
  const auto tilt = [](Frames& f) {
    auto& c = f[1].contacts;
    c[0].friction_force = c[3].friction_force = Vec3(0, 0, 1);
    c[1].friction_force = c[2].friction_force = Vec3(0, 0, -1);
  };
  EXPECT_EQ(faults_after(tilt), "contacts friction");
  EXPECT_EQ(faults_after([](Frames& f) { f[1].joints.resize(1); }), "contacts");
}

// A box of 20 N that floats up as if on springs: what is left of its contacts is rounding of what
// they balance.
TEST(Verify, JudgesFrictionByTheTermsThatForcesAreMadeOf) {
  const auto friction_finds = [](double friction) {
    return faults_after([&](Frames& f) {
             for (ContactState& contact : f[1].contacts) contact.normal_force = 0;
             f[1].contacts[0].friction_force = Vec3(friction, 0, 0);
           }).find("friction") != std::string::npos;
  };
  EXPECT_FALSE(friction_finds(1.5e-12));
  EXPECT_TRUE(friction_finds(1e-4));
}

// A box of 2 kg on a ball joint 5 m above its centre, at the lowest point of its swing: with speed
// 1 m/s the joint carries the weight and m v^2 / r = 0.4 N.
TEST(Verify, AddsWhatJointsTransmit) {
  const Model model = model_of(R"(abut: 1
duration: 1
gravity: [0, 0, -10]
bodies:
  - {name: box, shape: {box: {size: [1, 1, 1]}}, mass: 2}
joints:
  - {name: pivot, type: ball, bodies: [world, box], at: [0, 0, 5]}
)");
  ASSERT_EQ(model.joints.size(), 1U);
  Frames frames = {handmade::frame_at_rest(model, 0)};
  auto& state = frames[0].bodies[0];
  state.velocity = Vec3(1, 0, 0);
  state.angular_velocity = Vec3(0, -0.2, 0);
  state.acceleration = Vec3(0, 0, 0.2);
  frames[0].energy.kinetic = 0.5 * 2 * 1 + 0.5 * (2.0 / 6) * 0.04;
  frames[0].joints.resize(1);
  frames[0].joints[0].force = Vec3(0, 0, 20.4);
  EXPECT_EQ(faults_in(verified(model, frames)), "");
  // An impulse in the same frame is no force.
  frames[0].joints.push_back(frames[0].joints[0]);
  frames[0].joints[1].is_impulse = true;
  EXPECT_EQ(faults_in(verified(model, frames)), "");
  frames[0].joints[0].force.x() = 1e-3;
  EXPECT_EQ(faults_in(verified(model, frames)), "forces");
  frames[0].joints[0].force.x() = 0;
  frames[0].joints[0].torque.z() = 1e-3;
  EXPECT_EQ(faults_in(verified(model, frames)), "forces");
}

TEST(Verify, FindsJointsThatAreOpenOrBeyondTheirLimits) {
  const Model model = model_of(R"(abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: box, shape: {box: {size: [1, 1, 1]}}, mass: 2}
joints:
  - {name: slide, type: prismatic, bodies: [world, box], axis: [1, 0, 0], limits: [-1, 1]}
)");
  const auto friction_finds = [&](const Vec3& place, double gap) {
    Frames frames = {handmade::frame_at_rest(model, 0), handmade::frame_at_rest(model, 1)};
    for (auto& frame : frames) frame.joints.resize(1);
    frames[1].bodies[0].position = frames[1].bodies[0].centre_of_mass = place;
    frames[1].joints[0].gap = gap;
    return faults_in(verified(model, frames)).find("friction") != std::string::npos;
  };
  EXPECT_FALSE(friction_finds(Vec3(0.9, 0, 0), 0));
  EXPECT_TRUE(friction_finds(Vec3(1.1, 0, 0), 0));
  EXPECT_TRUE(friction_finds(Vec3(-1.1, 0, 0), 0));
  EXPECT_TRUE(friction_finds(Vec3(0.5, 0.01, 0), 0.01));
}

TEST(Verify, FindsForcesThatDoNotFitTheMotion) {
  EXPECT_EQ(faults_after([](Frames& f) { f[1].contacts.pop_back(); }), "forces");
  EXPECT_EQ(faults_after([](Frames& f) { f[1].bodies[1].acceleration.x() = 1e-3; }), "forces");
  EXPECT_EQ(faults_after([](Frames& f) { f[1].bodies[1].angular_acceleration.y() = 1e-3; }),
            "forces");
  // As if the box stood on one side.
  const auto lean = [](Frames& f) {
    auto& c = f[1].contacts;
    c[0].normal_force = c[1].normal_force = 10;
    c[2].normal_force = c[3].normal_force = 0;
  };
  EXPECT_EQ(faults_after(lean), "forces");
}

// A box that lies still though nothing bears it: its acceleration fits the forces, but not that it
// stays where it is.
TEST(Verify, FindsWhatIsBorneByNothing) {
  const auto let_go = [](Frames& f) {
    f[1].contacts.clear();
    f[1].bodies[1].acceleration = Vec3(0, 0, -10);
  };
  EXPECT_EQ(faults_after(let_go), "forces events");
}

TEST(Verify, FindsEnergyFromNowhere) {
  EXPECT_EQ(faults_after([](Frames& f) { f[1].energy.kinetic = 1e-3; }), "energy");
  EXPECT_EQ(faults_after([](Frames& f) { f[1].energy.potential += 1e-6; }), "energy");
  EXPECT_EQ(faults_after([](Frames& f) { f[1].energy.elastic = 1e-6; }), "energy");
  EXPECT_EQ(faults_after([](Frames& f) { f[2].energy.dissipated = not_a_number; }),
            "energy summary");
  // Motion that the book knows of, but that no work paid for.
  const auto move = [](Frames& f) {
    f[1].bodies[1].velocity.x() = 1;
    f[1].energy.kinetic = 1;
  };
  EXPECT_EQ(faults_after(move), "energy");
  // Work that pays for it, though nothing in the scene can do any.
  const auto pay = [&move](Frames& f) {
    move(f);
    f[1].energy.work = f[2].energy.work = f[2].energy.dissipated = 1;
  };
  EXPECT_EQ(faults_after(pay), "energy");
}

// What an event leaves is judged by what there was: of a body that comes to rest nothing is left to
// be relative to.
TEST(Verify, JudgesEnergiesByWhatTheyAreDifferencesOf) {
  const auto faults_where_left = [](double left) {
    abut::record::RecordedBody body;
    body.mass = 1;
    abut::verify::EnergyCheck check({body, body}, nullptr, 1e-6);
    abut::record::Frame frame;
    frame.bodies.resize(2);
    frame.only = {0};
    frame.kind = FrameKind::before;
    frame.bodies[0].velocity = Vec3(1, 0, 0);
    frame.energy.kinetic = 0.5 + 1e-16;
    check.frame(frame);
    frame.kind = FrameKind::after;
    frame.bodies[0].velocity.setZero();
    frame.energy.kinetic = left;
    frame.energy.dissipated = 0.5;
    check.frame(frame);
    return check.fault_count();
  };
  EXPECT_EQ(faults_where_left(0), 0);
  EXPECT_GT(faults_where_left(1e-9), 0);
}

TEST(Verify, SaysWhatItCouldNotCheck) {
  const Model model = model_of(R"(abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: octahedron, shape: {superellipsoid: {radii: [1, 1, 1], exponents: [2, 2]}}}
  - {name: ball, shape: {sphere: {radius: 0.5}}}
  - {name: far, shape: {cone: {radius: 0.5, height: 1}}, position: [9, 0, 0]}
)");
  const Report report = verified(model, {handmade::frame_at_rest(model, 0)});
  EXPECT_TRUE(report.passed()) << report_text(report);
  ASSERT_EQ(report.not_checked.size(), 1U);
  EXPECT_EQ(report.not_checked.begin()->first,
            "overlap of a sphere and a superellipsoid whose boxes meet");
  EXPECT_EQ(report.not_checked.begin()->second, 1);
  EXPECT_NE(report_text(report).find("not checked"), std::string::npos);
  EXPECT_NE(report_text(report).find("not proven"), std::string::npos);
  EXPECT_FALSE(report.is_proven());

  Model without_text = model_of(handmade::resting_scene);
  without_text.source = "";
  const Report blind = verified(without_text, handmade::resting_frames(without_text));
  EXPECT_TRUE(blind.passed());
  EXPECT_EQ(blind.not_checked.size(), 1U);
}

TEST(Verify, FindsThatTheRecordIsOfAnotherScene) {
  const Model model = model_of(handmade::resting_scene);
  Model heavier = model;
  heavier.bodies[1].mass.mass = 3;
  EXPECT_EQ(faults_in(verified(heavier, handmade::resting_frames(model))).substr(0, 5), "scene");
  Model fewer = model;
  fewer.bodies.pop_back();
  EXPECT_EQ(faults_in(verified(fewer, {handmade::frame_at_rest(fewer, 0)})), "scene");
}

TEST(Verify, RebuildsWhatWasChangedOnTheCommandLine) {
  const Model model = abut::scene::load_scene_text(handmade::resting_scene, "scene.yaml",
                                                   {"bodies.box.mass=4", "gravity=[0, 0, -5]"})
                          .model;
  const Report report = verified(model, handmade::resting_frames(model));
  EXPECT_TRUE(report.passed()) << report_text(report);
}

TEST(Verify, SkipsPairsThatMayOverlap) {
  const std::string bodies = R"(abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: a, shape: {box: {size: [1, 1, 1]}}}
  - {name: b, shape: {box: {size: [1, 1, 1]}}, position: [0.5, 0, 0]}
)";
  const auto faults = [](const std::string& scene) {
    const Model model = model_of(scene);
    return faults_in(verified(model, {handmade::frame_at_rest(model, 0)}));
  };
  EXPECT_EQ(faults(bodies), "overlap");
  EXPECT_EQ(faults(bodies + "no_collide: [[b, a]]\n"), "");
  const std::string joint = "joints:\n  - {name: weld, type: weld, bodies: [a, b]";
  EXPECT_EQ(faults(bodies + joint + "}\n"), "");
  EXPECT_EQ(faults(bodies + joint + ", collide: true}\n"), "overlap");
}

// A joint that is not listed any more has broken: its bodies may overlap until they are apart, and
// never after that.
// At the origin of the world all places are zero, but rounding of what a body is made of is not.
TEST(Verify, KnowsTheGapOfAJointToRoundingOfItsBody) {
  const Model model = model_of(R"(abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: box, shape: {box: {size: [1, 1, 1]}}}
joints:
  - {name: pivot, type: ball, bodies: [world, box], at: [0, 0, 0]}
)");
  Frames frames = {handmade::frame_at_rest(model, 0)};
  frames[0].joints.resize(1);
  frames[0].joints[0].gap = 1e-30;
  EXPECT_EQ(faults_in(verified(model, frames)), "");
  frames[0].joints[0].gap = 1e-6;
  EXPECT_NE(faults_in(verified(model, frames)), "");
}

TEST(Verify, JudgesPairsWhoseJointBroke) {
  const Model model = model_of(R"(abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: a, shape: {box: {size: [1, 1, 1]}}}
  - {name: b, shape: {box: {size: [1, 1, 1]}}, position: [0.5, 0, 0]}
joints:
  - {name: weld, type: weld, bodies: [a, b], break_force: 1}
)");
  // Where b is, and whether the joint is there.
  const auto frame = [&](double time, double x, bool joined) {
    abut::record::Frame made = handmade::frame_at_rest(model, time);
    made.bodies[1].position.x() = made.bodies[1].centre_of_mass.x() = x;
    if (joined) made.joints.resize(1);
    if (joined) made.joints[0].gap = std::abs(x - 0.5);
    return made;
  };
  const auto faults = [&](const Frames& frames) { return faults_in(verified(model, frames)); };
  const Frames joined = {frame(0, 0.5, true), frame(0.1, 3, true), frame(0.2, 0.5, true)};
  EXPECT_EQ(faults(joined), "friction");  // open in between, but no overlap
  const Frames parting = {frame(0, 0.5, true), frame(0.1, 0.5, false), frame(0.2, 0.7, false)};
  EXPECT_EQ(faults(parting), "");
  Frames parted = {frame(0, 0.5, true), frame(0.1, 0.5, false), frame(0.2, 3, false),
                   frame(0.3, 0.5, false)};
  EXPECT_EQ(faults(parted), "overlap");
  // That they were apart between samples only need not have been noticed.
  parted[2].kind = FrameKind::before;
  parted.insert(parted.begin() + 3, parted[2]);
  parted[3].kind = FrameKind::after;
  EXPECT_EQ(faults(parted), "");
  const Frames apart_at_once = {frame(0, 0.5, true), frame(0.1, 3, false), frame(0.2, 0.5, false)};
  EXPECT_EQ(faults(apart_at_once), "overlap");
}

// Every part of a union is compared: two U-shaped bodies that hook into each other without
// touching.
TEST(Verify, JudgesUnionsPartByPart) {
  const auto hooks = [](double shift) {
    const std::string shape =
        "shapes: [{box: {size: [3, 1, 1]}}, {box: {size: [1, 1, 2]}, position: [-1, 0, 1.5]}, "
        "{box: {size: [1, 1, 2]}, position: [1, 0, 1.5]}]";
    const std::string scene = fmt::format(
        "abut: 1\nduration: 1\ngravity: [0, 0, 0]\nbodies:\n  - {{name: a, {}}}\n"
        "  - {{name: b, {}, position: [1, 0, {:.17g}], orientation: {{axis: [0, 1, 0], angle: 180 "
        "deg}}}}\n",
        shape, shape, 3 + shift);
    const Model model = model_of(scene);
    return faults_in(verified(model, {handmade::frame_at_rest(model, 0)}));
  };
  EXPECT_EQ(hooks(1e-12), "");
  EXPECT_EQ(hooks(-1e-12), "overlap");
}

// Forces of bodies that hang together are solved for together: what rounding of the largest leaves
// on a body without any is no fault, and a millionth of it is.
TEST(Verify, JudgesForcesAgainstTheLargestOfTheirFrame) {
  const Model model = model_of(R"(abut: 1
duration: 1
gravity: [0, 0, 0]
bodies:
  - {name: a, shape: {box: {size: [1, 1, 1]}}, mass: 1}
  - {name: b, shape: {box: {size: [1, 1, 1]}}, mass: 1, position: [0, 0, 1]}
  - {name: c, shape: {box: {size: [1, 1, 1]}}, mass: 1, position: [0, 0, 5]}
joints:
  - {name: weld, type: weld, bodies: [a, b], at: [0, 0, 0.5]}
)");
  const auto faults = [&](double acceleration) {
    Frames frames = {handmade::frame_at_rest(model, 0)};
    frames[0].joints.resize(1);
    frames[0].joints[0].force = Vec3(0, 0, 1e6);
    frames[0].bodies[0].acceleration = Vec3(0, 0, -1e6);
    frames[0].bodies[1].acceleration = Vec3(0, 0, 1e6);
    frames[0].bodies[2].acceleration = Vec3(0, acceleration, 0);
    return faults_in(verified(model, frames));
  };
  EXPECT_EQ(faults(1e-11), "");
  EXPECT_EQ(faults(1), "forces");
}
