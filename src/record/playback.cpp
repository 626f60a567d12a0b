#include "record/playback.h"

#include "abut/diagnostics.h"
#include "record/filled_frames.h"
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
  playback.header = playback_header(run, model, plan, meshes).text();
  playback.thinning = plan.thinning;
  playback.chunks.push_back(shapes_chunk(meshes.meshes()));
  SeriesChunk series(model);
  for_each_selected(run, plan.series_frames,
                    [&](std::size_t, const Frame& frame) { series.append(frame); });
  playback.chunks.push_back(series.bytes());
  EventChunk events(origin);
  for (const Event& event : run.events(0, plan.events)) events.append(event);
  playback.chunks.push_back(events.bytes());
  for (std::string& chunk : frame_chunks(run, plan, origin))
    playback.chunks.push_back(std::move(chunk));
  return playback;
}

}  // namespace abut::record
