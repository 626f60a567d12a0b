#include "verify/scene_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "abut/diagnostics.h"
#include "base/hash.h"
#include "record/mesh_fingerprint.h"
#include "scene/loader.h"

namespace abut::verify {
namespace {

/// How far masses, inertias and first poses may be from those of the rebuilt model (dimensionless,
/// relative): the same program gives the same bits, another version or machine a few roundings
/// more.
constexpr double rebuilding_tolerance = 1e-12;

/// How far a first orientation may be turned from that of the scene, rad: the same.
constexpr double angle_tolerance = 1e-12;

bool agree(double a, double b) {
  return std::abs(a - b) <= rebuilding_tolerance * std::max(std::abs(a), std::abs(b));
}

template <class Matrix>
bool agree_as_a_whole(const Matrix& a, const Matrix& b, double scale) {
  return (a - b).norm() <= rebuilding_tolerance * scale;
}

bool same_body(const record::RecordedBody& recorded, const model::Body& body) {
  if (recorded.name != body.name ||
      static_cast<std::size_t>(recorded.motion) != body.motion.index())
    return false;
  const Vec3& centre = body.mass.central.position;
  const double size = recorded.centre_of_mass.norm() + std::cbrt(body.mass.volume);
  return agree(recorded.mass, body.mass.mass) && agree(recorded.volume, body.mass.volume) &&
         agree_as_a_whole(recorded.centre_of_mass, centre, size) &&
         agree_as_a_whole(recorded.inertia, body.mass.inertia, body.mass.inertia.norm());
}

}  // namespace

RebuiltScene rebuild(const record::RunFacts& facts, const std::string& mesh_folder) {
  if (facts.scene_text.empty()) return {std::nullopt, "the run holds no scene text"};
  const std::filesystem::path name = std::filesystem::path(mesh_folder) / "scene.yaml";
  try {
    return {scene::load_recorded_scene(facts.scene_text, name.string(), facts.mesh_files).model,
            ""};
  } catch (const InputError& error) {
    return {std::nullopt, fmt::format("the recorded scene cannot be read: {}",
                                      error.diagnostics().front().message)};
  }
}

SceneCheck::SceneCheck(const record::RunFacts& facts, const RebuiltScene& scene)
    : Check("scene"), reason_(scene.reason) {
  base::Hash hash;
  hash.add(std::string_view(facts.scene_text));
  if (hash.hex() != facts.scene_hash) fault(0, "the scene text does not have its fingerprint");
  for (std::size_t i = 0; i < facts.mesh_files.size(); ++i)
    if (record::fingerprint(*facts.mesh_files[i].mesh) != facts.mesh_hashes[i])
      fault(0, fmt::format("mesh file {} does not have its fingerprint", facts.mesh_files[i].file));
  if (!scene.model) {
    could_not_check(fmt::format("overlap and forces: {}", scene.reason));
    return;
  }
  model_ = &*scene.model;
  compare_bodies(facts);
}

void SceneCheck::compare_bodies(const record::RunFacts& facts) {
  same_bodies_ = facts.bodies.size() == model_->bodies.size();
  if (!same_bodies_) {
    fault(0, fmt::format("the record has {} bodies, but its scene has {}", facts.bodies.size(),
                         model_->bodies.size()));
    return;
  }
  // Nodes of sheets that are held come after the joints.
  std::vector<std::string> names;
  for (const joint::Joint& joint : model_->joints) names.push_back(joint.name);
  for (const model::Body& body : model_->bodies)
    if (body.bends())
      for (const model::Hold& hold : body.bending->holds) names.push_back(hold.name);
  if (facts.joints != names) fault(0, "the record has other joints than its scene");
  for (std::size_t i = 0; i < facts.bodies.size(); ++i) {
    if (same_body(facts.bodies[i], model_->bodies[i])) continue;
    fault(0, fmt::format("body {} has another name, motion or mass than the scene gives it",
                         facts.bodies[i].name));
  }
}

void SceneCheck::frame(const record::Frame& frame) {
  if (has_started_ || !same_bodies_) return;
  has_started_ = true;
  if (frame.time != 0) fault(frame.time, "the first frame is not at time 0");
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const model::Body& body = model_->bodies[i];
    if (body.script() != nullptr) continue;  // the script says where it is
    const BodyState& state = frame.bodies[i];
    const double size =
        body.pose.position.norm() + std::cbrt(body.mass.volume) + body.mass.central.position.norm();
    const bool same_place = agree_as_a_whole(state.position, body.pose.position, size);
    const double turn = state.orientation.angularDistance(body.pose.orientation.normalized());
    if (!same_place || !(turn <= angle_tolerance)) {
      fault(frame.time, fmt::format("{} does not start where the scene puts it", body.name));
    }
  }
}

std::string SceneCheck::measured() const {
  if (model_ == nullptr) return reason_;
  return fmt::format("{} bodies rebuilt from the recorded text", model_->bodies.size());
}

}  // namespace abut::verify
