#include "geometry/mesh_edges.h"

#include <algorithm>
#include <tuple>

namespace abut::geometry {

std::vector<EdgeUse> edge_uses(const std::vector<std::vector<int>>& faces) {
  std::vector<EdgeUse> uses;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::vector<int>& face = faces[f];
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int from = face[i];
      const int to = face[(i + 1) % face.size()];
      if (from == to) continue;
      uses.push_back({std::min(from, to), std::max(from, to), static_cast<int>(f), from < to});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.face, a.upwards) < std::tie(b.low, b.high, b.face, b.upwards);
  });
  return uses;
}

int balance_of(std::span<const EdgeUse> edge) {
  int balance = 0;
  for (const EdgeUse& use : edge) balance += use.upwards ? 1 : -1;
  return balance;
}

}  // namespace abut::geometry
