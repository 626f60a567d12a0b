#pragma once
// Runs a model from time 0 to its end.

#include <atomic>
#include <functional>

#include "model/model.h"
#include "record/frame.h"

namespace abut::loop {

struct RunOptions {
  int threads = 0;                               ///< 0: as many as the machine has
  const std::atomic<bool>* interrupt = nullptr;  ///< when it turns true the run ends cleanly
  std::function<void(double time)> progress;     ///< called after every recorded frame
  /// Every frame holds the whole scene; else those of events hold the bodies that these concern.
  bool whole_frames = true;
};

/// Simulates `model`, feeding `sink`, and returns the certificate. A failing run ends the record
/// with status `failed`, and the exception (SimulationError) is thrown after sink.end().
record::Summary run(const model::Model& model, record::Sink& sink, const RunOptions& options);

}  // namespace abut::loop
