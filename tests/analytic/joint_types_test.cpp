// What each type of joint leaves free and what it holds, as recorded; and long chains.

#include <cmath>

#include "support/bars.h"
#include "support/constants.h"
#include "support/scene_run.h"

namespace abut {
namespace {

using abut::test::g;

// Two boxes in free flight, turning, joined at a point between them.
class TwoBoxes : public ::testing::TestWithParam<JointType> {
 protected:
  static constexpr double length = 0.9;  // of the distance joint

  static test::Ran run() {
    model::Model model = test::empty_model(2);
    model.gravity = Vec3(0, 0, -g);
    model.bodies = {test::body_of(shape::Box{Vec3(0.3, 0.4, 0.5)}),
                    test::body_of(shape::Box{Vec3(0.2, 0.6, 0.3)})};
    model.bodies[0].pose = {Vec3(0, 0, 0),
                            Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()))};
    model.bodies[1].pose = {Vec3(1, 0.2, 0.1),
                            Quat(Eigen::AngleAxisd(-1.1, Vec3(3, -1, 1).normalized()))};
    model.bodies[0].velocity = Vec3(1, 2, 8);
    model.bodies[1].velocity = Vec3(0.5, 3, 9);
    model.bodies[0].angular_velocity = Vec3(2, -1, 3);
    model.bodies[1].angular_velocity = Vec3(-1, 4, 2);
    model.no_collide = {{0, 1}};
    test::join(model, GetParam(), 0, 1, at(), axis());
    if (GetParam() == JointType::distance) {
      joint::place(model.joints[0], {{Vec3(0.1, 0, 0), Vec3(0.1 + length, 0, 0)}, axis(), {}},
                   {body::central_from_body(model.bodies[0].mass, model.bodies[0].pose),
                    body::central_from_body(model.bodies[1].mass, model.bodies[1].pose)});
    }
    return test::run_of(model);
  }
  static Vec3 at() { return Vec3(0.5, 0.1, 0.2); }
  static Vec3 axis() { return Vec3(1, 1, -2).normalized(); }

  // A world point and a world direction of time 0, carried by a body to a frame.
  static Vec3 carried_point(const test::Ran& ran, const record::Frame& frame, int body,
                            const Vec3& point) {
    const Pose& start = ran.model.bodies[body].pose;
    const BodyState& s = frame.bodies[body];
    return s.position + s.orientation * (start.orientation.conjugate() * (point - start.position));
  }
  static Vec3 carried(const test::Ran& ran, const record::Frame& frame, int body,
                      const Vec3& direction) {
    return frame.bodies[body].orientation *
           (ran.model.bodies[body].pose.orientation.conjugate() * direction);
  }
};

TEST_P(TwoBoxes, MoveOnlyAsTheJointLeavesThem) {
  const test::Ran ran = run();
  test::expect_sound(ran);
  double slid = 0, sheared = 0, turned_about = 0, turned_across = 0;
  const Vec3 across = axis().cross(Vec3::UnitZ()).normalized();
  double stretched = 0;
  for (const auto& frame : ran.sink.frames) {
    if (frame.kind == record::FrameKind::before) continue;
    const Vec3 d = carried_point(ran, frame, 1, at()) - carried_point(ran, frame, 0, at());
    const Vec3 z0 = carried(ran, frame, 0, axis()), z1 = carried(ran, frame, 1, axis());
    slid = std::max(slid, std::abs(d.dot(z0)));
    sheared = std::max(sheared, (d - d.dot(z0) * z0).norm());
    turned_across = std::max(turned_across, z0.cross(z1).norm());
    const Vec3 x0 = carried(ran, frame, 0, across), x1 = carried(ran, frame, 1, across);
    turned_about = std::max(turned_about, std::abs(x1.dot(z0.cross(x0))));
    const double distance = (carried_point(ran, frame, 1, Vec3(0.1 + length, 0, 0)) -
                             carried_point(ran, frame, 0, Vec3(0.1, 0, 0)))
                                .norm();
    stretched = std::max(stretched, std::abs(distance - length));
  }
  constexpr double held = 1e-12, moved = 1e-2;
  const auto expect = [&](double motion, bool is_free, const char* what) {
    if (is_free)
      EXPECT_GT(motion, moved) << what;
    else
      EXPECT_LT(motion, held) << what;
  };
  switch (GetParam()) {
    case JointType::ball:
    case JointType::universal:
      expect(slid, false, "slides"), expect(sheared, false, "shears");
      expect(turned_across, true, "tilts"), expect(turned_about, true, "turns");
      break;
    case JointType::hinge:
      expect(slid, false, "slides"), expect(sheared, false, "shears");
      expect(turned_across, false, "tilts"), expect(turned_about, true, "turns");
      break;
    case JointType::prismatic:
      expect(slid, true, "slides"), expect(sheared, false, "shears");
      expect(turned_across, false, "tilts"), expect(turned_about, false, "turns");
      break;
    case JointType::cylindrical:
      expect(slid, true, "slides"), expect(sheared, false, "shears");
      expect(turned_across, false, "tilts"), expect(turned_about, true, "turns");
      break;
    case JointType::point_on_line:
      expect(slid, true, "slides"), expect(sheared, false, "shears");
      expect(turned_across, true, "tilts"), expect(turned_about, true, "turns");
      break;
    case JointType::point_on_plane:
      expect(slid, false, "lifts"), expect(sheared, true, "glides");
      expect(turned_across, true, "tilts"), expect(turned_about, true, "turns");
      break;
    case JointType::weld:
      expect(slid, false, "slides"), expect(sheared, false, "shears");
      expect(turned_across, false, "tilts"), expect(turned_about, false, "turns");
      break;
    case JointType::distance:
      expect(stretched, false, "stretches"), expect(sheared, true, "glides");
      expect(turned_across, true, "tilts"), expect(turned_about, true, "turns");
      break;
  }
}

