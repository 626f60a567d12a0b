#pragma once
// Which pairs of bodies touch, as frames told last: frames of events tell of few bodies.

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "record/run_reader.h"

namespace abut::verify {

using BodyPair = std::pair<BodyIndex, BodyIndex>;  ///< the smaller index first

class PresentContacts {
 public:
  explicit PresentContacts(const std::vector<record::RecordedBody>& bodies) : bodies_(bodies) {}

  void take(const record::Frame& frame) {
    std::erase_if(pairs_, [&](const BodyPair& pair) { return is_told(pair, frame); });
    for (const ContactState& contact : frame.contacts)
      pairs_.push_back(std::minmax(contact.body_a, contact.body_b));
  }

  /// Points of contact.
  std::size_t count() const { return pairs_.size(); }
  /// Of the bodies that a frame tells of.
  std::set<BodyPair> pairs_told_of(const record::Frame& frame) const {
    std::set<BodyPair> pairs;
    for (const BodyPair& pair : pairs_)
      if (is_told(pair, frame)) pairs.insert(pair);
    return pairs;
  }

 private:
  // Contacts are told with their dynamic bodies.
  bool is_told(const BodyPair& pair, const record::Frame& frame) const {
    return frame.is_whole() || is_told(pair.first, frame) || is_told(pair.second, frame);
  }
  bool is_told(BodyIndex body, const record::Frame& frame) const {
    return body >= 0 && static_cast<std::size_t>(body) < bodies_.size() && frame.tells_of(body) &&
           bodies_[static_cast<std::size_t>(body)].motion == record::RecordedMotion::dynamic;
  }

  const std::vector<record::RecordedBody>& bodies_;
  std::vector<BodyPair> pairs_;  // one for each point
};

}  // namespace abut::verify
