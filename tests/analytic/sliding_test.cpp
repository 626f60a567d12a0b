// Bodies that slide, tip and leave without friction, against closed forms and independent
// integration, at the default tolerances.

#include <functional>

#include "math/rotation.h"
#include "support/constants.h"
#include "support/contact_runs.h"
#include "support/scene_run.h"
#include "support/tiles.h"

namespace abut {
namespace {

using test::ContactRun;
using test::floor_plane;
using test::head;
using test::number;
using test::run_text;

using abut::test::g;

// The integral of f from 0 to `to`, by Simpson's rule: for smooth integrands good to 1e-13.
double integral(double to, const std::function<double(double)>& f) {
  const int n = 2000;
  double sum = f(0) + f(to);
  for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(to * i / n);
  return sum * to / (3 * n);
}

// How long it takes to turn from `begin` to `end` from rest, when the rate squared is 2 k times
// what `drop` says of the angle. With angle = begin + u^2 the integrand is smooth.
double time_to_turn(double begin, double end, double k, const std::function<double(double)>& drop) {
  return integral(std::sqrt(end - begin), [&](double u) {
    const double small = 1e-7;  // where drop is still linear
    const double x = std::max(u, small);
    return 2 * x / std::sqrt(2 * k * drop(begin + x * x));
  });
}

TEST(Incline, ABlockSlidesAsFastAsGravityDrivesIt) {
  const double angle = 0.4;
  const auto run =
      run_text(head(1, 240) +
               "bodies:\n"
               "  - {name: slope, shape: {plane: {normal: [" +
               number(std::sin(angle)) + ", 0, " + number(std::cos(angle)) +
               "], offset: 0}}, motion: fixed}\n"
               "  - {name: block, shape: {box: {size: [1, 0.6, 0.4]}}, mass: 2, position: [" +
               number(0.2 * std::sin(angle)) + ", 0, " + number(0.2 * std::cos(angle)) +
               "], orientation: {axis: [0, 1, 0], angle: " + number(angle) + "}}\n");
  const Vec3 along(std::cos(angle), 0, -std::sin(angle));
  const Vec3 start(0.2 * std::sin(angle), 0, 0.2 * std::cos(angle));
  for (const auto& frame : run.sink.frames) {
    const double t = frame.time;
    ASSERT_LT((frame.bodies[1].position - start - 0.5 * g * std::sin(angle) * t * t * along).norm(),
              1e-9);
    if (frame.kind == record::FrameKind::before) continue;
    double force = 0;
    for (const ContactState& contact : frame.contacts) force += contact.normal_force;
    ASSERT_NEAR(force, 2 * g * std::cos(angle), 1e-8);
  }
  for (const Event& event : run.sink.events) EXPECT_EQ(event.time, 0) << to_string(event.kind);
  test::expect_sound(run);
}

// A rod of length l that leans with its ends in a corner has the energy
//   (m l^2 / 4 + I) w^2 / 2 = m g l / 2 (sin a0 - sin a),
// and no force is left at the wall when sin a = 2/3 sin a0, whatever I.
TEST(Ladder, LeavesTheWallAtTwoThirdsOfItsHeight) {
  const double length = 2, radius = 0.05, steep = 1.1;
  const Vec3 centre(radius + length / 2 * std::cos(steep), 0,
                    radius + length / 2 * std::sin(steep));
  // The capsule's axis is z; it is to point from the foot to the top, up and to the wall.
  const auto run = run_text(
      head(1.2, 240) + "bodies:\n" + floor_plane +
      "  - {name: wall, shape: {plane: {normal: [1, 0, 0], offset: 0}}, motion: fixed}\n"
      "  - {name: ladder, shape: {capsule: {radius: 0.05, height: 2}}, mass: 3, position: [" +
      number(centre.x()) + ", 0, " + number(centre.z()) +
      "], orientation: {axis: [0, 1, 0], angle: " + number(steep - std::acos(-1.0) / 2) + "}}\n");
  const auto leaves = run.events(EventKind::separate);
  ASSERT_FALSE(leaves.empty());
  EXPECT_EQ(std::min(leaves[0].body_a, leaves[0].body_b), 1);
  const double time = leaves[0].time;
  const Vec3 axis = run.after(time).bodies[2].orientation * Vec3::UnitZ();
  EXPECT_NEAR(axis.z(), 2.0 / 3 * std::sin(steep), 1e-8);

  const double inertia = run.model.bodies[2].mass.inertia(1, 1);
  const double k = 3 * g * length / 2 / (3 * length * length / 4 + inertia);
  const double last = std::asin(2.0 / 3 * std::sin(steep));
  const double exact = time_to_turn(-steep, -last, k, [&](double minus_angle) {
    return 2 * std::sin((steep + minus_angle) / 2) * std::cos((steep - minus_angle) / 2);
  });
  EXPECT_NEAR(time, exact, 1e-7);
  // Nothing pushes sideways from then on.
  const double speed = run.after(time).bodies[2].velocity.x();
  EXPECT_NEAR(run.sink.last(2).velocity.x(), speed, 1e-9);
  test::expect_sound(run);
}

// From rest at an angle a0 from the top, the normal force vanishes at cos a = 2/3 cos a0.
void expect_to_leave_at_two_thirds(const ContactRun& run, BodyIndex ball, const Vec3& about,
                                   double begin) {
  const auto leaves = run.events(EventKind::separate);
  ASSERT_FALSE(leaves.empty());
  const double time = leaves[0].time;
  const Vec3 arm = run.after(time).bodies[ball].position - about;
  EXPECT_NEAR(arm.normalized().z(), 2.0 / 3 * std::cos(begin), 1e-8);
  const double end = std::acos(2.0 / 3 * std::cos(begin));
  const double exact = time_to_turn(begin, end, g / arm.norm(), [&](double a) {
    return 2 * std::sin((a - begin) / 2) * std::sin((a + begin) / 2);
  });
  EXPECT_NEAR(time, exact, 1e-7);
}

TEST(SlidingBall, LeavesAnotherBallAtTwoThirdsOfItsHeight) {
  const double begin = 0.15, reach = 1.5;
  const auto run = run_text(head(1.5, 240) +
                            "bodies:\n"
                            "  - {name: dome, shape: {sphere: {radius: 1}}, motion: fixed}\n"
                            "  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [" +
                            number(reach * std::sin(begin)) + ", 0, " +
                            number(reach * std::cos(begin)) + "]}\n");
  expect_to_leave_at_two_thirds(run, 1, Vec3::Zero(), begin);
  EXPECT_LT(run.sink.last(1).angular_velocity.norm(), 1e-12);
  test::expect_sound(run);
}

TEST(SlidingBall, LeavesAnEdgeAtTwoThirdsOfItsHeight) {
  const double begin = 0.15, radius = 0.5;
  const auto run = run_text(
      head(0.8, 240) +
      "bodies:\n"
      "  - {name: table, shape: {box: {size: [2, 2, 2]}}, position: [-1, 0, -1], motion: fixed}\n"
      "  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [" +
      number(radius * std::sin(begin)) + ", 0, " + number(radius * std::cos(begin)) + "]}\n");
  expect_to_leave_at_two_thirds(run, 1, Vec3::Zero(), begin);
  test::expect_sound(run);
}

// It comes over the table at v, so that cos a = 2/3 + v^2 / (3 g r) when it leaves.
TEST(SlidingBall, RunsOverAnEdge) {
  const double v = 0.5, radius = 0.5;
  const auto run = run_text(
      head(1.2, 240) +
      "bodies:\n"
      "  - {name: table, shape: {box: {size: [2, 2, 2]}}, position: [-1, 0, -1], motion: fixed}\n"
      "  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [-0.25, 0, 0.5],"
      " velocity: [0.5, 0, 0]}\n");
  const auto supports = run.events(EventKind::support);
  ASSERT_FALSE(supports.empty());
  EXPECT_NEAR(supports[0].time, 0.5, 1e-7);
  const auto leaves = run.events(EventKind::separate);
  ASSERT_FALSE(leaves.empty());
  EXPECT_NEAR(run.after(leaves[0].time).bodies[1].position.z() / radius,
              2.0 / 3 + v * v / (3 * g * radius), 1e-7);
  test::expect_sound(run);
}

// A block on the edge of a table. Let s be the way of its centre beyond the edge along its lower
// face, h its half height, a its angle. With T = m ((s' + h a')^2 + s^2 a'^2) / 2 + I a'^2 / 2 and
// V = m g (h cos a - s sin a), Lagrange's equations are
//   s'' + h a'' = s a'^2 + g sin a,
//   (s^2 + I/m) a'' = g s cos a - h s a'^2 - 2 s s' a'.
struct OverTheEdge {
  double s, speed, angle, rate;
  double half_height, inertia_per_mass;

