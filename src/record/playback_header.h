#pragma once
// The header of a playback: what does not change while a run goes on. Included by .cpp files only.

#include "record/display_mesh.h"
#include "record/json.h"
#include "record/playback_plan.h"

namespace abut::record {

/// Positions in the chunks are relative to this point, so that single precision loses nothing
/// where a scene lies far from the world's origin.
Vec3 playback_origin(const model::Model& model);

struct PlaybackHeader {
  Json facts;          ///< all but the bodies
  JsonEntries bodies;  ///< of which there may be many

  std::string text() const;
};

/// Bodies, joints, springs, materials and settings.
PlaybackHeader scene_header(const model::Model& model, const std::vector<std::size_t>& moving,
                            MeshLibrary& meshes);

/// That, and how the run went.
PlaybackHeader playback_header(const RunReader& run, const model::Model& model,
                               const PlaybackPlan& plan, MeshLibrary& meshes);

}  // namespace abut::record
