#include "integrate/cluster.h"

#include "support/models.h"

namespace abut::integrate {
namespace {

model::Model spheres(int count) {
  model::Model model = test::empty_model(1);
  for (int i = 0; i < count; ++i) model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  return model;
}

model::Spring spring(BodyIndex a, BodyIndex b) {
  model::Spring s;
  s.ends[0].body = a;
  s.ends[1].body = b;
  return s;
}

TEST(Cluster, BodiesWithoutForcesAreAlone) {
  const auto clusters = find_clusters(spheres(3));
  ASSERT_EQ(clusters.size(), 3u);
  EXPECT_EQ(clusters[2].bodies, std::vector<BodyIndex>{2});
}

TEST(Cluster, SpringsJoinDynamicBodiesTransitively) {
  model::Model model = spheres(5);
  model.forces = {spring(4, 2), spring(2, 0), model::Impulse{3, 0.5}, spring(1, world)};
  const auto clusters = find_clusters(model);
  ASSERT_EQ(clusters.size(), 3u);
  EXPECT_EQ(clusters[0].bodies, (std::vector<BodyIndex>{0, 2, 4}));
  EXPECT_EQ(clusters[0].forces, (std::vector<int>{0, 1}));
  EXPECT_EQ(clusters[1].bodies, std::vector<BodyIndex>{1});
  EXPECT_EQ(clusters[1].forces, std::vector<int>{3});
  EXPECT_EQ(clusters[2].impulses, std::vector<int>{2});
  EXPECT_TRUE(clusters[2].forces.empty());
}

TEST(Cluster, FixedBodiesDoNotJoin) {
  model::Model model = spheres(3);
  model.bodies[1].motion = model::Fixed{};
  model.forces = {spring(0, 1), spring(1, 2)};
  const auto clusters = find_clusters(model);
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_EQ(clusters[0].bodies, std::vector<BodyIndex>{0});
  EXPECT_EQ(clusters[1].bodies, std::vector<BodyIndex>{2});
}

}  // namespace
}  // namespace abut::integrate
