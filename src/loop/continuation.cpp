#include "loop/continuation.h"

#include <algorithm>

#include "base/overloaded.h"

namespace abut::loop {
namespace {

void advance_script(body::Script& script, double by) {
  std::visit(base::Overloaded{[by](body::KeyframeScript& keyframes) {
                                for (body::Keyframe& key : keyframes.keyframes) key.time -= by;
                              },
                              [by](body::ExpressionScript& formulas) {
                                for (math::Expression& x : formulas.position) x = x.shifted(by);
                                formulas.angle = formulas.angle.shifted(by);
                              }},
             script);
}

void take_place(model::Body& body, const BodyState& state, double time) {
  if (std::holds_alternative<model::Fixed>(body.motion)) return;
  body.pose = {state.position, state.orientation.normalized()};
  body.velocity = state.velocity;
  body.angular_velocity = state.angular_velocity;
  if (auto* script = std::get_if<body::Script>(&body.motion)) advance_script(*script, time);
}

/// Impulses at `time` itself have been dealt.
void advance_impulses(std::vector<model::Force>& forces, double time) {
  std::erase_if(forces, [time](const model::Force& force) {
    const auto* impulse = std::get_if<model::Impulse>(&force);
    return impulse != nullptr && impulse->time <= time;
  });
  for (model::Force& force : forces)
    if (auto* impulse = std::get_if<model::Impulse>(&force)) impulse->time -= time;
}

}  // namespace

model::Model continued(const model::Model& model, const record::Frame& now,
                       const std::vector<bool>& broken, const PartingPairs& parting) {
  model::Model next = model;
  next.duration = std::max(0.0, model.duration - now.time);
  for (std::size_t i = 0; i < next.bodies.size(); ++i)
    take_place(next.bodies[i], now.bodies[i], now.time);
  for (std::size_t i = 0; i < now.bending.size(); ++i)
    if (next.bodies[i].bends()) next.bodies[i].bending->initial = now.bending[i];
  advance_impulses(next.forces, now.time);
  next.joints.clear();
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    if (!broken[i]) next.joints.push_back(model.joints[i]);
  next.no_collide.insert(next.no_collide.end(), parting.begin(), parting.end());
  return next;
}

}  // namespace abut::loop
