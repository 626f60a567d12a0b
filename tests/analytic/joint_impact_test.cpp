// Impulses and collisions that pass through joints, against the equations in as many coordinates as
// there are freedoms, and joints together with contacts.

#include <cmath>
#include <numbers>

#include "support/bars.h"
#include "support/constants.h"
#include "support/dense.h"
#include "support/scene_run.h"

namespace abut {
namespace {

using abut::test::g;

// Bars in a row along x, hinged about y, floating. Moves across the row: with z0 the rate of the
// left end and w_i the rates at which the bars' right ends rise against their left ones,
//   centre of bar i:  z0 + sum over k < i of l w_k + l w_i / 2.
class BarRow {
 public:
  BarRow(int bars, double length, double mass) : length_(length), mass_(mass) {
    const int n = bars + 1;
    inertia_ = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < bars; ++i) {
      const Eigen::VectorXd centre = at(i, 0.5, n);
      inertia_ += mass * centre * centre.transpose();
      inertia_(i + 1, i + 1) += test::bar_moment(mass, length);
    }
  }

  /// The rates after an impulse upwards at the left end.
  Eigen::VectorXd struck(double impulse) const {
    return test::solution(inertia_, impulse * at(0, 0, static_cast<int>(inertia_.rows())));
  }
  /// What mass the left end seems to have.
  double mass_felt() const { return 1 / struck(1)[0]; }
  double centre_rate(const Eigen::VectorXd& rates, int bar) const {
    return at(bar, 0.5, static_cast<int>(rates.size())).dot(rates);
  }
  /// The impulses upwards on the second bar of each hinge, from the right: m v of all beyond.
  double hinge_impulse(const Eigen::VectorXd& rates, int hinge) const {
    double sum = 0;
    for (int bar = hinge + 1; bar + 1 < rates.size(); ++bar) sum += mass_ * centre_rate(rates, bar);
    return sum;
  }

  model::Model model(double duration) const {
    model::Model model = test::empty_model(duration);
    const int bars = static_cast<int>(inertia_.rows()) - 1;
    for (int i = 0; i < bars; ++i)
      model.bodies.push_back(test::bar("bar " + std::to_string(i), Vec3(i * length_, 0, 0),
                                       Vec3((i + 1) * length_, 0, 0), mass_));
    for (int i = 1; i < bars; ++i)
      test::join(model, JointType::hinge, i - 1, i, Vec3(i * length_, 0, 0));
    return model;
  }

  void expect_rates(const model::Model& model, const record::Frame& frame,
                    const Eigen::VectorXd& rates) const {
    for (int i = 0; i + 1 < rates.size(); ++i) {
      EXPECT_NEAR(frame.bodies[i].velocity.z(), centre_rate(rates, i), 1e-12);
      EXPECT_NEAR(frame.bodies[i].velocity.x(), 0, 1e-12);
      EXPECT_NEAR(-frame.bodies[i].angular_velocity.y(), rates[i + 1], 1e-12);
    }
    const auto impulses = test::joint_impulses(frame);
    ASSERT_EQ(impulses.size(), model.joints.size());
    for (std::size_t i = 0; i < impulses.size(); ++i) {
      EXPECT_EQ(impulses[i].joint, static_cast<int>(i));
      EXPECT_NEAR(impulses[i].force.z(), hinge_impulse(rates, static_cast<int>(i)), 1e-12);
      EXPECT_NEAR(impulses[i].torque.norm(), 0, 1e-12);
    }
  }

 private:
  Eigen::VectorXd at(int bar, double part, int n) const {
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(n);
    rates[0] = 1;
    for (int k = 0; k < bar; ++k) rates[k + 1] = length_;
    rates[bar + 1] = part * length_;
    return rates;
  }

