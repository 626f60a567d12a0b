#include "world.h"

#include <cmath>

namespace peers {

Snapshot initial_snapshot(const Scene& scene) {
  Snapshot snapshot;
  for (const Body& body : scene.bodies) {
    BodyState state;
    state.position = body.position;
    state.velocity = body.velocity;
    state.angular_velocity = body.angular_velocity;
    snapshot.bodies.push_back(state);
  }
  return snapshot;
}

SteppedWorld::SteppedWorld(const Scene& scene, double step) : scene_(scene), step_(step) {}

void SteppedWorld::run(const Observer& observer) {
  Snapshot snapshot = initial_snapshot(scene_);
  const long steps = std::lround(scene_.duration / step_);
  for (long i = 1; i <= steps; ++i) {
    step();
    if (!observer) continue;
    snapshot.time = static_cast<double>(i) * step_;
    show(observer, snapshot);
  }
}

void SteppedWorld::show(const Observer& observer, Snapshot& snapshot) const {
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    if (!scene_.bodies[i].fixed) snapshot.bodies[i] = state_of(static_cast<int>(i));
  observer(snapshot);
}

}  // namespace peers
