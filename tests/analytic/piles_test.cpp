// Structures that friction holds together, on both sides of the limit that statics tells; and what
// happens when it does not.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/contact_runs.h"
#include "support/sizes.h"

namespace abut {
namespace {

using test::ContactRun;
using test::expect_sound;
using test::head;
using test::number;
using test::run_text;

std::string material(double friction) {
  return "materials: {m: {density: 1000, friction: " + number(friction) + ", restitution: 0}}\n";
}
std::string vector(double x, double y, double z) {
  return "[" + number(x) + ", " + number(y) + ", " + number(z) + "]";
}

// How far any body has moved since the first frame.
double largest_shift(const ContactRun& run) {
  double largest = 0;
  const auto& first = run.sink.frames.front().bodies;
  const auto& last = run.sink.frames.back().bodies;
  for (std::size_t i = 0; i < first.size(); ++i)
    largest = std::max(largest, (last[i].position - first[i].position).norm());
  return largest;
}

// Two pairs of cards that lean together, and two cards that lie across them.
struct House {
  double length = 0.088, width = 0.063, thickness = 0.001, lean = 12 * std::numbers::pi / 180;

  std::string scene(double friction) const {
    const double s = std::sin(lean), c = std::cos(lean), gap = 1e-10;
    const double height = length * c + thickness * s;
    std::string text = material(friction) +
                       "bodies:\n  - {name: table, motion: fixed, material: m, shape: {plane: "
                       "{normal: [0, 0, 1]}}}\n";
    for (const double ridge : {-0.03, 0.03})
      for (const double side : {1.0, -1.0}) {
        const double x = ridge - side * (gap + 0.5 * (length * s + thickness * c));
        text += "  - {name: \"" + number(ridge) + number(side) +
                "\", material: m, shape: " + "{box: {size: " + vector(thickness, width, length) +
                "}}, position: " + vector(x, 0, 0.5 * height) +
                ", orientation: {axis: [0, 1, 0], angle: " + number(side * lean) + "}}\n";
      }
    for (const double place : {0.5, 1.5})
      text += "  - {name: \"" + number(place) +
              "\", material: m, shape: {box: {size: " + vector(length, width, thickness) +
              "}}, position: " + vector(0, 0, height + place * thickness) + "}\n";
    return text;
  }

  // A leaning card weighs W, bears P = W / 2 at its upper corner, where friction may pull with Q <=
  // mu P, and N = 3 W / 2 at the table, with friction H. By symmetry the ridge bears no weight.
  // Moments about the ridge: L c H = L s N - W (L s + t c) / 2 - t c P - t s Q. At the limit
  // H = mu N and Q = mu P.
  double least_friction() const {
    const double ratio = thickness / length, slope = std::tan(lean);
    return (slope - ratio) / (1.5 + 0.5 * ratio * slope);
  }
};

TEST(Piles, AHouseOfSixCardsStandsJustAboveTheLeastFriction) {
  const House house;
  const auto run = run_text(head(10, 10) + house.scene(house.least_friction() * (1 + 1e-5)));
  expect_sound(run);
  EXPECT_LT(largest_shift(run), 1e-9);
}

TEST(Piles, AHouseOfSixCardsFallsJustBelowIt) {
  const House house;
  const auto run = run_text(head(0.5, 10) + house.scene(house.least_friction() * (1 - 1e-4)));
  expect_sound(run);
  EXPECT_LT(run.sink.frames.back().bodies.back().position.z(),
            run.sink.frames.front().bodies.back().position.z() - 1e-3);
}

// A semicircular arch of seven stones between two abutments, of mean radius 1.
struct Arch {
  static constexpr int stones = 7;
  static constexpr double width = 0.3;

  static std::string scene(double thickness) {
    std::string text = material(0.8) + "bodies:\n";
    for (const double side : {-1.0, 1.0})
      text += "  - {name: \"abutment " + number(side) +
              "\", motion: fixed, material: m, shape: {box: {size: [0.5, 0.5, 0.2]}}, position: " +
              vector(side, 0, -0.1) + "}\n";
    for (int k = 0; k < stones; ++k) {
      text += "  - {name: stone " + std::to_string(k) + ", material: m, shape: {convex: {points: [";
      for (const int joint : {k, k + 1})
        for (const double radius : {1 - thickness / 2, 1 + thickness / 2})
          for (const double y : {-width / 2, width / 2}) {
            const double a = std::numbers::pi * joint / stones;
            text += vector(-radius * std::cos(a), y, radius * std::sin(a)) + ", ";
          }
      text += "]}}}\n";
    }
    return text;
  }

