#pragma once
// The tables of a run as text: states.csv, events.csv, contacts.csv, energy.csv, joints.csv.

#include <filesystem>

#include "record/run_reader.h"

namespace abut::record {

/// Writes the five tables into `directory`, which must exist. Each appears under its name only
/// when it is complete. Numbers have 17 significant digits, enough to read back the same bits.
/// Throws WriteError, or InputError where the run cannot be read.
void export_csv(const RunReader& run, const std::filesystem::path& directory);

}  // namespace abut::record
