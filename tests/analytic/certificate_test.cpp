// What the certificate of a run says, for scenes that once had it say nothing, or what was not so.

#include <string>

#include "support/scene_run.h"

namespace abut {
namespace {

test::Ran run_of_file(const std::string& name, const std::vector<std::string>& set = {}) {
  test::Ran ran;
  ran.model =
      scene::load_scene_file(std::string(ABUT_TEST_DATA_DIR) + "/scenes/" + name + ".yaml", set)
          .model;
  ran.summary = loop::run(ran.model, ran.sink, {});
  return ran;
}

// Teeth that touch edge on edge: some of them have no line to be told apart by.
TEST(Certificate, TellsTheSmallestGapOfCombs) {
  const test::Ran ran = run_of_file("combs");
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_GT(ran.summary.min_gap, 0);
  EXPECT_LT(ran.summary.min_gap, ran.model.solver.contact_distance);
}

// Numbers are a thousand times coarser than next to bodies of a metre, and so is what counts as a
// touch.
TEST(Certificate, HoldsForBoxesOfAKilometre) {
  const test::Ran ran = run_of_file("mountains", {"duration=25"});
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_GT(ran.summary.min_gap, 0);
  EXPECT_GT(ran.summary.impacts, 0);
}

}  // namespace
}  // namespace abut