  // Whether there is a line of thrust within all joints. At the crown the thrust is horizontal, H
  // at the height z. Above a joint at the angle a from the springing the stones weigh w(a), at
  // x(a). The thrust passes the joint's line at the distance r from the centre where moments
  // vanish: with the joint's point (-r cos a, r sin a),
  //     H (z - r sin a) = w (r cos a - x):   H z = M within bounds that are linear in H.
  static bool stands(double thickness) {
    const double inner = 1 - thickness / 2, outer = 1 + thickness / 2;
    // A stone over the angle d has its area at radius (2/3) (o^3 - i^3) / (o^2 - i^2) chord / d ...
    // but these stones are flat trapezoids: sums over their triangles.
    struct Line {
      double at_0, slope;
    };
    std::vector<Line> lower, upper;
    double weight = 0, moment = 0;
    const auto corner = [](double r, double a) {
      return std::array<double, 2>{-r * std::cos(a), r * std::sin(a)};
    };
    for (int k = stones / 2; k >= 0; --k) {
      const double a0 = std::numbers::pi * k / stones;
      const double a1 = std::min(std::numbers::pi * (k + 1) / stones, std::numbers::pi / 2);
      // The middle stone is cut at the crown, where its faces are chords.
      const double full = std::numbers::pi / stones;
      const bool is_middle = k == stones / 2;
      const double cut = is_middle ? std::cos(full / 2) : 1;
      const std::array<std::array<double, 2>, 4> c = {
          corner(inner, a0), corner(outer, a0), corner(outer * cut, a1), corner(inner * cut, a1)};
      double area = 0, first = 0;
      for (int i = 0; i < 4; ++i) {
        const auto& p = c[i];
        const auto& q = c[(i + 1) % 4];
        const double cross = p[0] * q[1] - q[0] * p[1];
        area += cross / 2;
        first += cross * (p[0] + q[0]) / 6;
      }
      weight += std::abs(area);
      moment += std::abs(area) * (first / area);  // of x, negative
      for (const double r : {inner, outer}) {
        // M = H r sin a + w (r cos a) + (moment of x), since x is negative to the left.
        const Line line{weight * r * std::cos(a0) + moment, r * std::sin(a0)};
        (r == inner ? lower : upper).push_back(line);
      }
    }
    // M between max of the lower and min of the upper lines for some H: look at their crossings.
    const auto room = [&](double h) {
      double low = -1e300, high = 1e300;
      for (const Line& line : lower) low = std::max(low, line.at_0 + h * line.slope);
      for (const Line& line : upper) high = std::min(high, line.at_0 + h * line.slope);
      return high - low;
    };
    double best = -1e300;
    for (const Line& one : lower)
      for (const Line& other : upper) {
        for (const Line* a : {&one, &other})
          for (const auto* lines : {&lower, &upper})
            for (const Line& b : *lines) {
              const double h = (b.at_0 - a->at_0) / (a->slope - b.slope);
              if (std::isfinite(h) && h > 0) best = std::max(best, room(h));
            }
      }
    return best >= 0;
  }

