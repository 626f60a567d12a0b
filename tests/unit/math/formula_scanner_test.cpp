#include "math/formula_scanner.h"

#include <gtest/gtest.h>

namespace abut::math {
namespace {

TEST(FormulaScanner, SkipsBlanksAtTheFrontAndAfterWhatItTakes) {
  FormulaScanner scanner(" \t(\r\n 1");
  EXPECT_EQ(scanner.offset(), 2u);
  EXPECT_FALSE(scanner.take(')'));
  EXPECT_EQ(scanner.offset(), 2u);
  EXPECT_TRUE(scanner.take('('));
  EXPECT_EQ(scanner.rest(), "1");
}

TEST(FormulaScanner, TheEndIsNoCharacter) {
  FormulaScanner scanner("");
  EXPECT_TRUE(scanner.at_end());
  EXPECT_FALSE(scanner.take('\0'));
  EXPECT_EQ(scanner.peek(), '\0');
  EXPECT_EQ(scanner.at(7), '\0');
  EXPECT_FALSE(scanner.starts_number());
}

TEST(FormulaScanner, EverySecondMinusIsUndone) {
  for (const auto& [text, negates] :
       {std::pair("x", false), std::pair("-x", true), std::pair("+ - + x", true),
        std::pair("- - x", false), std::pair("---x", true)}) {
    FormulaScanner scanner(text);
    EXPECT_EQ(scanner.take_signs(), negates) << text;
    EXPECT_EQ(scanner.rest(), "x") << text;
  }
}

TEST(FormulaScanner, ANumberEndsWithItsDigits) {
  FormulaScanner scanner("12.5e-1 m");
  ASSERT_TRUE(scanner.starts_number());
  const FormulaScanner::Number number = scanner.take_number();
  EXPECT_EQ(number.status, std::errc{});
  EXPECT_EQ(number.value, 1.25);
  EXPECT_EQ(number.digits, "12.5e-1");
  EXPECT_EQ(scanner.peek(), ' ');
  scanner.skip_space();
  EXPECT_EQ(scanner.rest(), "m");
}

TEST(FormulaScanner, SaysWhatIsNoNumber) {
  FormulaScanner point(".");
  ASSERT_TRUE(point.starts_number());
  EXPECT_EQ(point.take_number().status, std::errc::invalid_argument);
  EXPECT_EQ(point.offset(), 0u);
  FormulaScanner large("1e999+1");
  const FormulaScanner::Number number = large.take_number();
  EXPECT_EQ(number.status, std::errc::result_out_of_range);
  EXPECT_EQ(number.digits, "1e999");
  EXPECT_EQ(large.rest(), "+1");
}

}  // namespace
}  // namespace abut::math
