#pragma once
// Tables of which every frame adds any number of rows: states, contacts and joints. Included by
// .cpp files only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "record/row_array.h"
#include "record/run_facts.h"
#include "record/run_layout.h"

namespace abut::record {

/// Writes the rows of all frames one after the other, and for each frame where its rows end.
template <class Row>
class RowTable {
 public:
  RowTable(hid_t file, hid_t frames, const layout::RowLayout<Row>& layout)
      : layout_(layout),
        ends_(frames, layout.ends, H5T_STD_U64LE, {layout::frames_per_chunk, 1, {}}) {
    const auto group = create_group(file, layout.group);
    for (const auto& column : layout.columns) {
      const std::size_t n = column.components;
      const std::vector<std::size_t> row = n == 1 ? std::vector<std::size_t>{} : std::vector{n};
      columns_.emplace_back(group, column.name, column.type(),
                            RowArray::Shape{layout::rows_per_chunk, n, row});
    }
  }

  void append_row(const Row& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      layout_.columns[i].get(row, element_.data());
      columns_[i].append(element_.data());
    }
    ++end_;
  }
  void end_frame() { ends_.append(&end_); }
  void append_frame(const std::vector<Row>& rows) {
    for (const Row& row : rows) append_row(row);
    end_frame();
  }

  void flush() {
    for (RowArray& column : columns_) column.flush();
    ends_.flush();
  }

 private:
  layout::RowLayout<Row> layout_;
  RowArray ends_;
  std::vector<RowArray> columns_;
  std::uint64_t end_ = 0;
  std::array<std::byte, 4 * sizeof(double)> element_{};  ///< the largest is an orientation
};

}  // namespace abut::record
