#pragma once
// The /events group while it is written. Included by .cpp files only.

#include <vector>

#include "abut/types.h"
#include "record/hdf5_handles.h"

namespace abut::record {

/// One dataset per column. Rows are kept back until flush() or until there are many.
class EventTable {
 public:
  explicit EventTable(hid_t group);
  void append(const Event& event);
  void flush();

 private:
  struct Column {
    const char* name;
    hdf5::Handle type;  ///< in memory
    hdf5::Handle dataset;
    std::size_t components;  ///< 1: a plain list
  };
  Column& add(hid_t group, const char* name, hdf5::Handle type, std::size_t components);
  void write(std::size_t column, const void* data);

  std::vector<Column> columns_;
  std::vector<Event> waiting_;
  std::size_t rows_ = 0;  ///< on file
};

}  // namespace abut::record
