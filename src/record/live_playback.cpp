#include "record/live_playback.h"

#include "base/hash.h"
#include "record/playback_frames.h"
#include "record/playback_header.h"
#include "record/version.h"

namespace abut::record {

struct LivePlayback::Pending {
  Pending(const model::Model& model, const PlaybackPlan& plan)
      : series(model), events(playback_origin(model)), frames(plan, playback_origin(model)) {}

  SeriesChunk series;
  EventChunk events;
  FrameChunk frames;
  bool has_events = false;
};

LivePlayback::LivePlayback(const model::Model& model) : model_(model) {
  plan_.moving = moving_bodies(model);
  plan_.bending = bending_surfaces(model);
  pending_ = std::make_unique<Pending>(model_, plan_);
}
LivePlayback::~LivePlayback() = default;

Playback LivePlayback::beginning() const {
  MeshLibrary meshes;
  PlaybackHeader header = scene_header(model_, plan_.moving, meshes);
  Json& facts = header.facts;
  base::Hash hash;
  hash.add(std::string_view(model_.source));
  facts["program"] = program_version();
  facts["status"] = "live";
  facts["scene"] = {{"name", model_.name}, {"text", model_.source}, {"hash", hash.hex()}};
  facts["summary"] = nullptr;
  facts["recorded"] = {{"frames", 0}, {"events", 0}};
  facts["event_frames"] = true;
  facts["thinning"] = Json::array();
  Playback playback;
  playback.header = header.text();
  playback.chunks.push_back(shapes_chunk(meshes.meshes()));
  return playback;
}

void LivePlayback::add(const Frame& frame) {
  pending_->series.append(frame);
  pending_->frames.append(frame, true);
}

void LivePlayback::add(const Event& event) {
  pending_->events.append(event);
  pending_->has_events = true;
}

std::vector<std::string> LivePlayback::take() {
  std::vector<std::string> chunks;
  if (pending_->has_events) chunks.push_back(pending_->events.bytes());
  if (!pending_->frames.is_empty()) {
    chunks.push_back(pending_->series.bytes());
    chunks.push_back(pending_->frames.bytes());
  }
  if (!chunks.empty()) pending_ = std::make_unique<Pending>(model_, plan_);
  return chunks;
}

}  // namespace abut::record
