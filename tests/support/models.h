#pragma once
// Models and sinks that many tests need.

#include <vector>

#include "loop/run.h"
#include "model/model.h"
#include "record/frame.h"
#include "shape/moments.h"
#include "shape/shape.h"
#include "support/sizes.h"

namespace abut::test {

/// A dynamic body of one shape, at the origin and at rest.
inline model::Body body_of(const shape::Geometry& geometry, double density = 1000,
                           const Pose& part_pose = {}) {
  model::Body body;
  body.name = "body";
  body.parts.push_back({geometry, part_pose, density, 0});
  body.mass = body::mass_from(shape::moments_of(body.parts));
  body.bounding_radius = shape::bounding_radius(body.parts, body.mass.central.position);
  return body;
}

/// An empty scene without gravity, with one material: smooth and without restitution.
inline model::Model empty_model(double duration) {
  model::Model model;
  model.name = "test";
  model.gravity = Vec3::Zero();
  model.duration = duration;
  model.materials.emplace_back();
  return model;
}

/// Keeps everything a run says.
class KeepingSink final : public record::Sink {
 public:
  void begin(const model::Model&) override {}
  void frame(const record::Frame& frame) override { frames.push_back(frame); }
  void event(const Event& event) override { events.push_back(event); }
  void end(const record::Summary& summary) override { summaries.push_back(summary); }

  const BodyState& last(int body) const { return frames.back().bodies[body]; }

  std::vector<record::Frame> frames;
  std::vector<Event> events;
  std::vector<record::Summary> summaries;
};

}  // namespace abut::test
