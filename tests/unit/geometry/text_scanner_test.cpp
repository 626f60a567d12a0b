#include "geometry/text_scanner.h"

#include <gtest/gtest.h>

#include "abut/diagnostics.h"

using namespace abut;
using namespace abut::geometry;

TEST(TextScanner, WordsHavePlaces) {
  TextScanner scanner("one  two\n\r\n\tthree\r", "f");
  const auto expect = [&](std::string_view text, int line, int column) {
    const std::optional<Word> word = scanner.next();
    ASSERT_TRUE(word.has_value());
    EXPECT_EQ(word->text, text);
    EXPECT_EQ(word->line, line);
    EXPECT_EQ(word->column, column);
  };
  expect("one", 1, 1);
  expect("two", 1, 6);
  expect("three", 3, 2);
  EXPECT_FALSE(scanner.next().has_value());
}

TEST(TextScanner, CommentsAndContinuations) {
  TextScanner scanner("a \\\nb # c \\\nd\\e", "f", TextSyntax{'#', '\\'});
  EXPECT_EQ(scanner.next_on_line()->text, "a");
  const std::optional<Word> joined = scanner.next_on_line();
  ASSERT_TRUE(joined.has_value());
  EXPECT_EQ(joined->text, "b");
  EXPECT_EQ(joined->line, 2);
  EXPECT_FALSE(scanner.next_on_line().has_value());
  ASSERT_TRUE(scanner.next_line());
  EXPECT_EQ(scanner.next_on_line()->text, "d\\e");
  EXPECT_FALSE(scanner.next_line());
}

TEST(TextScanner, NumbersAreStrict) {
  const TextScanner scanner("", "f");
  const auto number = [&](std::string_view text) { return scanner.number(Word{text, 1, 1}); };
  EXPECT_EQ(number("+1.5"), 1.5);
  EXPECT_EQ(number("-.5e-3"), -0.0005);
  EXPECT_EQ(number("0.00000e-999"), 0);
  for (const std::string_view text :
       {"", "+", "--1", "+-1", "1,5", "1.5x", "0x10", "1e400", "nan"}) {
    EXPECT_THROW(number(text), InputError) << text;
  }
  EXPECT_EQ(scanner.integer(Word{"+12", 1, 1}, "a count"), 12);
  EXPECT_THROW(scanner.integer(Word{"1.0", 1, 1}, "a count"), InputError);
}

TEST(TextScanner, QuotedWordsAreShortAndPrintable) {
  EXPECT_EQ(in_quotes("a\x01z\xFF"), "'a?z?'");
  EXPECT_EQ(in_quotes(std::string(50, 'x')), "'" + std::string(40, 'x') + "...'");
}
