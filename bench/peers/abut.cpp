// Abut itself, through its public interface.
#include <abut/abut.h>

#include "world.h"

namespace peers {
namespace {

std::string tolerance(Accuracy accuracy) {
  if (accuracy == Accuracy::low) return "1e-7";
  return accuracy == Accuracy::high ? "1e-12" : "1e-9";  // 1e-9 is the default
}

class AbutWorld final : public World {
 public:
  AbutWorld(const Scene& scene, Accuracy accuracy)
      : simulation_(abut::Model::from_file(scene.path, overrides(accuracy)), single_thread()) {}

  void run(const Observer& observer) override {
    if (observer)
      simulation_.on_frame([&](const abut::Simulation& now) { observer(snapshot_of(now)); });
    const abut::Summary& summary = simulation_.run();
    if (summary.status != abut::RunStatus::complete) throw std::runtime_error(summary.message);
  }

 private:
  static std::vector<std::string> overrides(Accuracy accuracy) {
    return {"solver.tolerance=" + tolerance(accuracy)};
  }
  static abut::SimulationOptions single_thread() {
    abut::SimulationOptions options;
    options.threads = 1;
    return options;
  }
  static Snapshot snapshot_of(const abut::Simulation& now) {
    Snapshot snapshot;
    snapshot.time = now.time();
    for (const abut::BodyState& body : now.states())
      snapshot.bodies.push_back(
          {body.centre_of_mass, body.orientation, body.velocity, body.angular_velocity});
    return snapshot;
  }

  abut::Simulation simulation_;
};

}  // namespace

std::string library_name() {
  return "Abut " + std::string(abut::version());
}

std::string settings_text(const Scene&, Accuracy accuracy) {
  return "tolerance " + tolerance(accuracy);
}

std::unique_ptr<World> make_world(const Scene& scene, Accuracy accuracy) {
  return std::make_unique<AbutWorld>(scene, accuracy);
}

}  // namespace peers
