#pragma once
// Typed reading of attributes and datasets. Included by .cpp files only.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "record/hdf5_handles.h"

namespace abut::record::hdf5 {

std::string read_text_attribute(hid_t object, const char* name);
long read_integer_attribute(hid_t object, const char* name);

/// A dataset opened for reading in pieces along its first extent.
class Table {
 public:
  Table(hid_t parent, const std::string& name);

  std::size_t rows() const { return rows_; }
  /// Checks that the extents after the first are these.
  void expect_row(const std::vector<std::size_t>& extents) const;

  std::vector<double> numbers(std::size_t first, std::size_t count) const;
  std::vector<std::int32_t> integers(std::size_t first, std::size_t count) const;
  /// Enumerations of one byte, as their values.
  std::vector<std::uint8_t> codes(std::size_t first, std::size_t count) const;
  std::vector<std::uint64_t> counts(std::size_t first, std::size_t count) const;
  std::vector<std::string> texts(std::size_t first, std::size_t count) const;
  /// Elements of `type` as they lie in memory.
  void read(std::size_t first, std::size_t count, hid_t type, void* out) const;

 private:
  std::size_t row_size() const;

  std::string name_;
  Handle dataset_;
  std::size_t rows_ = 0;
  std::vector<hsize_t> row_;
};

/// A scalar text, of fixed or variable length.
std::string read_text(hid_t parent, const std::string& name);

}  // namespace abut::record::hdf5
