// Attacks the promise that speed bounds are bounds, for every kind of path.

#include "motion/path.h"

#include "base/overloaded.h"
#include "integrate/island_path.h"
#include "math/rotation.h"
#include "motion/keyframe_motion.h"
#include "support/models.h"
#include "unit/motion/path_samples.h"

namespace abut::motion {
namespace {

using samples::number;
using samples::orientation;
using samples::random_keyframes;
using samples::random_polynomial;
using samples::vector;

// Over random sub-intervals, samples the speed of the fastest point at a random radius by its exact
// velocity and by chords, and compares both with the bound.
void attack(const BodyPath& path) {
  for (int round = 0; round < 4; ++round) {
    double from = number(path.begin(), path.end()), to = number(path.begin(), path.end());
    if (from > to) std::swap(from, to);
    if (to - from < 1e-9 * (path.end() - path.begin())) continue;
    const SpeedBound bound = path.speed_bound(from, to);
    const AccelerationBound jolt = path.acceleration_bound(from, to);
    const Vec3 local = vector(1) * std::pow(10.0, *rc::gen::inRange(-2, 3));
    const double allowed = bound.at_radius(local.norm());
    const auto place = [&](double t) -> Vec3 {
      const Pose pose = path.pose(t);
      return pose.position + pose.orientation * local;
    };
    // Rounding of the evaluation itself, which the bound does not speak of.
    const double rounding = 1e-14 * (1 + place(from).norm() + local.norm());

    constexpr int samples = 16;
    Vec3 previous = place(from);
    for (int i = 1; i <= samples; ++i) {
      const double t = from + (to - from) * i / samples;
      const Vec3 now = place(t);
      RC_ASSERT((now - previous).norm() <= allowed * (to - from) / samples + 2 * rounding);
      previous = now;
      const Kinematics point = carried(path.kinematics(t), local);
      const double slack = 1e-12 * (point.velocity.norm() + local.norm() + 1);
      RC_ASSERT(point.velocity.norm() <= allowed + slack);
      RC_ASSERT(point.acceleration.norm() <=
                jolt.at_radius(local.norm()) * (1 + 1e-12) + 1e-12 * (1 + local.norm()));
      RC_ASSERT(path.kinematics(t).angular_acceleration.norm() <=
                jolt.angular * (1 + 1e-12) + 1e-12);
      RC_ASSERT(path.kinematics(t).angular_velocity.norm() <= bound.angular * (1 + 1e-12) + 1e-13);
      RC_ASSERT(path.kinematics(t).velocity.norm() <= bound.linear * (1 + 1e-12) + 1e-13);
    }
  }
}

RC_GTEST_PROP(BodyPath, BoundsHoldForPolynomialMotion, ()) {
  attack(BodyPath::moving(random_polynomial()));
}

RC_GTEST_PROP(BodyPath, BoundsHoldForIntegratedMotion, ()) {
  model::Model model = test::empty_model(2);
  model.gravity = vector(20);
  model.solver.tolerance = *rc::gen::element(1e-3, 1e-6, 1e-9);
  model.bodies.push_back(
      test::body_of(shape::Box{Vec3(number(0.1, 2), number(0.1, 2), number(0.1, 2))}));
  model.bodies[0].velocity = vector(30);
  model.bodies[0].angular_velocity = vector(40);
  const integrate::Scripts no_scripts(1);
  const integrate::Island alone = integrate::find_islands(model).front();
  integrate::IslandPath island(model, no_scripts, alone, integrate::start_of(model, alone), {},
                               model.duration);
  ode::Workspace workspace;
  island.cover(1e-6, workspace);
  attack(island.body_path(0, island.step_count() - 1));
  island.cover(model.duration, workspace);
  attack(island.body_path(0, island.step_count() - 1));
}

RC_GTEST_PROP(BodyPath, BoundsHoldForKeyframes, ()) {
  const auto script = random_keyframes();
  attack(BodyPath::scripted(script.keyframes.front().time - 0.5, script.keyframes.back().time + 0.5,
                            make_script_motion(script)));
}

RC_GTEST_PROP(BodyPath, BoundsHoldForFormulas, ()) {
  attack(BodyPath::scripted(-1, 4, make_script_motion(samples::random_formulas())));
}

TEST(BodyPath, ARestingBodyHasSpeedZero) {
  const BodyPath path = BodyPath::resting(0, 1, {Vec3(1, 2, 3), Quat::Identity()});
  EXPECT_EQ(path.speed_bound(0, 1).at_radius(1e6), 0);
  EXPECT_EQ(path.pose(0.5).position, Vec3(1, 2, 3));
}

// A bound that holds but is far too large would make collision detection slow: over short
// intervals it must approach the true speed.
RC_GTEST_PROP(BodyPath, BoundsAreSharpOverShortIntervals, ()) {
  const PolynomialMotion motion = random_polynomial();
  const double t = number(motion.begin(), motion.end());
  const double to = std::min(motion.end(), t + 1e-5 * (motion.end() - motion.begin()));
  const Kinematics now = motion.kinematics(t);
  const SpeedBound bound = motion.speed_bound(t, to);
  const double length = motion.end() - motion.begin();
  RC_ASSERT(bound.linear <= now.velocity.norm() + 0.5 / length);
  RC_ASSERT(bound.angular >= now.angular_velocity.norm() * (1 - 1e-12));
}

}  // namespace
}  // namespace abut::motion
