#pragma once
// The instants a run must stop at: the recording grid, the end, and what is scheduled beforehand.

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
  std::vector<Scheduled> events;  ///< empty on the grid; ordered by kind, then body, then index
};

class Timeline {
 public:
  Timeline(const model::Model& model, const integrate::Scripts& scripts);

  /// The next instant, or nothing after the end.
  bool next(Stop& stop);
  /// When something scheduled comes that has not been told yet; the end without any.
  double next_scheduled() const {
    return next_scheduled_ < scheduled_.size() ? scheduled_[next_scheduled_].time : duration_;
  }

  /// Times at which something not smooth acts on the given cluster, ascending.
  static std::vector<double> switches_of(const integrate::Cluster& cluster,
                                         const model::Model& model,
                                         const integrate::Scripts& scripts);

 private:
  double sample_time(long k) const;

  double duration_;
  double rate_;
  long next_sample_ = 0;
  bool ended_ = false;
  std::vector<Scheduled> scheduled_;
  std::size_t next_scheduled_ = 0;
};

}  // namespace abut::loop
