#include "record/playback.h"

#include "abut/diagnostics.h"
#include "record/playback_frames.h"
#include "record/playback_header.h"

namespace abut::record {

Playback make_playback(const RunReader& run, const model::Model& model) {
  if (run.facts().bodies.size() != model.bodies.size())
    throw InputError(Location{}, "the run has other bodies than its scene");
  const PlaybackPlan plan = plan_playback(run, model);
  const Vec3 origin = playback_origin(model);
  MeshLibrary meshes;
  Playback playback;
  // Names come from scene files, which may hold bytes that are not UTF-8.
  playback.header = playback_header(run, model, plan, meshes)
                        .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  playback.thinning = plan.thinning;
  playback.chunks.push_back(shapes_chunk(meshes.meshes()));
  playback.chunks.push_back(series_chunk(run, plan));
  playback.chunks.push_back(events_chunk(run, plan, origin));
  for (std::string& chunk : frame_chunks(run, plan, origin))
    playback.chunks.push_back(std::move(chunk));
  return playback;
}

}  // namespace abut::record
