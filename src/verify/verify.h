#pragma once
// Checks a recorded run by other means than those that made it: nothing here uses the code that
// finds contacts, computes forces or integrates motion.

#include <string>

#include "record/run_reader.h"
#include "verify/report.h"

namespace abut::verify {

struct Options {
  double allowed_depth = 0;  ///< overlap that is no fault, beyond rounding, m

  /// Relative imbalance of the energy book that is no fault (dimensionless): far above the errors
  /// of runs at the default tolerance, far below any energy that matters.
  double energy_tolerance = 1e-6;

  std::string mesh_folder;  ///< where mesh files of the scene are; empty: here
};

/// Throws InputError where the run cannot be read.
Report verify(const record::RunReader& run, const Options& options);

}  // namespace abut::verify
