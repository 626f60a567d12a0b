// Every single change of a record is noticed.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "loop/run.h"
#include "record/hdf5_handles.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "scene/loader.h"
#include "unit/record/synthetic_run.h"
#include "verify/verify.h"

namespace abut::verify {
namespace {

using record::Frame;
using record::FrameKind;

/// Something of everything: an impact, friction that stops a slide, a joint, a spring with damping,
/// an impulse, a body that is scripted.
const char* const scene = R"(abut: 1
name: Tampered
duration: 1
record: {rate: 20}
materials:
  wood: {friction: 0.4, restitution: 0.5}
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, material: wood}
  - {name: ball, shape: {sphere: {radius: 0.1}}, material: wood, position: [0, 0, 0.5], velocity: [0.3, 0, 0]}
  - {name: crate, shape: {box: {size: [0.4, 0.4, 0.2]}}, material: wood, position: [2, 0, 0.1], velocity: [1, 0, 0]}
  - {name: rod, shape: {capsule: {radius: 0.05, height: 0.5}}, position: [-2, 0, 2], velocity: [0, 0, 0]}
  - {name: bob, shape: {sphere: {radius: 0.1}}, position: [0, 3, 2]}
  - {name: fan, shape: {box: {size: [1, 0.1, 0.1]}}, position: [0, -5, 2], motion: {rotation: {axis: [0, 0, 1], angle: "3*t"}}}
joints:
  - {name: pivot, type: hinge, bodies: [world, rod], at: [-2.3, 0, 2], axis: [0, 1, 0]}
forces:
  - {type: spring, bodies: [world, bob], at: [[0, 3, 3], [0, 3, 2]], length: 0.5, stiffness: 50, damping: 0.5}
  - {type: impulse, body: bob, time: 0.33, impulse: [0.5, 0, 0]}
)";

struct Recording {
  model::Model model;
  std::vector<Frame> frames;
  std::vector<Event> events;
  record::Summary summary;
};

constexpr std::size_t ball = 1, crate = 2, rod = 3, bob = 4;

Recording simulated(bool whole_frames) {
  const synthetic::TemporaryDirectory directory;
  Recording recording;
  recording.model = scene::load_scene_text(scene, "scene.yaml").model;
  {
    record::RunWriter writer(directory / "run.h5");
    loop::RunOptions options;
    options.whole_frames = whole_frames;
    loop::run(recording.model, writer, options);
  }
  const record::RunReader run(directory / "run.h5");
  recording.frames = run.frames(0, run.frame_count());
  recording.events = run.events(0, run.event_count());
  recording.summary = run.summary().value();
  return recording;
}

Report judged(const Recording& recording) {
  const synthetic::TemporaryDirectory directory;
  record::RunWriter writer(directory / "run.h5");
  writer.begin(recording.model);
  for (const Frame& frame : recording.frames) writer.frame(frame);
  for (const Event& event : recording.events) writer.event(event);
  writer.end(recording.summary);
  return verify(record::RunReader(directory / "run.h5"), {});
}

std::size_t first_frame(const Recording& r, FrameKind kind) {
  for (std::size_t i = 2; i < r.frames.size(); ++i)
    if (r.frames[i].kind == kind) return i;
  ADD_FAILURE() << "no such frame";
  return 0;
}

/// A sample in the middle, away from events.
Frame& sample(Recording& r) {
  for (std::size_t i = r.frames.size() / 2; i < r.frames.size(); ++i)
    if (r.frames[i].kind == FrameKind::sample) return r.frames[i];
  ADD_FAILURE() << "no sample";
  return r.frames[0];
}

/// The first one before an event of a body.
Frame& before(Recording& r, std::size_t body = ball) {
  for (std::size_t i = 2; i < r.frames.size(); ++i)
    if (r.frames[i].kind == FrameKind::before && r.frames[i].tells_of(static_cast<BodyIndex>(body)))
      return r.frames[i];
  ADD_FAILURE() << "no such frame";
  return r.frames[0];
}

Event& event(Recording& r, EventKind kind) {
  for (Event& e : r.events)
    if (e.kind == kind) return e;
  ADD_FAILURE() << "no event " << to_string(kind);
  return r.events[0];
}

void erase_event(Recording& r, EventKind kind) {
  r.events.erase(r.events.begin() + (&event(r, kind) - r.events.data()));
}

struct Tampering {
  const char* what;
  std::function<void(Recording&)> change;
};

