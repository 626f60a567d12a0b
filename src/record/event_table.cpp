#include "record/event_table.h"

#include <cstdint>
#include <string>
#include <utility>

#include "record/run_layout.h"

namespace abut::record {
namespace {

/// Rows kept in memory before they are handed to HDF5.
constexpr std::size_t most_waiting = 4096;

/// Longest detail kept, bytes: a text that fits into a page with its neighbours is replaced in one
/// piece on disk. Details are short remarks; nothing in Abut comes near this.
constexpr std::size_t longest_detail = 1024;

hdf5::Handle copy_of(hid_t type) {
  return hdf5::owned(H5Tcopy(type), "copying a type");
}

/// `text` without what lies beyond the limit, cut between two characters of UTF-8.
std::string shortened(const std::string& text) {
  if (text.size() <= longest_detail) return text;
  std::size_t size = longest_detail;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

template <class Value, class Get>
std::vector<Value> gather(const std::vector<Event>& events, Get get) {
  std::vector<Value> values;
  values.reserve(events.size());
  for (const Event& event : events) values.push_back(get(event));
  return values;
}

std::vector<double> gather_vectors(const std::vector<Event>& events, Vec3 Event::*member) {
  std::vector<double> values;
  values.reserve(3 * events.size());
  for (const Event& event : events) {
    const Vec3& v = event.*member;
    values.insert(values.end(), v.data(), v.data() + 3);
  }
  return values;
}

}  // namespace

EventTable::EventTable(hid_t group) {
  add(group, "time", copy_of(H5T_IEEE_F64LE), 1);
  add(group, "kind", layout::event_kind_type(), 1);
  add(group, "body_a", copy_of(H5T_STD_I32LE), 1);
  add(group, "body_b", copy_of(H5T_STD_I32LE), 1);
  add(group, "point", copy_of(H5T_IEEE_F64LE), 3);
  add(group, "normal", copy_of(H5T_IEEE_F64LE), 3);
  add(group, "normal_impulse", copy_of(H5T_IEEE_F64LE), 1);
  add(group, "impulse", copy_of(H5T_IEEE_F64LE), 3);
  add(group, "detail", hdf5::variable_string_type(), 1);
}

EventTable::Column& EventTable::add(hid_t group, const char* name, hdf5::Handle type,
                                    std::size_t components) {
  const hsize_t extent[] = {0, components};
  const hsize_t most[] = {H5S_UNLIMITED, components};
  const hsize_t chunk[] = {layout::events_per_chunk, components};
  const int rank = components > 1 ? 2 : 1;
  const auto space = hdf5::owned(H5Screate_simple(rank, extent, most), name);
  const auto properties = hdf5::owned(H5Pcreate(H5P_DATASET_CREATE), name);
  hdf5::check(H5Pset_chunk(properties, rank, chunk), name);
  hdf5::check(H5Pset_obj_track_times(properties, false), name);
  auto dataset =
      hdf5::owned(H5Dcreate2(group, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                  std::string("creating dataset events/") + name);
  return columns_.emplace_back(Column{name, std::move(type), std::move(dataset), components});
}

void EventTable::append(const Event& event) {
  waiting_.push_back(event);
  if (waiting_.size() >= most_waiting) flush();
}

void EventTable::flush() {
  if (waiting_.empty()) return;
  using Bytes = std::vector<std::uint8_t>;
  using Indices = std::vector<std::int32_t>;
  const auto& events = waiting_;
  const auto times = gather<double>(events, [](const Event& e) { return e.time; });
  const Bytes kinds = gather<std::uint8_t>(
      events, [](const Event& e) { return static_cast<std::uint8_t>(e.kind); });
  const Indices a = gather<std::int32_t>(events, [](const Event& e) { return e.body_a; });
  const Indices b = gather<std::int32_t>(events, [](const Event& e) { return e.body_b; });
  const auto normal_impulses =
      gather<double>(events, [](const Event& e) { return e.normal_impulse; });
  const auto details =
      gather<std::string>(events, [](const Event& e) { return shortened(e.detail); });
  std::vector<const char*> detail_pointers;
  detail_pointers.reserve(details.size());
  for (const auto& detail : details) detail_pointers.push_back(detail.c_str());

  // In the order in which the constructor made the columns.
  std::size_t column = 0;
  write(column++, times.data());
  write(column++, kinds.data());
  write(column++, a.data());
  write(column++, b.data());
  write(column++, gather_vectors(events, &Event::point).data());
  write(column++, gather_vectors(events, &Event::normal).data());
  write(column++, normal_impulses.data());
  write(column++, gather_vectors(events, &Event::impulse).data());
  write(column++, detail_pointers.data());
  rows_ += waiting_.size();
  waiting_.clear();
}

void EventTable::write(std::size_t index, const void* data) {
  const Column& column = columns_[index];
  const std::string attempt = std::string("writing dataset events/") + column.name;
  const int rank = column.components > 1 ? 2 : 1;
  const hsize_t extent[] = {rows_ + waiting_.size(), column.components};
  const hsize_t start[] = {rows_, 0};
  const hsize_t count[] = {waiting_.size(), column.components};
  hdf5::check(H5Dset_extent(column.dataset, extent), attempt);
  const auto memory = hdf5::owned(H5Screate_simple(rank, count, nullptr), attempt);
  const auto file = hdf5::owned(H5Dget_space(column.dataset), attempt);
  hdf5::check(H5Sselect_hyperslab(file, H5S_SELECT_SET, start, nullptr, count, nullptr), attempt);
  hdf5::check(H5Dwrite(column.dataset, column.type, memory, file, H5P_DEFAULT, data), attempt);
}

}  // namespace abut::record
