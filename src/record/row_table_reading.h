#pragma once
// Reads what RowTable wrote. Included by .cpp files only.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/hdf5_reading.h"
#include "record/run_layout.h"

namespace abut::record {

/// Rows of which each column is a dataset of its own.
template <class Row>
class RowColumnsReader {
 public:
  RowColumnsReader(hid_t file, const std::string& group,
                   std::span<const layout::Column<Row>> columns)
      : layout_(columns) {
    for (const auto& column : columns) {
      columns_.emplace_back(file, group + "/" + column.name);
      const std::size_t n = column.components;
      columns_.back().expect_row(n == 1 ? std::vector<std::size_t>{} : std::vector{n});
    }
  }

  /// Those of which every column is there.
  std::size_t count() const {
    std::size_t count = columns_.front().rows();
    for (const hdf5::Table& column : columns_) count = std::min(count, column.rows());
    return count;
  }

  std::vector<Row> rows(std::size_t first, std::size_t count) const {
    std::vector<Row> rows(count);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& column = layout_[i];
      const auto type = column.type();
      const std::size_t bytes = H5Tget_size(type) * column.components;
      std::vector<std::byte> values(count * bytes);
      columns_[i].read(first, count, type, values.data());
      for (std::size_t r = 0; r < count; ++r) column.set(rows[r], &values[r * bytes]);
    }
    return rows;
  }

 private:
  std::span<const layout::Column<Row>> layout_;
  std::vector<hdf5::Table> columns_;
};

template <class Row>
class RowTableReader {
 public:
  RowTableReader(hid_t file, const layout::RowLayout<Row>& layout)
      : ends_name_(layout.ends),
        ends_(file, std::string("frames/") + layout.ends),
        rows_(file, layout.group, layout.columns) {}

  /// Frames, of the first `most`, whose rows are all there. A killed writer may have brought the
  /// ends up to date and not the rows.
  std::size_t frame_count(std::size_t most) const {
    const std::size_t count = std::min(most, ends_.rows());
    const auto ends = ends_.counts(0, count);
    return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), row_count()) -
                                    ends.begin());
  }

  /// How many rows each of the first `count` frames has.
  std::vector<std::size_t> counts(std::size_t count) const {
    const auto ends = ends_.counts(0, count);
    if (!ends.empty()) check_order(0, ends);
    std::vector<std::size_t> sizes;
    sizes.reserve(ends.size());
    std::uint64_t start = 0;
    for (const std::uint64_t end : ends) sizes.push_back(end - std::exchange(start, end));
    return sizes;
  }

  std::size_t row_count() const { return rows_.count(); }

  /// The rows of `count` frames from `first` on.
  std::vector<std::vector<Row>> frames(std::size_t first, std::size_t count) const {
    if (count == 0) return {};
    std::uint64_t start = first == 0 ? 0 : ends_.counts(first - 1, 1).front();
    const auto ends = ends_.counts(first, count);
    check_order(start, ends);
    const std::vector<Row> rows = rows_.rows(start, ends.back() - start);
    std::vector<std::vector<Row>> frames;
    frames.reserve(count);
    auto next = rows.begin();
    for (const std::uint64_t end : ends) {
      const auto last = next + static_cast<std::ptrdiff_t>(end - start);
      frames.emplace_back(next, last);
      next = last;
      start = end;
    }
    return frames;
  }

 private:
  void check_order(std::uint64_t start, const std::vector<std::uint64_t>& ends) const {
    const bool ordered = start <= ends.front() && std::is_sorted(ends.begin(), ends.end()) &&
                         ends.back() <= row_count();
    if (!ordered) throw hdf5::Error(std::string("dataset frames/") + ends_name_ + " is damaged");
  }

  const char* ends_name_;
  hdf5::Table ends_;
  RowColumnsReader<Row> rows_;
};

}  // namespace abut::record
