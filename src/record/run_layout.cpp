#include "record/run_layout.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace abut::record::layout {
namespace {

template <Vec3 BodyState::*Member>
void get_vector(const BodyState& state, double* out) {
  const Vec3& v = state.*Member;
  std::copy(v.data(), v.data() + 3, out);
}

template <Vec3 BodyState::*Member>
void set_vector(BodyState& state, const double* in) {
  state.*Member = Vec3(in[0], in[1], in[2]);
}

void get_orientation(const BodyState& state, double* out) {
  const Quat& q = state.orientation;
  out[0] = q.w(), out[1] = q.x(), out[2] = q.y(), out[3] = q.z();
}

void set_orientation(BodyState& state, const double* in) {
  state.orientation = Quat(in[0], in[1], in[2], in[3]);
}

template <Vec3 BodyState::*Member>
constexpr StateField vector_field(const char* name) {
  return {name, 3, get_vector<Member>, set_vector<Member>};
}

constexpr std::array<StateField, 7> fields{{
    vector_field<&BodyState::position>("position"),
    {"orientation", 4, get_orientation, set_orientation},
    vector_field<&BodyState::velocity>("velocity"),
    vector_field<&BodyState::angular_velocity>("angular_velocity"),
    vector_field<&BodyState::centre_of_mass>("centre_of_mass"),
    vector_field<&BodyState::acceleration>("acceleration"),
    vector_field<&BodyState::angular_acceleration>("angular_acceleration"),
}};

/// Values count from 0 in the order of the names.
hdf5::Handle enumeration(std::initializer_list<std::string_view> names) {
  auto type = hdf5::owned(H5Tenum_create(H5T_STD_U8LE), "making an enumeration");
  std::uint8_t value = 0;
  for (const auto name : names) {
    hdf5::check(H5Tenum_insert(type, std::string(name).c_str(), &value), "making an enumeration");
    ++value;
  }
  return type;
}

}  // namespace

std::span<const StateField> state_fields() {
  return fields;
}

hdf5::Handle frame_kind_type() {
  return enumeration({"sample", "before", "after"});
}

hdf5::Handle motion_type() {
  return enumeration({"dynamic", "fixed", "scripted"});
}

hdf5::Handle event_kind_type() {
  static_assert(static_cast<int>(EventKind::script) == 11, "the list below names every kind");
  using enum EventKind;
  return enumeration({to_string(touch), to_string(impact), to_string(separate), to_string(slip),
                      to_string(stick), to_string(reverse), to_string(support), to_string(rest),
                      to_string(EventKind::impulse), to_string(limit), to_string(break_joint),
                      to_string(script)});
}

ChunkShape chunk_shape(std::size_t bodies, std::size_t bytes_per_body) {
  // Large enough that the cost per chunk vanishes, small enough that the last, partly filled
  // chunks of a short run do not dominate its size.
  constexpr std::size_t target_bytes = std::size_t{128} * 1024;
  constexpr std::size_t most_frames = 256;
  constexpr std::size_t most_bodies = 8192;
  const std::size_t across = std::clamp<std::size_t>(bodies, 1, most_bodies);
  const std::size_t along = target_bytes / (across * bytes_per_body);
  return {std::clamp<std::size_t>(along, 1, most_frames), across};
}

}  // namespace abut::record::layout
