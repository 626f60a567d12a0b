#include "integrate/prescribed.h"

namespace abut::integrate {

Scripts make_scripts(const model::Model& model) {
  Scripts scripts(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (const body::Script* script = model.bodies[i].script())
      scripts[i] = motion::make_script_motion(*script);
  return scripts;
}

motion::Kinematics prescribed_kinematics(const model::Model& model, const Scripts& scripts,
                                         BodyIndex body, double t, motion::Side side) {
  if (body == world) return {};
  if (scripts[body]) return scripts[body]->kinematics(t, side);
  motion::Kinematics resting;
  resting.pose = model.bodies[body].pose;
  return resting;
}

impulse::Support prescribed_support(const model::Model& model, const Scripts& scripts,
                                    BodyIndex body, double t, motion::Side side) {
  const motion::Kinematics k = prescribed_kinematics(model, scripts, body, t, side);
  return {{k.pose, k.velocity, k.angular_velocity}, {k.acceleration, k.angular_acceleration}};
}

}  // namespace abut::integrate