  double length_, mass_;
  Eigen::MatrixXd inertia_;
};

const record::Frame& frame_after(const test::Ran& ran, double t) {
  return *std::find_if(ran.sink.frames.begin(), ran.sink.frames.end(), [&](const auto& frame) {
    return frame.time >= t && frame.kind == record::FrameKind::after;
  });
}

TEST(BarsInARow, PassOnABlow) {
  for (const int bars : {2, 3, 7}) {
    const BarRow row(bars, 0.5, 0.8);
    model::Model model = row.model(0.5);
    model::Impulse outside;
    outside.body = 0;
    outside.time = 0.25;
    outside.impulse = Vec3(0, 0, 2);
    outside.at = Vec3::Zero();
    outside.at_centre = false;
    model.forces.push_back(outside);
    const test::Ran ran = test::run_of(model);
    const Eigen::VectorXd rates = row.struck(2);
    row.expect_rates(model, frame_after(ran, 0.25), rates);
    // Half of the impulse times the speed it gives is its work; nothing is lost.
    EXPECT_NEAR(ran.summary.work, 0.5 * 2 * rates[0], 1e-12);
    EXPECT_NEAR(ran.summary.dissipated_by_impacts, 0, 1e-12);
    test::expect_sound(ran);
  }
}

TEST(BarsInARow, AreHitByABall) {
  for (const int bars : {2, 3}) {
    const BarRow row(bars, 0.5, 0.8);
    model::Model model = row.model(0.5);
    model::Body ball = test::body_of(shape::Sphere{0.1}, 300);
    ball.name = "ball";
    // Its path goes through the left end, from below, and it meets the underside of the bar.
    const double reach = 0.5 * test::bar_thickness + 0.1;
    ball.pose.position = Vec3(0, 0, -reach - 0.4);
    ball.velocity = Vec3(0, 0, 2);
    model.bodies.push_back(ball);
    model.materials.resize(1);
    model.materials[0].restitution = 0.6;
    model.materials[0].friction = {};
    const test::Ran ran = test::run_of(model);
    const auto hits = ran.events(EventKind::impact);
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_NEAR(hits[0].time, 0.2, 1e-8);
    const double mass = ball.mass.mass, felt = row.mass_felt();
    const double impulse = 1.6 * 2 / (1 / mass + 1 / felt);
    EXPECT_NEAR(hits[0].normal_impulse, impulse, 1e-9);
    row.expect_rates(model, frame_after(ran, hits[0].time), row.struck(impulse));
    test::expect_sound(ran);
  }
}

// A ball on an arm of 1 m falls from the horizontal and hits a wall when it hangs straight down.
TEST(PendulumAndWall, BouncesWithRestitution) {
  const test::Ran ran = test::run_of(R"yaml(
abut: 1
duration: 1.2
materials:
  hard: {restitution: 0.5, friction: 0, density: 2000}
bodies:
  - {name: ball, shape: {sphere: {radius: 0.1}}, material: hard, position: [1, 0, 0]}
  - {name: wall, shape: {plane: {normal: [1, 0, 0], offset: -0.1}}, motion: fixed, material: hard}
joints:
  - {name: pivot, type: hinge, bodies: [world, ball], at: [0, 0, 0], axis: [0, 1, 0]}
)yaml");
  test::expect_sound(ran);
  const body::Mass& mass = ran.model.bodies[0].mass;
  const double moment = mass.principal.x() + mass.mass, torque = mass.mass * g;
  const double speed = std::sqrt(2 * torque / moment);
  const auto hits = ran.events(EventKind::impact);
  ASSERT_GE(hits.size(), 1u);
  EXPECT_NEAR(hits[0].time, std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(torque / moment), 1e-8);
  // J (1 + e) w = P l; the hinge gives what the centre's momentum still lacks.
  const double impulse = 1.5 * moment * speed;
  EXPECT_NEAR(hits[0].normal_impulse / impulse, 1, 1e-8);
  const auto impulses = test::joint_impulses(frame_after(ran, hits[0].time));
  ASSERT_EQ(impulses.size(), 1u);
  EXPECT_NEAR(impulses[0].force.x(), 1.5 * mass.mass * speed - impulse, 1e-7 * impulse);
  EXPECT_NEAR(ran.summary.dissipated_by_impacts,
              hits.size() == 1 ? 0.75 * torque : ran.summary.dissipated_by_impacts, 1e-7 * torque);
}

// An arm with a ball at its end, hinged at the other, rests on the floor.
TEST(ArmOnTheFloor, SharesItsWeight) {
  const test::Ran ran = test::run_of(R"yaml(
abut: 1
duration: 1
bodies:
  - name: arm
    shapes:
      - {box: {size: [0.8, 0.02, 0.02]}, position: [0.4, 0, 0]}
      - {sphere: {radius: 0.1}, position: [1, 0, 0]}
    position: [0, 0, 0.1]
    material: {friction: 0}
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, material: {friction: 0}}
joints:
  - {name: pivot, type: hinge, bodies: [world, arm], at: [0, 0, 0.1], axis: [0, 1, 0]}
)yaml");
  test::expect_sound(ran);
  const auto& frame = ran.sink.frames.back();
  const double weight = ran.model.bodies[0].mass.mass * g;
  const double share = frame.bodies[0].centre_of_mass.x();
  ASSERT_EQ(frame.contacts.size(), 1u);
  EXPECT_NEAR(frame.contacts[0].normal_force / (weight * share), 1, 1e-8);
  EXPECT_NEAR(test::joint_in(frame, 0).force.z() / (weight * (1 - share)), 1, 1e-8);
  EXPECT_LT(frame.bodies[0].velocity.norm(), 1e-9);
}

