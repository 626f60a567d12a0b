#include "scene/yaml_document.h"

#include <gtest/gtest.h>

#include <string>

using namespace abut::scene;

namespace {

struct Parsed {
  std::optional<Node> node;
  std::vector<abut::Diagnostic> problems;
};

Parsed parse(const std::string& text) {
  Problems problems("x.yaml", {});
  auto node = parse_yaml(text, problems);
  return {std::move(node), problems.sorted()};
}

/// The only problem of a text, as "line:column: message".
std::string complaint(const std::string& text) {
  const Parsed parsed = parse(text);
  if (parsed.problems.size() != 1) {
    return "there are " + std::to_string(parsed.problems.size()) + " problems";
  }
  const auto& d = parsed.problems[0];
  return std::to_string(d.location.line) + ":" + std::to_string(d.location.column) + ": " +
         d.message;
}

bool starts(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

}  // namespace

TEST(YamlDocument, KeepsPlacesCountedFromOne) {
  const Parsed parsed = parse("a: 1\nbig:\n  - [x, 'y']\n");
  ASSERT_TRUE(parsed.node);
  const Node& list = *parsed.node->find("big");
  EXPECT_EQ(parsed.node->keys[1].mark.line, 2);
  EXPECT_EQ(parsed.node->keys[1].mark.column, 1);
  EXPECT_EQ(list.items[0].items[1].mark.line, 3);
  EXPECT_EQ(list.items[0].items[1].mark.column, 9);
  EXPECT_FALSE(list.items[0].items[0].quoted);
  EXPECT_TRUE(list.items[0].items[1].quoted);
}

TEST(YamlDocument, ReadsJson) {
  const Parsed parsed = parse("{\"a\": [1, true, null], \"b\": {\"c\": \"d\"}}");
  ASSERT_TRUE(parsed.node);
  EXPECT_EQ(parsed.node->find("a")->items[2].kind, Node::Kind::null);
  EXPECT_EQ(parsed.node->find("b")->find("c")->text, "d");
}

TEST(YamlDocument, AcceptsByteOrderMarkAndCarriageReturns) {
  const Parsed parsed = parse(
      "\xef\xbb\xbf"
      "a: 1\r\nb: 2\r\n");
  ASSERT_TRUE(parsed.node);
  EXPECT_TRUE(parsed.problems.empty());
  EXPECT_EQ(parsed.node->find("a")->text, "1");
  EXPECT_EQ(parsed.node->find("b")->mark.line, 2);
  EXPECT_EQ(parsed.node->keys[0].mark.column, 1);
}

TEST(YamlDocument, EmptyTextIsNull) {
  EXPECT_EQ(parse("").node->kind, Node::Kind::null);
  EXPECT_EQ(parse("# nothing\n").node->kind, Node::Kind::null);
}

TEST(YamlDocument, ReportsDuplicateKeysWithBothPlaces) {
  const std::string message = complaint("a: 1\nb: 2\na: 3\n");
  EXPECT_TRUE(starts(message, "3:1: the key `a` is given twice, first at line 1, column 1"))
      << message;
}

TEST(YamlDocument, AliasesAreCopied) {
  const Parsed parsed = parse("a: &x [1, 2]\nb: *x\n");
  ASSERT_TRUE(parsed.node);
  EXPECT_EQ(parsed.node->find("b")->items[1].text, "2");
}

TEST(YamlDocument, RefusesMergeKeysWhereTheyStand) {
  EXPECT_TRUE(starts(complaint("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2"), "3:3: merge keys"));
  const Parsed quoted = parse("'<<': 1");
  ASSERT_TRUE(quoted.node);
  EXPECT_TRUE(quoted.problems.empty());
  EXPECT_EQ(quoted.node->keys[0].name, "<<");
}

TEST(YamlDocument, RefusesHostileTexts) {
  EXPECT_NE(complaint("a: " + std::string(100000, '[')).find("nested more than 32 deep"),
            std::string::npos);
  const std::string deep = std::string(31, '[') + "1" + std::string(31, ']');
  EXPECT_TRUE(parse("a: " + deep).problems.empty());
  EXPECT_TRUE(starts(complaint("a: [" + deep + "]"), "1:35: lists and maps are nested"));
  EXPECT_NE(complaint("a: &x [*x]").find("alias"), std::string::npos);
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string inner = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k > 0 ? ", " : "") + inner;
    bomb += "]\n";
  }
  EXPECT_NE(complaint(bomb).find("aliases repeat more than"), std::string::npos);
}

TEST(YamlDocument, RefusesWhatIsNoText) {
  EXPECT_TRUE(starts(complaint("a: 1\nb: \xff\n"), "2:4: byte 0xff is not valid UTF-8"));
  EXPECT_TRUE(starts(complaint(std::string("a: \0b", 5)), "1:4: control character 0x00"));
  EXPECT_NE(complaint("\xff\xfe"
                      "a\0:\0")
                .find("UTF-8"),
            std::string::npos);
}

TEST(YamlDocument, LocatesMistakesOfSyntax) {
  EXPECT_TRUE(starts(complaint("a: 1\n\tb: 2\n"), "2:1: the line is indented with a tab"));
  EXPECT_TRUE(starts(complaint("a: [1, 2\nb: 3\n"), "2:2: this is not valid YAML"));
  EXPECT_TRUE(starts(complaint("a: \"x\n"), "1:4: this quote is never closed"));
  EXPECT_TRUE(starts(complaint("\xc3\xa4: 1\r\nb: ['it''s\n"), "2:5: this quote is never closed"));
  EXPECT_TRUE(parse("a: \"x \\\" y\"\nb: 'it''s'\n").problems.empty());
  EXPECT_TRUE(starts(complaint("a: 1\n---\nb: 2\n"), "2:1: a second document"));
  EXPECT_TRUE(starts(complaint("a: !point [1, 2]\n"), "1:4: the tag `!point`"));
  EXPECT_TRUE(starts(complaint("? [a, b]\n: 1\n"), "1:3: a key must be a plain word"));
  EXPECT_TRUE(starts(complaint("a: *nowhere\n"), "1:4: this is not valid YAML"));
}
