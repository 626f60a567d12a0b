#include "scene/quantity.h"
#include "support/constants.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "unit/scene/scene_testing.h"

using namespace abut::scene;

namespace {

using abut::test::pi;

double number(const std::string& text, const Dimension& expected = {}) {
  const auto result = parse_number(text, expected);
  if (const auto* error = std::get_if<QuantityError>(&result)) {
    ADD_FAILURE() << text << ": " << error->message;
    return NAN;
  }
  return std::get<double>(result);
}

std::string quantity_refusal(const std::string& text, const Dimension& expected = {}) {
  const auto result = parse_number(text, expected);
  if (const auto* error = std::get_if<QuantityError>(&result)) return error->message;
  ADD_FAILURE() << text << " was accepted";
  return {};
}

}  // namespace

TEST(Quantity, PlainNumbersAreExact) {
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("-2.5e-3"), -2.5e-3);
  EXPECT_EQ(number("+3"), 3);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("5."), 5);
  EXPECT_EQ(number("010"), 10);
  EXPECT_EQ(number("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(number("9007199254740993"), 9007199254740992.0);
}

RC_GTEST_PROP(Quantity, ShortestDecimalsComeBackExactly, (double x)) {
  RC_PRE(std::isfinite(x));
  RC_ASSERT(std::get<double>(parse_number(fmt::format("{}", x), {})) == x);
}

TEST(Quantity, UnitsOfTheContract) {
  EXPECT_EQ(number("5 mm", dimension::length), 0.005);
  EXPECT_EQ(number("1.1 mm", dimension::length), 0.0011);
  EXPECT_EQ(number("2.5 kg", dimension::mass), 2.5);
  EXPECT_EQ(number("200 GPa", dimension::pressure), 200e9);
  EXPECT_DOUBLE_EQ(number("120 rpm", dimension::angular_velocity), 4 * pi);
  EXPECT_EQ(number("180 deg", dimension::angle), pi);
  EXPECT_DOUBLE_EQ(number("30 deg", dimension::angle), pi / 6);
  EXPECT_EQ(number("30\xc2\xb0", dimension::angle), number("30 deg", dimension::angle));
  EXPECT_EQ(number("3 \xc2\xb5m", dimension::length), 3e-6);
  EXPECT_EQ(number("5mm", dimension::length), 0.005);
}

TEST(Quantity, CompoundUnits) {
  EXPECT_EQ(number("3 m/s", dimension::velocity), 3);
  EXPECT_EQ(number("36 km/h", dimension::velocity), 10);
  EXPECT_EQ(number("7.85 g/cm^3", dimension::density), 7850);
  EXPECT_EQ(number("1100 kg/m^3", dimension::density), 1100);
  EXPECT_EQ(number("4 N/mm", dimension::stiffness), 4000);
  EXPECT_EQ(number("2 N s/m", dimension::damping), 2);
  EXPECT_EQ(number("2 N*s/m", dimension::damping), 2);
  EXPECT_EQ(number("9.81 m/s^2", dimension::acceleration), 9.81);
  EXPECT_EQ(number("9.81 m s^-2", dimension::acceleration), 9.81);
  EXPECT_EQ(number("3 rad/s", dimension::angular_velocity), 3);
  EXPECT_EQ(number("180 deg/s", dimension::angular_velocity), pi);
  EXPECT_EQ(number("3 N*m", dimension::torque), 3);
  EXPECT_EQ(number("3 Nm", dimension::torque), 3);
  EXPECT_EQ(number("60 Hz", dimension::frequency), 60);
  EXPECT_EQ(number("60 1/s", dimension::frequency), 60);
}

TEST(Quantity, Arithmetic) {
  EXPECT_EQ(number("1/60"), 1.0 / 60);
  EXPECT_EQ(number("2*pi/3"), 2 * pi / 3);
  EXPECT_EQ(number("2*5 mm", dimension::length), 0.01);
  EXPECT_EQ(number("1/60 s", dimension::time), 1.0 / 60);
  EXPECT_EQ(number("1 m + 2 cm", dimension::length), 1.02);
  EXPECT_EQ(number("(1 + 2) * 3"), 9);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("2 m * 3", dimension::length), 6);
  EXPECT_EQ(number("10 m / 2 m"), 5);
  EXPECT_EQ(number("10 m / 2 s", dimension::velocity), 5);
  EXPECT_EQ(number("sqrt(2)"), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(number("cos(60 deg)"), 0.5);
  EXPECT_DOUBLE_EQ(number("atan2(1, 1)"), pi / 4);
}

TEST(Quantity, PlainNumbersFitEveryDimension) {
  EXPECT_EQ(number("3", dimension::length), 3);
  EXPECT_EQ(number("pi/2", dimension::angle), pi / 2);
}

TEST(Quantity, WrongDimensionNamesBoth) {
  const std::string message = quantity_refusal("5 kg", dimension::length);
  EXPECT_TRUE(scene_testing::mentions(message, "a mass (kg)")) << message;
  EXPECT_TRUE(scene_testing::mentions(message, "a length (m)")) << message;
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("5 m", dimension::angle), "an angle (rad)"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("3 m"), "a plain number"));
  EXPECT_TRUE(
      scene_testing::mentions(quantity_refusal("1 m + 2 s", dimension::length), "cannot be added"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("3 Hz", dimension::angular_velocity),
                                      "a frequency"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("2^(3 m)"), "exponent"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("sqrt(2 m)"), "plain numbers"));
}

