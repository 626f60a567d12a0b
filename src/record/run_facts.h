#pragma once
// The parts of a run file that are written once: what was simulated, and how it ended.
// Included by .cpp files only.

#include <string>

#include "model/model.h"
#include "record/frame.h"
#include "record/hdf5_handles.h"

namespace abut::record {

/// Lists the members of a group in its header rather than in a heap of their own, for the layout of
/// a run file is fixed and small; and keeps the wall clock out of it.
void set_group_layout(hid_t group_creation_properties);

hdf5::Handle create_group(hid_t parent, const char* name);

/// Attributes, /scene, /meshes, /bodies, /joints, and an empty /summary. The status is `running`.
void write_facts(hid_t file, const model::Model& model);

/// Replaces the status and the summary, in place.
void write_outcome(hid_t file, RunStatus status, const std::string& summary_json);

}  // namespace abut::record
