#pragma once
// The scene of a recorded run.

#include <string>

#include "model/model.h"
#include "record/run_reader.h"

namespace abut::cli {

/// Rebuilds the model from the scene text that the run holds; mesh files are those that
/// it keeps, or are read from `mesh_folder`. Throws InputError where that cannot be done.
model::Model recorded_model(const record::RunReader& run, const std::string& mesh_folder);

}  // namespace abut::cli
