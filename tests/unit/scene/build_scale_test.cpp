#include <gtest/gtest.h>

#include <string>

#include "abut/diagnostics.h"
#include "scene/loader.h"

namespace abut {
namespace {

model::Model balls(const std::string& radius, const std::string& position,
                   const std::string& more = "") {
  return scene::load_scene_text("abut: 1\nduration: 1\n" + more +
                                    "bodies:\n"
                                    "  - {name: floor, shape: {box: {size: [5000, 5000, 1]}}, "
                                    "motion: fixed, position: [0, 0, -0.5]}\n"
                                    "  - {name: ball, shape: {sphere: {radius: " +
                                    radius + "}}, position: " + position + "}\n",
                                "test.yaml")
      .model;
}

TEST(ContactDistance, FollowsTheSizeOfBodiesByDefault) {
  for (const char* radius : {"1 mm", "2 cm", "1", "9"})
    EXPECT_EQ(balls(radius, "[0, 0, 20]").solver.contact_distance, 1e-9) << radius;
  EXPECT_NEAR(balls("0.1 mm", "[0, 0, 0.01]").solver.contact_distance, 1e-10, 1e-22);
  EXPECT_NEAR(balls("1000", "[0, 0, 1500]").solver.contact_distance, 1e-7, 1e-19);
}

TEST(ContactDistance, IsNeverLessThanRoundingCanCarry) {
  // 1e4 roundings of 2e3 m, and of the farthest end of a small ball.
  EXPECT_NEAR(balls("1", "[2000, 0, 20]").solver.contact_distance, 4.4e-9, 1e-10);
  EXPECT_GT(balls("1 um", "[0, 0, 1]").solver.contact_distance, 2e-12);
  // Where even a thousandth of the body is lost, it stays that.
  EXPECT_NEAR(balls("1", "[0, 0, 1e17]").solver.contact_distance, 1e-3, 1e-6);
}

TEST(ContactDistance, IsAsGivenOrRefused) {
  const auto given = [](const std::string& distance) {
    return balls("0.5", "[0, 0, 0.5]", "solver: {contact_distance: " + distance + "}\n")
        .solver.contact_distance;
  };
  EXPECT_EQ(given("3e-12"), 3e-12);
  EXPECT_EQ(given("1e-3"), 1e-3);
  try {
    given("1e-12");
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("test.yaml:3:28"), std::string::npos) << text;
    EXPECT_NE(text.find("less than rounding can carry"), std::string::npos) << text;
    EXPECT_NE(text.find("give at least 3e-12 m"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace abut
