#pragma once
// Where contacts with friction take turns without end.
//
// Bodies that come to rest against each other may pass through hundreds of changes between sticking
// and slipping within microseconds, at speeds that nobody could measure; and where forces are not
// unique, rounding may decide on the next change for ever. Bodies that meet too often within a
// short time let a moment pass: what their contacts do in it is decided once for all of them
// (moment.h), and not asked again before it is over. Times of several lengths are counted: contacts
// may also take turns a few at a time and for ever.

#include <array>
#include <vector>

#include "abut/types.h"

namespace abut::loop {

class Stalls {
 public:
  explicit Stalls(std::size_t bodies) : counts_(bodies) {}

  /// Notes a meeting. Returns how long a moment is to pass, s; 0: none.
  double note_meeting(const std::vector<BodyIndex>& bodies, double t);

 private:
  struct Count {
    double begin = -1;
    int meetings = 0;
  };

  static constexpr int lengths = 3;  // of the times that meetings are counted in

  std::vector<std::array<Count, lengths>> counts_;  // by body
};

}  // namespace abut::loop
