#include "scene/reference.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "scene/format.h"
#include "scene/json_schema.h"

using namespace abut::scene;

namespace {

void expect_keys(const Record& record, const std::string& page);

void expect_type(const Type& type, const std::string& page) {
  if (type.element) expect_type(*type.element, page);
  for (const Type& alternative : type.alternatives) expect_type(alternative, page);
  for (const auto& record : type.records) expect_keys(*record, page);
  if (type.record) expect_keys(*type.record, page);
}

/// Every key of the format has a row with its meaning.
void expect_keys(const Record& record, const std::string& page) {
  for (const Key& key : record.keys) {
    EXPECT_NE(page.find("| `" + key.name + "` |"), std::string::npos) << key.name;
    EXPECT_NE(page.find(key.help), std::string::npos) << key.help;
    EXPECT_FALSE(key.help.empty()) << key.name;
    expect_type(key.type, page);
  }
}

}  // namespace

TEST(Reference, HasARowForEveryKey) {
  expect_keys(*format::scene_record(), reference_page());
}

TEST(Reference, SaysUnitsRangesAndDefaults) {
  const std::string page = reference_page();
  EXPECT_NE(page.find("| `gravity` | a list of 3 numbers (m/s^2) | [0, 0, -9.81] |"),
            std::string::npos);
  EXPECT_NE(page.find("between 1e-08 m and 1e+06 m"), std::string::npos);
  EXPECT_NE(page.find("`rpm`"), std::string::npos);
}

namespace {

/// The file in docs/guide must hold the generated text; with ABUT_UPDATE_DOCS set it is rewritten.
void expect_current(const std::string& name, const std::string& generated) {
  const std::string path = std::string(ABUT_SCENES_DIR) + "/../docs/guide/" + name;
  if (std::getenv("ABUT_UPDATE_DOCS") != nullptr) std::ofstream(path) << generated;
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(text == generated) << path
                                 << " is out of date; run this test with ABUT_UPDATE_DOCS=1";
}

}  // namespace

TEST(Reference, GuideIsCurrent) {
  expect_current("scene-reference.md", reference_page());
}

TEST(Reference, ShippedSchemaIsCurrent) {
  expect_current("scene.schema.json", json_schema());
}
