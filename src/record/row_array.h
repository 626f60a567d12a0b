#pragma once
// A dataset that grows by one row per frame. Included by .cpp files only.

#include <cstddef>
#include <string>
#include <vector>

#include "record/hdf5_handles.h"

namespace abut::record {

/// Collects rows and writes them a chunk at a time, compressed.
///
/// A chunk that has to be written before it is complete, because a flush is due, is written again,
/// with more rows, by every flush until it is, each time to another place: a reader of an older
/// flush finds what that flush left. The places left behind are lost, at most one chunk for every
/// flush, of which a run has few.
class RowArray {
 public:
  struct Shape {
    std::size_t rows_per_chunk = 1;
    std::size_t columns_per_chunk = 1;
    std::vector<std::size_t> row;  ///< extents of one row: {}, {bodies} or {bodies, components}
  };

  /// Creates the dataset `name`; `type` is its type in file and memory alike (little-endian).
  RowArray(hid_t parent, const std::string& name, hid_t type, Shape shape);

  void append(const void* row);
  /// Writes the rows that are still waiting.
  void flush();

 private:
  void write();
  void write_column_block(std::size_t block);
  std::size_t columns() const { return shape_.row.empty() ? 1 : shape_.row[0]; }

  std::string name_;
  Shape shape_;
  hdf5::Handle type_;
  hdf5::Handle dataset_;
  std::size_t element_bytes_ = 0;
  std::size_t column_bytes_ = 0;            ///< of one column of one row
  std::size_t first_row_ = 0;               ///< of the current chunk
  std::size_t rows_ = 0;                    ///< in the current chunk
  std::size_t rows_on_file_ = 0;            ///< of those, how many have been written
  std::vector<std::size_t> bytes_on_file_;  ///< of the current chunk, by block of columns; 0: none
  std::vector<std::byte> waiting_;          ///< all rows of the current chunk
};

}  // namespace abut::record
