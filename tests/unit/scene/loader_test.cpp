// Whole documents: settings, several errors at once, names.
#include "scene/loader.h"

#include <gtest/gtest.h>

#include <fstream>

#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::model::Model;

TEST(Loader, DefaultsAreThoseOfTheFormat) {
  const Model model = load(header);
  EXPECT_EQ(model.name, "test");
  EXPECT_EQ(model.gravity, abut::Vec3(0, 0, -9.81));
  EXPECT_EQ(model.duration, 1);
  EXPECT_EQ(model.record.rate, 60);
  EXPECT_EQ(model.solver.tolerance, 1e-9);
  EXPECT_EQ(model.solver.contact_distance, 1e-9);
  EXPECT_EQ(model.solver.rest_speed, 1e-3);
  EXPECT_EQ(model.solver.step, 1.0 / 240);
  EXPECT_EQ(model.solver.step_tolerance, 1e-4);
  EXPECT_EQ(model.solver.impact, abut::model::ImpactLaw::automatic);
  EXPECT_EQ(model.solver.restitution_law, abut::model::RestitutionLaw::energetic);
  EXPECT_EQ(model.source, header);
}

TEST(Loader, ReadsEverySetting) {
  const Model model = load(
      "abut: 1\nname: Full\ngravity: [0, -1.62 m/s^2, 0]\nduration: 2 min\nrecord: {rate: 1 kHz}\n"
      "solver:\n  clock: event\n  tolerance: 1e-6\n  contact_distance: 1 um\n  impact: routh\n"
      "  restitution_law: energetic\n  contact: constraint\n  rest_speed: 0\n  step: 1/120\n"
      "  step_tolerance: 2e-6\n  step_gap: 1 mm\n");
  EXPECT_EQ(model.name, "Full");
  EXPECT_EQ(model.gravity, abut::Vec3(0, -1.62, 0));
  EXPECT_EQ(model.duration, 120);
  EXPECT_EQ(model.record.rate, 1000);
  EXPECT_EQ(model.solver.tolerance, 1e-6);
  EXPECT_EQ(model.solver.contact_distance, 1e-6);
  EXPECT_EQ(model.solver.impact, abut::model::ImpactLaw::routh);
  EXPECT_EQ(model.solver.restitution_law, abut::model::RestitutionLaw::energetic);
  EXPECT_EQ(model.solver.rest_speed, 0);
  EXPECT_EQ(model.solver.step, 1.0 / 120);
  EXPECT_EQ(model.solver.step_tolerance, 2e-6);
  EXPECT_EQ(model.solver.step_gap, 1e-3);
}

TEST(Loader, ChoicesMatchTheEnumerators) {
  const std::pair<const char*, abut::model::ImpactLaw> laws[] = {
      {"auto", abut::model::ImpactLaw::automatic},
      {"newton", abut::model::ImpactLaw::newton},
      {"sequential", abut::model::ImpactLaw::sequential},
      {"moore-wilhelms", abut::model::ImpactLaw::moore_wilhelms},
      {"routh", abut::model::ImpactLaw::routh}};
  for (const auto& [name, law] : laws) {
    EXPECT_EQ(load(header + "solver: {impact: " + name + "}\n").solver.impact, law) << name;
  }
}

TEST(Loader, RequiredKeys) {
  EXPECT_TRUE(one_error(errors("duration: 1\n"), "1:1", "needs the key `abut`"));
  EXPECT_TRUE(one_error(errors("abut: 1\n"), "1:1", "needs the key `duration`"));
  EXPECT_TRUE(one_error(errors("abut: 2\nduration: 1\n"), "1:7", "must be 1"));
  EXPECT_TRUE(one_error(errors(""), "1:1", "empty"));
  EXPECT_TRUE(one_error(errors("[1, 2]"), "1:1", "must be a map"));
  EXPECT_TRUE(one_error(errors("abut: 1\nduration:\n"), "2:1", "has no value"));
}

TEST(Loader, UnknownKeysAreErrorsWithSuggestions) {
  EXPECT_TRUE(one_error(errors(header + "gravty: [0, 0, 0]\n"), "3:1", "did you mean `gravity`?"));
  EXPECT_TRUE(
      one_error(errors(header + "solver: {tolerence: 1}\n"), "3:10", "did you mean `tolerance`?"));
  EXPECT_TRUE(one_error(errors(header + "zzzzz: 1\n"), "3:1", "the keys here are abut, name"));
  // A misspelt required key is one mistake, not two.
  EXPECT_TRUE(one_error(body_errors("    shape: {sphere: {radus: 1}}\n"), "5:22",
                        "did you mean `radius`?"));
}

