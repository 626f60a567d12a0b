#include "record/playback_frames.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "record/filled_frames.h"
#include "record/playback_chunk.h"

namespace abut::record {
namespace {

/// Size of a chunk before packing, bytes: small enough that a player shows something soon.
constexpr std::size_t chunk_bytes = std::size_t{2} * 1024 * 1024;
constexpr std::size_t pose_bytes = 52;
constexpr std::size_t contact_bytes = 94;
constexpr std::size_t vertex_bytes = 12;

std::size_t vertices_of(const PlaybackPlan& plan) {
  std::size_t vertices = 0;
  for (const BendingSurface& surface : plan.bending)
    vertices += static_cast<std::size_t>(surface.bending->boundary.vertex_count());
  return vertices;
}

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
  std::vector<double> point;
  std::vector<float> normal, gap, normal_force, friction_force;
  std::vector<std::uint8_t> mode, unique;
  std::vector<std::int32_t> feature_a, feature_b;  // part, kind, index

  static void append(std::vector<std::int32_t>& out, const ContactFeature& feature) {
    for (const int number : {feature.part, static_cast<int>(feature.kind), feature.index})
      out.push_back(number);
  }

  static void append(std::vector<float>& out, const Vec3& v) {
    for (const double x : {v.x(), v.y(), v.z()}) out.push_back(static_cast<float>(x));
  }

  void append(const ContactState& contact, const Vec3& origin) {
    body_a.push_back(contact.body_a);
    body_b.push_back(contact.body_b);
    const Vec3 place = contact.point - origin;
    point.insert(point.end(), place.data(), place.data() + 3);
    append(normal, contact.normal);
    gap.push_back(static_cast<float>(contact.gap));
    normal_force.push_back(static_cast<float>(contact.normal_force));
    append(friction_force, contact.friction_force);
    mode.push_back(static_cast<std::uint8_t>(contact.mode));
    append(feature_a, contact.feature_a);
    append(feature_b, contact.feature_b);
    unique.push_back(contact.unique ? 1 : 0);
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
    chunk.add("contact.feature_a", feature_a, {n, 3}, Packing::differences);
    chunk.add("contact.feature_b", feature_b, {n, 3}, Packing::differences);
    chunk.add("contact.unique", unique, {n});
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

}  // namespace

struct FrameChunk::Columns {
  explicit Columns(const PlaybackPlan& plan)
      : position("position", 3, plan.compact ? plan.position_step : 0),
        orientation("orientation", 4, plan.compact ? orientation_step : 0),
        velocity("velocity", 3, plan.compact ? plan.velocity_step : 0),
        surface("surface", 3, plan.compact ? plan.position_step : 0),
        angular_velocity("angular_velocity", 3, 0) {}

  std::vector<double> time;
  std::vector<std::uint8_t> kind, has_contacts;
  Quantity position, orientation, velocity, surface, angular_velocity;
  std::vector<Vec3> places;  // of the vertices of one body
  std::vector<std::uint32_t> contacts_end, joints_end;
  ContactColumns contacts;
  JointColumns joints;
};

FrameChunk::FrameChunk(const PlaybackPlan& plan, const Vec3& origin)
    : plan_(plan), origin_(origin), columns_(std::make_unique<Columns>(plan)) {}
FrameChunk::~FrameChunk() = default;

bool FrameChunk::is_empty() const {
  return columns_->time.empty();
}

bool FrameChunk::is_full() const {
  return columns_->time.size() *
                 (plan_.moving.size() * pose_bytes + vertices_of(plan_) * vertex_bytes) +
             columns_->contacts.mode.size() * contact_bytes >=
         chunk_bytes;
}

void FrameChunk::append(const Frame& frame, bool with_contacts) {
  Columns& to = *columns_;
  to.time.push_back(frame.time);
  to.kind.push_back(static_cast<std::uint8_t>(frame.kind));
  for (const std::size_t body : plan_.moving) {
    base::stop_if_wished();
    const BodyState& state = frame.bodies[body];
    to.position.append(Vec3(state.position - origin_));
    to.orientation.append(state.orientation);
    to.velocity.append(state.velocity);
    if (!plan_.compact) to.angular_velocity.append(state.angular_velocity);
  }
  for (const BendingSurface& surface : plan_.bending) {
    surface.bending->boundary.places(frame.bending[surface.body].columns, to.places);
    for (const Vec3& place : to.places) to.surface.append(Vec3(place - origin_));
  }
  to.has_contacts.push_back(with_contacts ? 1 : 0);
  if (with_contacts) {
    for (const ContactState& contact : frame.contacts) to.contacts.append(contact, origin_);
    for (const JointState& joint : frame.joints) to.joints.append(joint);
  }
  to.contacts_end.push_back(static_cast<std::uint32_t>(to.contacts.mode.size()));
  to.joints_end.push_back(static_cast<std::uint32_t>(to.joints.joint.size()));
}

std::string FrameChunk::bytes() const {
  const Columns& of = *columns_;
  const std::size_t n = of.time.size();
  ChunkWriter chunk("frames");
  chunk.add("time", of.time, {n});
  chunk.add("kind", of.kind, {n});
  of.position.write(chunk, n, plan_.moving.size());
  of.orientation.write(chunk, n, plan_.moving.size());
  of.velocity.write(chunk, n, plan_.moving.size());
  if (!plan_.compact) of.angular_velocity.write(chunk, n, plan_.moving.size());
  if (!plan_.bending.empty()) of.surface.write(chunk, n, vertices_of(plan_));
  chunk.add("has_contacts", of.has_contacts, {n});
  chunk.add("contacts_end", of.contacts_end, {n}, Packing::differences);
  of.contacts.write(chunk);
  chunk.add("joints_end", of.joints_end, {n}, Packing::differences);
  of.joints.write(chunk);
  return chunk.bytes();
}

std::vector<std::string> frame_chunks(const RunReader& run, const PlaybackPlan& plan,
                                      const Vec3& origin) {
  std::vector<std::string> chunks;
  auto chunk = std::make_unique<FrameChunk>(plan, origin);
  for_each_selected(run, plan.frames, [&](std::size_t place, const Frame& frame) {
    chunk->append(frame, plan.with_contacts[place]);
    if (!chunk->is_full()) return;
    chunks.push_back(chunk->bytes());
    chunk = std::make_unique<FrameChunk>(plan, origin);
  });
  if (!chunk->is_empty()) chunks.push_back(chunk->bytes());
  return chunks;
}

}  // namespace abut::record
