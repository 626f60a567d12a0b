#include "integrate/island.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/overloaded.h"
#include "base/union_find.h"

namespace abut::integrate {
namespace {

// Grows islands from the things that connect bodies, then hands each thing to its island.
class Partition {
 public:
  Partition(const model::Model& model, const std::vector<BodyIndex>& bodies,
            const ActiveConstraints& active, const Attached& attached)
      : bodies_(bodies), groups_(bodies.size()) {
    for (const int f : attached.forces) {
      const bool is_impulse = std::holds_alternative<model::Impulse>(model.forces[f]);
      connect(bodies_of(model.forces[f]), [f, is_impulse](Island& island) {
        (is_impulse ? island.impulses : island.forces).push_back(f);
      });
    }
    for (const JointIndex j : attached.joints) {
      if (!active.broken.empty() && active.broken[j]) continue;
      connect(both(model.joints[j].bodies), [j](Island& island) { island.joints.push_back(j); });
    }
    for (const contact::Contact& contact : active.contacts)
      connect(both(contact.bodies),
              [&contact](Island& island) { island.contacts.push_back(contact); });
    for (const force::ContactSpring& spring : active.springs)
      connect(both(spring.contact.bodies),
              [&spring](Island& island) { island.springs.push_back(spring); });
    for (const impulse::MetLimit& limit : active.limits)
      connect(both(model.joints[limit.joint].bodies),
              [&limit](Island& island) { island.limits.push_back(limit); });
    for (const impulse::MotorDrive& motor : active.motors)
      connect(both(model.joints[motor.joint].bodies),
              [&motor](Island& island) { island.motors.push_back(motor); });
  }

  std::vector<Island> islands() {
    std::vector<Island> result;
    std::vector<int> index_of(bodies_.size(), -1);
    for (int i = 0; i < static_cast<int>(bodies_.size()); ++i) {
      int& index = index_of[groups_.first_of(i)];
      if (index < 0) {
        index = static_cast<int>(result.size());
        result.emplace_back();
      }
      result[index].bodies.push_back(bodies_[i]);
    }
    for (const Connection& connection : connections_)
      connection.hand_over(result[index_of[groups_.first_of(connection.member)]]);
    return result;
  }

 private:
  struct Connection {
    int member = 0;  // one of the bodies it reaches, as a position in bodies_
    std::function<void(Island&)> hand_over;
  };

  static std::vector<BodyIndex> both(const std::array<BodyIndex, 2>& pair) {
    return {pair[0], pair[1]};
  }
  void connect(const std::vector<BodyIndex>& reached, std::function<void(Island&)> hand_over) {
    int first = -1;
    for (const BodyIndex body : reached) {
      const auto found = std::lower_bound(bodies_.begin(), bodies_.end(), body);
      if (found == bodies_.end() || *found != body) continue;
      const int position = static_cast<int>(found - bodies_.begin());
      if (first >= 0) groups_.join(first, position);
      first = position;
    }
    if (first >= 0) connections_.push_back({first, std::move(hand_over)});
  }

  const std::vector<BodyIndex>& bodies_;
  base::UnionFind groups_;
  std::vector<Connection> connections_;
};

}  // namespace

std::vector<BodyIndex> bodies_of(const model::Force& force) {
  return std::visit(
      base::Overloaded{
          [](const model::Spring& spring) {
            return std::vector<BodyIndex>{spring.ends[0].body, spring.ends[1].body};
          },
          [](const model::Drag& drag) { return std::vector<BodyIndex>{drag.body}; },
          [](const model::ConstantForce& constant) {
            return std::vector<BodyIndex>{constant.at.body};
          },
          [](const model::Impulse& impulse) { return std::vector<BodyIndex>{impulse.body}; }},
      force);
}

Attached all_attached(const model::Model& model) {
  Attached all{std::vector<int>(model.forces.size()), std::vector<JointIndex>(model.joints.size())};
  std::iota(all.forces.begin(), all.forces.end(), 0);
  std::iota(all.joints.begin(), all.joints.end(), 0);
  return all;
}

std::vector<Island> find_islands(const model::Model& model, const std::vector<BodyIndex>& bodies,
                                 const ActiveConstraints& active, const Attached& attached) {
  return Partition(model, bodies, active, attached).islands();
}

std::vector<Island> find_islands(const model::Model& model, const std::vector<BodyIndex>& bodies,
                                 const ActiveConstraints& active) {
  return find_islands(model, bodies, active, all_attached(model));
}

std::vector<Island> find_islands(const model::Model& model) {
  std::vector<BodyIndex> bodies;
  for (int body = 0; body < static_cast<int>(model.bodies.size()); ++body)
    if (model.bodies[body].is_dynamic()) bodies.push_back(body);
  return find_islands(model, bodies, {});
}

}  // namespace abut::integrate