// What the two exchange cancels: their common centre flies on a parabola.
TEST_P(TwoBoxes, FlyOnWithTheirCommonCentre) {
  const test::Ran ran = run();
  const double m0 = ran.model.bodies[0].mass.mass, m1 = ran.model.bodies[1].mass.mass;
  const auto centre = [&](const record::Frame& frame) -> Vec3 {
    return (m0 * frame.bodies[0].centre_of_mass + m1 * frame.bodies[1].centre_of_mass) / (m0 + m1);
  };
  const Vec3 start = centre(ran.sink.frames.front());
  const Vec3 velocity =
      (m0 * ran.model.bodies[0].velocity + m1 * ran.model.bodies[1].velocity) / (m0 + m1);
  for (const auto& frame : ran.sink.frames) {
    const double t = frame.time;
    const Vec3 exact = start + t * velocity - 0.5 * t * t * g * Vec3::UnitZ();
    ASSERT_LT((centre(frame) - exact).norm(), 1e-11) << t;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, TwoBoxes, ::testing::ValuesIn(joint::all_types),
                         [](const auto& type) { return std::string(to_string(type.param)); });

model::Model chain(int links, const Vec3& direction, double duration) {
  constexpr double length = 0.1, mass = 0.1;
  model::Model model = test::empty_model(duration);
  model.record.rate = 20;
  model.gravity = Vec3(0, 0, -g);
  for (int i = 0; i < links; ++i)
    model.bodies.push_back(
        test::bar("link", i * length * direction, (i + 1) * length * direction, mass));
  for (int i = 0; i < links; ++i)
    test::join(model, i % 2 == 0 ? JointType::hinge : JointType::ball, i == 0 ? world : i - 1, i,
               i * length * direction);
  return model;
}

TEST(Chain, HangsWithTheWeightBelowInEveryJoint) {
  for (const int links : {3, 100}) {
    const test::Ran ran = test::run_of(chain(links, -Vec3::UnitZ(), 1));
    test::expect_sound(ran);
    for (const auto& frame : ran.sink.frames)
      for (const JointState& joint : frame.joints) {
        const double below = 0.1 * g * (links - joint.joint);
        ASSERT_NEAR(joint.force.z() / below, 1, 1e-9);
        ASSERT_LT(joint.force.head<2>().norm(), 1e-9 * below);
      }
  }
}

TEST(Chain, SwingsWithItsBooksClosed) {
  const test::Ran ran = test::run_of(chain(100, Vec3::UnitX(), 0.2));
  test::expect_sound(ran);
  EXPECT_EQ(ran.summary.work, 0);
  // Until the bend arrives there the free end falls as if nothing held it.
  EXPECT_NEAR(ran.sink.last(99).velocity.z(), -g * 0.2, 1e-6);
}

}  // namespace
}  // namespace abut
