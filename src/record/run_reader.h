#pragma once
// Reads run.h5 back, also one whose writer was killed.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"
#include "record/frame.h"

namespace abut::record {

enum class RecordedMotion : std::uint8_t { dynamic, fixed, scripted };

struct RecordedBody {
  std::string name;
  RecordedMotion motion = RecordedMotion::dynamic;
  double mass = 0;                     ///< kg; 0 where the motion is prescribed
  double volume = 0;                   ///< m^3
  Vec3 centre_of_mass = Vec3::Zero();  ///< in the body frame
  Mat3 inertia = Mat3::Zero();         ///< about the centre of mass, body axes
  int columns = 0;                     ///< of a body that bends
  int nodes_across = 0;                ///< of a sheet: along x
};

/// By body.
inline std::vector<bool> are_dynamic(const std::vector<RecordedBody>& bodies) {
  std::vector<bool> dynamic;
  dynamic.reserve(bodies.size());
  for (const RecordedBody& body : bodies) dynamic.push_back(body.motion == RecordedMotion::dynamic);
  return dynamic;
}

struct RunFacts {
  std::string abut_version;
  RunStatus status = RunStatus::running;  ///< `running`: the writer was killed, or still works
  std::string scene_name;
  std::string scene_text;
  std::string scene_hash;
  std::vector<model::MeshFile> mesh_files;  ///< that the scene names
  std::vector<std::string> mesh_hashes;     ///< their fingerprints
  std::vector<RecordedBody> bodies;
  std::vector<std::string> joints;  ///< their names
};

/// What can be told of a frame without reading its states.
struct FrameStamp {
  double time = 0;
  FrameKind kind = FrameKind::sample;
  std::size_t states = 0;    ///< how many bodies it tells of
  std::size_t contacts = 0;  ///< how many
};

/// A frame as it lies in the file.
struct StoredFrame {
  Frame frame;                    ///< without the states of bodies
  std::vector<BodyIndex> told;    ///< the bodies it tells of, ascending
  std::vector<BodyState> states;  ///< of these
};

/// All functions throw InputError, with the file's name, where the file is not a readable run.
class RunReader {
 public:
  explicit RunReader(const std::filesystem::path& path);
  ~RunReader();
  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;

  const RunFacts& facts() const { return facts_; }

  /// Frames of which every quantity is there.
  std::size_t frame_count() const { return frame_count_; }
  /// One for each frame.
  std::vector<FrameStamp> stamps() const;
  /// `count` frames from `first` on. Precondition: they exist. To go through many of them, see
  /// record/frame_stream.h.
  std::vector<StoredFrame> stored(std::size_t first, std::size_t count) const;
  /// The same with all states in each of them: those of bodies that a frame does not tell of are
  /// as they were told last.
  std::vector<Frame> frames(std::size_t first, std::size_t count) const;
  Frame frame(std::size_t index) const;
  /// How many frames to ask for at a time when reading all: a bounded amount.
  std::size_t frames_per_block() const;
  /// The last frame up to `index` that tells of all bodies; 0 where there is none.
  std::size_t last_whole_frame(std::size_t index) const;

  std::size_t event_count() const { return event_count_; }
  std::vector<Event> events(std::size_t first, std::size_t count) const;

  /// Empty where the run did not come to its end.
  std::optional<Summary> summary() const;

 private:
  class Implementation;
  std::filesystem::path path_;
  std::unique_ptr<Implementation> implementation_;
  RunFacts facts_;
  std::size_t frame_count_ = 0;
  std::size_t event_count_ = 0;
};

}  // namespace abut::record
