#pragma once
// Tables of which every frame adds any number of rows: states, contacts and joints. Included by
// .cpp files only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/row_array.h"
#include "record/run_facts.h"
#include "record/run_layout.h"

namespace abut::record {

/// Writes rows one after the other, a dataset for each of their columns.
template <class Row>
class RowColumns {
 public:
  RowColumns(hid_t group, std::span<const layout::Column<Row>> columns) : layout_(columns) {
    for (const auto& column : columns) {
      const std::size_t n = column.components;
      const std::vector<std::size_t> row = n == 1 ? std::vector<std::size_t>{} : std::vector{n};
      columns_.emplace_back(group, column.name, column.type(),
                            RowArray::Shape{layout::rows_per_chunk, n, row});
    }
  }

  void append(const Row& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      layout_[i].get(row, element_.data());
      columns_[i].append(element_.data());
    }
  }
  void flush() {
    for (RowArray& column : columns_) column.flush();
  }

 private:
  std::span<const layout::Column<Row>> layout_;
  std::vector<RowArray> columns_;
  std::array<std::byte, 4 * sizeof(double)> element_{};  ///< the largest is an orientation
};

/// Writes the rows of all frames one after the other, and for each frame where its rows end.
template <class Row>
class RowTable {
 public:
  RowTable(hid_t file, hid_t frames, const layout::RowLayout<Row>& layout)
      : rows_(create_group(file, layout.group), layout.columns),
        ends_(frames, layout.ends, H5T_STD_U64LE, {layout::rows_per_chunk, 1, {}}) {}

  void append_row(const Row& row) {
    rows_.append(row);
    ++end_;
  }
  void end_frame() { ends_.append(&end_); }
  void append_frame(const std::vector<Row>& rows) {
    for (const Row& row : rows) append_row(row);
    end_frame();
  }

  void flush() {
    rows_.flush();
    ends_.flush();
  }

 private:
  RowColumns<Row> rows_;
  RowArray ends_;
  std::uint64_t end_ = 0;
};

}  // namespace abut::record
