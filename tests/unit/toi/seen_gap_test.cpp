// What a remembered gap says, against points that are carried along, and unions against their parts
// searched one by one.

#include "toi/seen_gap.h"

#include <gtest/gtest.h>

#include <random>

#include "math/rotation.h"
#include "support/models.h"
#include "support/path_through.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "toi/first_contact.h"

namespace abut::toi {
namespace {

using motion::BodyPath;

class RandomPoses {
 public:
  explicit RandomPoses(std::uint64_t seed) : engine_(seed) {}
  Vec3 vector(double size) {
    std::uniform_real_distribution<double> number(-size, size);
    return {number(engine_), number(engine_), number(engine_)};
  }
  Quat turn(double size) { return math::rotation_exp(vector(size)); }

 private:
  std::mt19937_64 engine_;
};

BodyPath moving(const Pose& from, const Vec3& velocity, const Vec3& spin, double duration) {
  return test::path_through(duration, [&](double t) -> test::PathPoint {
    return {from.position + t * velocity,
            (math::rotation_exp(t * spin) * from.orientation).coeffs()};
  });
}

TEST(SeenGap, BoundsHowFarPointsAreFromWhereTheyWere) {
  RandomPoses random(test::seed(1));
  for (int round = 0; round < test::cases(300); ++round) {
    const Pose then{random.vector(2), random.turn(2)};
    const Pose now{then.position + random.vector(0.3), random.turn(0.5) * then.orientation};
    const double duration = 0.2, reach = 1.5;
    const BodyPath path = moving(now, random.vector(2), random.vector(3), duration);
    const double bound =
        displacement(then, Outlook::of(path, path.begin(), path.end()), reach, duration);
    const Vec3 local = reach * random.vector(1).normalized();
    for (int i = 0; i <= 4; ++i) {
      const Pose later = path.pose(path.begin() + 0.25 * i * duration);
      const Vec3 moved =
          later.position + later.orientation * local - then.position - then.orientation * local;
      EXPECT_LE(moved.norm(), bound * (1 + 1e-12));
    }
  }
  // A body that stays where it is moves nothing, however far it reaches.
  const Pose rest{Vec3(1, 2, 3), random.turn(1)};
  EXPECT_LT(displacement(rest, Outlook::of(BodyPath::resting(0, 1, rest), 0, 1),
                         std::numeric_limits<double>::infinity(), 1),
            1e-12);
}

model::Body island_of_parts(RandomPoses& random, int count) {
  model::Body body = test::body_of(shape::Sphere{0.1});
  body.parts.clear();
  for (int i = 0; i < count; ++i) {
    const Pose pose{random.vector(0.5), random.turn(2)};
    if (i % 2 == 0)
      body.parts.push_back({shape::Capsule{0.1, 0.4}, pose, 1000, 0});
    else
      body.parts.push_back({shape::Ellipsoid{Vec3(0.3, 0.2, 0.1), false}, pose, 1000, 0});
  }
  body.mass = body::mass_from(shape::moments_of(body.parts));
  return body;
}

// Over several pieces of two paths, as in a run: the first touch, and a bound on the gap, are those
// of the parts searched one by one, with nothing remembered.
TEST(SeenGap, UnionsTouchWhenTheirPartsDo) {
  RandomPoses random(test::seed(2));
  int touched = 0;
  long remembered = 0;
  for (int round = 0; round < test::cases(20); ++round) {
    SCOPED_TRACE(round);
    const model::Body a = island_of_parts(random, 5), b = island_of_parts(random, 4);
    FirstContact whole(a, b, {});
    Pose pose_a{Vec3(2, 0, 0) + random.vector(0.3), random.turn(1)};
    Pose pose_b{Vec3::Zero(), random.turn(1)};
    for (int step = 0; step < 8; ++step) {
      const double duration = 0.1;
      const BodyPath path_a =
          moving(pose_a, Vec3(-2, 0, 0) + random.vector(0.3), random.vector(3), duration);
      const BodyPath path_b = moving(pose_b, random.vector(0.3), random.vector(3), duration);
      const SearchResult found = whole.search(path_a, path_b, path_a.begin(), path_a.end());
      double first = path_a.end(), bound = std::numeric_limits<double>::infinity();
      for (const shape::Part& part_a : a.parts)
        for (const shape::Part& part_b : b.parts) {
          model::Body one = a, other = b;
          one.parts = {part_a};
          other.parts = {part_b};
          const SearchResult alone =
              FirstContact(one, other, {}).search(path_a, path_b, path_a.begin(), path_a.end());
          if (alone.touch) first = std::min(first, alone.touch->time);
          bound = std::min(bound, alone.gap_bound);
        }
      EXPECT_NEAR(found.free_until, first, 1e-9);
      EXPECT_GT(found.gap_bound, 0);
      if (!found.touch) {
        EXPECT_GE(found.gap_bound, 0.49 * bound);
      }
      touched += found.touch ? 1 : 0;
      if (found.touch) break;
      pose_a = path_a.pose(path_a.end());
      pose_b = path_b.pose(path_b.end());
    }
    remembered += whole.statistics().remembered;
  }
  EXPECT_GT(touched, test::cases(10));
  EXPECT_GT(remembered, test::cases(20));  // but not where parts touch in the first search
}

}  // namespace
}  // namespace abut::toi
