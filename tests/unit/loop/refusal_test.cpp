#include "loop/refusal.h"

#include <gtest/gtest.h>

#include "abut/diagnostics.h"
#include "support/bending.h"

namespace abut::loop {
namespace {

TEST(Refusal, NamesTheFirstBodyThatBends) {
  model::Model model;
  model.bodies.resize(2);
  model.bodies[0].name = "rigid";
  model.bodies[1].name = "jelly";
  EXPECT_EQ(first_immovable(model), world);
  EXPECT_EQ(&movable(model), &model);
  model.bodies[1].bending.emplace();
  model.bodies[1].bending->body = test::bending_box(1, {1, 1, 1});
  EXPECT_EQ(first_immovable(model), 1);
  EXPECT_THROW(movable(model), SimulationError);
  EXPECT_NE(refusal(model.bodies[1]).find("body jelly bends"), std::string::npos);
}

}  // namespace
}  // namespace abut::loop
