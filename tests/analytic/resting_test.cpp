// Resting contact without friction against statics, at the default tolerances.

#include "support/constants.h"
#include "support/contact_runs.h"
#include "support/dense.h"

namespace abut {
namespace {

using test::ContactRun;
using test::floor_plane;
using test::head;
using test::number;
using test::run_text;

using abut::test::g;

std::string box(const std::string& name, const Vec3& size, double mass, const Vec3& position,
                const std::string& more = "") {
  return "  - {name: " + name + ", shape: {box: {size: [" + number(size.x()) + ", " +
         number(size.y()) + ", " + number(size.z()) + "]}}, mass: " + number(mass) +
         ", position: [" + number(position.x()) + ", " + number(position.y()) + ", " +
         number(position.z()) + "]" + more + "}\n";
}

// Nothing happens after the start, and no body is anywhere else than just after it.
void expect_stands(const ContactRun& run) {
  for (const Event& event : run.sink.events)
    EXPECT_EQ(event.time, 0) << to_string(event.kind) << " of " << event.body_a << " and "
                             << event.body_b;
  const auto& start = run.after(0);
  for (const auto& frame : run.sink.frames)
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      if (frame.kind == record::FrameKind::before) continue;
      ASSERT_LT((frame.bodies[i].position - start.bodies[i].position).norm(), 1e-9) << frame.time;
      ASSERT_LT(frame.bodies[i].velocity.norm(), 1e-9) << frame.time;
      ASSERT_LT(frame.bodies[i].angular_velocity.norm(), 1e-9) << frame.time;
    }
}

// Of cubes on top of each other the interface below cube i bears all above it, a quarter per
// corner.
void expect_stack_forces(const record::Frame& frame, const std::vector<double>& masses) {
  ASSERT_EQ(frame.contacts.size(), 4 * masses.size());
  for (const ContactState& contact : frame.contacts) {
    const auto upper = static_cast<std::size_t>(std::max(contact.body_a, contact.body_b));
    double weight = 0;
    for (std::size_t i = upper; i <= masses.size(); ++i) weight += masses[i - 1] * g;
    ASSERT_NEAR(contact.normal_force, weight / 4, 1e-9 * weight) << frame.time;
    ASSERT_NEAR(contact.gap, 2e-10, 1e-10);
  }
}

void expect_stack_stands(const std::vector<double>& masses) {
  std::string text = head(10, 10) + "bodies:\n" + floor_plane;
  for (std::size_t i = 0; i < masses.size(); ++i)
    text += box("cube" + std::to_string(i), Vec3::Ones(), masses[i], Vec3(0, 0, 0.5 + i));
  const auto run = run_text(text);
  expect_stands(run);
  for (const auto& frame : run.sink.frames)
    if (frame.kind != record::FrameKind::before) expect_stack_forces(frame, masses);
  test::expect_sound(run);
}

TEST(Stack, TenCubesStandStill) {
  expect_stack_stands(std::vector<double>(10, 1));
}

TEST(Stack, NineCubesCarryOneAThousandTimesAsHeavy) {
  std::vector<double> masses(10, 1);
  masses.back() = 1000;
  expect_stack_stands(masses);
}

// Bricks of 1 x 1 x 0.25 m on a table that ends at x = 0, by the x of their centres.
constexpr double thickness = 0.25;

std::string bricks_on_table(const std::vector<double>& centres, double duration) {
  std::string text = head(duration, 60) + "bodies:\n" +
                     box("table", Vec3(4, 2, 1), 1, Vec3(-2, 0, -0.5), ", motion: fixed");
  for (std::size_t i = 0; i < centres.size(); ++i)
    text += box("brick" + std::to_string(i), Vec3(1, 1, thickness), 1,
                Vec3(centres[i], 0, thickness * (0.5 + i)));
  return text;
}

// What happens at once to bricks that are let go, by trying every set of contacts that may hold:
// each interface touches along the two ends of the overlap. Every brick falls with a and turns with
// w about y, and the acceleration of a gap is the difference of a - w (x - centre).
struct Bricks {
  std::vector<double> centres;
  Eigen::VectorXd forces;         // by interface and end, the lower x first
  Eigen::VectorXd accelerations;  // a, w by brick

