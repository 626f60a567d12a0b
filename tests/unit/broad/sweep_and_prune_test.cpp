// The broad phase finds exactly the overlapping pairs: compared with looking at all of them.

#include "broad/sweep_and_prune.h"

#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "support/models.h"
#include "support/seeds.h"

namespace abut::broad {
namespace {

using geometry::Aabb;

constexpr double infinity = std::numeric_limits<double>::infinity();

// The definition, box by box and axis by axis.
bool do_overlap(const Aabb& a, const Aabb& b) {
  for (int i = 0; i < 3; ++i) {
    if (a.lower[i] > a.upper[i] || b.lower[i] > b.upper[i]) return false;
    if (a.upper[i] < b.lower[i] || b.upper[i] < a.lower[i]) return false;
  }
  return true;
}

/// Keeps a broad phase and a plain list of boxes in step.
class Twin {
 public:
  explicit Twin(int ids, BroadPhase::Filter filter = {})
      : broad_(filter), filter_(std::move(filter)), boxes_(static_cast<std::size_t>(ids)) {}

  int ids() const { return static_cast<int>(boxes_.size()); }
  const std::optional<Aabb>& box(int id) const { return boxes_[static_cast<std::size_t>(id)]; }
  void set(int id, const Aabb& box) {
    auto& mine = boxes_[static_cast<std::size_t>(id)];
    EXPECT_EQ(broad_.contains(id), mine.has_value());
    if (mine) {
      broad_.update(id, box);
    } else {
      broad_.insert(id, box);
    }
    mine = box;
  }
  void remove(int id) {
    if (!box(id)) return;
    broad_.remove(id);
    boxes_[static_cast<std::size_t>(id)].reset();
  }
  std::vector<Pair> expected() const {
    std::vector<Pair> pairs;
    for (int a = 0; a < ids(); ++a) {
      for (int b = a + 1; b < ids() && box(a); ++b) {
        if (box(b) && do_overlap(*box(a), *box(b)) && (!filter_ || filter_(a, b))) {
          pairs.push_back({a, b});
        }
      }
    }
    return pairs;
  }
  void check() {
    const std::vector<Pair> all = expected();
    ASSERT_EQ(broad_.find_pairs(), all);
    EXPECT_EQ(broad_.statistics().pairs, static_cast<long>(all.size()));
  }
  BroadPhase& broad() { return broad_; }

 private:
  BroadPhase broad_;
  BroadPhase::Filter filter_;
  std::vector<std::optional<Aabb>> boxes_;
};

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double between(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(engine_); }
  Vec3 vector(double from, double to) {
    const double x = between(from, to), y = between(from, to), z = between(from, to);
    return {x, y, z};
  }
  // Spread evenly over the orders of magnitude.
  double magnitude(double from, double to) {
    return std::exp(between(std::log(from), std::log(to)));
  }

 private:
  std::mt19937 engine_;
};

Aabb around(const Vec3& centre, const Vec3& half) {
  return {centre - half, centre + half};
}

// Whole numbers, so that equal coordinates, shared faces, points and flat boxes are common.
Aabb lattice_box(Dice& dice) {
  const Vec3 corner(dice.below(6) - 3, dice.below(6) - 3, dice.below(6) - 3);
  return {corner, corner + Vec3(dice.below(3), dice.below(3), dice.below(3))};
}

// Of any size and anywhere, at times infinite in some directions, empty, or not a number.
Aabb wild_box(Dice& dice) {
  const double spread = dice.magnitude(1e-6, 1e6);
  Aabb box =
      around(dice.vector(-spread, spread),
             Vec3(dice.magnitude(1e-8, 1e6), dice.magnitude(1e-8, 1e6), dice.magnitude(1e-8, 1e6)));
  switch (dice.below(12)) {
    case 0:
      box.upper = box.lower;
      break;
    case 1:
      box.lower[dice.below(3)] = -infinity;
      break;
    case 2:
      box.upper[dice.below(3)] = infinity;
      break;
    case 3:
      return dice.below(4) == 0 ? Aabb::whole() : Aabb();
    case 4:
      return around(1e300 * dice.vector(-1, 1), Vec3::Constant(dice.magnitude(1, 1e308)));
    case 5:
      return around(1e-310 * dice.vector(-1, 1), Vec3::Constant(1e-310));
    case 6:  // a face at infinity
      box.upper[0] = box.lower[0] = infinity;
      break;
    default:
      break;
  }
  return box;
}

template <class MakeBox>
void attack(unsigned seed, int ids, MakeBox make_box) {
  Dice dice(seed);
  Twin twin(ids);
  for (int step = 0; step < 30; ++step) {
    const int changes = dice.below(ids);
    for (int i = 0; i < changes; ++i) {
      const int id = dice.below(ids);
      if (dice.below(5) == 0) {
        twin.remove(id);
      } else {
        twin.set(id, make_box(dice));
      }
    }
    ASSERT_NO_FATAL_FAILURE(twin.check()) << "seed " << seed << ", step " << step;
  }
}

TEST(BroadPhase, EqualsBruteForceOnALattice) {
  for (int seed = 0; seed < test::cases(40); ++seed) {
    ASSERT_NO_FATAL_FAILURE(attack(static_cast<unsigned>(seed), 60, lattice_box));
  }
}

TEST(BroadPhase, EqualsBruteForceOnBoxesOfAllSizes) {
  for (int seed = 0; seed < test::cases(40); ++seed) {
    ASSERT_NO_FATAL_FAILURE(attack(static_cast<unsigned>(seed), 120, wild_box));
  }
}

// Boxes of sizes within a few octaves, dense enough to touch often, drift and change size for many
// steps: columns, levels and windows along x are all crossed in small moves.
TEST(BroadPhase, EqualsBruteForceOverManyStepsOfCoherentMotion) {
  for (int seed = 0; seed < test::cases(6); ++seed) {
    Dice dice(static_cast<unsigned>(seed));
    const double unit = dice.magnitude(1e-6, 1e6);
    constexpr int count = 150;
    Twin twin(count);
    std::vector<Vec3> centres, velocities, halves;
    for (int i = 0; i < count; ++i) {
      centres.push_back(unit * dice.vector(-3, 3));
      velocities.push_back(unit * dice.vector(-0.05, 0.05));
      halves.push_back(
          unit * Vec3(dice.magnitude(0.02, 2), dice.magnitude(0.05, 1), dice.magnitude(0.05, 1)));
    }
    for (int step = 0; step < 200; ++step) {
      for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (centres[k].norm() > 4 * unit) velocities[k] = -0.01 * centres[k];
        centres[k] += velocities[k];
        const double breath = 1 + 0.5 * std::sin(0.1 * step + i);
        twin.set(i, around(centres[k], breath * halves[k]));
      }
      ASSERT_NO_FATAL_FAILURE(twin.check()) << "seed " << seed << ", step " << step;
    }
  }
}