const std::vector<Tampering> tamperings = {
    {"position of a sample", [](Recording& r) { sample(r).bodies[ball].position.x() += 1e-6; }},
    {"position before an event",
     [](Recording& r) { before(r, bob).bodies[bob].position.y() += 1e-6; }},
    {"orientation",
     [](Recording& r) {
       Quat& q = sample(r).bodies[bob].orientation;
       q = (Quat(Eigen::AngleAxisd(1e-6, Vec3::UnitX())) * q).normalized();
     }},
    {"sign of a quaternion",
     [](Recording& r) { sample(r).bodies[rod].orientation.coeffs() *= -1; }},
    {"velocity of a sample", [](Recording& r) { sample(r).bodies[crate].velocity.y() += 1e-6; }},
    {"velocity before an event", [](Recording& r) { before(r).bodies[ball].velocity.x() += 1e-6; }},
    {"angular velocity",
     [](Recording& r) { sample(r).bodies[rod].angular_velocity.y() *= 1 + 1e-9; }},
    {"centre of mass", [](Recording& r) { sample(r).bodies[rod].centre_of_mass.z() += 1e-9; }},
    {"acceleration of a sample",
     [](Recording& r) { sample(r).bodies[bob].acceleration.z() += 1e-3; }},
    {"acceleration before an event",
     [](Recording& r) { before(r, bob).bodies[bob].acceleration.z() += 1e-3; }},
    {"angular acceleration",
     [](Recording& r) { sample(r).bodies[rod].angular_acceleration.y() += 1e-3; }},
    {"time of a sample", [](Recording& r) { sample(r).time += 1e-9; }},
    {"kind of a frame", [](Recording& r) { sample(r).kind = FrameKind::after; }},
    {"frame deleted",
     [](Recording& r) { r.frames.erase(r.frames.begin() + (&sample(r) - r.frames.data())); }},
    {"last frame cut off", [](Recording& r) { r.frames.pop_back(); }},
    {"half of the frames cut off", [](Recording& r) { r.frames.resize(r.frames.size() / 2 | 1); }},
    {"frame doubled",
     [](Recording& r) {
       const Frame copy = sample(r);
       r.frames.insert(r.frames.begin() + (&sample(r) - r.frames.data()), copy);
     }},
    {"kinetic energy", [](Recording& r) { sample(r).energy.kinetic *= 1 + 1e-8; }},
    {"potential energy", [](Recording& r) { sample(r).energy.potential += 1e-6; }},
    {"elastic energy", [](Recording& r) { sample(r).energy.elastic *= 1 + 1e-8; }},
    {"dissipated energy", [](Recording& r) { sample(r).energy.dissipated += 0.01; }},
    {"work", [](Recording& r) { sample(r).energy.work += 0.01; }},
    {"normal force", [](Recording& r) { sample(r).contacts.at(0).normal_force *= 1 + 1e-5; }},
    {"friction force", [](Recording& r) { sample(r).contacts.at(0).friction_force.x() += 1e-3; }},
    {"place of a contact", [](Recording& r) { sample(r).contacts.at(0).point.x() += 1e-3; }},
    {"normal of a contact", [](Recording& r) { sample(r).contacts.at(0).normal.x() += 1e-3; }},
    {"gap of a contact", [](Recording& r) { sample(r).contacts.at(0).gap = 1e-6; }},
    {"negative gap of a contact", [](Recording& r) { sample(r).contacts.at(0).gap = -1e-10; }},
    {"mode of a contact",
     [](Recording& r) {
       // The crate still slides early on.
       for (Frame& frame : r.frames)
         if (frame.kind == FrameKind::sample && !frame.contacts.empty() &&
             frame.contacts[0].mode == ContactMode::slide) {
           frame.contacts[0].mode = ContactMode::stick;
           return;
         }
       ADD_FAILURE() << "nothing slides";
     }},
    {"contact deleted", [](Recording& r) { sample(r).contacts.pop_back(); }},
    {"force of a joint", [](Recording& r) { sample(r).joints.at(0).force.x() += 1e-3; }},
    {"gap of a joint", [](Recording& r) { sample(r).joints.at(0).gap += 1e-6; }},
    {"joint deleted", [](Recording& r) { sample(r).joints.clear(); }},
    {"impact deleted", [](Recording& r) { erase_event(r, EventKind::impact); }},
    {"impulse deleted", [](Recording& r) { erase_event(r, EventKind::impulse); }},
    {"stick deleted", [](Recording& r) { erase_event(r, EventKind::stick); }},
    {"time of an impact", [](Recording& r) { event(r, EventKind::impact).time += 1e-6; }},
    {"place of an impact", [](Recording& r) { event(r, EventKind::impact).point.z() += 1e-3; }},
    {"kind of an event", [](Recording& r) { event(r, EventKind::stick).kind = EventKind::slip; }},
    {"kind of an impact",
     [](Recording& r) { event(r, EventKind::impact).kind = EventKind::touch; }},
    {"impulse of an impact", [](Recording& r) { event(r, EventKind::impact).impulse *= 1 + 1e-6; }},
    {"normal impulse", [](Recording& r) { event(r, EventKind::impact).normal_impulse *= 1.001; }},
    {"bodies of an impact",
     [](Recording& r) { event(r, EventKind::impact).body_a = static_cast<BodyIndex>(crate); }},
    {"impulse", [](Recording& r) { event(r, EventKind::impulse).impulse.x() *= 1.1; }},
    {"event added",
     [](Recording& r) {
       Event copy = event(r, EventKind::stick);
       r.events.insert(r.events.begin() + (&event(r, EventKind::stick) - r.events.data()), copy);
     }},
    {"fingerprint", [](Recording& r) { r.summary.state_hash[3] ^= 1; }},
    {"smallest gap raised", [](Recording& r) { r.summary.min_gap = 0.01; }},
    {"smallest gap negative", [](Recording& r) { r.summary.min_gap = -1e-3; }},
    {"duration", [](Recording& r) { r.summary.duration = 2; }},
    {"count of events", [](Recording& r) { ++r.summary.events; }},
    {"count of impacts", [](Recording& r) { r.summary.impacts = 0; }},
    {"energy at the end", [](Recording& r) { r.summary.energy_final *= 1 + 1e-6; }},
    {"what was dissipated", [](Recording& r) { r.summary.dissipated_by_impacts += 1e-3; }},
    {"energy error", [](Recording& r) { r.summary.energy_error = 1e-16; }},
    {"momentum error too large to be complete",
     [](Recording& r) { r.summary.momentum_error = 1e-3; }},
    {"mass", [](Recording& r) { r.model.bodies[ball].mass.mass *= 1 + 1e-9; }},
    {"scene", [](Recording& r) { r.model.source += "\ngravity: [0, 0, -9.8]\n"; }},
};

