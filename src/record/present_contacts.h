#pragma once
// Which pairs of bodies touch, as frames told last: frames of events tell of few bodies.

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "record/frame.h"

namespace abut::record {

using BodyPair = std::pair<BodyIndex, BodyIndex>;  ///< the smaller index first

class PresentContacts {
 public:
  /// By body.
  explicit PresentContacts(std::vector<bool> is_dynamic) : is_dynamic_(std::move(is_dynamic)) {}

  void take(const Frame& frame) {
    std::erase_if(pairs_, [&](const BodyPair& pair) { return is_told(pair, frame); });
    for (const ContactState& contact : frame.contacts)
      pairs_.push_back(std::minmax(contact.body_a, contact.body_b));
  }

  /// Points of contact.
  std::size_t count() const { return pairs_.size(); }
  /// Of the bodies that a frame tells of.
  std::set<BodyPair> pairs_told_of(const Frame& frame) const {
    std::set<BodyPair> pairs;
    for (const BodyPair& pair : pairs_)
      if (is_told(pair, frame)) pairs.insert(pair);
    return pairs;
  }

 private:
  // Contacts are told with their dynamic bodies.
  bool is_told(const BodyPair& pair, const Frame& frame) const {
    return frame.is_whole() || is_told(pair.first, frame) || is_told(pair.second, frame);
  }
  bool is_told(BodyIndex body, const Frame& frame) const {
    return body >= 0 && static_cast<std::size_t>(body) < is_dynamic_.size() &&
           is_dynamic_[static_cast<std::size_t>(body)] && frame.tells_of(body);
  }

  std::vector<bool> is_dynamic_;
  std::vector<BodyPair> pairs_;  // one for each point
};

}  // namespace abut::record