  explicit Bricks(const std::vector<double>& middles) : centres(middles) {
    const int n = static_cast<int>(centres.size());
    const double inertia = (1 + thickness * thickness) / 12;
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    for (int i = 0; i < n; ++i)
      for (int end = 0; end < 2; ++end) {
        const double x = contact_x(i, end);
        j(2 * i + end, 2 * i) = 1;
        j(2 * i + end, 2 * i + 1) = -(x - centres[i]);
        if (i == 0) continue;
        j(2 * i + end, 2 * i - 2) = -1;
        j(2 * i + end, 2 * i - 1) = x - centres[i - 1];
      }
    Eigen::VectorXd inverse_mass(2 * n), free(2 * n);
    for (int i = 0; i < n; ++i) {
      inverse_mass.segment<2>(2 * i) << 1, 1 / inertia;
      free.segment<2>(2 * i) << -g, 0;
    }
    const Eigen::MatrixXd a = j * inverse_mass.asDiagonal() * j.transpose();
    const Eigen::VectorXd b = j * free;
    for (int set = 1; set < 1 << (2 * n); ++set) {
      std::vector<int> held;
      for (int i = 0; i < 2 * n; ++i)
        if (set >> i & 1) held.push_back(i);
      const Eigen::MatrixXd block = a(held, held);
      if (test::rank(block) < block.rows()) continue;
      Eigen::VectorXd f = Eigen::VectorXd::Zero(2 * n);
      f(held) = test::solution(block, -b(held));
      if (f.minCoeff() < 0 || (a * f + b).minCoeff() < -1e-10) continue;
      forces = f;
      accelerations = free + inverse_mass.asDiagonal() * (j.transpose() * f);
      return;
    }
    ADD_FAILURE() << "no set of contacts holds";
  }

  double contact_x(int interface, int end) const {
    const double below_low = interface == 0 ? -4 : centres[interface - 1] - 0.5;
    const double below_high = interface == 0 ? 0 : centres[interface - 1] + 0.5;
    return end == 0 ? std::max(below_low, centres[interface] - 0.5)
                    : std::min(below_high, centres[interface] + 0.5);
  }
};

void expect_as_predicted(const std::vector<double>& centres) {
  const Bricks exact(centres);
  const auto run = run_text(bricks_on_table(centres, 0.02));
  const record::Frame& start = run.after(0);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    EXPECT_NEAR(start.bodies[i + 1].acceleration.z(), exact.accelerations[2 * i], 1e-8) << i;
    EXPECT_NEAR(start.bodies[i + 1].angular_acceleration.y(), exact.accelerations[2 * i + 1], 1e-8)
        << i;
  }
  for (std::size_t interface = 0; interface < centres.size(); ++interface)
    for (int end = 0; end < 2; ++end) {
      double found = 0;
      for (const ContactState& contact : start.contacts)
        if (std::max(contact.body_a, contact.body_b) == static_cast<int>(interface) + 1 &&
            std::abs(contact.point.x() - exact.contact_x(interface, end)) < 1e-6)
          found += contact.normal_force;
      EXPECT_NEAR(found, exact.forces[2 * interface + end], 1e-7) << interface << " " << end;
    }
  test::expect_sound(run);
}

// Baraff 1993, figure 3: which of the contacts of overbalanced bricks break?
TEST(OverbalancedBricks, BreakTheRightContacts) {
  expect_as_predicted({0.3});
  expect_as_predicted({0.1, 0.35});
  expect_as_predicted({-0.1, 0.3, 0.1});
  expect_as_predicted({-0.2, 0.2, 0.6, 0.3, 0.45});
  expect_as_predicted({-0.3, 0.1, 0.45, 0.05, -0.2});
}

// The k-th brick from above may overhang the one below it by 1 / (2 k) of its length.
std::vector<double> harmonic(int n, double factor) {
  std::vector<double> centres(n);
  double edge = 0;
  for (int i = 0; i < n; ++i) {
    edge += factor / (2.0 * (n - i));
    centres[i] = edge - 0.5;
  }
  return centres;
}

TEST(HarmonicOverhang, StandsJustUnderTheLimit) {
  for (const int n : {1, 3, 5}) {
    const auto run = run_text(bricks_on_table(harmonic(n, 1 - 1e-6), 2));
    expect_stands(run);
    test::expect_sound(run);
  }
}

