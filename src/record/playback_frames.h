#pragma once
// The chunks of a playback: shapes, series for plots, events, frames. Included by .cpp files only.

#include <string>
#include <vector>

#include "record/display_mesh.h"
#include "record/playback_plan.h"

namespace abut::record {

std::string shapes_chunk(const std::vector<DisplayMesh>& meshes);
std::string series_chunk(const RunReader& run, const PlaybackPlan& plan);
std::string events_chunk(const RunReader& run, const PlaybackPlan& plan, const Vec3& origin);
std::vector<std::string> frame_chunks(const RunReader& run, const PlaybackPlan& plan,
                                      const Vec3& origin);

}  // namespace abut::record
