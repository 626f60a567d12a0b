#include "record/event_table.h"

#include <utility>

#include "record/run_layout.h"

namespace abut::record {
namespace {

/// Longest detail kept, bytes: a text that fits into a page with its neighbours is replaced in one
/// piece on disk. Details are short remarks; nothing in Abut comes near this.
constexpr std::size_t longest_detail = 1024;

/// Details kept in memory. Where a run has more of them, some are stored more than once.
constexpr std::size_t most_details = 65536;

/// `text` without what lies beyond the limit, cut between two characters of UTF-8.
std::string shortened(std::string text) {
  if (text.size() <= longest_detail) return text;
  std::size_t size = longest_detail;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

}  // namespace

// Not compressed, so that chunks are only ever added to, in place.
TextList::TextList(hid_t parent, const char* name) : type_(hdf5::variable_string_type()) {
  const hsize_t none = 0, any = H5S_UNLIMITED, chunk = layout::rows_per_chunk;
  const auto space = hdf5::owned(H5Screate_simple(1, &none, &any), name);
  const auto properties = hdf5::owned(H5Pcreate(H5P_DATASET_CREATE), name);
  hdf5::check(H5Pset_chunk(properties, 1, &chunk), name);
  hdf5::check(H5Pset_obj_track_times(properties, false), name);
  dataset_ = hdf5::owned(
      H5Dcreate2(parent, name, type_, space, H5P_DEFAULT, properties, H5P_DEFAULT), name);
}

void TextList::append(std::string text) {
  waiting_.push_back(shortened(std::move(text)));
  if (waiting_.size() >= layout::rows_per_chunk) flush();
}

void TextList::flush() {
  if (waiting_.empty()) return;
  std::vector<const char*> texts;
  texts.reserve(waiting_.size());
  for (const std::string& text : waiting_) texts.push_back(text.c_str());
  const char* attempt = "writing the details of events";
  const hsize_t start = on_file_, count = waiting_.size(), extent = start + count;
  hdf5::check(H5Dset_extent(dataset_, &extent), attempt);
  const auto memory = hdf5::owned(H5Screate_simple(1, &count, nullptr), attempt);
  const auto file = hdf5::owned(H5Dget_space(dataset_), attempt);
  hdf5::check(H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, nullptr, &count, nullptr), attempt);
  hdf5::check(H5Dwrite(dataset_, type_, memory, file, H5P_DEFAULT, texts.data()), attempt);
  on_file_ += waiting_.size();
  waiting_.clear();
}

EventTable::EventTable(hid_t group)
    : details_(group, "details"), rows_(group, layout::event_columns()) {}

std::int32_t EventTable::index_of(const std::string& detail) {
  if (index_by_detail_.size() >= most_details) index_by_detail_.clear();
  const auto next = static_cast<std::int32_t>(details_.size());
  const auto [place, is_new] = index_by_detail_.try_emplace(detail, next);
  if (is_new) details_.append(detail);
  return place->second;
}

void EventTable::append(const Event& event) {
  rows_.append({event, index_of(event.detail)});
}

void EventTable::flush() {
  details_.flush();
  rows_.flush();
}

}  // namespace abut::record
