// A mesh against anything: the pairs of its cells with the other solid, or with the cells of the
// other one, that the tree of the boundary finds near. A local minimum of the distance is the
// nearest place of the convex pieces it lies on; which of these are none is for who knows the
// boundary around them to tell (contact/boundary_points.h).

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "narrow/cell_walk.h"
#include "narrow/mesh_cells.h"
#include "narrow/part_pair.h"
#include "narrow/solid_id.h"

namespace abut::narrow {
namespace {

class MeshSolid final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    Separation best;
    best.gap = infinity;
    double reach = infinity;
    const auto consider = [&](const NearPieces& pieces) {
      const Separation found = of_pieces(a, b, pieces, statistics);
      if (!(found.gap < best.gap)) return;
      best = found;
      nearest_ = pieces;
      reach = best.gap;
    };
    // What was nearest last time rules out most of the others.
    if (nearest_) consider(NearPieces(*nearest_));
    for_near_cells(a, b, {}, reach, consider);
    forget_all_but_used();
    return best;
  }

  void separations(const Placed& a, const Placed& b, double distance, PairStatistics& statistics,
                   std::vector<Separation>& found) override {
    add_separations(a, b, near(a, b, {}, distance), distance, statistics, found);
  }

  double separations_ahead(const Placed& a, const Placed& b, const Ahead& ahead,
                           PairStatistics& statistics, std::vector<Separation>& found) override {
    const std::vector<NearPieces> pieces = near(a, b, ahead.drift, ahead.within);
    double reach = 0;
    for (const NearPieces& one : pieces) reach = std::max(reach, one.farthest);
    reach = std::min(reach, ahead.reach);
    add_separations(a, b, pieces, reach, statistics, found);
    return reach;
  }

 private:
  struct Known {
    std::unique_ptr<PartPair> pair;
    bool used = true;
  };

  // In the order of cells: the tree has one of its own, which users of regions should not see.
  static std::vector<NearPieces> near(const Placed& a, const Placed& b, const Drift& drift,
                                      double distance) {
    std::vector<NearPieces> pieces;
    for_near_cells(a, b, drift, distance, [&](const NearPieces& one) { pieces.push_back(one); });
    std::sort(pieces.begin(), pieces.end(), [](const NearPieces& x, const NearPieces& y) {
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    return pieces;
  }
  void add_separations(const Placed& a, const Placed& b, const std::vector<NearPieces>& pieces,
                       double distance, PairStatistics& statistics,
                       std::vector<Separation>& found) {
    for (const NearPieces& one : pieces) {
      const std::size_t first = found.size();
      const Placed piece_a = placed_piece(a, one.a), piece_b = placed_piece(b, one.b);
      pair_of(piece_a, piece_b, one).separations(piece_a, piece_b, distance, statistics, found);
      for (std::size_t i = first; i < found.size(); ++i) name(found[i], piece_a, piece_b);
    }
    forget_all_but_used();
  }

  PartPair& pair_of(const Placed& a, const Placed& b, const NearPieces& pieces) {
    Known& known = pairs_[{pieces.a, pieces.b}];
    if (!known.pair) known.pair = make_part_pair(*a.solid, *b.solid);
    known.used = true;
    return *known.pair;
  }
  Separation of_pieces(const Placed& a, const Placed& b, const NearPieces& pieces,
                       PairStatistics& statistics) {
    const Placed piece_a = placed_piece(a, pieces.a), piece_b = placed_piece(b, pieces.b);
    Separation found = pair_of(piece_a, piece_b, pieces).separation(piece_a, piece_b, statistics);
    name(found, piece_a, piece_b);
    return found;
  }
  static void name(Separation& found, const Placed& a, const Placed& b) {
    found.part_a = a.solid->part;
    found.part_b = b.solid->part;
  }
  void forget_all_but_used() {
    std::erase_if(pairs_, [](const auto& entry) { return !entry.second.used; });
    for (auto& [pieces, known] : pairs_) known.used = false;
  }

  std::map<std::pair<int, int>, Known> pairs_;
  std::optional<NearPieces> nearest_;
};

}  // namespace

std::unique_ptr<PartPair> make_mesh_solid() {
  return std::make_unique<MeshSolid>();
}

}  // namespace abut::narrow
