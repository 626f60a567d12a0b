#include "record/playback_frames.h"

#include <algorithm>
#include <cmath>

#include "record/playback_chunk.h"
#include "record/selected_frames.h"

namespace abut::record {
namespace {

/// Size of a chunk before packing, bytes: small enough that a player shows something soon.
constexpr std::size_t chunk_bytes = std::size_t{2} * 1024 * 1024;
constexpr std::size_t pose_bytes = 52;
constexpr std::size_t contact_bytes = 57;

/// Compact orientations are in units of this.
constexpr double orientation_step = 1.0 / 32767;

/// Numbers of one quantity, exact to single precision or rounded to whole multiples of a step.
class Quantity {
 public:
  /// `step` 0: not rounded.
  Quantity(const char* name, std::size_t components, double step)
      : name_(name), components_(components), step_(step) {}

  void append(double value) {
    if (step_ > 0) {
      rounded_.push_back(static_cast<std::int32_t>(
          std::clamp(std::round(value / step_), -2147483647.0, 2147483647.0)));
    } else {
      exact_.push_back(static_cast<float>(value));
    }
  }
  void append(const Vec3& v) {
    for (const double x : {v.x(), v.y(), v.z()}) append(x);
  }
  void append(const Quat& q) {
    for (const double x : {q.w(), q.x(), q.y(), q.z()}) append(x);
  }

  void write(ChunkWriter& chunk, std::size_t frames, std::size_t columns) const {
    const std::vector<std::size_t> extents{frames, columns, components_};
    if (step_ > 0) {
      chunk.add(name_, rounded_, extents, Packing::differences, step_);
    } else {
      chunk.add(name_, exact_, extents, Packing::differences);
    }
  }

 private:
  const char* name_;
  std::size_t components_;
  double step_;
  std::vector<float> exact_;
  std::vector<std::int32_t> rounded_;
};

/// The rows of all contacts of a chunk.
struct ContactColumns {
  std::vector<std::int32_t> body_a, body_b;
  std::vector<float> point, normal, gap, normal_force, friction_force;
  std::vector<std::uint8_t> mode;

  static void append(std::vector<float>& out, const Vec3& v) {
    for (const double x : {v.x(), v.y(), v.z()}) out.push_back(static_cast<float>(x));
  }

  void append(const ContactState& contact, const Vec3& origin) {
    body_a.push_back(contact.body_a);
    body_b.push_back(contact.body_b);
    append(point, contact.point - origin);
    append(normal, contact.normal);
    gap.push_back(static_cast<float>(contact.gap));
    normal_force.push_back(static_cast<float>(contact.normal_force));
    append(friction_force, contact.friction_force);
    mode.push_back(static_cast<std::uint8_t>(contact.mode));
  }

  void write(ChunkWriter& chunk) const {
    const std::size_t n = mode.size();
    chunk.add("contact.body_a", body_a, {n}, Packing::differences);
    chunk.add("contact.body_b", body_b, {n}, Packing::differences);
    chunk.add("contact.point", point, {n, 3}, Packing::differences);
    chunk.add("contact.normal", normal, {n, 3}, Packing::differences);
    chunk.add("contact.gap", gap, {n}, Packing::differences);
    chunk.add("contact.normal_force", normal_force, {n}, Packing::differences);
    chunk.add("contact.friction_force", friction_force, {n, 3}, Packing::differences);
    chunk.add("contact.mode", mode, {n});
  }
};

/// The joints' rows, likewise.
struct JointColumns {
  std::vector<std::int32_t> joint;
  std::vector<std::uint8_t> impulse;
  std::vector<float> force, torque, gap;

  void append(const JointState& state) {
    joint.push_back(state.joint);
    impulse.push_back(state.is_impulse ? 1 : 0);
    ContactColumns::append(force, state.force);
    ContactColumns::append(torque, state.torque);
    gap.push_back(static_cast<float>(state.gap));
  }

