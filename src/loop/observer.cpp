#include "loop/observer.h"

#include <algorithm>

#include "loop/audit.h"
#include "loop/certainty.h"

namespace abut::loop {
namespace {

using motion::Side;

void add_contacts_and_joints(const integrate::Snapshot& told, record::Frame& frame) {
  frame.contacts.insert(frame.contacts.end(), told.contacts.begin(), told.contacts.end());
  frame.joints.insert(frame.joints.end(), told.joints.begin(), told.joints.end());
}

// Before the first step paths tell of bodies that bend as if they were rigid.
void add_bending(const model::Model& model, const record::Frame& frame, EnergySum& sum) {
  for (std::size_t i = 0; i < frame.bending.size(); ++i) {
    const model::Body& body = model.bodies[i];
    if (!body.bends()) continue;
    const BodyState& state = frame.bodies[i];
    const Vec3 spin = state.orientation.normalized().conjugate() * state.angular_velocity;
    Energy more;
    more.kinetic =
        body.bending->body->mass.kinetic_energy(frame.bending[i].rates) -
        0.5 * (body.mass.mass * state.velocity.squaredNorm() + spin.dot(body.mass.inertia * spin));
    more.elastic = body.bending->body->elasticity->energy(frame.bending[i].columns);
    sum.add(more);
  }
}

}  // namespace

Observer::Observer(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
                   const base::ThreadPool& pool)
    : model_(model), scripts_(scripts), paths_(paths), pool_(pool) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].script() != nullptr) scripted_.push_back(static_cast<BodyIndex>(i));
}

void Observer::tell_all(double t, Side side, record::Frame& frame) {
  records_.resize(paths_.size());
  pool_.for_each(paths_.size(), paths_per_task,
                 [&](std::size_t i) { tell_path(i, t, side, frame); });
  if (steps_ != nullptr) {
    tell_stepped(t, frame);
    if (!frame.bending.empty()) steps_->write_bending(t, frame.bending);
  }
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (!model_.bodies[i].is_dynamic())
      frame.bodies[i] = prescribed(static_cast<BodyIndex>(i), t, side);
  frame.contacts.clear();
  frame.joints.clear();
  for (const PathRecord& record : records_) add_contacts_and_joints(record.told, frame);
  add_contacts_and_joints(stepped_, frame);
}

WholeScene Observer::sum(const record::Frame& frame) const {
  WholeScene scene;
  EnergySum energy;
  const auto add = [&](const integrate::Snapshot& told) {
    energy.add(told.energy);
    scene.momentum += told.momentum;
    scene.balance += told.balance;
  };
  for (const PathRecord& record : records_) add(record.told);
  add(stepped_);
  if (steps_ == nullptr || steps_->empty()) add_bending(model_, frame, energy);
  scene.energy = energy.value();
  return scene;
}

// Most paths have nothing to do with what happens at an instant: what the frame before it says of
// them holds after it too. Of bodies at rest it holds as long as they rest.
const integrate::Snapshot& Observer::tell_path(std::size_t number, double t, Side side,
                                               record::Frame& frame) {
  if (records_.size() <= number) records_.resize(paths_.size());
  PathRecord& record = records_[number];
  integrate::IslandPath* path = paths_.at(number);
  if (path == nullptr) {
    record = {};
    return record.told;
  }
  const bool is_known = record.serial == paths_.serial(number);
  if (is_known && record.time == t && path->is_smooth_at(t)) return record.told;
  if (is_known && path->rests(record.time, t)) return record.told;
  record.serial = paths_.serial(number);
  record.time = t;
  path->take_snapshot(t, side, frame.bodies, record.told);
  return record.told;
}

const integrate::Snapshot& Observer::tell_stepped(double t, record::Frame& frame) {
  steps_->take_snapshot(t, frame.bodies, stepped_);
  return stepped_;
}

BodyState Observer::prescribed(BodyIndex body, double t, Side side) const {
  const motion::Kinematics frame =
      integrate::prescribed_kinematics(model_, scripts_, body, t, side);
  const motion::Kinematics centre =
      motion::carried(frame, model_.bodies[body].mass.central.position);
  return {frame.pose.position,       frame.pose.orientation, centre.velocity,
          frame.angular_velocity,    centre.pose.position,   centre.acceleration,
          frame.angular_acceleration};
}

bool Observer::is_scripted(BodyIndex body) const {
  return std::binary_search(scripted_.begin(), scripted_.end(), body);
}

std::vector<int> Observer::unlawful(double t, Side side, const std::vector<int>& numbers,
                                    record::Frame& frame) const {
  for (const BodyIndex body : scripted_) frame.bodies[body] = prescribed(body, t, side);
  std::vector<int> found;
  integrate::Snapshot told;
  for (const int number : numbers) {
    const integrate::Island& island = paths_.at(number)->island();
    if (island.contacts.empty()) continue;
    paths_.at(number)->take_snapshot(t, side, frame.bodies, told);
    if (!is_lawful(model_, island, frame.bodies, told)) found.push_back(number);
  }
  return found;
}

std::vector<Energy> Observer::energies_without(const std::map<BodyIndex, BodyState>& told,
                                               double t) const {
  std::vector<Energy> energies(paths_.size());
  pool_.for_each(paths_.size(), paths_per_task, [&](std::size_t i) {
    integrate::IslandPath* path = paths_.at(i);
    if (path != nullptr && !told.contains(path->island().bodies.front()))
      energies[i] = path->energy(t, Side::after);
  });
  if (steps_ != nullptr) energies.push_back(steps_->energy(t));
  return energies;
}

}  // namespace abut::loop
