#include "abut/simulation.h"

#include <utility>

#include "abut/abut.h"
#include "loop/event_loop.h"
#include "model/check.h"
#include "record/run_writer.h"
#include "record/version.h"

namespace abut {
namespace {

void require_sound(const model::Model& model) {
  std::vector<Diagnostic> faults;
  for (std::string& fault : model::faults_of(model))
    faults.push_back({Severity::error, {}, std::move(fault)});
  if (!faults.empty()) throw InputError(std::move(faults));
}

}  // namespace

// Listens to the loop: keeps events, calls back, and passes everything on to the file.
class Simulation::Implementation final : public record::Sink {
 public:
  Implementation(Model model, const SimulationOptions& options)
      : model_(std::move(model)), loop_(sound(model_), *this, loop_options(options)) {
    if (!options.record_file.empty())
      writer_ = std::make_unique<record::RunWriter>(options.record_file);
  }

  void begin(const model::Model& model) override {
    if (writer_) writer_->begin(model);
  }
  void frame(const record::Frame& frame) override {
    if (writer_) writer_->frame(frame);
    if (on_frame) on_frame(*owner);
  }
  void event(const Event& event) override {
    events.push_back(event);
    if (writer_) writer_->event(event);
    if (on_event) on_event(event);
  }
  void end(const Summary& summary) override {
    if (writer_) writer_->end(summary);
  }

  const Model& model() const { return model_; }
  loop::EventLoop& loop() { return loop_; }

  const Simulation* owner = nullptr;  // who asked for the current step: simulations may be moved
  std::function<void(const Simulation&)> on_frame;
  std::function<void(const Event&)> on_event;
  std::vector<Event> events;

 private:
  static const model::Model& sound(const Model& model) {
    require_sound(model.internal());
    return model.internal();
  }
  static loop::RunOptions loop_options(const SimulationOptions& options) {
    loop::RunOptions run;
    run.threads = options.threads;
    return run;
  }

  Model model_;
  loop::EventLoop loop_;
  std::unique_ptr<record::RunWriter> writer_;
};

Simulation::Simulation(Model model, const SimulationOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(model), options)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::on_frame(std::function<void(const Simulation&)> callback) {
  implementation_->on_frame = std::move(callback);
}

void Simulation::on_event(std::function<void(const Event&)> callback) {
  implementation_->on_event = std::move(callback);
}

bool Simulation::step() {
  implementation_->owner = this;
  return implementation_->loop().advance();
}

const Summary& Simulation::run() {
  while (step()) {
  }
  return summary();
}

Model Simulation::continued() const {
  Model next = model();
  *next.model_ = implementation_->loop().continued();
  return next;
}

const Model& Simulation::model() const {
  return implementation_->model();
}
double Simulation::time() const {
  return implementation_->loop().frame().time;
}
const std::vector<BodyState>& Simulation::states() const {
  return implementation_->loop().frame().bodies;
}
const BodyState& Simulation::state(BodyIndex body) const {
  model().body_name(body);  // throws for an index that is none
  return states()[body];
}
const BodyState& Simulation::state(std::string_view name) const {
  return states()[model().body(name)];
}
const Energy& Simulation::energy() const {
  return implementation_->loop().frame().energy;
}
const std::vector<ContactState>& Simulation::contacts() const {
  return implementation_->loop().frame().contacts;
}
const std::vector<JointState>& Simulation::joints() const {
  return implementation_->loop().frame().joints;
}
const std::vector<Event>& Simulation::events() const {
  return implementation_->events;
}
const Summary& Simulation::summary() const {
  return implementation_->loop().summary();
}

std::string_view version() {
  return record::program_version();
}

}  // namespace abut
