// A stiff body that bends tends to the rigid one: dropped, sliding, rolling, toppling.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "support/contact_runs.h"

namespace abut {
namespace {

using test::ContactRun;

struct StiffCase {
  std::string name;
  double duration;  ///< s
  double friction;
  std::string normal;  ///< of the floor
  std::string body;
  double way;  ///< m, that the rigid body goes, about
};

/// A prism of 24 sides along y: bodies that bend have flat triangles, so a rigid one rolls alike.
std::string prism_points() {
  std::string points;
  for (int i = 0; i < 24; ++i) {
    const double angle = std::numbers::pi * (i + 0.5) / 12;
    for (const double y : {-0.15, 0.15})
      points += fmt::format("{}[{:.6f}, {}, {:.6f}]", points.empty() ? "" : ", ",
                            0.2 * std::cos(angle), y, 0.2 * std::sin(angle));
  }
  return points;
}

std::vector<StiffCase> stiff_cases() {
  return {{"drop", 0.6, 0.3, "[0, 0, 1]",
           "shape: {box: {size: [0.4, 0.3, 0.2]}}, position: [0, 0, 0.3]", 0.2},
          {"slide", 0.8, 0.3, "[0, 0, 1]",
           "shape: {box: {size: [0.4, 0.3, 0.1]}}, position: [0, 0, 0.0501], velocity: [2, 0, 0]",
           0.68},
          {"topple", 0.6, 0.8, "[0, 0, 1]",
           "shape: {box: {size: [0.2, 0.3, 0.5]}}, position: [0.05, 0, 0.275], orientation: {axis: "
           "[0, 1, 0], angle: 26 deg}",
           0.2},
          {"roll", 1, 0.8, "[0.05, 0, 0.99875]",
           "shape: {convex: {points: [" + prism_points() +
               "]}}, position: [0, 0, 0.2005], velocity: [1, 0, 0], angular_velocity: [0, 5, 0]",
           0.94}};
}

ContactRun run_case(const StiffCase& one, const std::string& flexible) {
  return test::run_text(fmt::format(
      "abut: 1\nduration: {}\nrecord: {{rate: 100}}\nsolver: {{clock: step, step: 2 ms}}\n"
      "materials: {{m: {{density: 1000, friction: {}, restitution: 0}}}}\nbodies:\n"
      "  - {{name: floor, motion: fixed, material: m, shape: {{plane: {{normal: {}}}}}}}\n"
      "  - {{name: body, material: m, {}{}}}\n",
      one.duration, one.friction, one.normal, one.body, flexible));
}

/// How far the centres of mass of two runs are ever apart, m.
double farthest(const ContactRun& a, const ContactRun& b) {
  double far = 0;
  for (std::size_t i = 0; i < std::min(a.sink.frames.size(), b.sink.frames.size()); ++i)
    far = std::max(
        far, (a.sink.frames[i].bodies[1].centre_of_mass - b.sink.frames[i].bodies[1].centre_of_mass)
                 .norm());
  return far;
}

TEST(StiffLimit, IsTheRigidBody) {
  for (const StiffCase& one : stiff_cases()) {
    const ContactRun rigid = run_case(one, "");
    EXPECT_EQ(rigid.summary.status, RunStatus::complete) << one.name;
    for (const int order : {1, 2}) {
      const auto error = [&](double young) {
        const ContactRun bent = run_case(
            one, fmt::format(", flexible: {{order: {}, young: {}, poisson: 0.3, damping: 1 ms}}",
                             order, young));
        EXPECT_EQ(bent.summary.status, RunStatus::complete) << one.name << bent.summary.message;
        return farthest(rigid, bent);
      };
      const double stiff = error(1e8);
      EXPECT_LT(stiff, 5e-3 * one.way) << one.name << " of order " << order;
      EXPECT_LT(stiff, error(1e5)) << one.name << " of order " << order;
    }
  }
}

}  // namespace
}  // namespace abut
