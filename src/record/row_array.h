#pragma once
// A dataset that grows by one row per frame. Included by .cpp files only.

#include <cstddef>
#include <string>
#include <vector>

#include "record/hdf5_handles.h"

namespace abut::record {

/// Collects rows and writes them a whole chunk at a time.
///
/// A chunk that is complete when it is first written is compressed. One that has to be written
/// earlier, because a flush is due, is written uncompressed, and so is every later version of it:
/// then all versions have the same size and place and differ only in rows that were not there
/// before. Nothing that a reader of an older flush may look at is ever overwritten with something
/// else, and no space is lost.
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
  void extend();
  void write_compressed();
  void write_uncompressed();
  void write_column_block(std::size_t first_column);
  std::size_t columns() const { return shape_.row.empty() ? 1 : shape_.row[0]; }

  std::string name_;
  Shape shape_;
  hdf5::Handle type_;
  hdf5::Handle dataset_;
  std::size_t element_bytes_ = 0;
  std::size_t column_bytes_ = 0;    ///< of one column of one row
  std::size_t first_row_ = 0;       ///< of the current chunk
  std::size_t rows_ = 0;            ///< in the current chunk
  std::size_t rows_on_file_ = 0;    ///< of those, how many have been written, uncompressed
  std::vector<std::byte> waiting_;  ///< all rows of the current chunk
};

}  // namespace abut::record
