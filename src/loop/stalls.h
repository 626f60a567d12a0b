#pragma once
// Where contacts with friction take turns without end.
//
// Bodies that come to rest against each other may pass through hundreds of changes between sticking
// and slipping within microseconds, at speeds that nobody could measure; and where forces are not
// unique, rounding may decide on the next change for ever. Bodies that meet too often within a
// moment are given less and less choice: slip up to a speed that grows with the number of meetings
// is taken out, at most up to the speed under which impacts are inelastic. Moments of several
// lengths are counted: contacts may also take turns about as fast as slip that begins from rest is
// told from none, a few at a time and for ever.

#include <array>
#include <vector>

#include "abut/types.h"

namespace abut::loop {

class Stalls {
 public:
  Stalls(std::size_t bodies, double rest_speed) : moments_(bodies), rest_speed_(rest_speed) {}

  /// Notes a meeting. Returns the slip that is to be taken out, m/s; 0: none but what always is.
  double note_meeting(const std::vector<BodyIndex>& bodies, double t);
  /// The slack of contacts (contact::Contact::slack) that goes with it: friction that is marginal
  /// may exceed its cone by up to a hundredth.
  static double slack_at(double creep_speed);

 private:
  struct Moment {
    double begin = -1;
    int meetings = 0;
  };

  static constexpr int lengths = 3;  // of moments

  std::vector<std::array<Moment, lengths>> moments_;  // by body
  double rest_speed_;
};

}  // namespace abut::loop
