#pragma once
// Runs a model and answers questions about it on the way.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abut/export.h"
#include "abut/model.h"
#include "abut/summary.h"
#include "abut/types.h"

namespace abut {

struct SimulationOptions {
  int threads = 0;          ///< 0: as many as the machine has; results do not depend on it
  std::string record_file;  ///< where to write run.h5; empty: nowhere
};

class ABUT_API Simulation {
 public:
  explicit Simulation(Model model, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Called after every recorded instant, and for every event, in the order of time.
  void on_frame(std::function<void(const Simulation&)> callback);
  void on_event(std::function<void(const Event&)> callback);

  /// Goes on to the next recorded instant; false once the end is reached.
  /// Throws SimulationError where the motion cannot be continued.
  bool step();
  /// Goes on to the end.
  const Summary& run();

  /// The model at this instant, to be changed and simulated on: bodies where they are and as fast
  /// as they are, scripts and impulses from here on, broken joints left out. Its time 0 is now.
  /// What is counted along the way, such as full turns of a hinge with limits, begins anew.
  Model continued() const;

  const Model& model() const;
  double time() const;
  const std::vector<BodyState>& states() const;  ///< in model order
  const BodyState& state(BodyIndex body) const;
  const BodyState& state(std::string_view name) const;
  const Energy& energy() const;
  const std::vector<ContactState>& contacts() const;  ///< every point of contact now
  const std::vector<JointState>& joints() const;      ///< what every joint transmits now
  const std::vector<Event>& events() const;           ///< so far
  const Summary& summary() const;                     ///< final once step() has returned false

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace abut
