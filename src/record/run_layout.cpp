#include "record/run_layout.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

namespace abut::record::layout {
namespace {

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

hdf5::Handle number_type() {
  return hdf5::owned(H5Tcopy(H5T_IEEE_F64LE), "copying a type");
}

hdf5::Handle index_type() {
  return hdf5::owned(H5Tcopy(H5T_STD_I32LE), "copying a type");
}

/// Where the numbers of a member lie: a vector has them one after the other.
template <class Number>
Number* numbers_of(Number& number) {
  return &number;
}
const double* numbers_of(const Vec3& vector) {
  return vector.data();
}
double* numbers_of(Vec3& vector) {
  return vector.data();
}

template <auto Member, class Row>
void get_member(const Row& row, std::byte* out) {
  std::memcpy(out, numbers_of(row.*Member), sizeof(row.*Member));
}

template <auto Member, class Row>
void set_member(Row& row, const std::byte* in) {
  std::memcpy(numbers_of(row.*Member), in, sizeof(row.*Member));
}

template <auto Member, class Row>
constexpr Column<Row> number_column(const char* name) {
  return {name, number_type, 1, get_member<Member, Row>, set_member<Member, Row>};
}

template <auto Member, class Row>
constexpr Column<Row> vector_column(const char* name) {
  return {name, number_type, 3, get_member<Member, Row>, set_member<Member, Row>};
}

template <auto Member, class Row>
constexpr Column<Row> index_column(const char* name) {
  static_assert(sizeof(std::declval<Row>().*Member) == sizeof(std::int32_t));
  return {name, index_type, 1, get_member<Member, Row>, set_member<Member, Row>};
}

/// (w, x, y, z).
void get_orientation(const StateRow& row, std::byte* out) {
  const Quat& q = row.orientation;
  const std::array<double, 4> numbers{q.w(), q.x(), q.y(), q.z()};
  std::memcpy(out, numbers.data(), sizeof numbers);
}

void set_orientation(StateRow& row, const std::byte* in) {
  std::array<double, 4> numbers{};
  std::memcpy(numbers.data(), in, sizeof numbers);
  row.orientation = Quat(numbers[0], numbers[1], numbers[2], numbers[3]);
}

void get_mode(const ContactState& contact, std::byte* out) {
  *out = static_cast<std::byte>(contact.mode);
}

/// A damaged file may hold a number that names no mode.
void set_mode(ContactState& contact, const std::byte* in) {
  constexpr auto last_mode = static_cast<std::byte>(ContactMode::slide);
  contact.mode = static_cast<ContactMode>(std::min(*in, last_mode));
}

/// Part, kind and index, one after the other.
template <ContactFeature ContactState::*Member>
void get_feature(const ContactState& contact, std::byte* out) {
  const ContactFeature& feature = contact.*Member;
  const std::array<std::int32_t, 3> numbers{feature.part, static_cast<std::int32_t>(feature.kind),
                                            feature.index};
  std::memcpy(out, numbers.data(), sizeof numbers);
}

template <ContactFeature ContactState::*Member>
void set_feature(ContactState& contact, const std::byte* in) {
  std::array<std::int32_t, 3> numbers{};
  std::memcpy(numbers.data(), in, sizeof numbers);
  constexpr auto last_kind = static_cast<std::int32_t>(ContactFeature::Kind::smooth);
  const auto kind = static_cast<ContactFeature::Kind>(std::clamp(numbers[1], 0, last_kind));
  contact.*Member = {numbers[0], kind, numbers[2]};
}

template <ContactFeature ContactState::*Member>
constexpr Column<ContactState> feature_column(const char* name) {
  return {name, index_type, 3, get_feature<Member>, set_feature<Member>};
}

void get_unique(const ContactState& contact, std::byte* out) {
  *out = static_cast<std::byte>(contact.unique);
}

void set_unique(ContactState& contact, const std::byte* in) {
  contact.unique = *in != std::byte{0};
}

void get_event_kind(const EventRow& event, std::byte* out) {
  *out = static_cast<std::byte>(event.kind);
}

void set_event_kind(EventRow& event, const std::byte* in) {
  constexpr auto last_kind = static_cast<std::byte>(EventKind::script);
  event.kind = static_cast<EventKind>(std::min(*in, last_kind));
}

void get_joint_kind(const JointState& joint, std::byte* out) {
  *out = static_cast<std::byte>(joint.is_impulse);
}

void set_joint_kind(JointState& joint, const std::byte* in) {
  joint.is_impulse = *in != std::byte{0};
}

constexpr std::array<Column<StateRow>, 8> state_columns{{
    index_column<&StateRow::body, StateRow>("body"),
    vector_column<&StateRow::position, StateRow>("position"),
    {"orientation", number_type, 4, get_orientation, set_orientation},
    vector_column<&StateRow::velocity, StateRow>("velocity"),
    vector_column<&StateRow::angular_velocity, StateRow>("angular_velocity"),
    vector_column<&StateRow::centre_of_mass, StateRow>("centre_of_mass"),
    vector_column<&StateRow::acceleration, StateRow>("acceleration"),
    vector_column<&StateRow::angular_acceleration, StateRow>("angular_acceleration"),
}};

constexpr std::array<Column<ContactState>, 11> contact_columns{{
    index_column<&ContactState::body_a, ContactState>("body_a"),
    index_column<&ContactState::body_b, ContactState>("body_b"),
    vector_column<&ContactState::point, ContactState>("point"),
    vector_column<&ContactState::normal, ContactState>("normal"),
    number_column<&ContactState::gap, ContactState>("gap"),
    number_column<&ContactState::normal_force, ContactState>("normal_force"),
    vector_column<&ContactState::friction_force, ContactState>("friction_force"),
    {"mode", contact_mode_type, 1, get_mode, set_mode},
    feature_column<&ContactState::feature_a>("feature_a"),
    feature_column<&ContactState::feature_b>("feature_b"),
    {"unique", yes_or_no_type, 1, get_unique, set_unique},
}};

constexpr std::array<Column<JointState>, 5> joint_columns{{
    index_column<&JointState::joint, JointState>("joint"),
    {"kind", joint_kind_type, 1, get_joint_kind, set_joint_kind},
    vector_column<&JointState::force, JointState>("force"),
    vector_column<&JointState::torque, JointState>("torque"),
    number_column<&JointState::gap, JointState>("gap"),
}};

constexpr std::array<Column<EventRow>, 9> event_columns_of_rows{{
    number_column<&EventRow::time, EventRow>("time"),
    {"kind", event_kind_type, 1, get_event_kind, set_event_kind},
    index_column<&EventRow::body_a, EventRow>("body_a"),
    index_column<&EventRow::body_b, EventRow>("body_b"),
    vector_column<&EventRow::point, EventRow>("point"),
    vector_column<&EventRow::normal, EventRow>("normal"),
    number_column<&EventRow::normal_impulse, EventRow>("normal_impulse"),
    vector_column<&EventRow::impulse, EventRow>("impulse"),
    index_column<&EventRow::detail_index, EventRow>("detail"),
}};

}  // namespace

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

hdf5::Handle contact_mode_type() {
  static_assert(static_cast<int>(ContactMode::slide) == 2, "the list below names every mode");
  using enum ContactMode;
  return enumeration({to_string(frictionless), to_string(stick), to_string(slide)});
}

hdf5::Handle yes_or_no_type() {
  return enumeration({"no", "yes"});
}

hdf5::Handle joint_kind_type() {
  return enumeration({"force", "impulse"});
}

std::span<const Column<EventRow>> event_columns() {
  return event_columns_of_rows;
}

RowLayout<StateRow> state_rows() {
  return {"states", "states_end", state_columns};
}

RowLayout<ContactState> contact_rows() {
  return {"contacts", "contacts_end", contact_columns};
}

RowLayout<JointState> joint_rows() {
  return {"joint_states", "joint_states_end", joint_columns};
}

}  // namespace abut::record::layout
