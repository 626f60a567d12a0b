#include "geometry/duplicate_faces.h"

#include <algorithm>
#include <utility>

namespace abut::geometry {

std::vector<int> first_faces_with_same_corners(const std::vector<std::vector<int>>& faces) {
  std::vector<std::pair<std::vector<int>, int>> keys;
  keys.reserve(faces.size());
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    keys.emplace_back(faces[f], f);
    std::sort(keys.back().first.begin(), keys.back().first.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> first(faces.size());
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool same = k > 0 && keys[k].first == keys[k - 1].first;
    first[keys[k].second] = same ? first[keys[k - 1].second] : keys[k].second;
  }
  return first;
}

}  // namespace abut::geometry