  static double least_thickness() {
    double falls = 0.02, stands_at = 0.3;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (falls + stands_at);
      (stands(middle) ? stands_at : falls) = middle;
    }
    return stands_at;
  }
};

TEST(Piles, AnArchOfSevenStonesStandsJustAboveTheLeastThickness) {
  const double least = Arch::least_thickness();
  EXPECT_GT(least, 0.08) << least;
  EXPECT_LT(least, 0.1075);  // of infinitely many stones (Milankovitch 1907)
  const auto run = run_text(head(10, 10) + Arch::scene(least * (1 + 1e-4)));
  expect_sound(run);
  EXPECT_LT(largest_shift(run), 2e-9);  // up to the gaps between the stones
}

TEST(Piles, AnArchOfSevenStonesFallsJustBelowIt) {
  const auto run = run_text(head(0.8, 10) + Arch::scene(Arch::least_thickness() * (1 - 1e-3)));
  expect_sound(run);
  EXPECT_GT(largest_shift(run), 1e-3);
}

// Dominoes with friction, the first of them pushed, listed from first to last or the other way.
std::string dominoes(int count, bool backwards) {
  const double first = backwards ? 0.02 * (count - 1) : 0, step = backwards ? -0.02 : 0.02;
  return material(0.3) +
         "bodies:\n  - {name: floor, motion: fixed, material: m, shape: {plane: {normal: [0, 0, "
         "1]}}}\n  - {name: d, material: m, shape: {box: {size: [0.008, 0.024, 0.048]}}, position: "
         "[" +
         test::number(first) + ", 0, 0.024], repeat: {count: [" + std::to_string(count) +
         ", 1, 1], spacing: [" + test::number(step) +
         ", 0, 0]}}\nforces:\n  - {type: impulse, body: "
         "\"d[" +
         std::to_string(backwards ? count - 1 : 0) +
         ",0,0]\", time: 0.01, impulse: [0.0035, 0, 0], at: [0, 0, 0.046]}\n";
}

TEST(Piles, ARunRepeatedGivesTheSameBitsAndAnotherOrderTheSameMotion) {
  const int count = 4;
  const auto run = run_text(head(0.12, 60) + dominoes(count, false));
  const auto again = run_text(head(0.12, 60) + dominoes(count, false));
  EXPECT_EQ(run.summary.state_hash, again.summary.state_hash);
  const auto backwards = run_text(head(0.12, 60) + dominoes(count, true));
  expect_sound(backwards);
  for (int i = 0; i < count; ++i) {
    const BodyState& one = run.sink.frames.back().bodies[1 + i];
    const BodyState& other = backwards.sink.frames.back().bodies[count - i];
    EXPECT_LT((one.position - other.position).norm(), 1e-9) << i;
    EXPECT_LT((one.velocity - other.velocity).norm(), 1e-7) << i;
  }
}

// When each domino but the first is struck by the one before.
std::vector<double> times_of_first_impulses(const test::ContactRun& run, int count) {
  std::vector<double> times(count - 1, std::numeric_limits<double>::infinity());
  for (const Event& event : run.events(EventKind::impact))
    if (event.body_a >= 1 && event.body_b == event.body_a + 1)
      times[event.body_a - 1] = std::min(times[event.body_a - 1], event.time);
  return times;
}

// The row tells no scale of time but that of its own fall: after a while every domino takes as long
// as the one before it.
TEST(Piles, TheWaveThroughARowOfDominoesSettles) {
  const int count = test::full_size() ? 30 : 12;
  const auto run =
      run_text(head(test::full_size() ? 0.55 : 0.32, 30, "clock: event") + dominoes(count, false));
  expect_sound(run);
  // Nothing tells left from right.
  for (const BodyState& body : run.sink.frames.back().bodies) {
    EXPECT_LT(std::abs(body.velocity.y()), 1e-10);
    EXPECT_LT(std::abs(body.angular_velocity.x()) + std::abs(body.angular_velocity.z()), 1e-8);
  }
  const std::vector<double> times = times_of_first_impulses(run, count);
  const int struck =
      static_cast<int>(std::count_if(times.begin(), times.end(), [](double t) { return t < 1e9; }));
  const auto interval = [&](int i) { return times[i] - times[i - 1]; };
  // What is left to settle falls by a good third from one to the next.
  ASSERT_GE(struck, test::full_size() ? 20 : 10);
  for (int i = 6; i + 2 < std::min(struck, 14); ++i)
    EXPECT_LT(interval(i + 1) - interval(i + 2), 0.75 * (interval(i) - interval(i + 1))) << i;
  for (int i = 18; i < struck; ++i) EXPECT_NEAR(interval(i), interval(17), 1e-3 * interval(17));
}

// How fast any body goes or turns.
double fastest(const ContactRun& run) {
  double most = 0;
  for (const record::Frame& frame : run.sink.frames)
    for (const BodyState& body : frame.bodies)
      most = std::max({most, body.velocity.norm(), body.angular_velocity.norm()});
  return most;
}

// How fast any body goes or turns out of the plane y = 0.
double fastest_sideways(const ContactRun& run) {
  double fastest = 0;
  for (const record::Frame& frame : run.sink.frames)
    for (const BodyState& body : frame.bodies)
      fastest = std::max({fastest, std::abs(body.velocity.y()), std::abs(body.angular_velocity.x()),
                          std::abs(body.angular_velocity.z())});
  return fastest;
}

// Where feet hardly slide, the wave goes on for as long as the row: those behind creep ever more
// slowly, each a fixed part of the next, and must not be stopped for it. Nothing turns them out of
// the plane in which they fall but rounding, and that must not grow beyond what the tolerance
// allows of their motion: the slip of their feet is slow, and its direction settles within less
// than a step.
TEST(Piles, ALongRowOfDominoesKeepsItsPace) {
  const int count = test::full_size() ? 26 : 16;
  const auto run = run_text(
      head(test::full_size() ? 3.3 : 2.1, 10, "clock: event") + material(0.5) +
      "bodies:\n  - {name: floor, motion: fixed, material: m, shape: {plane: {normal: [0, "
      "0, 1]}}}\n  - {name: d, material: m, shape: {box: {size: [0.1, 0.5, 1]}}, position: "
      "[0, 0, 0.5], repeat: {count: [" +
      std::to_string(count) +
      ", 1, 1], spacing: [0.4, 0, 0]}}\nforces:\n  - {type: impulse, body: \"d[0,0,0]\", "
      "time: 0.01, impulse: [30, 0, 0], at: [0, 0, 0.95]}\n");
  expect_sound(run);
  const std::vector<double> times = times_of_first_impulses(run, count);
  const int struck =
      static_cast<int>(std::count_if(times.begin(), times.end(), [](double t) { return t < 1e9; }));
  ASSERT_GE(struck, test::full_size() ? 22 : 12);
  const auto interval = [&](int i) { return times[i] - times[i - 1]; };
  for (int i = 4; i + 2 < std::min(struck, 16); ++i)
    EXPECT_LT(interval(i + 1) - interval(i + 2), 0.65 * (interval(i) - interval(i + 1))) << i;
  for (int i = 20; i < struck; ++i) EXPECT_NEAR(interval(i), interval(19), 2e-4 * interval(19));
  EXPECT_LT(fastest_sideways(run), run.model.solver.tolerance * fastest(run));
}

// How many are no longer near upright: at rest on each other they lie at 0.25 rad above the floor.
int fallen(const ContactRun& run) {
  const std::vector<BodyState>& bodies = run.sink.frames.back().bodies;
  return static_cast<int>(std::count_if(bodies.begin() + 1, bodies.end(), [](const BodyState& one) {
    return (one.orientation * Vec3::UnitZ()).z() < 0.9;
  }));
}

// All of a row on felt fall, and the wave goes on with one pace, to nine digits, if every event is
// followed. The full size has a hundred: two minutes.
TEST(Piles, AHundredDominoesFall) {
  const int count = test::full_size() ? 100 : 20;
  const auto run = run_text(
      head(test::full_size() ? 12.48 : 3.2, 10, "clock: event") +
      "materials: {wood: {friction: 0.5}, felt: {friction: 0.9}}\n"
      "bodies:\n  - {name: floor, motion: fixed, material: felt, shape: {plane: {normal: [0, 0, "
      "1]}}}\n"
      "  - {name: first, material: wood, mass: 1, shape: {box: {size: [0.1, 0.5, 1]}}, position: "
      "[0, "
      "0, 0.5], velocity: [0.5, 0, -0.05], angular_velocity: [0, 1, 0]}\n"
      "  - {name: d, material: wood, mass: 1, shape: {box: {size: [0.1, 0.5, 1]}}, position: [0.4, "
      "0, "
      "0.5], repeat: {count: [" +
      std::to_string(count - 1) + ", 1, 1], spacing: [0.4, 0, 0]}}\n");
  expect_sound(run);
  EXPECT_EQ(fallen(run), count);
  EXPECT_LT(run.summary.energy_error, 1e-9);
  const std::vector<double> times = times_of_first_impulses(run, count);
  ASSERT_LT(times.back(), 12.48);
  const auto interval = [&](int i) { return times[i] - times[i - 1]; };
  // What is left to settle falls by two fifths from one to the next.
  for (int i = 6; i + 2 < std::min(count, 20); ++i)
    EXPECT_LT(interval(i) - interval(i + 1), 0.75 * (interval(i - 1) - interval(i))) << i;
  for (int i = 56; i + 1 < count; ++i)
    EXPECT_NEAR(interval(i), interval(55), 1e-9 * interval(55)) << i;
}

}  // namespace
}  // namespace abut
