#pragma once
// What the loop hands to whoever listens: frames, events, and a summary at the end.

#include <cstdint>
#include <string>
#include <vector>

#include "abut/types.h"
#include "model/model.h"

namespace abut::record {

enum class FrameKind : std::uint8_t {
  sample,  ///< on the recording grid, or the end
  before,  ///< just before the events of this time
  after,   ///< just after them
};

/// The whole scene at one recorded time.
struct Frame {
  double time = 0;
  FrameKind kind = FrameKind::sample;
  std::vector<BodyState> bodies;  ///< in model order, all of them
  Energy energy;
};

enum class RunStatus : std::uint8_t { running, complete, interrupted, failed };

/// The certificate of a run. Quantities that do not apply are NaN here and null in JSON.
struct Summary {
  RunStatus status = RunStatus::running;
  std::string message;  ///< why the run did not complete; empty otherwise
  double duration = 0;      ///< simulated s
  double wall_seconds = 0;
  long steps = 0;
  long rejected_steps = 0;
  long events = 0;
  long impacts = 0;
  long contacts_max = 0;
  double min_gap;          ///< m, over continuous time
  double max_penetration;  ///< m
  double energy_initial = 0;
  double energy_final = 0;
  double dissipated_by_impacts = 0;
  double dissipated_by_friction = 0;
  double dissipated_by_damping = 0;
  double work = 0;
  double energy_error = 0;    ///< largest relative imbalance of the energy book
  double momentum_error = 0;  ///< largest relative imbalance of linear and angular momentum
  long cache_hits = 0;
  long cache_misses = 0;
  long lcp_solves = 0;
  long lcp_pivots = 0;
  double lcp_residual_max = 0;
  std::string state_hash;     ///< 16 hexadecimal digits over every recorded state

  Summary();
};

/// Receives a run in the order of time. Throwing from a call ends the run.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void begin(const model::Model& model) = 0;
  virtual void frame(const Frame& frame) = 0;
  virtual void event(const Event& event) = 0;
  virtual void end(const Summary& summary) = 0;
};

}  // namespace abut::record
