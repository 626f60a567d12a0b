// Impacts without friction against closed forms, at the default tolerances.

#include "support/constants.h"
#include "support/contact_runs.h"

namespace abut {
namespace {

using test::floor_plane;
using test::head;
using test::run_text;

using abut::test::g;

std::string ball_over_floor(double restitution, double duration, double rate) {
  return head(duration, rate) + "materials: {m: {restitution: " + std::to_string(restitution) +
         "}}\nbodies:\n"
         "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed,"
         " material: m}\n"
         "  - {name: ball, shape: {sphere: {radius: 0.5}}, material: m, position: [0, 0, 1.5]}\n";
}

// It falls sqrt(2 h / g) from h = 1 m; every flight lasts e times as long as the one before, the
// first full one 2 e of the fall, and reaches e^2 of the height.
TEST(BouncingBall, HasTheTimesAndHeightsOfTheGeometricSeries) {
  const double e = 0.8;
  const auto run = run_text(ball_over_floor(e, 6, 1000));
  const double fall = std::sqrt(2 / g);
  const auto impacts = run.events(EventKind::impact);
  ASSERT_GT(impacts.size(), 3u);
  double exact = fall, flight = 2 * e * fall;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(impacts[i].time, exact, 1e-9);
    exact += flight;
    flight *= e;
  }
  for (int i = 0; i < 2; ++i) {
    // The apex of the flight after impact i, from the state just after it.
    const BodyState& leaves = run.after(impacts[i].time).bodies[1];
    const double apex = leaves.position.z() + leaves.velocity.z() * leaves.velocity.z() / (2 * g);
    EXPECT_NEAR(apex, 0.5 + std::pow(e, 2 * (i + 1)), 1e-9);
    double highest = 0;
    for (const auto& frame : run.sink.frames)
      if (frame.time > impacts[i].time && frame.time < impacts[i + 1].time)
        highest = std::max(highest, frame.bodies[1].position.z());
    // A frame is at most half a sample from the apex.
    EXPECT_NEAR(highest, apex, 0.5 * g * 0.0005 * 0.0005 + 1e-12);
    EXPECT_LE(highest, apex + 1e-12);
  }
  test::expect_sound(run);
  test::expect_restitution(run);
}

TEST(BouncingBall, RestsAtTheExactLimitOfItsSequence) {
  const double e = 0.8;
  const auto run = run_text(ball_over_floor(e, 6, 60));
  const auto rests = run.events(EventKind::rest);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_NEAR(rests[0].time, std::sqrt(2 / g) * (1 + e) / (1 - e), 1e-6);
  EXPECT_EQ(run.sink.events.back().kind, EventKind::rest);
  EXPECT_NEAR(run.sink.last(1).position.z(), 0.5, 1e-9);
  EXPECT_EQ(run.sink.last(1).velocity.norm(), 0);
  EXPECT_NEAR(run.summary.energy_final - run.summary.energy_initial,
              -run.model.bodies[1].mass.mass * g * 1, 1e-9 * run.summary.energy_initial);
}

TEST(BouncingBall, KeepsItsEnergyForAHundredPerfectBounces) {
  const double fall = std::sqrt(2 / g);
  const auto run = run_text(ball_over_floor(1, 200.5 * fall, 60));
  const auto impacts = run.events(EventKind::impact);
  ASSERT_EQ(impacts.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(impacts[i].time, (2 * i + 1) * fall, 1e-8) << i;
  const double energy = run.model.bodies[1].mass.mass * g * 1.5;
  for (const auto& frame : run.sink.frames)
    ASSERT_NEAR(frame.energy.mechanical(), energy, 1e-9 * energy) << frame.time;
  EXPECT_TRUE(run.events(EventKind::rest).empty());
  test::expect_sound(run);
  test::expect_restitution(run);
}

TEST(BouncingBall, RestsAtOnceWithoutRestitution) {
  const auto run = run_text(ball_over_floor(0, 2, 60));
  ASSERT_EQ(run.sink.events.size(), 1u);
  EXPECT_EQ(run.sink.events[0].kind, EventKind::impact);
  const BodyState& after = run.after(run.sink.events[0].time).bodies[1];
  EXPECT_NEAR(after.velocity.norm(), 0, 1e-14);
  EXPECT_NEAR(after.acceleration.norm(), 0, 1e-12);
  ASSERT_EQ(run.sink.frames.back().contacts.size(), 1u);
  const double weight = run.model.bodies[1].mass.mass * g;
  EXPECT_NEAR(run.sink.frames.back().contacts[0].normal_force, weight, 1e-9 * weight);
  test::expect_sound(run);
}

// A box of 0.6 x 0.8 x 1 m and 3 kg over a floor, everything with restitution e.
std::string box_over_floor(double e, const std::string& placement) {
  return head(1, 240) + "materials: {m: {restitution: " + std::to_string(e) +
         "}}\nbodies:\n"
         "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed,"
         " material: m}\n"
         "  - {name: box, shape: {box: {size: [0.6, 0.8, 1]}}, mass: 3, material: m, " +
         placement + "}\n";
}

Mat3 inverse_inertia(const model::Body& body, const Quat& orientation) {
  const Mat3 axes = orientation.toRotationMatrix();
  return axes * body.mass.inertia.inverse() * axes.transpose();
}

// With r the arm of the touching point, u the rate of its gap and n the normal,
//   j = -(1 + e) u / (1/m + (r x n) . I^-1 (r x n)),   v' = v + j n / m,   w' = w + j I^-1 (r x n).
TEST(BoxImpact, ACornerBouncesAsTheClosedFormSays) {
  for (const double e : {0.0, 0.35, 1.0}) {
    const auto run = run_text(
        box_over_floor(e,
                       "position: [0, 0, 1.4], orientation: {axis: [0.3, 1, -0.2], angle: 0.7},"
                       " velocity: [0.5, -0.3, -1], angular_velocity: [1, -2, 0.5]"));
    const auto impacts = run.events(EventKind::impact);
    ASSERT_FALSE(impacts.empty());
    const Event& hit = impacts.front();
    const BodyState& before = run.before(hit.time).bodies[1];
    const BodyState& after = run.after(hit.time).bodies[1];
    const Vec3 n = Vec3::UnitZ();
    const Vec3 r = hit.point - before.centre_of_mass;
    EXPECT_NEAR((before.orientation.conjugate() * r).cwiseAbs().x(), 0.3, 1e-9);
    EXPECT_NEAR((before.orientation.conjugate() * r).cwiseAbs().y(), 0.4, 1e-9);
    EXPECT_NEAR((before.orientation.conjugate() * r).cwiseAbs().z(), 0.5, 1e-9);
    const Mat3 inverse = inverse_inertia(run.model.bodies[1], before.orientation);
    const Vec3 arm = r.cross(n);
    const double u = n.dot(test::velocity_at(before, hit.point));
    const double j = -(1 + e) * u / (1 / 3.0 + arm.dot(inverse * arm));
    EXPECT_NEAR(hit.normal_impulse, j, 1e-9);
    EXPECT_LT((after.velocity - before.velocity - j / 3 * n).norm(), 1e-10);
    EXPECT_LT((after.angular_velocity - before.angular_velocity - j * inverse * arm).norm(), 1e-10);
    test::expect_sound(run);
    test::expect_restitution(run);
  }
}

// A box that does not turn falls until its lowest corner is down.
TEST(BoxImpact, AFallingCornerArrivesOnTime) {
  const auto run = run_text(
      box_over_floor(0.5, "position: [0, 0, 2], orientation: {axis: [1, 2, 3], angle: 1}"));
  const Quat q(Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()));
  const Vec3 down = q.conjugate() * Vec3::UnitZ();
  const double reach = down.cwiseAbs().dot(Vec3(0.3, 0.4, 0.5));
  ASSERT_FALSE(run.sink.events.empty());
  EXPECT_NEAR(run.sink.events[0].time, std::sqrt(2 * (2 - reach) / g), 1e-9);
  test::expect_sound(run);
  test::expect_restitution(run);
}

// An edge lands with both ends at once: one closed form for the sum, shared alike.
TEST(BoxImpact, AnEdgeSharesItsImpulseAlike) {
  const double e = 0.4, angle = 0.5;
  const auto run = run_text(
      box_over_floor(e, "position: [0, 0, 1.2], orientation: {axis: [0, 1, 0], angle: 0.5}"));
  const auto impacts = run.events(EventKind::impact);
  ASSERT_GE(impacts.size(), 2u);
  const double time = impacts[0].time;
  const double height = 0.3 * std::sin(angle) + 0.5 * std::cos(angle);
  EXPECT_NEAR(time, std::sqrt(2 * (1.2 - height) / g), 1e-9);
  ASSERT_EQ(impacts[1].time, time);
  const double lever = 0.5 * std::sin(angle) - 0.3 * std::cos(angle);
  const double inertia = 3 * (0.36 + 1) / 12;
  const double j = (1 + e) * g * time / (1 / 3.0 + lever * lever / inertia);
  EXPECT_NEAR(impacts[0].normal_impulse, j / 2, 1e-9);
  EXPECT_NEAR(impacts[1].normal_impulse, j / 2, 1e-9);
  const BodyState& after = run.after(time).bodies[1];
  EXPECT_NEAR(after.velocity.z(), -g * time + j / 3, 1e-9);
  EXPECT_NEAR(std::abs(after.angular_velocity.y()), std::abs(j * lever / inertia), 1e-9);
  EXPECT_NEAR(after.angular_velocity.x(), 0, 1e-10);
  EXPECT_NEAR(after.angular_velocity.z(), 0, 1e-10);
  test::expect_sound(run);
}

TEST(BoxImpact, AFaceSharesItsImpulseAmongFourCorners) {
  const double e = 0.6;
  const auto run = run_text(box_over_floor(e, "position: [0, 0, 1]"));
  const double time = std::sqrt(2 * 0.5 / g);
  std::vector<Event> first;
  for (const Event& event : run.events(EventKind::impact))
    if (event.time < time + 1e-6) first.push_back(event);
  ASSERT_EQ(first.size(), 4u);
  for (const Event& event : first) {
    EXPECT_NEAR(event.time, time, 1e-9);
    EXPECT_NEAR(event.normal_impulse, 3 * (1 + e) * g * time / 4, 1e-9);
  }
  const BodyState& after = run.after(first[0].time).bodies[1];
  EXPECT_LT((after.velocity - Vec3(0, 0, e * g * time)).norm(), 1e-9);
  EXPECT_LT(after.angular_velocity.norm(), 1e-12);
  test::expect_sound(run);
}

// Balls of 1 m across in a row without gravity; the first one comes in at 1 m/s from 1 m away.
struct Row {
  std::vector<double> masses;
  double gap = 0;
  double restitution = 1;
  std::string law;
};

test::ContactRun run_row(const Row& row) {
  std::string text =
      head(4, 60, "impact: " + row.law) +
      "gravity: [0, 0, 0]\nmaterials: {m: {restitution: " + std::to_string(row.restitution) +
      "}}\nbodies:\n";
  for (std::size_t i = 0; i < row.masses.size(); ++i)
    text +=
        "  - {name: b" + std::to_string(i) +
        ", shape: {sphere: {radius: 0.5}}, material: m, mass: " + std::to_string(row.masses[i]) +
        ", position: [" +
        std::to_string(i == 0 ? -1.0 : i + row.gap * (static_cast<double>(i) - 1)) + ", 0, 0]" +
        (i == 0 ? ", velocity: [1, 0, 0]" : "") + "}\n";
  return run_text(text);
}

std::vector<double> speeds_after(const test::ContactRun& run, double time) {
  std::vector<double> speeds;
  for (const BodyState& body : run.after(time).bodies) {
    speeds.push_back(body.velocity.x());
    EXPECT_LT(std::abs(body.velocity.y()) + std::abs(body.velocity.z()), 1e-12);
    EXPECT_LT(body.angular_velocity.norm(), 1e-12);
  }
  return speeds;
}

// The pair that approaches fastest collides, until none does.
std::vector<double> pair_by_pair(const std::vector<double>& m, double e) {
  std::vector<double> v(m.size(), 0);
  v[0] = 1;
  for (;;) {
    std::size_t fastest = 0;
    for (std::size_t i = 0; i + 1 < m.size(); ++i)
      if (v[i] - v[i + 1] > v[fastest] - v[fastest + 1] + 1e-14) fastest = i;
    const double approach = v[fastest] - v[fastest + 1];
    if (approach < 1e-12) return v;
    const double j = (1 + e) * approach / (1 / m[fastest] + 1 / m[fastest + 1]);
    v[fastest] -= j / m[fastest];
    v[fastest + 1] += j / m[fastest + 1];
  }
}

void expect_speeds(const test::ContactRun& run, double time, const std::vector<double>& exact) {
  const auto speeds = speeds_after(run, time);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(speeds[i], exact[i], 1e-10) << i;
}

TEST(NewtonsCradle, PassesMomentumOnPairByPair) {
  for (const std::string law : {"auto", "sequential"}) {
    const auto run = run_row({{1, 1, 1, 1, 1}, 0, 1, law});
    const auto impacts = run.events(EventKind::impact);
    ASSERT_FALSE(impacts.empty());
    EXPECT_NEAR(impacts[0].time, 1, 1e-9);
    expect_speeds(run, impacts[0].time, {0, 0, 0, 0, 1});
    test::expect_sound(run);
  }
}

// The toy: balls that hang on two strings each. The first is let go, the last one swings as high,
// and after a period the first one is back where it began.
TEST(NewtonsCradle, OnStringsDoesWhatTheToyDoes) {
  std::string text = head(2, 200) +
                     "materials: {steel: {density: 7800, restitution: 1, friction: 0.2}}\n"
                     "bodies:\n";
  std::string strings = "joints:\n";
  for (int i = 0; i < 4; ++i) {
    const std::string x = std::to_string(0.1 * i), name = "ball" + std::to_string(i);
    const std::string at = i == 0 ? "[-0.3, 0, 0.1]" : "[" + x + ", 0, 0]";
    text += "  - {name: " + name +
            ", shape: {sphere: {radius: 0.05}}, material: steel, position: " + at + "}\n";
    for (const char* y : {"-0.3", "0.3"})
      strings +=
          "  - {type: distance, bodies: [world, " + name + "], at: [" + x + ", " + y + ", 0.5]}\n";
  }
  const auto run = run_text(text + strings);
  double highest_last = 0, highest_between = 0;
  for (const auto& frame : run.sink.frames) {
    highest_last = std::max(highest_last, frame.bodies[3].position.z());
    for (const int i : {1, 2})
      highest_between = std::max(highest_between, frame.bodies[i].position.z());
  }
  EXPECT_NEAR(highest_last, 0.1, 1e-4);  // a sample is up to 2.5 ms from the top
  EXPECT_LT(highest_between, 1e-9);
  test::expect_sound(run);
}

TEST(NewtonsCradle, PassesMomentumBetweenUnequalMasses) {
  for (const double e : {1.0, 0.7}) {
    for (const std::vector<double>& masses :
         {std::vector<double>{2, 1, 1}, {1, 2, 3}, {1, 3, 0.5, 2}}) {
      const auto run = run_row({masses, 0, e, "sequential"});
      expect_speeds(run, run.events(EventKind::impact)[0].time, pair_by_pair(masses, e));
      test::expect_sound(run);
    }
  }
}

// All at once: u+ = -e u- at the impulse, and the balls behind it stay together. With three equal
// balls: 2 j1 - j2 = 1 + e, 2 j2 = j1.
TEST(NewtonsCradle, MovesTheRestTogetherIfAllCollideAtOnce) {
  for (const double e : {1.0, 0.5, 0.0}) {
    const auto run = run_row({{1, 1, 1}, 0, e, "newton"});
    const double j2 = (1 + e) / 3;
    expect_speeds(run, run.events(EventKind::impact)[0].time, {1 - 2 * j2, j2, j2});
    test::expect_sound(run);
  }
}

// Unequal masses: the two behind act as one body of their joint mass.
TEST(NewtonsCradle, MovesUnequalMassesTogether) {
  const double e = 0.8, m0 = 1.5, m1 = 1, m2 = 2.5;
  const auto run = run_row({{m0, m1, m2}, 0, e, "newton"});
  const double j = (1 + e) / (1 / m0 + 1 / (m1 + m2));
  const double behind = j / (m1 + m2);
  expect_speeds(run, run.events(EventKind::impact)[0].time, {1 - j / m0, behind, behind});
  test::expect_sound(run);
}

TEST(NewtonsCradle, BothLawsAgreeOnBallsApart) {
  for (const std::string law : {"newton", "sequential"}) {
    const auto run = run_row({{1, 1, 1, 1}, 0.25, 1, law});
    const auto impacts = run.events(EventKind::impact);
    ASSERT_EQ(impacts.size(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(impacts[i].time, 1 + 0.25 * i, 1e-9);
    expect_speeds(run, impacts[2].time, {0, 0, 0, 1});
    test::expect_sound(run);
    test::expect_restitution(run);
  }
}

// A ball that falls on a stack at rest: each contact below passes its momentum on to the floor.
TEST(BallOnAStack, EveryContactBelowPassesTheImpulseOn) {
  std::string text = head(0.5, 60) + "bodies:\n" + floor_plane;
  for (int i = 0; i < 4; ++i)
    text += "  - {name: brick" + std::to_string(i) +
            ", shape: {box: {size: [0.4, 0.4, 0.2]}}, position: [0, 0, " +
            std::to_string(0.1 + 0.2 * i) + "]}\n";
  text += "  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1.1], mass: 2}\n";
  const auto run = run_text(text);
  const double momentum = 2 * std::sqrt(2 * g * 0.2);
  std::map<std::pair<BodyIndex, BodyIndex>, double> passed;
  int told = 0;
  for (const Event& event : run.events(EventKind::impact)) {
    passed[{event.body_a, event.body_b}] += event.normal_impulse;
    if (event.detail.find("passes") != std::string::npos) ++told;
  }
  ASSERT_EQ(passed.size(), 5u);  // the ball and four levels
  EXPECT_EQ(told, 16);
  for (const auto& [pair, impulse] : passed) EXPECT_NEAR(impulse, momentum, 1e-8 * momentum);
  EXPECT_EQ(run.summary.impacts, 1);
  test::expect_sound(run);
}

// An impulse on the top of a stack passes through it as well.
TEST(BlowOnAStack, EveryContactBelowPassesTheImpulseOn) {
  std::string text = head(0.5, 60) + "bodies:\n" + floor_plane;
  for (int i = 0; i < 3; ++i)
    text += "  - {name: brick" + std::to_string(i) +
            ", shape: {box: {size: [0.4, 0.4, 0.2]}}, position: [0, 0, " +
            std::to_string(0.1 + 0.2 * i) + "]}\n";
  text += "forces:\n  - {type: impulse, body: brick2, time: 0.25, impulse: [0, 0, -7]}\n";
  const auto run = run_text(text);
  std::map<std::pair<BodyIndex, BodyIndex>, double> passed;
  for (const Event& event : run.events(EventKind::impact))
    passed[{event.body_a, event.body_b}] += event.normal_impulse;
  ASSERT_EQ(passed.size(), 3u);
  for (const auto& [pair, impulse] : passed) EXPECT_NEAR(impulse, 7, 1e-8);
  test::expect_sound(run);
}

}  // namespace
}  // namespace abut
