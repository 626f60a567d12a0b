#include "record/filled_frames.h"

#include <algorithm>
#include <utility>

namespace abut::record {
namespace {

bool has_joint(const StoredFrame& frame, JointIndex joint) {
  return std::any_of(frame.frame.joints.begin(), frame.frame.joints.end(),
                     [joint](const JointState& state) { return state.joint == joint; });
}

/// At the fraction s of a time h, with velocities v0 and v1 at its ends.
Vec3 on_cubic(const Vec3& c0, const Vec3& v0, const Vec3& c1, const Vec3& v1, double s, double h) {
  const double s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * c0 + (h * (s3 - 2 * s2 + s)) * v0 + (3 * s2 - 2 * s3) * c1 +
         (h * (s3 - s2)) * v1;
}

}  // namespace

FilledFrames::FilledFrames(const RunReader& run) : run_(run), stamps_(run.stamps()) {
  frame_.bodies.resize(run.facts().bodies.size());
}

const Frame& FilledFrames::at(std::size_t index) {
  if (!has_window_ || index > last_) enter_window(index);
  follow_constraints(index);
  const Frame& told = stored(index).frame;
  frame_.time = told.time;
  frame_.kind = told.kind;
  frame_.energy = told.energy;
  frame_.bending = told.bending;  // frames of bodies that bend are whole
  fill_states(index);
  fill_constraints();
  return frame_;
}

void FilledFrames::enter_window(std::size_t index) {
  has_window_ = true;
  first_ = last_ = index;
  while (first_ > 0 && !is_whole(first_)) --first_;
  while (last_ + 1 < stamps_.size() && !is_whole(last_)) ++last_;
  load(first_, last_);
  list_tellers();
  constraints_at_ = first_;
  contacts_.clear();
  joints_.clear();
}

void FilledFrames::load(std::size_t first, std::size_t last) {
  if (buffer_.empty() || first >= read_) {
    buffer_.clear();
    buffer_first_ = read_ = first;
  }
  for (; buffer_first_ < first; ++buffer_first_) buffer_.pop_front();
  while (read_ <= last) {
    const std::size_t count = std::min(run_.frames_per_block(), stamps_.size() - read_);
    std::vector<StoredFrame> block = run_.stored(read_, count);
    buffer_.insert(buffer_.end(), std::make_move_iterator(block.begin()),
                   std::make_move_iterator(block.end()));
    read_ += count;
  }
}

void FilledFrames::list_tellers() {
  tellers_.clear();
  for (std::size_t i = first_; i <= last_; ++i)
    if (!is_whole(i))
      for (const BodyIndex body : stored(i).told)
        tellers_[static_cast<std::size_t>(body)].push_back(i);
}

/// Contacts are told with their dynamic bodies.
bool FilledFrames::tells_of(const StoredFrame& frame, const ContactState& contact) const {
  const auto& bodies = run_.facts().bodies;
  const auto is_told = [&](BodyIndex body) {
    return std::binary_search(frame.told.begin(), frame.told.end(), body) &&
           bodies[static_cast<std::size_t>(body)].motion == RecordedMotion::dynamic;
  };
  return is_told(contact.body_a) || is_told(contact.body_b);
}

/// Brings contacts and joints of all bodies up to a frame of the window.
void FilledFrames::follow_constraints(std::size_t index) {
  const auto take = [this](const StoredFrame& from) {
    for (const ContactState& contact : from.frame.contacts) {
      Carried carried{contact, world, Vec3::Zero()};
      for (const BodyIndex body : {contact.body_b, contact.body_a}) {
        const auto place = std::lower_bound(from.told.begin(), from.told.end(), body);
        if (place == from.told.end() || *place != body) continue;
        carried.by = body;
        carried.centre = from.states[place - from.told.begin()].centre_of_mass;
      }
      contacts_.push_back(carried);
    }
    joints_.insert(joints_.end(), from.frame.joints.begin(), from.frame.joints.end());
  };
  if (constraints_at_ == first_) {
    contacts_.clear();
    joints_.clear();
    take(stored(first_));
  }
  for (; constraints_at_ < index; ++constraints_at_) {
    const StoredFrame &now = stored(constraints_at_), &next = stored(constraints_at_ + 1);
    std::erase_if(contacts_, [&](const Carried& c) {
      return is_whole(constraints_at_ + 1) || tells_of(next, c.contact);
    });
    // A joint that breaks is told before the event, and not after it.
    const bool at_event = next.frame.kind == FrameKind::after;
    std::erase_if(joints_, [&](const JointState& joint) {
      return is_whole(constraints_at_ + 1) || joint.is_impulse || has_joint(next, joint.joint) ||
             (at_event && has_joint(now, joint.joint));
    });
    take(next);
  }
}

void FilledFrames::fill_states(std::size_t index) {
  const StoredFrame& now = stored(index);
  for (std::size_t i = 0; i < now.told.size(); ++i)
    frame_.bodies[static_cast<std::size_t>(now.told[i])] = now.states[i];
  if (is_whole(index)) return;
  for (std::size_t body = 0; body < frame_.bodies.size(); ++body) {
    if (std::binary_search(now.told.begin(), now.told.end(), static_cast<BodyIndex>(body)))
      continue;
    std::size_t before = first_, after = last_;
    if (const auto entry = tellers_.find(body); entry != tellers_.end()) {
      const auto next = std::upper_bound(entry->second.begin(), entry->second.end(), index);
      if (next != entry->second.end()) after = *next;
      if (next != entry->second.begin()) before = *std::prev(next);
    }
    frame_.bodies[body] = between(body, before, after, now.frame.time);
  }
}

/// Null where the frame does not tell of the body.
const BodyState* FilledFrames::state_in(std::size_t index, std::size_t body) const {
  const StoredFrame& frame = stored(index);
  const auto wanted = static_cast<BodyIndex>(body);
  const auto place = std::lower_bound(frame.told.begin(), frame.told.end(), wanted);
  if (place == frame.told.end() || *place != wanted) return nullptr;
  return &frame.states[place - frame.told.begin()];
}

BodyState FilledFrames::between(std::size_t body, std::size_t before, std::size_t after,
                                double time) const {
  const double begin = stored(before).frame.time, h = stored(after).frame.time - begin;
  // A record that was cut off may end without another frame of the body.
  const BodyState *first = state_in(before, body), *second = state_in(after, body);
  if (first == nullptr) return {};
  if (second == nullptr || !(h > 0)) return *first;
  const BodyState &a = *first, &b = *second;
  const double s = std::clamp((time - begin) / h, 0.0, 1.0);
  const auto even = [s](const Vec3& from, const Vec3& to) -> Vec3 {
    return from + s * (to - from);
  };
  BodyState state;
  state.orientation = a.orientation.slerp(s, b.orientation).normalized();
  state.centre_of_mass = on_cubic(a.centre_of_mass, a.velocity, b.centre_of_mass, b.velocity, s, h);
  state.position =
      state.centre_of_mass - state.orientation * run_.facts().bodies[body].centre_of_mass;
  state.velocity = even(a.velocity, b.velocity);
  state.angular_velocity = even(a.angular_velocity, b.angular_velocity);
  state.acceleration = even(a.acceleration, b.acceleration);
  state.angular_acceleration = even(a.angular_acceleration, b.angular_acceleration);
  return state;
}

void FilledFrames::fill_constraints() {
  frame_.contacts.clear();
  for (const Carried& carried : contacts_) {
    frame_.contacts.push_back(carried.contact);
    if (carried.by == world) continue;
    const Vec3& now = frame_.bodies[static_cast<std::size_t>(carried.by)].centre_of_mass;
    frame_.contacts.back().point += now - carried.centre;
  }
  frame_.joints = joints_;
}

}  // namespace abut::record
