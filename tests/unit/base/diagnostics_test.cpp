#include "abut/diagnostics.h"

#include <gtest/gtest.h>

#include <string>

#include "abut/types.h"

using namespace abut;

TEST(Diagnostics, LeaveOutWhatIsNotKnown) {
  EXPECT_EQ(to_string({Severity::error, {"a.yaml", 3, 7}, "bad"}), "a.yaml:3:7: error: bad");
  EXPECT_EQ(to_string({Severity::warning, {"a.yaml", 3, 0}, "odd"}), "a.yaml:3: warning: odd");
  EXPECT_EQ(to_string({Severity::error, {"a.yaml", 0, 0}, "bad"}), "a.yaml: error: bad");
  EXPECT_EQ(to_string({Severity::error, {}, "bad"}), "error: bad");
}

TEST(Diagnostics, InputErrorCarriesAllOfThem) {
  const InputError error(
      {{Severity::error, {"a", 1, 1}, "first"}, {Severity::warning, {"a", 2, 1}, "second"}});
  EXPECT_EQ(error.diagnostics().size(), 2u);
  EXPECT_STREQ(error.what(), "a:1:1: error: first\na:2:1: warning: second");
  EXPECT_EQ(InputError({"b", 0, 0}, "gone").diagnostics()[0].message, "gone");
}

TEST(Diagnostics, SimulationErrorNamesTheTime) {
  const SimulationError error(0.25, "no solution");
  EXPECT_EQ(error.time(), 0.25);
  EXPECT_STREQ(error.what(), "at time 0.25 s: no solution");
}

TEST(Events, HaveTheNamesOfTheFiles) {
  EXPECT_EQ(to_string(EventKind::touch), "touch");
  EXPECT_EQ(to_string(EventKind::break_joint), "break");
  EXPECT_EQ(to_string(EventKind::script), "script");
}

TEST(Joints, HaveTheNamesOfTheFiles) {
  EXPECT_EQ(to_string(JointType::ball), "ball");
  EXPECT_EQ(to_string(JointType::point_on_line), "point_on_line");
  EXPECT_EQ(to_string(JointType::distance), "distance");
}
