// The scenes that ship, and the broken ones of the test data.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scene/loader.h"

namespace {

std::vector<std::filesystem::path> yaml_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The texts of the comments `# expect: line:column: part of a message`.
std::vector<std::string> expectations(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::vector<std::string> result;
  const std::string mark = "# expect: ";
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(mark, 0) == 0) result.push_back(line.substr(mark.size()));
  }
  return result;
}

}  // namespace

TEST(ShippedScenes, LoadWithoutWarnings) {
  const auto files = yaml_files(ABUT_SCENES_DIR);
  EXPECT_GE(files.size(), 6u);
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    const auto scene = abut::scene::load_scene_file(path.string());
    EXPECT_TRUE(scene.warnings.empty()) << to_string(scene.warnings.front());
    EXPECT_FALSE(scene.model.bodies.empty());
    EXPECT_GT(scene.model.duration, 0);
  }
}

TEST(ShippedScenes, TumblingBoxIsTheOneOfTheReadme) {
  const auto model =
      abut::scene::load_scene_file(std::string(ABUT_SCENES_DIR) + "/tumbling_box.yaml").model;
  ASSERT_EQ(model.bodies.size(), 1u);
  EXPECT_DOUBLE_EQ(model.bodies[0].mass.mass, 6000);
  // m/12 (b^2 + c^2) and so on, for edges 1, 2, 3.
  EXPECT_NEAR(model.bodies[0].mass.inertia(0, 0), 6500, 1e-9);
  EXPECT_NEAR(model.bodies[0].mass.inertia(1, 1), 5000, 1e-9);
  EXPECT_NEAR(model.bodies[0].mass.inertia(2, 2), 2500, 1e-9);
  EXPECT_EQ(model.gravity, abut::Vec3(0, 0, 0));
}

TEST(BrokenScenes, SayWhatTheirCommentsExpect) {
  const auto files = yaml_files(std::string(ABUT_TEST_DATA_DIR) + "/scenes");
  EXPECT_GE(files.size(), 3u);
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    std::vector<std::string> found;
    try {
      abut::scene::load_scene_file(path.string());
    } catch (const abut::InputError& error) {
      for (const auto& d : error.diagnostics()) {
        std::ostringstream line;
        line << d.location.line << ":" << d.location.column << ": " << d.message;
        found.push_back(line.str());
        EXPECT_EQ(d.location.file, path.string());
      }
    }
    const auto expected = expectations(path);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].rfind(expected[i], 0), 0u)
          << "expected " << expected[i] << "\nfound " << found[i];
    }
  }
}