TEST(Loader, RangesAndTypesOfSettings) {
  EXPECT_TRUE(
      one_error(errors("abut: 1\nduration: -3\n"), "2:11", "duration is -3, but must be positive"));
  EXPECT_TRUE(one_error(errors("abut: 1\nduration: 0\n"), "2:11", "must be positive"));
  EXPECT_TRUE(one_error(errors("abut: 1\nduration: 1 kg\n"), "2:11", "a time (s)"));
  EXPECT_TRUE(one_error(errors(header + "gravity: 9.81\n"), "3:10", "list of 3 numbers (m/s^2)"));
  EXPECT_TRUE(one_error(errors(header + "gravity: [0, 0]\n"), "3:10", "has 2 entries"));
  EXPECT_TRUE(one_error(errors(header + "gravity: [0, 0, x]\n"), "3:17", "gravity[2]: `x`"));
  EXPECT_TRUE(one_error(errors(header + "record: 60\n"), "3:9", "must be a map"));
  EXPECT_TRUE(one_error(errors(header + "record: {rate: 0}\n"), "3:16", "positive"));
  EXPECT_TRUE(one_error(errors(header + "solver: {tolerance: 1e-20}\n"), "3:21", "between 1e-13"));
  EXPECT_TRUE(one_error(errors(header + "solver: {rest_speed: -1}\n"), "3:22", "between 0 m/s"));
  for (const char* outside : {"0", "-1e-4", "1e-12", "2"})
    EXPECT_TRUE(one_error(errors(header + "solver: {step_tolerance: " + outside + "}\n"), "3:26",
                          "between 1e-10 and 1"))
        << outside;
  EXPECT_TRUE(
      one_error(errors(header + "solver: {impact: rooth}\n"), "3:18", "did you mean `routh`?"));
}

TEST(Loader, AllErrorsComeAtOnceInTheOrderOfTheText) {
  const auto lines = errors(
      "abut: 1\ngravty: 1\nduration: -1\nmaterials:\n  m: {friction: -1}\nbodies:\n"
      "  - name: a\n    shape: {sphere: {radius: 0}}\n    material: n\n"
      "  - name: a\n    shape: {box: {size: [1, 1]}}\nforces:\n  - {type: drag, body: c}\n");
  ASSERT_EQ(lines.size(), 8u);
  const char* places[] = {"2:1:", "3:11:", "5:17:", "8:30:", "9:15:", "10:11:", "11:25:", "13:24:"};
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(lines[i].rfind(places[i], 0), 0u) << lines[i];
}

TEST(Loader, ManyErrorsAreCutShort) {
  std::string text = header + "bodies:\n";
  for (int i = 0; i < 500; ++i) text += "  - 3\n";
  const auto lines = errors(text);
  EXPECT_EQ(lines.size(), 101u);
  EXPECT_NE(lines.back().find("400 further errors"), std::string::npos) << lines.back();
}

TEST(Loader, NamesAreUniqueAndReserved) {
  const std::string two =
      header + "materials: {m: {}}\nbodies:\n  - {name: X, shape: {sphere: {radius: 1}}}\n";
  const auto with = [&](const std::string& name) {
    return errors(two + "  - {name: " + name + ", shape: {sphere: {radius: 1}}}\n");
  };
  EXPECT_TRUE(with("Y").empty());
  EXPECT_TRUE(one_error(with("X"), "6:12", "taken by the body at line 5"));
  EXPECT_TRUE(one_error(with("m"), "6:12", "taken by the material at line 3"));
  EXPECT_TRUE(one_error(with("world"), "6:12", "reserved"));
  EXPECT_TRUE(one_error(with("''"), "6:12", "name is empty"));
  EXPECT_TRUE(one_error(errors(header + "materials: {world: {}}\n"), "3:13", "reserved"));
}

TEST(Loader, WarnsOfASceneWithoutBodies) {
  const auto scene = abut::scene::load_scene_text(header, "test.yaml");
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].message.find("no bodies"), std::string::npos);
}

TEST(Loader, FilesThatCannotBeRead) {
  EXPECT_THROW(abut::scene::load_scene_file("/nonexistent/scene.yaml"), abut::InputError);
  EXPECT_THROW(abut::scene::load_scene_file(ABUT_TEST_DATA_DIR), abut::InputError);
}
