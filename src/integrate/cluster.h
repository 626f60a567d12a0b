#pragma once
// Clusters: the smallest sets of dynamic bodies that can be integrated on their own, because
// nothing but gravity and prescribed motion reaches them from outside.

#include <vector>

#include "model/model.h"

namespace abut::integrate {

struct Cluster {
  std::vector<BodyIndex> bodies;  ///< dynamic, ascending
  std::vector<int> forces;        ///< indices of the continuous forces on them, ascending
  std::vector<int> impulses;      ///< indices of the impulses on them, ascending
};

/// Every dynamic body is in exactly one cluster; clusters are ordered by their first body.
std::vector<Cluster> find_clusters(const model::Model& model);

}  // namespace abut::integrate
