// Throws a hammer and watches its head.
#include <abut/abut.h>

#include <cstdio>

int main() try {
  abut::Model model;
  model.set_duration(1.5);
  model.set_record_rate(4);

  abut::BodyDescription hammer;
  hammer.name = "hammer";
  hammer.parts = {
      {abut::Shape::cylinder(0.015, 0.3), {}, 700},  // wooden handle
      {abut::Shape::box({0.03, 0.1, 0.03}), {{0, 0, 0.16}, abut::Quat::Identity()}, 7800}};
  hammer.velocity = {2, 0, 7};
  hammer.angular_velocity = {0, 12, 0.1};
  const abut::BodyIndex index = model.add_body(hammer);
  std::printf("mass %.3f kg\n", model.mass(index).mass);

  abut::Simulation simulation(model);
  simulation.on_frame([](const abut::Simulation& now) {
    const abut::BodyState& s = now.state("hammer");
    std::printf("t %.2f  centre (%.3f, %.3f)  energy %.6f J\n", now.time(), s.centre_of_mass.x(),
                s.centre_of_mass.z(), now.energy().mechanical());
  });
  const abut::Summary& summary = simulation.run();
  std::printf("energy error %.1e\n", summary.energy_error);
} catch (const abut::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