// Just over it every interface is overbalanced. The smallest lever is 5e-7 / n m, and it grows
// like exp(t sqrt(g lever' )), about e in a third of a second.
TEST(HarmonicOverhang, FallsJustOverTheLimit) {
  for (const int n : {1, 3, 5}) {
    // The heap that the bricks end as is a storm of events; followed to the last of them here.
    const auto run =
        run_text(bricks_on_table(harmonic(n, 1 + 1e-6), 5) + "solver: {clock: event}\n");
    const BodyState& start = run.after(0).bodies[n];
    EXPECT_LT(start.acceleration.z(), 0);
    EXPECT_LT(run.sink.last(n).position.z(), start.position.z() - 0.1) << n;
    test::expect_sound(run);
  }
}

TEST(RestingCapsule, PressesWithBothEndsAlike) {
  const auto run =
      run_text(head(1, 60) + "bodies:\n" + floor_plane +
               "  - {name: rod, shape: {capsule: {radius: 0.1, height: 0.8}}, mass: 2,"
               " position: [0, 0, 0.1], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n");
  expect_stands(run);
  const auto& contacts = run.sink.frames.back().contacts;
  ASSERT_EQ(contacts.size(), 2u);
  for (const ContactState& contact : contacts) EXPECT_NEAR(contact.normal_force, g, 1e-9);
  test::expect_sound(run);
}

// A capsule of radius 0.1 between two edges 0.12 apart, along them: each presses at 0.06 off the
// middle, so sin = 0.6 and 4 N 0.8 = m g with two points on each side.
TEST(RestingCapsule, LiesInAGroove) {
  const auto run =
      run_text(head(1, 60) + "bodies:\n" +
               box("left", Vec3(1, 2, 1), 1, Vec3(-0.56, 0, -0.5), ", motion: fixed") +
               box("right", Vec3(1, 2, 1), 1, Vec3(0.56, 0, -0.5), ", motion: fixed") +
               "  - {name: rod, shape: {capsule: {radius: 0.1, height: 0.8}}, mass: 2,"
               " position: [0, 0, 0.08], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n");
  expect_stands(run);
  const auto& contacts = run.sink.frames.back().contacts;
  ASSERT_EQ(contacts.size(), 4u);
  for (const ContactState& contact : contacts) EXPECT_NEAR(contact.normal_force, 2 * g / 3.2, 1e-7);
  test::expect_sound(run);
}

// The groove's edges across the capsule: one point on each.
TEST(RestingCapsule, BridgesAGap) {
  const auto run =
      run_text(head(1, 60) + "bodies:\n" +
               box("left", Vec3(1, 2, 1), 1, Vec3(-0.7, 0, -0.5), ", motion: fixed") +
               box("right", Vec3(1, 2, 1), 1, Vec3(0.6, 0, -0.5), ", motion: fixed") +
               "  - {name: rod, shape: {capsule: {radius: 0.1, height: 0.8}}, mass: 2,"
               " position: [0, 0, 0.1], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n");
  expect_stands(run);
  double sum = 0, moment = 0;
  for (const ContactState& contact : run.sink.frames.back().contacts) {
    sum += contact.normal_force;
    moment += contact.normal_force * contact.point.x();
  }
  EXPECT_NEAR(sum, 2 * g, 1e-8);
  EXPECT_NEAR(moment, 0, 1e-8);
  test::expect_sound(run);
}

// Balanced on a single crossing of edges, for as long as rounding takes to grow.
TEST(CrossingEdges, BearTheWholeWeightAtOnePoint) {
  const double half = std::sqrt(0.5);
  const auto run = run_text(head(0.5, 60) + "bodies:\n" +
                            box("below", Vec3::Ones(), 1, Vec3(0, 0, -half),
                                ", motion: fixed, orientation: {axis: [1, 0, 0], angle: 45 deg}") +
                            box("above", Vec3::Ones(), 3, Vec3(0, 0, half),
                                ", orientation: {axis: [0, 1, 0], angle: 45 deg}"));
  ASSERT_EQ(run.sink.frames.back().contacts.size(), 1u);
  const ContactState& contact = run.sink.frames.back().contacts[0];
  EXPECT_NEAR(contact.normal_force, 3 * g, 1e-8);
  EXPECT_NEAR(std::abs(contact.normal.z()), 1, 1e-10);
  expect_stands(run);
  test::expect_sound(run);
}

}  // namespace
}  // namespace abut
