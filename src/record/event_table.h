#pragma once
// The /events group while it is written. Included by .cpp files only.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "abut/types.h"
#include "record/hdf5_handles.h"
#include "record/row_table.h"

namespace abut::record {

/// Texts, one after the other, of any length up to a limit.
class TextList {
 public:
  TextList(hid_t parent, const char* name);
  void append(std::string text);
  std::size_t size() const { return on_file_ + waiting_.size(); }
  void flush();

 private:
  hdf5::Handle type_;
  hdf5::Handle dataset_;
  std::vector<std::string> waiting_;
  std::size_t on_file_ = 0;
};

/// A row for each event, and the details that they tell, each of them once.
class EventTable {
 public:
  explicit EventTable(hid_t group);
  void append(const Event& event);
  void flush();

 private:
  std::int32_t index_of(const std::string& detail);

  TextList details_;
  RowColumns<layout::EventRow> rows_;
  std::unordered_map<std::string, std::int32_t> index_by_detail_;
};

}  // namespace abut::record