  void write(ChunkWriter& chunk) const {
    const std::size_t n = joint.size();
    chunk.add("joint.index", joint, {n}, Packing::differences);
    chunk.add("joint.impulse", impulse, {n});
    chunk.add("joint.force", force, {n, 3}, Packing::differences);
    chunk.add("joint.torque", torque, {n, 3}, Packing::differences);
    chunk.add("joint.gap", gap, {n}, Packing::differences);
  }
};

/// Collects frames until a chunk is full.
class FrameChunk {
 public:
  FrameChunk(const PlaybackPlan& plan, const Vec3& origin)
      : plan_(&plan),
        origin_(origin),
        position_("position", 3, plan.compact ? plan.position_step : 0),
        orientation_("orientation", 4, plan.compact ? orientation_step : 0),
        velocity_("velocity", 3, plan.compact ? plan.velocity_step : 0),
        angular_velocity_("angular_velocity", 3, 0) {}

  bool empty() const { return time_.empty(); }
  bool full() const {
    return time_.size() * plan_->moving.size() * pose_bytes +
               contacts_.mode.size() * contact_bytes >=
           chunk_bytes;
  }

  void append(const Frame& frame, bool with_contacts) {
    time_.push_back(frame.time);
    kind_.push_back(static_cast<std::uint8_t>(frame.kind));
    for (const std::size_t body : plan_->moving) {
      const BodyState& state = frame.bodies[body];
      position_.append(Vec3(state.position - origin_));
      orientation_.append(state.orientation);
      velocity_.append(state.velocity);
      if (!plan_->compact) angular_velocity_.append(state.angular_velocity);
    }
    has_contacts_.push_back(with_contacts ? 1 : 0);
    if (with_contacts) {
      for (const ContactState& contact : frame.contacts) contacts_.append(contact, origin_);
      for (const JointState& joint : frame.joints) joints_.append(joint);
    }
    contacts_end_.push_back(static_cast<std::uint32_t>(contacts_.mode.size()));
    joints_end_.push_back(static_cast<std::uint32_t>(joints_.joint.size()));
  }

  std::string bytes() const {
    const std::size_t n = time_.size();
    ChunkWriter chunk("frames");
    chunk.add("time", time_, {n});
    chunk.add("kind", kind_, {n});
    position_.write(chunk, n, plan_->moving.size());
    orientation_.write(chunk, n, plan_->moving.size());
    velocity_.write(chunk, n, plan_->moving.size());
    if (!plan_->compact) angular_velocity_.write(chunk, n, plan_->moving.size());
    chunk.add("has_contacts", has_contacts_, {n});
    chunk.add("contacts_end", contacts_end_, {n}, Packing::differences);
    contacts_.write(chunk);
    chunk.add("joints_end", joints_end_, {n}, Packing::differences);
    joints_.write(chunk);
    return chunk.bytes();
  }

 private:
  const PlaybackPlan* plan_;
  Vec3 origin_;
  std::vector<double> time_;
  std::vector<std::uint8_t> kind_, has_contacts_;
  Quantity position_, orientation_, velocity_, angular_velocity_;
  std::vector<std::uint32_t> contacts_end_, joints_end_;
  ContactColumns contacts_;
  JointColumns joints_;
};

}  // namespace

std::vector<std::string> frame_chunks(const RunReader& run, const PlaybackPlan& plan,
                                      const Vec3& origin) {
  std::vector<std::string> chunks;
  FrameChunk chunk(plan, origin);
  for_each_selected(run, plan.frames, [&](std::size_t place, const Frame& frame) {
    chunk.append(frame, plan.with_contacts[place]);
    if (!chunk.full()) return;
    chunks.push_back(chunk.bytes());
    chunk = FrameChunk(plan, origin);
  });
  if (!chunk.empty()) chunks.push_back(chunk.bytes());
  return chunks;
}

}  // namespace abut::record