void expect_each_noticed(const Recording& honest) {
  ASSERT_EQ(honest.summary.status, RunStatus::complete) << honest.summary.message;
  const Report report = judged(honest);
  ASSERT_TRUE(report.passed()) << report_text(report);
  ASSERT_TRUE(report.is_proven()) << report_text(report);
  EXPECT_GE(tamperings.size(), 40u);
  for (const auto& [what, change] : tamperings) {
    Recording recording = honest;
    change(recording);
    EXPECT_FALSE(judged(recording).passed()) << what << " went unnoticed";
  }
}

TEST(Tampering, EachIsNoticed) {
  expect_each_noticed(simulated(true));
}

TEST(Tampering, EachIsNoticedWhereEventsTellOfTheBodiesTheyConcern) {
  const Recording honest = simulated(false);
  ASSERT_FALSE(honest.frames[first_frame(honest, FrameKind::before)].is_whole());
  expect_each_noticed(honest);
}

// What only frames of some bodies can have.
TEST(Tampering, FramesOfSomeBodiesTellOfTheRightOnes) {
  const Recording honest = simulated(false);
  const std::vector<Tampering> more = {
      {"a sample of some bodies",
       [](Recording& r) {
         sample(r).only = {1, 2};
       }},
      {"another body before", [](Recording& r) { before(r).only = {3}; }},
      {"another body before and after",
       [](Recording& r) {
         const std::size_t i = first_frame(r, FrameKind::before);
         r.frames[i].only = r.frames[i + 1].only = {3};
       }},
      {"energies before and after",
       [](Recording& r) {
         const std::size_t i = first_frame(r, FrameKind::before);
         r.frames[i].energy.kinetic += 0.01;
         r.frames[i + 1].energy.kinetic += 0.01;
       }},
      {"kinetic energy after",
       [](Recording& r) {
         Frame& after = r.frames[first_frame(r, FrameKind::after)];
         after.energy.kinetic += 1e-6;
         after.energy.dissipated -= 1e-6;
       }},
  };
  for (const auto& [what, change] : more) {
    Recording recording = honest;
    change(recording);
    EXPECT_FALSE(judged(recording).passed()) << what << " went unnoticed";
  }
}

// A run keeps the mesh files of its scene, and knows them again.
TEST(Tampering, MeshesAreThoseOfTheRun) {
  const char* const text = R"(abut: 1
duration: 0.1
bodies:
  - {name: tetrahedron, shape: {mesh: {file: tetrahedron.obj, scale: 2}}}
)";
  const auto tetrahedron = [](const std::string&, geometry::Faces) {
    return geometry::PolygonMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                 {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  };
  const synthetic::TemporaryDirectory directory;
  const auto path = directory / "run.h5";
  {
    record::RunWriter writer(path);
    loop::run(scene::load_scene_text(text, "scene.yaml", {}, tetrahedron).model, writer, {});
  }
  const Report untouched = verify(record::RunReader(path), {});
  EXPECT_TRUE(untouched.passed());
  EXPECT_TRUE(untouched.not_checked.empty());
  {
    const record::hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const record::hdf5::Handle dataset(H5Dopen2(file, "meshes/vertices", H5P_DEFAULT));
    std::array<double, 12> vertices{};
    ASSERT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &vertices), 0);
    EXPECT_EQ(vertices[3], 1);
    vertices[3] = 1 + 1e-12;
    ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &vertices), 0);
  }
  EXPECT_FALSE(verify(record::RunReader(path), {}).passed());
}

}  // namespace
}  // namespace abut::verify
