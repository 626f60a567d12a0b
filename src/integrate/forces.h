#pragma once
// Evaluates the force laws of an island.

#include <vector>

#include "integrate/island.h"
#include "integrate/layout.h"
#include "integrate/prescribed.h"
#include "model/model.h"

namespace abut::integrate {

/// Force on a body and torque about its centre of mass, world axes.
struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
};

/// A dynamic body at one instant, as force laws see it.
struct MovingBody {
  body::RigidState state;  ///< attitude of unit length
  Vec3 angular_velocity = Vec3::Zero();
};

/// How fast a force swings what it acts on, or brings it to rest, rad/s: of springs and of drag, as
/// far as that does not depend on the motion.
double force_rate(const model::Model& model, const model::Force& force);

class ForceLaws {
 public:
  ForceLaws(const model::Model& model, const Scripts& scripts, const Island& island);

  /// Adds what every force but gravity does at time t: to the wrenches, by slot in the island, and
  /// to the rates of the balance.
  void add(double t, motion::Side side, const std::vector<MovingBody>& bodies,
           std::vector<Wrench>& wrenches, Balance& rates) const;

  /// Energy in springs, and of constant forces as potential (zero at the world origin).
  double elastic_energy(double t, motion::Side side, const std::vector<MovingBody>& bodies) const;
  double potential_energy(const std::vector<MovingBody>& bodies) const;

  /// False only if the torque on the body in `slot` is exactly zero whatever its state.
  bool exerts_torque_on(int slot) const;

  bool empty() const { return springs_.empty() && drags_.empty() && constants_.empty(); }

 private:
  static constexpr int not_dynamic = -1;

  // One end of a force, with its point where the evaluation needs it.
  struct Attachment {
    int slot = not_dynamic;                        // of a dynamic body
    Vec3 point = Vec3::Zero();                     // central frame; script's frame; or world
    const motion::ScriptMotion* script = nullptr;  // of a scripted body
  };
  struct AttachedPoint {
    Vec3 position, velocity;
    Vec3 arm;  // from the centre of mass of a dynamic body
  };
  struct SpringLaw {
    Attachment ends[2];
    double length, stiffness, damping;
  };
  struct DragLaw {
    int slot;
    model::Drag drag;
  };
  struct ConstantLaw {
    Attachment at;
    Vec3 force, torque;
  };

  Attachment attach(const model::Model& model, const Scripts& scripts, const Island& island,
                    const model::Anchor& anchor) const;
  AttachedPoint locate(const Attachment& attachment, double t, motion::Side side,
                       const std::vector<MovingBody>& bodies) const;
  void add_spring(const SpringLaw& spring, double t, motion::Side side,
                  const std::vector<MovingBody>& bodies, std::vector<Wrench>& wrenches,
                  Balance& rates) const;
  void add_drag(const DragLaw& law, const std::vector<MovingBody>& bodies,
                std::vector<Wrench>& wrenches, Balance& rates) const;
  void add_constant(const ConstantLaw& law, double t, motion::Side side,
                    const std::vector<MovingBody>& bodies, std::vector<Wrench>& wrenches,
                    Balance& rates) const;

  std::vector<SpringLaw> springs_;
  std::vector<DragLaw> drags_;
  std::vector<ConstantLaw> constants_;
};

}  // namespace abut::integrate