// A motor of 6 N m presses the end of an upright arm of 0.5 m against a block that leans on a wall.
TEST(PressingArm, PassesItsForceOnToTheWall) {
  const test::Ran ran = test::run_of(R"yaml(
abut: 1
duration: 0.5
gravity: [0, 0, 0]
bodies:
  - name: arm
    shapes:
      - {box: {size: [0.02, 0.02, 0.36]}, position: [0, 0, 0.18]}
      - {sphere: {radius: 0.1}, position: [0, 0, 0.5]}
    material: {friction: 0}
  - {name: block, shape: {box: {size: [0.2, 0.4, 0.4]}}, position: [0.2, 0, 0.5], material: {friction: 0}}
  - {name: wall, shape: {plane: {normal: [-1, 0, 0], offset: -0.3}}, motion: fixed, material: {friction: 0}}
joints:
  - {name: pivot, type: hinge, bodies: [world, arm], at: [0, 0, 0], axis: [0, 1, 0],
     motor: {speed: 1, max_torque: 6}}
)yaml");
  EXPECT_EQ(ran.summary.status, RunStatus::complete);
  EXPECT_LT(test::largest_imbalance(ran), 1e-9);
  const auto& frame = ran.sink.frames.back();
  double on_wall = 0, on_arm = 0;
  for (const ContactState& contact : frame.contacts)
    (contact.body_a == 2 || contact.body_b == 2 ? on_wall : on_arm) += contact.normal_force;
  EXPECT_NEAR(on_arm, 6 / 0.5, 1e-7);
  EXPECT_NEAR(on_wall, 6 / 0.5, 1e-7);
  EXPECT_NEAR(test::joint_in(frame, 0).torque.y(), 6, 1e-7);
}

// A ball on two links is swung into a block that stands on the floor.
TEST(WreckingBall, KnocksABlockAway) {
  const test::Ran ran = test::run_of(R"yaml(
abut: 1
duration: 1.2
materials:
  smooth: {restitution: 0.3, friction: 0, density: 1000}
bodies:
  - {name: upper, shape: {box: {size: [1, 0.05, 0.05]}}, mass: 1, position: [-0.5, 0, 2.3], material: smooth}
  - {name: lower, shape: {box: {size: [0.7, 0.05, 0.05]}}, mass: 1, position: [-1.35, 0, 2.3], material: smooth}
  - {name: ball, shape: {sphere: {radius: 0.3}}, mass: 50, position: [-2, 0, 2.3], material: smooth}
  - {name: block, shape: {box: {size: [0.4, 0.4, 1]}}, position: [0.6, 0, 0.5], material: smooth}
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, material: smooth}
joints:
  - {name: top, type: ball, bodies: [world, upper], at: [0, 0, 2.3]}
  - {name: middle, type: hinge, bodies: [upper, lower], at: [-1, 0, 2.3], axis: [0, 1, 0]}
  - {name: hook, type: ball, bodies: [lower, ball], at: [-1.7, 0, 2.3]}
)yaml");
  test::expect_sound(ran);
  ASSERT_FALSE(ran.events(EventKind::impact).empty());
  EXPECT_GT(ran.last("block").velocity.x(), 0.5);
  EXPECT_GT(ran.summary.dissipated_by_impacts, 0);
}

// A bar on a post swings into it if the two may touch, else through it.
TEST(Collide, LetsJointedBodiesTouch) {
  const auto impacts = [](const char* collide) {
    model::Model model =
        scene::load_scene_text(R"yaml(
abut: 1
duration: 0.8
bodies:
  - {name: post, shape: {box: {size: [0.2, 0.2, 2]}}, position: [0, 0, -1], motion: fixed, material: {friction: 0, restitution: 0}}
  - {name: bar, shape: {box: {size: [1, 0.05, 0.05]}}, mass: 1, position: [0.8, 0, 0.5], material: {friction: 0, restitution: 0}}
joints:
  - {name: pivot, type: hinge, bodies: [post, bar], at: [0.2, 0, 0.5], axis: [0, 1, 0], collide: false}
)yaml",
                               "test.yaml", {std::string("joints.pivot.collide=") + collide})
            .model;
    const test::Ran ran = test::run_of(model);
    test::expect_sound(ran);
    return ran.events(EventKind::impact).size();
  };
  EXPECT_EQ(impacts("false"), 0u);
  EXPECT_GE(impacts("true"), 1u);
}

}  // namespace
}  // namespace abut
