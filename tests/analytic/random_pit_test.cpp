// Boxes, balls, capsules and curved bodies thrown into a pit: whatever they do, they never overlap
// and never gain energy, and every single impact bounces as asked. With friction they heap up.

#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "support/contact_runs.h"
#include "support/sizes.h"

namespace abut {
namespace {

class Thrower {
 public:
  explicit Thrower(unsigned seed, bool curved = false) : engine_(seed), curved_(curved) {}

  std::string scene(int bodies) {
    // The pointed ends of superellipsoids need shorter steps for the same momentum error.
    std::string text =
        test::head(0.7, 240, curved_ ? "clock: event, tolerance: 1e-10" : "clock: event") +
        "materials:\n";
    for (int i = 0; i < 3; ++i)
      text += "  m" + std::to_string(i) + ": {restitution: " + number(0, 1) + "}\n";
    text += "bodies:\n" + pit(1);
    for (int i = 0; i < bodies; ++i)
      text += body(i, (i % 3 - 1) * 0.62, (i / 3 % 3 - 1) * 0.62, 0.36 + 0.64 * (i / 9));
    return text;
  }

  std::string heap(int bodies, const std::string& clock) {
    std::string text = test::head(1, 60, clock) + "materials:\n";
    for (int i = 0; i < 3; ++i)
      text += "  m" + std::to_string(i) + ": {friction: " + number(0.3, 0.8) +
              ", restitution: " + number(0, 0.3) + "}\n";
    text += "bodies:\n" + pit(0.64);
    for (int i = 0; i < bodies; ++i)
      text += body(i, (i % 2 - 0.5) * 0.62, (i / 2 % 2 - 0.5) * 0.62, 0.36 + 0.64 * (i / 4));
    return text;
  }

 private:
  // Numbers that do not depend on how the standard library makes a distribution.
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0;
  }
  std::string number(double low, double high) { return std::to_string(between(low, high)); }
  std::string vector(double size) {
    return "[" + number(-size, size) + ", " + number(-size, size) + ", " + number(-size, size) +
           "]";
  }

  // With walls at this distance from the middle.
  static std::string pit(double distance) {
    std::string text =
        "  - {name: floor, shape: {box: {size: [2.4, 2.4, 0.2]}}, position: [0, 0, -0.1],"
        " motion: fixed, material: m0}\n";
    for (const auto& [name, normal] :
         {std::pair("west", "[1, 0, 0]"), std::pair("east", "[-1, 0, 0]"),
          std::pair("south", "[0, 1, 0]"), std::pair("north", "[0, -1, 0]")})
      text += "  - {name: " + std::string(name) + ", shape: {plane: {normal: " + normal +
              ", offset: " + std::to_string(-distance) + "}}, motion: fixed}\n";
    return text;
  }

  // Each in a cell of its own, of 0.64 m.
  std::string body(int i, double x, double y, double z) {
    const std::string shapes[] = {
        "{box: {size: [" + number(0.1, 0.34) + ", " + number(0.1, 0.34) + ", " + number(0.1, 0.34) +
            "]}}",
        "{sphere: {radius: " + number(0.07, 0.24) + "}}",
        "{capsule: {radius: " + number(0.05, 0.15) + ", height: " + number(0.08, 0.27) + "}}"};
    const bool at_rest = between(0, 1) < 0.4;
    std::string shape = shapes[static_cast<int>(between(0, 3))];
    if (curved_ && between(0, 1) < 0.7) shape = curved_shape();
    return "  - {name: body" + std::to_string(i) + ", shape: " + shape + ", material: m" +
           std::to_string(static_cast<int>(between(0, 3))) + ", position: [" + std::to_string(x) +
           ", " + std::to_string(y) + ", " + std::to_string(z) +
           "], orientation: {axis: [1, 2, 3], angle: " + (at_rest ? "0" : number(0, 3)) + "}" +
           (at_rest ? "" : ", velocity: " + vector(1.5) + ", angular_velocity: " + vector(3)) +
           "}\n";
  }

  std::string curved_shape() {
    const std::string radii = "radii: [" + number(0.06, 0.28) + ", " + number(0.06, 0.28) + ", " +
                              number(0.06, 0.28) + "]";
    if (between(0, 1) < 0.6) return "{ellipsoid: {" + radii + "}}";
    return "{superellipsoid: {" + radii + ", exponents: [" + number(1, 1.5) + ", " +
           number(1, 1.5) + "]}}";
  }

  std::mt19937 engine_;
  bool curved_;
};

TEST(RandomPit, NothingOverlapsAndNothingGainsEnergy) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(test::cases(10)); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto run = test::run_text(Thrower(seed).scene(seed % 2 == 0 ? 6 : 14));
    test::expect_sound(run);
    test::expect_restitution(run, 1e-8);
  }
}

// Bodies in such heaps slide, stick, roll, wedge and jam. Those whose forces would break the laws,
// or whose events do not end, are stepped: nothing but digits is lost.
TEST(RandomPit, HeapsWithFrictionComeToTheirEnd) {
  std::vector<unsigned> seeds = {1, 2, 12, 17, 20, 23};
  if (test::full_size()) {
    seeds.resize(24);
    std::iota(seeds.begin(), seeds.end(), 1U);
  }
  for (const unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto run = test::run_text(Thrower(seed).heap(7, "clock: auto"));
    EXPECT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
    EXPECT_GT(run.summary.min_gap, 0);
    EXPECT_LT(run.summary.energy_error, 1e-3);
    test::expect_disjoint(run);
  }
}

TEST(RandomPit, NorDoCurvedBodies) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(test::cases(10)); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto run = test::run_text(Thrower(seed, true).scene(seed % 2 == 0 ? 6 : 12));
    test::expect_sound(run);
    test::expect_restitution(run, 1e-8);
  }
}

}  // namespace
}  // namespace abut