// A cloud of small boxes that disperses and gathers again by a factor of a million: the width of
// the columns follows the density, down and up, and the pairs stay right.
TEST(BroadPhase, EqualsBruteForceWhileTheDensityChanges) {
  Dice dice(test::seed(5, test::few_rounds));
  constexpr int count = 300;
  Twin twin(count);
  std::vector<Vec3> places;
  for (int i = 0; i < count; ++i) places.push_back(dice.vector(-1, 1));
  long fewest = count, most = 0;
  for (int step = 0; step <= 120; ++step) {
    const double spread = std::pow(10.0, 3 - std::abs(step - 60) / 10.0);
    for (int i = 0; i < count; ++i) {
      const double half = i == 0 ? 0.5 * spread : 0.01 + 1e-4 * i;
      twin.set(i, around(spread * places[static_cast<std::size_t>(i)], Vec3::Constant(half)));
    }
    ASSERT_NO_FATAL_FAILURE(twin.check()) << "step " << step;
    fewest = std::min(fewest, twin.broad().statistics().columns);
    most = std::max(most, twin.broad().statistics().columns);
  }
  EXPECT_LE(fewest, 8);
  EXPECT_GE(most, 50);
}

TEST(BroadPhase, ASharedFaceEdgeOrCornerCounts) {
  Twin twin(5);
  twin.set(0, {Vec3(0, 0, 0), Vec3(1, 1, 1)});
  twin.set(1, {Vec3(1, 0, 0), Vec3(2, 1, 1)});
  twin.set(2, {Vec3(-1, -1, 0), Vec3(0, 0, 1)});
  twin.set(3, {Vec3(-1, -1, -1), Vec3(0, 0, 0)});
  twin.set(4, {Vec3(std::nextafter(2.0, 3.0), 0, 0), Vec3(3, 1, 1)});
  const std::vector<Pair> expected = {{0, 1}, {0, 2}, {0, 3}, {2, 3}};
  EXPECT_EQ(twin.broad().find_pairs(), expected);
}

TEST(BroadPhase, BoxesWithoutExtentMeetWhereTheyCoincide) {
  Twin twin(4);
  for (int i = 0; i < 3; ++i) twin.set(i, {Vec3(7, -1e-9, 3), Vec3(7, -1e-9, 3)});
  twin.set(3, {Vec3(7, -1e-9, std::nextafter(3.0, 4.0)), Vec3(8, 1, 4)});
  const std::vector<Pair> expected = {{0, 1}, {0, 2}, {1, 2}};
  EXPECT_EQ(twin.broad().find_pairs(), expected);
}

TEST(BroadPhase, TheFilterDecidesWhichPairsAreReported) {
  const auto odd_sum = [](int a, int b) {
    EXPECT_LT(a, b);
    return (a + b) % 2 == 1;
  };
  Twin twin(40, odd_sum);
  Dice dice(test::seed(3));
  for (int i = 0; i < twin.ids(); ++i) twin.set(i, lattice_box(dice));
  ASSERT_NO_FATAL_FAILURE(twin.check());
}

