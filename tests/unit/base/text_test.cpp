#include "base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

using namespace abut::base;

TEST(Text, FindsBrokenUtf8) {
  EXPECT_FALSE(invalid_utf8_offset("plain"));
  EXPECT_FALSE(invalid_utf8_offset("\xc2\xb5m \xe2\x82\xac \xf0\x9f\x8e\xb2"));
  EXPECT_EQ(invalid_utf8_offset("ab\xff"), 2u);
  EXPECT_EQ(invalid_utf8_offset("ab\xc2"), 2u);            // ends inside a character
  EXPECT_EQ(invalid_utf8_offset("\xc0\xaf"), 0u);          // overlong
  EXPECT_EQ(invalid_utf8_offset("\xe0\x80\xaf"), 0u);      // overlong
  EXPECT_EQ(invalid_utf8_offset("\xed\xa0\x80"), 0u);      // surrogate
  EXPECT_EQ(invalid_utf8_offset("\xf4\x90\x80\x80"), 0u);  // beyond the last character
}

TEST(Text, EditDistanceCountsSingleChanges) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("radius", "radius"), 0u);
  EXPECT_EQ(edit_distance("radus", "radius"), 1u);
  EXPECT_EQ(edit_distance("raduis", "radius"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

RC_GTEST_PROP(Text, EditDistanceIsAMetricUpToSwaps, (const std::string& a, const std::string& b)) {
  const std::size_t distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT((distance == 0) == (a == b));
  RC_ASSERT(distance <= std::max(a.size(), b.size()));
  RC_ASSERT(distance >= std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
}

TEST(Text, SuggestsOnlyWhatIsClose) {
  EXPECT_EQ(did_you_mean("radus", {"height", "radius"}), "; did you mean `radius`?");
  EXPECT_EQ(did_you_mean("Radius", {"radius"}), "; did you mean `radius`?");
  EXPECT_EQ(did_you_mean("banana", {"height", "radius"}), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "");
}

TEST(Text, ShowsLongAndOddTextsInOneLine) {
  EXPECT_EQ(shown("a\nb\tc"), "a b c");
  const std::string cut = shown(std::string(200, 'x'));
  EXPECT_EQ(cut, std::string(60, 'x') + "...");
  EXPECT_FALSE(invalid_utf8_offset(shown(std::string(59, 'x') + "\xe2\x82\xac\xe2\x82\xac")));
}

TEST(Text, ControlCharactersAreShownNotSent) {
  EXPECT_EQ(harmless("plain\n\ttext \xc3\xa4"), "plain\n\ttext \xc3\xa4");
  EXPECT_EQ(harmless("\x1b[2J\a\r\x7f"), "\\x1b[2J\\x07\\x0d\\x7f");
  EXPECT_EQ(harmless("\xc2\x9b"
                     "31m"),
            "\\x9b"
            "31m");  // an escape of one character
}

TEST(Text, Lists) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b"}, "or"), "a or b");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}
