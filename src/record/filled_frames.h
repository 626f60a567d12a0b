#pragma once
// Frames for eyes: what a frame does not tell is put in between the frames that do. Included by
// .cpp files only.
//
// Of a body that a frame does not tell of, the centre of mass lies on the cubic that has its
// velocities in the frames before and after that do, and the body turns evenly between them; as
// nothing happens to it in between, that is true to well below a pixel. Its contacts and joints are
// those of the frame before, carried along.

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>

#include "record/run_reader.h"

namespace abut::record {

class FilledFrames {
 public:
  /// The run must outlive this.
  explicit FilledFrames(const RunReader& run);

  /// Whole, until the next call. Indices must ascend from call to call.
  const Frame& at(std::size_t index);

 private:
  /// A contact that was told in an earlier frame, and where the centre of a body of it was then.
  struct Carried {
    ContactState contact;
    BodyIndex by = world;
    Vec3 centre = Vec3::Zero();
  };

  bool is_whole(std::size_t index) const { return stamps_[index].states == frame_.bodies.size(); }
  const StoredFrame& stored(std::size_t index) const { return buffer_[index - buffer_first_]; }
  void enter_window(std::size_t index);
  void load(std::size_t first, std::size_t last);
  void list_tellers();
  bool tells_of(const StoredFrame& frame, const ContactState& contact) const;
  void follow_constraints(std::size_t index);
  void fill_states(std::size_t index);
  void fill_constraints();
  const BodyState* state_in(std::size_t index, std::size_t body) const;
  BodyState between(std::size_t body, std::size_t before, std::size_t after, double time) const;

  const RunReader& run_;
  std::vector<FrameStamp> stamps_;
  std::deque<StoredFrame> buffer_;
  std::size_t buffer_first_ = 0;  // frame of the run
  std::size_t read_ = 0;          // frames, up to the end of the buffer
  // The frames from a whole one to the next:
  std::size_t first_ = 0, last_ = 0;
  bool has_window_ = false;
  std::unordered_map<std::size_t, std::vector<std::size_t>> tellers_;  // by body: within, ascending
  // Contacts and joints of all bodies at a frame of the window:
  std::size_t constraints_at_ = 0;
  std::vector<Carried> contacts_;
  std::vector<JointState> joints_;
  Frame frame_;
};

/// Calls `visit(place, frame)` for each of the frames `selected` (ascending indices), `place`
/// counting through `selected`.
template <class Visit>
void for_each_selected(const RunReader& run, const std::vector<std::size_t>& selected,
                       Visit visit) {
  FilledFrames frames(run);
  for (std::size_t place = 0; place < selected.size(); ++place)
    visit(place, frames.at(selected[place]));
}

}  // namespace abut::record
