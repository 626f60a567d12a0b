#pragma once
// What is told of bodies that are stepped, at a time within the last step.

#include <functional>
#include <vector>

#include "clock/implicit_forces.h"
#include "clock/stepped_state.h"
#include "integrate/island_path.h"
#include "joint/rows.h"

namespace abut::clock {

class StepReport {
 public:
  explicit StepReport(const SteppedState& state) : state_(state) {}

  void take_snapshot(double t, std::vector<BodyState>& bodies, integrate::Snapshot& snapshot) const;
  /// Only the energies of that.
  Energy energy(double t) const;
  /// The columns and rates of bodies that bend, by body.
  void write_bending(double t, std::vector<flexible::State>& bending) const;
  /// What springs and constant forces on bodies that bend hold.
  Energy bent_force_energy(double t) const;
  /// Joints that bore more than they can in the last step.
  std::vector<JointIndex> overloaded() const;

 private:
  void write_body(const SteppedBody& body, double t, BodyState& state) const;
  std::vector<integrate::MovingBody> moving_as_told(const std::vector<BodyState>& told) const;
  integrate::MovingBody moving(const SteppedBody& body, const BodyState& state) const;
  void report_contacts(double t, integrate::Snapshot& snapshot) const;
  void report_contacts_of(const TouchingPair& pair, double t, integrate::Snapshot& snapshot) const;
  void report_joints(double t, integrate::Snapshot& snapshot) const;
  joint::Reaction reaction_of(JointIndex index, double t) const;
  void find_accelerations(double t, const std::vector<integrate::MovingBody>& moving,
                          const integrate::Snapshot& snapshot,
                          std::vector<BodyState>& bodies) const;
  void keep_books(double t, const std::vector<integrate::MovingBody>& moving,
                  integrate::Snapshot& snapshot) const;

  // Bodies that bend (clock/bent_report.cpp).
  flexible::State bent_state(const SteppedBody& body, double t) const;
  Vec3 bent_place(const SteppedBody& body, flexible::Weights weights, double t) const;
  Vec3 contact_place(BodyIndex body, const Vec3& arm,
                     const std::vector<flexible::ColumnWeight>& weights, double t) const;
  void write_bent(const SteppedBody& body, double t, BodyState& state) const;
  void book_bent(const SteppedBody& body, double t, integrate::Snapshot& snapshot) const;
  void report_holds(double t, integrate::Snapshot& snapshot) const;
  body::RigidMotion joint_motion_at(const joint::Joint& joint, int side, double t) const;
  SpringEnds spring_ends(const model::Spring& spring, double t) const;
  /// Of a force at a place, and a torque, on a body.
  using Push = std::function<void(BodyIndex, const Vec3&, const Vec3&, const Vec3&)>;
  void push_bent(double t, const std::vector<BodyState>& bodies,
                 const integrate::Snapshot& snapshot, const Push& push) const;

  const SteppedState& state_;
};

}  // namespace abut::clock