TEST(Quantity, RefusesWhatIsNoNumber) {
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("0x10"), "hexadecimal"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("0o17"), "octal"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("1_000"), "underscores"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("1,5"), "decimal sign"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("yes"), "flag"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("True"), "flag"));
  for (const char* word : {".nan", ".inf", "-.inf", "nan", "Infinity", "inf"}) {
    EXPECT_TRUE(scene_testing::mentions(quantity_refusal(word), "finite")) << word;
  }
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("1e999"), "range"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("1/0"), "finite"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("1e300*1e300"), "finite"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal(""), "empty"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("3 mn", dimension::length), "did you mean"));
  EXPECT_TRUE(
      scene_testing::mentions(quantity_refusal("mm", dimension::length), "number is missing"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("(1"), "`)` is missing"));
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal("1 +"), "ends"));
  EXPECT_TRUE(
      scene_testing::mentions(quantity_refusal("2 m^x", dimension::length), "whole number"));
}

TEST(Quantity, HostileTextsEndInErrors) {
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal(std::string(100000, '(')), "nested"));
  std::string tower = "2";
  for (int i = 0; i < 20; ++i) tower += "^9";
  EXPECT_FALSE(quantity_refusal(tower).empty());
  std::string units = "(((2 m)^9)^9)^9";
  EXPECT_TRUE(scene_testing::mentions(quantity_refusal(units), "exponents"));
}

RC_GTEST_PROP(Quantity, UnitsConvertBothWays, ()) {
  struct Pair {
    const char* small;
    const char* large;
    double ratio;
    Dimension dimension;
  };
  const Pair pair = *rc::gen::element(
      Pair{"mm", "m", 1000, dimension::length}, Pair{"g", "kg", 1000, dimension::mass},
      Pair{"ms", "s", 1000, dimension::time}, Pair{"s", "min", 60, dimension::time},
      Pair{"kPa", "GPa", 1e6, dimension::pressure}, Pair{"deg", "rev", 360, dimension::angle});
  const double x = *rc::gen::inRange(-100000, 100000) / 64.0;
  const double a = std::get<double>(
      parse_number(fmt::format("{} {}", x * pair.ratio, pair.small), pair.dimension));
  const double b =
      std::get<double>(parse_number(fmt::format("{} {}", x, pair.large), pair.dimension));
  RC_ASSERT(std::abs(a - b) <= 4e-16 * std::abs(b));
}

TEST(Unit, NamesAreDistinctAndKnown) {
  for (const std::string& name : unit_names()) EXPECT_TRUE(find_unit(name)) << name;
  EXPECT_FALSE(find_unit("parsec"));
  EXPECT_EQ(find_unit("min")->factor, 60);  // a minute, not a milli-inch
}
