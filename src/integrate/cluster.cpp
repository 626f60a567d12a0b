#include "integrate/cluster.h"

#include "base/overloaded.h"
#include "base/union_find.h"

namespace abut::integrate {
namespace {

// The bodies a force acts on.
std::vector<BodyIndex> bodies_of(const model::Force& force) {
  return std::visit(
      base::Overloaded{
          [](const model::Spring& spring) {
            return std::vector<BodyIndex>{spring.ends[0].body, spring.ends[1].body};
          },
          [](const model::Drag& drag) { return std::vector<BodyIndex>{drag.body}; },
          [](const model::ConstantForce& constant) {
            return std::vector<BodyIndex>{constant.at.body};
          },
          [](const model::Impulse& impulse) { return std::vector<BodyIndex>{impulse.body}; }},
      force);
}

}  // namespace

std::vector<Cluster> find_clusters(const model::Model& model) {
  const auto is_dynamic = [&](BodyIndex body) {
    return body != world && model.bodies[body].is_dynamic();
  };
  base::UnionFind partition(model.bodies.size());
  std::vector<std::vector<BodyIndex>> reached(model.forces.size());
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    for (const BodyIndex body : bodies_of(model.forces[f]))
      if (is_dynamic(body)) reached[f].push_back(body);
    if (reached[f].size() == 2) partition.join(reached[f][0], reached[f][1]);
  }

  std::vector<Cluster> clusters;
  std::vector<int> cluster_of(model.bodies.size(), -1);
  for (int body = 0; body < static_cast<int>(model.bodies.size()); ++body) {
    if (!is_dynamic(body)) continue;
    int& index = cluster_of[partition.first_of(body)];
    if (index < 0) {
      index = static_cast<int>(clusters.size());
      clusters.emplace_back();
    }
    clusters[index].bodies.push_back(body);
  }
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    if (reached[f].empty()) continue;
    Cluster& cluster = clusters[cluster_of[partition.first_of(reached[f][0])]];
    const bool is_impulse = std::holds_alternative<model::Impulse>(model.forces[f]);
    (is_impulse ? cluster.impulses : cluster.forces).push_back(static_cast<int>(f));
  }
  return clusters;
}

}  // namespace abut::integrate