TEST(BroadPhase, ANumberThatIsNoneMissesNothing) {
  BroadPhase broad;
  Aabb box{Vec3::Zero(), Vec3::Ones()};
  broad.insert(1, box);
  box.upper[2] = std::numeric_limits<double>::quiet_NaN();
  broad.insert(0, box);
  EXPECT_EQ(broad.find_pairs(), (std::vector<Pair>{{0, 1}}));
}

TEST(BroadPhase, AnUnchangedSceneIsNotSearchedAgain) {
  BroadPhase broad;
  EXPECT_TRUE(broad.find_pairs().empty());
  broad.insert(0, {Vec3::Zero(), Vec3::Ones()});
  broad.insert(2, {Vec3::Zero(), Vec3::Ones()});
  const auto* found = broad.find_pairs().data();
  EXPECT_EQ(broad.find_pairs().data(), found);
  EXPECT_EQ(broad.find_pairs(), (std::vector<Pair>{{0, 2}}));
  broad.remove(2);
  EXPECT_TRUE(broad.find_pairs().empty());
  EXPECT_FALSE(broad.contains(2));
}

// Comparisons per box do not grow with the number of boxes, whatever the arrangement and with a
// huge body or an infinite floor among them.
TEST(BroadPhase, ComparisonsGrowLinearly) {
  const auto tests_per_box = [](int count, const Vec3& shape, const Aabb& huge) {
    Dice dice(test::seed(1));
    BroadPhase broad;
    const Vec3 side = shape * std::cbrt(count / shape.prod());
    for (int i = 0; i < count; ++i) {
      broad.insert(i, around(dice.vector(0, 1).cwiseProduct(side), dice.vector(0.1, 0.4)));
    }
    broad.insert(count, huge);
    broad.find_pairs();
    return static_cast<double>(broad.statistics().tests) / count;
  };
  const Aabb plate{Vec3(-1e3, -1e3, -1e3), Vec3(1e3, 1e3, 0.1)};
  const Aabb floor{Vec3(-infinity, -infinity, -infinity), Vec3(infinity, infinity, 0)};
  for (const Aabb& huge : {plate, floor}) {
    for (const Vec3& shape : {Vec3(1, 1, 1), Vec3(30, 1, 1), Vec3(1, 30, 1), Vec3(1, 1, 30),
                              Vec3(30, 30, 1), Vec3(1, 30, 30)}) {
      const double few = tests_per_box(1000, shape, huge), many = tests_per_box(20000, shape, huge);
      EXPECT_LT(many, 20) << shape.transpose();
      EXPECT_LT(many, 1.5 * few + 1) << shape.transpose();
    }
  }
}

// While little moves the order is repaired, not rebuilt.
TEST(BroadPhase, TheOrderOfTheLastStepIsUsed) {
  constexpr int count = 5000;
  Dice dice(test::seed(2));
  BroadPhase broad;
  std::vector<Vec3> centres;
  for (int i = 0; i < count; ++i) {
    centres.push_back(dice.vector(0, 17));
    broad.insert(i, around(centres.back(), Vec3::Constant(0.3)));
  }
  broad.find_pairs();
  EXPECT_EQ(broad.statistics().relocations, count);
  for (int i = 0; i < count; ++i) {
    broad.update(i, around(centres[static_cast<std::size_t>(i)] + dice.vector(-1e-3, 1e-3),
                           Vec3::Constant(0.3)));
  }
  broad.find_pairs();
  EXPECT_EQ(broad.statistics().boxes, count);
  EXPECT_LT(broad.statistics().relocations, count / 100);
  EXPECT_LT(broad.statistics().swaps, count / 20);
}

// Beads on a line change places all at once. The work stays far below that of all pairs.
TEST(BroadPhase, ANewOrderIsSortedAfresh) {
  constexpr int count = 3000;
  Dice dice(test::seed(4, test::few_rounds));
  Twin twin(count);
  for (const bool is_random : {false, true, true, false}) {
    for (int i = 0; i < count; ++i) {
      const double x = is_random ? dice.between(0, count) : i;
      twin.set(i, around(Vec3(x, 0.5, 0.5), Vec3::Constant(0.4)));
    }
    ASSERT_NO_FATAL_FAILURE(twin.check());
    EXPECT_LT(twin.broad().statistics().swaps, 40L * count);
  }
  for (int i = 0; i < count; ++i) twin.set(i, around(Vec3(-i, 0.5, 0.5), Vec3::Constant(0.5)));
  ASSERT_NO_FATAL_FAILURE(twin.check());
  EXPECT_LT(twin.broad().statistics().swaps, 40L * count);
}

}  // namespace
}  // namespace abut::broad
