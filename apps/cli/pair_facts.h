#pragma once
// What `abut check` tells about two bodies at time 0.

#include <optional>
#include <string>
#include <vector>

#include "abut/diagnostics.h"
#include "contact/contact_set.h"
#include "model/model.h"

namespace abut::cli {

enum class PairState { apart, touching, overlapping };

/// A body that overlaps another one, and where it would not.
struct Remedy {
  BodyIndex body = 0;
  Vec3 position = Vec3::Zero();
};

struct PairFacts {
  BodyIndex a = 0;
  BodyIndex b = 0;
  PairState state = PairState::apart;
  double gap = 0;               ///< m; negative: the depth of the overlap
  Vec3 normal = Vec3::UnitZ();  ///< from b to a
  std::vector<contact::ContactRegion> regions;
  std::optional<Remedy> remedy;  ///< of an overlap
};

struct PairFindings {
  std::vector<PairFacts> pairs;
  std::vector<Diagnostic> problems;  ///< overlaps, contacts that are not detected, common volumes
};

/// `places` says where each body stands in the file; `all` asks for pairs that are apart as well.
PairFindings examine_pairs(const model::Model& model, const std::vector<Location>& places,
                           bool all);

}  // namespace abut::cli
