#pragma once
// The pairs of cells of two parts, one of them a mesh, that a search looks at. Included by the
// files of the search only.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "narrow/cell_walk.h"
#include "toi/first_contact.h"

namespace abut::toi {

/// Two parts of two bodies.
struct PartSides {
  std::array<const model::Body*, 2> bodies;
  std::array<int, 2> parts;
  std::array<std::shared_ptr<const narrow::BodyShape>, 2> shapes;  ///< of the part alone
  std::array<std::optional<Core>, 2> cores;
};

CarriedSolid carried_solid(const model::Body& body, const narrow::BodyShape& shape);

/// Whether the two parts are compared cell by cell.
bool are_cells(const std::shared_ptr<const narrow::BodyShape>& a,
               const std::shared_ptr<const narrow::BodyShape>& b);

struct FirstContact::CellPairs {
  using Cells = std::pair<int, int>;  // -1 where a part is no mesh

  explicit CellPairs(PartSides sides);

  /// The pair of two cells, made if it is new.
  PartPair& pair_of(const Cells& cells);
  void hold(const std::vector<PartHold>& holds);
  /// All that can come within `distance` (m) in this time, nearest first.
  std::vector<narrow::NearPieces> near(const motion::BodyPath& a, const motion::BodyPath& b,
                                       double from, double to, double distance) const;
  narrow::Separation separation(const Pose& motion_a, const Pose& motion_b);
  /// An upper bound of the gap, m: that of the cells that came nearest last time.
  double gap_at_most(const Pose& motion_a, const Pose& motion_b);
  /// How the parts move in this time, in a frame with its origin at body b.
  narrow::Drift drift(const motion::BodyPath& a, const motion::BodyPath& b, double from,
                      double to) const;
  /// Forgets the pairs that were not asked for since the last time and are not held.
  void forget_unused();
  narrow::PairStatistics statistics() const;
  /// Of the smaller of the two parts, m.
  double size() const;

  struct Known {
    PartPair pair;
    bool used = true;
  };
  PartSides sides_;
  narrow::PairQuery whole_;
  std::map<Cells, std::unique_ptr<Known>> pairs_;
  std::optional<Cells> nearest_;
  double duration_ = 0;  ///< of the time that was last looked at in one, s; 0: none
  narrow::PairStatistics forgotten_;
};

}  // namespace abut::toi
