#pragma once
// The header of a playback: what does not change while a run goes on. Included by .cpp files only.

#include <nlohmann/json.hpp>

#include "record/display_mesh.h"
#include "record/playback_plan.h"

namespace abut::record {

/// Positions in the chunks are relative to this point, so that single precision loses nothing
/// where a scene lies far from the world's origin.
Vec3 playback_origin(const model::Model& model);

nlohmann::ordered_json playback_header(const RunReader& run, const model::Model& model,
                                       const PlaybackPlan& plan, MeshLibrary& meshes);

}  // namespace abut::record
