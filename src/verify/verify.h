#pragma once
// Checks a recorded run by other means than those that made it: nothing here uses the code that
// finds contacts, computes forces or integrates motion.

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "record/run_reader.h"
#include "verify/report.h"

namespace abut::verify {

struct Options {
  double allowed_depth = 0;  ///< overlap that is no fault, beyond rounding, m

  /// Relative imbalance of the energy book that is no fault (dimensionless); where nothing is
  /// given, what the settings of the run promise (model/promises.h).
  std::optional<double> energy_tolerance;

  std::string mesh_folder;  ///< to read mesh files of the scene from; empty: as the run keeps them

  const std::atomic<bool>* interrupt = nullptr;  ///< when it turns true, base::Stopped is thrown
  std::function<void(double time)> progress;     ///< called after every frame
};

/// Throws InputError where the run cannot be read.
Report verify(const record::RunReader& run, const Options& options);

}  // namespace abut::verify
