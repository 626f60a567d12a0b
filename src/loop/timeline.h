#pragma once
// The instants a run must stop at: the recording grid, the end, and what is scheduled beforehand.
//
// Whoever looks ahead for events does so from window to window. What is found is rounded, and that
// depends on where a search begins and ends: so windows are those of the scene, and the recording
// grid does not change the motion.

#include <vector>

#include "integrate/forces.h"
#include "model/model.h"

namespace abut::loop {

/// Something that will happen at a known time.
struct Scheduled {
  double time = 0;
  EventKind kind = EventKind::impulse;
  BodyIndex body = world;
  int index = 0;  ///< of the impulse among the forces, or of the switch in the script
};

struct Stop {
  double time = 0;
  std::vector<Scheduled> events;  ///< ordered by kind, then body, then index
};

class Timeline {
 public:
  Timeline(const model::Model& model, const integrate::Scripts& scripts);

  /// Where the next window ends, or nothing after the end: at a multiple of its length, or earlier
  /// where something is scheduled.
  bool next_window(Stop& stop);

  /// The next instant on the grid, or the end; infinite after it.
  double next_sample() const;
  void pass_sample() { ++next_sample_; }

  /// When something scheduled comes that has not been told yet; the end without any.
  double next_scheduled() const {
    return next_scheduled_ < scheduled_.size() ? scheduled_[next_scheduled_].time : duration_;
  }

  /// Times at which something not smooth acts on the given island, ascending.
  static std::vector<double> switches_of(const integrate::Island& island, const model::Model& model,
                                         const integrate::Scripts& scripts);

 private:
  double sample_time(long k) const;
  void take_scheduled(Stop& stop);

  double duration_;
  double rate_;
  double window_;        // length, s
  double reached_ = -1;  // the end of the last window, s
  long next_sample_ = 0;
  std::vector<Scheduled> scheduled_;
  std::size_t next_scheduled_ = 0;
};

}  // namespace abut::loop
