// Closed loops with more rows than freedoms, of links so slender that rows which turn them about
// their length answer a thousand times as much as others: which rows say something new must be told
// all the same.

#include <cmath>
#include <string>

#include "support/scene_run.h"

namespace abut {
namespace {

model::Model mechanism(const std::string& name, const std::vector<std::string>& set = {}) {
  return scene::load_scene_file(std::string(ABUT_TEST_DATA_DIR) + "/mechanisms/" + name + ".yaml",
                                set)
      .model;
}

model::Model slider_crank(const std::string& name, const std::string& width) {
  return mechanism(name, {"bodies.crank.shape.box.size=[0.1, " + width + ", " + width + "]",
                          "bodies.rod.shape.box.size=[0.3, " + width + ", " + width + "]"});
}

void expect_same_motion(const test::Ran& one, const test::Ran& other, double tolerance) {
  ASSERT_EQ(one.sink.frames.size(), other.sink.frames.size());
  for (std::size_t i = 0; i < one.sink.frames.size(); ++i)
    for (std::size_t k = 0; k < one.model.bodies.size(); ++k) {
      const BodyState& a = one.sink.frames[i].bodies[k];
      const BodyState& b = other.sink.frames[i].bodies[k];
      ASSERT_LT((a.centre_of_mass - b.centre_of_mass).norm(), tolerance) << one.sink.frames[i].time;
      ASSERT_LT(a.orientation.angularDistance(b.orientation), tolerance);
    }
}

// Hinges and a slide, where a ball and a universal joint would do.
TEST(SlenderLinks, SliderCrankMovesLikeItsTwinWithoutExcess) {
  for (const char* width : {"0.002", "0.005", "0.006", "0.007", "0.008", "0.02"}) {
    SCOPED_TRACE(width);
    const test::Ran excess = test::run_of(slider_crank("slender_slider_crank", width));
    test::expect_sound(excess);
    const test::Ran twin = test::run_of(slider_crank("slender_slider_crank_without_excess", width));
    expect_same_motion(excess, twin, 1e-7);
  }
}

// In the plane only the moments of inertia across the links count: bodies of the same ones, twenty
// times as thick, move alike.
void expect_motion_of_thick_links(const std::string& name, const std::vector<double>& lengths,
                                  double width) {
  const model::Model slender = mechanism(name);
  model::Model thick = slender;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    // I_yy = m (l^2 + w^2) / 12 is kept, the others grow.
    Vec3& principal = thick.bodies[i].mass.principal;
    EXPECT_NEAR(principal.maxCoeff(),
                thick.bodies[i].mass.mass * (lengths[i] * lengths[i] + width * width) / 12, 1e-12);
    principal.setConstant(principal.maxCoeff());
  }
  const test::Ran ran = test::run_of(slender);
  test::expect_sound(ran);
  expect_same_motion(ran, test::run_of(thick), 1e-7);
}

TEST(SlenderLinks, FourBarMovesLikeAThickOne) {
  expect_motion_of_thick_links("slender_four_bar", {0.1, 0.3, 0.25}, 0.003);
}

TEST(SlenderLinks, RingThatHangsStaysAsItIs) {
  expect_motion_of_thick_links("slender_ring", {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, 0.005);
}

// Two universal joints whose forks are in line, between shafts that are parallel: what the first
// adds to the speed the second takes away. Rows that say something new in one position say nothing
// a quarter of a turn later, where others do.
TEST(SlenderLinks, CardanShaftTurnsOnWithConstantSpeed) {
  const test::Ran ran = test::run_of(mechanism("cardan_shaft"));
  test::expect_sound(ran);
  for (const auto& frame : ran.sink.frames) {
    if (frame.kind == record::FrameKind::before) continue;
    ASSERT_NEAR(frame.bodies[0].angular_velocity.x(), 10, 1e-9) << frame.time;
    ASSERT_NEAR(frame.bodies[2].angular_velocity.x(), 10, 1e-9) << frame.time;
  }
}

}  // namespace
}  // namespace abut
