#pragma once
// The chunks of a playback: shapes, series for plots, events, frames. They are filled row by row,
// by a run that is read or by one that goes on. Included by .cpp files only.

#include <memory>
#include <string>
#include <vector>

#include "record/display_mesh.h"
#include "record/playback_plan.h"

namespace abut::record {

std::string shapes_chunk(const std::vector<DisplayMesh>& meshes);

/// Energies, momenta and the like, one row per frame.
class SeriesChunk {
 public:
  explicit SeriesChunk(const model::Model& model);
  ~SeriesChunk();
  void append(const Frame& frame);
  std::string bytes() const;

 private:
  struct Columns;
  const model::Model& model_;
  std::unique_ptr<Columns> columns_;
};

/// Points are told relative to `origin`, as in all chunks.
class EventChunk {
 public:
  explicit EventChunk(const Vec3& origin);
  ~EventChunk();
  void append(const Event& event);
  std::string bytes() const;

 private:
  struct Columns;
  Vec3 origin_;
  std::unique_ptr<Columns> columns_;
};

class FrameChunk {
 public:
  FrameChunk(const PlaybackPlan& plan, const Vec3& origin);
  ~FrameChunk();
  bool is_empty() const;
  /// Large enough that a player should not wait for more.
  bool is_full() const;
  void append(const Frame& frame, bool with_contacts);
  std::string bytes() const;

 private:
  struct Columns;
  const PlaybackPlan& plan_;
  Vec3 origin_;
  std::unique_ptr<Columns> columns_;
};

std::vector<std::string> frame_chunks(const RunReader& run, const PlaybackPlan& plan,
                                      const Vec3& origin);

}  // namespace abut::record
