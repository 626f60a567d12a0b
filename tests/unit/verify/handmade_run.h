#pragma once
// Runs written by hand: what a simulation would have recorded, right or wrong in one respect.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "record/energy_audit.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record/state_hash.h"
#include "scene/loader.h"
#include "unit/record/synthetic_run.h"
#include "verify/verify.h"

namespace handmade {

/// A unit box of 2 kg at rest on the floor, carried by four corners, seen at several times.
inline const char* resting_scene = R"(abut: 1
name: Resting
duration: 1
gravity: [0, 0, -10]
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}
  - {name: box, shape: {box: {size: [1, 1, 1]}}, mass: 2, position: [0, 0, 0.5]}
)";

/// Bodies at rest where the scene puts them, with the energies that belong to that.
inline abut::record::Frame frame_at_rest(const abut::model::Model& model, double time) {
  abut::record::Frame frame;
  frame.time = time;
  for (const abut::model::Body& body : model.bodies) {
    abut::BodyState state;
    state.position = body.pose.position;
    state.orientation = body.pose.orientation;
    state.centre_of_mass = state.position + state.orientation * body.mass.central.position;
    frame.bodies.push_back(state);
    if (!body.is_dynamic()) continue;
    frame.energy.potential -= body.mass.mass * model.gravity.dot(state.centre_of_mass);
  }
  return frame;
}

/// Four corners of the box of `resting_scene`, each carrying a quarter of the weight.
inline std::vector<abut::ContactState> resting_contacts() {
  std::vector<abut::ContactState> contacts;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      abut::ContactState contact;
      contact.body_a = 1;
      contact.body_b = 0;
      contact.point = abut::Vec3(x, y, 0);
      contact.normal_force = 5;
      contacts.push_back(contact);
    }
  }
  return contacts;
}

using Frames = std::vector<abut::record::Frame>;

inline Frames resting_frames(const abut::model::Model& model) {
  Frames frames;
  for (const double time : {0.0, 0.5, 1.0}) {
    frames.push_back(frame_at_rest(model, time));
    frames.back().contacts = resting_contacts();
  }
  return frames;
}

/// What a simulation would say of these frames.
inline abut::record::Summary summary_of(const abut::model::Model& model, const Frames& frames) {
  abut::record::Summary summary;
  summary.status = abut::record::RunStatus::complete;
  abut::record::EnergyAudit audit(abut::record::least_energy(model));
  abut::base::Hash hash;
  for (const auto& frame : frames) {
    abut::record::add_states(hash, frame);
    audit.add(frame.energy, abut::record::load_of(model, frame));
    summary.contacts_max = std::max(summary.contacts_max, static_cast<long>(frame.contacts.size()));
    summary.duration = frame.time;
    if (frame.time == 0 && frame.kind != abut::record::FrameKind::after)
      summary.energy_initial = frame.energy.mechanical();
  }
  if (summary.duration < model.duration) summary.status = abut::record::RunStatus::interrupted;
  summary.energy_final = audit.last().mechanical();
  summary.dissipated_by_damping = audit.last().dissipated;
  summary.work = audit.last().work;
  summary.energy_error = audit.relative_error();
  if (!(summary.energy_error <= 1e-6)) summary.status = abut::record::RunStatus::suspect;
  summary.state_hash = hash.hex();
  return summary;
}

/// Writes a run of the scene with these frames and verifies what can be read of it.
inline abut::verify::Report verified(const abut::model::Model& model, const Frames& frames,
                                     const abut::verify::Options& options = {}) {
  const synthetic::TemporaryDirectory directory;
  abut::record::RunWriter writer(directory / "run.h5");
  writer.begin(model);
  for (const auto& frame : frames) writer.frame(frame);
  writer.end(summary_of(model, frames));
  return abut::verify::verify(abut::record::RunReader(directory / "run.h5"), options);
}

inline abut::model::Model model_of(const std::string& scene) {
  return abut::scene::load_scene_text(scene, "scene.yaml").model;
}

}  // namespace handmade