  using State = Eigen::Vector4d;
  State derivative(const State& y) const {
    const double turning =
        (g * y[0] * std::cos(y[2]) - half_height * y[0] * y[3] * y[3] - 2 * y[0] * y[1] * y[3]) /
        (y[0] * y[0] + inertia_per_mass);
    const double sliding = y[0] * y[3] * y[3] + g * std::sin(y[2]) - half_height * turning;
    return State(y[1], sliding, y[3], turning);
  }
  void advance(double duration) {
    const int steps = 20000;
    const double dt = duration / steps;
    State y(s, speed, angle, rate);
    for (int i = 0; i < steps; ++i) {
      const State k1 = derivative(y), k2 = derivative(y + dt / 2 * k1),
                  k3 = derivative(y + dt / 2 * k2), k4 = derivative(y + dt * k3);
      y += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    s = y[0];
    speed = y[1];
    angle = y[2];
    rate = y[3];
  }
  Vec3 centre() const {
    return {s * std::cos(angle) + half_height * std::sin(angle), 0,
            -s * std::sin(angle) + half_height * std::cos(angle)};
  }
};

std::string block_on_table(double x, double speed, double duration) {
  return head(duration, 100) +
         "bodies:\n"
         "  - {name: table, shape: {box: {size: [4, 2, 2]}}, position: [-2, 0, -1], motion: "
         "fixed}\n"
         "  - {name: block, shape: {box: {size: [1, 0.6, 0.4]}}, mass: 2, position: [" +
         number(x) + ", 0, 0.2], velocity: [" + number(speed) + ", 0, 0]}\n";
}

constexpr double block_inertia_per_mass = (1 + 0.16) / 12;

void expect_pose(const BodyState& body, const OverTheEdge& exact) {
  EXPECT_LT((body.position - exact.centre()).norm(), 1e-8);
  EXPECT_LT(math::angle_between(body.orientation, math::rotation_exp(Vec3(0, exact.angle, 0))),
            1e-8);
}

TEST(TippingBlock, TurnsOverTheEdgeAsLagrangeSays) {
  const auto run = run_text(block_on_table(0.1, 0, 0.3));
  OverTheEdge exact{0.1, 0, 0, 0, 0.2, block_inertia_per_mass};
  exact.advance(0.3);
  expect_pose(run.sink.last(1), exact);
  for (const Event& event : run.sink.events) EXPECT_EQ(event.time, 0) << to_string(event.kind);
  test::expect_sound(run);
}

// Its front passes the edge at 0.4 s; its centre at 0.9 s, when the rear is let go.
TEST(TippingBlock, SlidesOffATable) {
  const auto run = run_text(block_on_table(-0.9, 1, 1.1));
  const auto supports = run.events(EventKind::support);
  ASSERT_FALSE(supports.empty());
  EXPECT_NEAR(supports[0].time, 0.4, 1e-7);
  const auto leaves = run.events(EventKind::separate);
  ASSERT_GE(leaves.size(), 2u);
  EXPECT_NEAR(leaves[0].time, 0.9, 1e-8);
  EXPECT_NEAR(leaves[1].time, 0.9, 1e-8);
  OverTheEdge exact{0, 1, 0, 0, 0.2, block_inertia_per_mass};
  exact.advance(0.2);
  expect_pose(run.frame_at(1.1).bodies[1], exact);
  test::expect_sound(run);
}

TEST(Dominoes, FallOneAfterTheOther) {
  std::string text = head(2, 240) + "bodies:\n" + floor_plane;
  for (int i = 0; i < 5; ++i)
    text += "  - {name: piece" + std::to_string(i) +
            ", shape: {box: {size: [0.1, 0.5, 1]}}, mass: 1, position: [" + number(0.4 * i) +
            ", 0, 0.5]" + (i == 0 ? ", angular_velocity: [0, 1.5, 0]" : "") + "}\n";
  const auto run = run_text(text);
  double last = -1;
  for (BodyIndex i = 2; i <= 5; ++i) {
    double first = -1;
    for (const Event& event : run.events(EventKind::impact))
      if (first < 0 && event.body_a == i - 1 && event.body_b == i) first = event.time;
    EXPECT_GT(first, last) << i;
    last = first;
  }
  test::expect_sound(run);
}

// The block takes the speed v of the pusher at once: the impulse m v moves at v, so the pusher does
// m v^2 of work, of which half is lost.
TEST(Pusher, GivesABlockItsSpeedAndBooksTheWork) {
  const auto run = run_text(
      head(2, 60) + "bodies:\n" + floor_plane +
      "  - {name: pusher, shape: {box: {size: [0.2, 1, 1]}},"
      " motion: {position: [\"-1 + 0.5*t\", \"0\", \"0.6\"]}}\n"
      "  - {name: block, shape: {box: {size: [0.8, 0.8, 0.8]}}, mass: 4, position: [0, 0, 0.4]}\n");
  const auto impacts = run.events(EventKind::impact);
  ASSERT_FALSE(impacts.empty());
  EXPECT_NEAR(impacts[0].time, 1, 1e-8);
  EXPECT_LT((run.sink.last(2).velocity - Vec3(0.5, 0, 0)).norm(), 1e-10);
  EXPECT_NEAR(run.sink.frames.back().energy.work, 4 * 0.25, 1e-8);
  EXPECT_NEAR(run.sink.frames.back().energy.dissipated, 4 * 0.125, 1e-8);
  test::expect_sound(run);
}

TEST(Pusher, AcceleratesABlockWithTheForceItTakes) {
  const auto run = run_text(
      head(1, 60) + "bodies:\n" + floor_plane +
      "  - {name: pusher, shape: {box: {size: [0.2, 1, 1]}},"
      " motion: {position: [\"-0.5 + 0.75*t^2\", \"0\", \"0.6\"]}}\n"
      "  - {name: block, shape: {box: {size: [0.8, 0.8, 0.8]}}, mass: 4, position: [0, 0, 0.4]}\n");
  for (const auto& frame : run.sink.frames) {
    if (frame.kind == record::FrameKind::before) continue;
    double force = 0;
    for (const ContactState& contact : frame.contacts)
      if (std::abs(contact.normal.x()) > 0.5) force += contact.normal_force;
    ASSERT_NEAR(force, 4 * 1.5, 1e-8) << frame.time;
    ASSERT_NEAR(frame.bodies[2].velocity.x(), 1.5 * frame.time, 1e-9);
  }
  EXPECT_NEAR(run.sink.frames.back().energy.work, 0.5 * 4 * 1.5 * 1.5, 1e-8);
  test::expect_sound(run);
}

// A floor at -t^3 falls with 6 t: faster than the block can from t = g / 6.
TEST(FallingFloor, LetsABlockGoWhenItFallsFaster) {
  const auto run = run_text(
      head(2, 60) +
      "bodies:\n"
      "  - {name: floor, shape: {box: {size: [2, 2, 1]}},"
      " motion: {position: [\"0\", \"0\", \"-0.5 - t^3\"]}}\n"
      "  - {name: block, shape: {box: {size: [0.8, 0.8, 0.8]}}, mass: 4, position: [0, 0, 0.4]}\n");
  const auto leaves = run.events(EventKind::separate);
  ASSERT_EQ(leaves.size(), 4u);
  for (const Event& event : leaves) EXPECT_NEAR(event.time, g / 6, 1e-8);
  const double t = g / 6, rest = 2 - t;
  EXPECT_NEAR(run.sink.last(1).position.z(),
              0.4 - t * t * t - 3 * t * t * rest - g / 2 * rest * rest, 1e-8);
  test::expect_sound(run);
}

const char* busy_corner =
    "  - {name: low, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.5]}\n"
    "  - {name: high, shape: {box: {size: [1, 1, 1]}}, position: [0.3, 0.1, 1.5]}\n"
    "  - {name: hammer, shape: {sphere: {radius: 0.2}}, position: [0.3, 0.2, 3]}\n";

// What happens at one end of the floor leaves the other end as it is, bit by bit.
TEST(Islands, DoNotDisturbEachOther) {
  const std::string start = head(1, 60) + "bodies:\n" + floor_plane + busy_corner;
  const auto alone = run_text(start);
  const auto together =
      run_text(start +
               "  - {name: ball, shape: {sphere: {radius: 0.2}}, material: {restitution: 0.7},"
               " position: [5, 0, 0.9], velocity: [0, 0.3, 0]}\n"
               "  - {name: box, shape: {box: {size: [0.4, 0.4, 0.4]}}, position: [7, 0, 1],"
               " orientation: {axis: [1, 2, 3], angle: 1}}\n");
  for (const auto& frame : alone.sink.frames) {
    if (frame.kind != record::FrameKind::sample) continue;
    const auto& other = together.frame_at(frame.time);
    ASSERT_EQ(other.time, frame.time);
    for (int i = 1; i <= 3; ++i) {
      ASSERT_EQ(frame.bodies[i].position, other.bodies[i].position) << frame.time;
      ASSERT_EQ(frame.bodies[i].velocity, other.bodies[i].velocity) << frame.time;
    }
  }
  test::expect_sound(together);
}

TEST(Islands, GiveTheSameBitsWithAnyNumberOfThreads) {
  std::string text = head(1, 60) + "bodies:\n" + floor_plane + busy_corner;
  for (int i = 0; i < 6; ++i)
    text += "  - {name: box" + std::to_string(i) +
            ", shape: {box: {size: [0.4, 0.3, 0.5]}}, material: {restitution: 0.4}, position: [" +
            number(3 + 0.6 * i) + ", 0, " + number(0.6 + 0.1 * i) +
            "], orientation: {axis: [1, 2, 3], angle: " + number(0.3 * i) + "}}\n";
  const model::Model model = scene::load_scene_text(text, "test.yaml").model;
  const std::string first = test::run_model(model, 1).summary.state_hash;
  EXPECT_EQ(test::run_model(model, 2).summary.state_hash, first);
  EXPECT_EQ(test::run_model(model, 1).summary.state_hash, first);
  EXPECT_EQ(test::run_model(model, 2).summary.state_hash, first);
}

// Bodies at rest are a rest gap above what bears them, and meet the edge of the next tile aside of
// it: nothing is in their way.
TEST(Tiles, EdgesAreNotFelt) {
  for (const char* solver : {"", "solver: {clock: event}"})
    for (const char* shape : {test::tile_box, test::tile_ball, test::tile_rounded})
      for (const double turn : {0.0, 0.3}) {
        const test::Ran ran = test::run_of(test::tiles_scene(solver, shape, turn, 0, 0));
        EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
        EXPECT_EQ(ran.summary.stepped_fraction, 0) << shape;
        EXPECT_EQ(ran.summary.impacts, 0) << shape;
        EXPECT_NEAR(ran.last("slider").velocity.x(), 1, 1e-12) << shape << ", turned " << turn;
        EXPECT_LT(ran.last("slider").angular_velocity.norm(), 1e-12) << shape;
      }
}

// With friction mu it stops after v^2 / (2 mu g). Where a tile ends the others bear the block
// alone, for which it tips by less than a contact distance: of what that gives up it lands again.
TEST(Tiles, FrictionStopsABlockWhereItDoesOnOnePlane) {
  for (const double friction : {0.08, 0.3}) {
    const test::Ran ran =
        test::run_of(test::tiles_scene("record: {rate: 10}", test::tile_box, 0, 0, friction));
    EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
    for (const Event& impact : ran.events(EventKind::impact))
      EXPECT_LT(impact.impulse.norm(), 1e-5);
    const double slowing = friction * g, time = std::min(1.0, 1 / slowing);
    EXPECT_NEAR(ran.last("slider").position.x(), 0.043 + time - slowing * time * time / 2, 1e-8)
        << friction;
  }
}

// An edge that is a hair higher is a step, which a block runs against.
TEST(Tiles, AStepIsFelt) {
  std::string scene = test::tiles_scene("", test::tile_box, 0, 0, 0);
  const std::string third = "position: [0.4, 0, -0.05]";
  scene.replace(scene.find(third), third.size(), "position: [0.4, 0, -0.04999999]");
  const test::Ran ran = test::run_of(scene);
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_LT(ran.last("slider").velocity.x(), 0.1);
  EXPECT_NEAR(ran.events(EventKind::impact).at(0).time, 0.3 - 0.043 - 0.065, 1e-8);
}

}  // namespace
}  // namespace abut
