#pragma once
// Some of the frames of a run, in order, without holding all of them. Included by .cpp files only.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "record/run_reader.h"

namespace abut::record {

/// Calls `visit(place, frame)` for each of the frames `selected` (ascending indices), `place`
/// counting through `selected`. Blocks of the record without any of them are not read.
template <class Visit>
void for_each_selected(const RunReader& run, const std::vector<std::size_t>& selected,
                       Visit visit) {
  const std::size_t block = run.frames_per_block();
  std::size_t place = 0;
  while (place < selected.size()) {
    const std::size_t first = selected[place] / block * block;
    const std::size_t count = std::min(block, run.frame_count() - first);
    const std::vector<Frame> frames = run.frames(first, count);
    for (; place < selected.size() && selected[place] < first + count; ++place)
      visit(place, frames[selected[place] - first]);
  }
}

}  // namespace abut::record
