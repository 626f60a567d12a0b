// Every kind of curved body dropped on every other one, which is fixed, at random attitudes: the
// run goes on to its end, nothing overlaps, and energy never grows.

#include <random>

#include "support/contact_runs.h"
#include "support/sizes.h"

namespace abut {
namespace {

constexpr int shape_kinds = 10;

class Dropper {
 public:
  explicit Dropper(unsigned seed) : engine_(seed) {}

  std::string scene(int lower, int upper, double friction) {
    return test::head(0.4, 100) + "materials:\n  m: {friction: " + std::to_string(friction) +
           ", restitution: " + number(0, 0.5) + "}\nbodies:\n" + test::floor_plane +
           body("lower", lower, "motion: fixed, position: [0, 0, 0.25]") +
           body("upper", upper,
                "angular_velocity: " + vector(6) + ", position: [" + number(-0.05, 0.05) + ", " +
                    number(-0.05, 0.05) + ", 0.6]");
  }

 private:
  // Numbers that do not depend on how the standard library makes a distribution.
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0;
  }
  std::string number(double low, double high) { return std::to_string(between(low, high)); }
  std::string numbers(int count, double low, double high) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + number(low, high);
    return text + "]";
  }
  std::string vector(double size) { return numbers(3, -size, size); }

  std::string body(const std::string& name, int kind, const std::string& rest) {
    return "  - {name: " + name + ", material: m, shape: " + shape(kind) +
           ", orientation: " + numbers(4, -1, 1) + ", " + rest + "}\n";
  }

  std::string shape(int kind) {
    switch (kind) {
      case 0:
        return "{sphere: {radius: " + number(0.06, 0.12) + "}}";
      case 1:
        return "{ellipsoid: {radii: " + numbers(3, 0.05, 0.15) + "}}";
      case 2:
        return "{superellipsoid: {radii: " + numbers(3, 0.06, 0.12) +
               ", exponents: " + numbers(2, 0.6, 1.4) + "}}";
      case 3:
        return "{torus: {radius: " + number(0.08, 0.13) + ", tube: " + number(0.02, 0.04) + "}}";
      case 4:
        return "{capsule: {radius: " + number(0.03, 0.07) + ", height: " + number(0.1, 0.25) + "}}";
      case 5:
        return "{cylinder: {radius: " + number(0.05, 0.12) + ", height: " + number(0.06, 0.25) +
               "}}";
      case 6:
        return "{cone: {radius: " + number(0.06, 0.12) + ", height: " + number(0.08, 0.25) + "}}";
      case 7:
        return "{box: {size: " + numbers(3, 0.08, 0.2) + "}}";
      case 8:
        return "{convex: {points: [" + vector(0.1) + ", " + vector(0.1) + ", " + vector(0.1) +
               ", " + vector(0.1) + ", " + vector(0.1) + ", " + vector(0.1) +
               "], rounding: " + number(0.01, 0.03) + "}}";
      default:
        return "{implicit: {function: \"(x/" + number(0.07, 0.12) + ")^2 + (y/" +
               number(0.07, 0.12) + ")^2 + (z/" + number(0.07, 0.12) +
               ")^2 - 1\", bounds: [[-0.15, -0.15, -0.15], [0.15, 0.15, 0.15]]}}";
    }
  }

  std::mt19937 engine_;
};

// All pairs at full size, with friction and without; otherwise some of them, each kind among them.
TEST(PairDrops, EveryPairGoesOnToTheEnd) {
  const bool full = test::full_size() && !test::sanitized;
  for (int lower = 0; lower < shape_kinds; ++lower)
    for (int upper = 0; upper < shape_kinds; ++upper) {
      if (!full && (lower + 3 * upper) % 5 != 0) continue;
      for (const double friction : {0.0, 0.4}) {
        if (!full && (friction > 0) != ((lower + upper) % 2 == 0)) continue;
        SCOPED_TRACE(std::to_string(upper) + " falls on " + std::to_string(lower) +
                     (friction > 0 ? " with friction" : ""));
        Dropper dropper(static_cast<unsigned>(100 + shape_kinds * lower + upper));
        const auto run = test::run_text(dropper.scene(lower, upper, friction));
        EXPECT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
        EXPECT_GT(run.summary.min_gap, 0);
        EXPECT_LT(std::abs(run.summary.energy_error), 1e-7);
        test::expect_no_energy_gain(run);
      }
    }
}

}  // namespace
}  // namespace abut
